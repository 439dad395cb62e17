"""Discord: what is posted in channels, and commands that are given there."""
