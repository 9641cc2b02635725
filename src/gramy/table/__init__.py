"""Live tables: `state.py` has the state and its transitions, `table.py` the one writer, `lobby.py` all tables."""
