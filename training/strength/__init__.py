"""Measurements of the bots' strength: the tables of docs/strength.md. See `python -m training.strength --help`."""
