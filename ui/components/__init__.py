"""Pieces that pages are made of. Each takes plain values and draws them; only the list of messages reads its page."""
