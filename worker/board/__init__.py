"""The live board: what a player's side sees of his game now, as a page that a link in each of his reports opens for a while."""
