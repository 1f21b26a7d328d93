"""Pieces that pages are made of. Each takes plain values and draws them; none opens a store or runs a query."""
