"""A chat model that looks around in the mailbox: one tool at a time, each chosen under a grammar, all only reading."""
