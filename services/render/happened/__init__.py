"""What happened in a turn, drawn over the map."""
