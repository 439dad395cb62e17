"""Programs: their tokens, and those who are told of turns by a POST."""
