"""The command line: what the operator, the game master and whoever studies a game does by hand."""
