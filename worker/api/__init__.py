"""The players' API: what a side may see and order, for programs that bear a player's token."""
