"""Programs that compute and check the strategy tables of GRA: see `python -m training.gra --help`."""
