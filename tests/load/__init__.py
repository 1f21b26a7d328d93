"""Many people ask at once, for a long time: no error, steady times, flat memory."""
