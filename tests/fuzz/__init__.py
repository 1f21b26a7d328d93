"""Hostile bytes: readers of mail meet inputs that nobody would send by accident."""
