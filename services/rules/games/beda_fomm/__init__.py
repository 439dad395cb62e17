"""Beda Fomm."""
