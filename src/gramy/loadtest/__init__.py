"""The load generator: play at many tables of a running server over real sockets, and measure the latency.

It is an ordinary client that uses only docs/protocol.md. `run.py` opens the tables and runs the test, `client.py` is
one connection, `figures.py` holds the measurements, and `report.py` prints and draws them.
"""
