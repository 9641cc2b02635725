"""Training of the evaluation of Quick & Easy: `python -m training.quick_easy --help`."""
