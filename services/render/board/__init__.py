"""The map sheet: ground, lines, names, an owner's art."""
