"""A mailbox export becomes clean rows."""
