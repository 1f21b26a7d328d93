"""The store: one Postgres database with Apache AGE and pgvector, its schema, and the connections to it."""
