"""The panel beside the map: tracks, boxes, dice, legend."""
