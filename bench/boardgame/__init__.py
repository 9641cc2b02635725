"""boardgame.io, measured: `server.cjs` is a game on its server, `client.py` plays it over its socket.io transport."""
