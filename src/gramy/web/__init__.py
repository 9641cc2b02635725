"""The browser door: `app.py` speaks HTTP and WebSocket, `wire.py` is what may be said, `static/` is the client."""
