"""The columns of the comparison: each a way of retrieving, on one protocol, over the same prompt and the same model."""
