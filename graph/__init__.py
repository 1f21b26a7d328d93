"""Rows become the graph of people, organisations, threads and messages; plans become Cypher, SQL and exact answers."""
