"""The web server: `server.py` starts it, `app.py` answers HTTP, `wire.py` defines the messages of the WebSocket."""
