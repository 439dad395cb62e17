"""Processes and machines: doors, health, figures, alerts, backups, upgrades and games that move."""
