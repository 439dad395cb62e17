"""``hexpost archive``: a game, or all of a club's, as a site of plain files."""
