"""A crowd: many people at many tables, played over real sockets against a running server, and how long it took.

A client like any other: it knows docs/protocol.md and nothing of the server. `run.py` seats and times everybody,
`chair.py` is one of them, `figures.py` what was measured, `report.py` how it is told.
"""
