"""A question becomes a plan, hits, facts and an answer."""
