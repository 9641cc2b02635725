"""Live tables: `table.py` is the one writer of a match, `lobby.py` finds tables, `store.py` keeps them."""
