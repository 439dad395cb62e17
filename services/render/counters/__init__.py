"""Counters: their symbols, their faces, and where they stand."""
