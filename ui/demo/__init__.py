"""The fictional mailbox: written content, and the script that turns it into mbox files."""
