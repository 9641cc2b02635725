"""An async client of docs/protocol.md: HTTP requests, and a table's WebSocket that reconnects by itself.

    async with Server("https://gramy.example") as server:          # token=... for a bot account
        seat = await server.join("k3v9x2mwqa7c", name="Ada")        # or server.open(...), or parse_link(...)
        async with TableConnection(server, seat.table, seat.token) as table:
            async for now in table:                                # the newest Snapshot; some may be skipped
                if now.must_move:
                    refusal = await table.move(now.view.moves[0])  # None, or a Message that says why not

`Server` (`server.py`) sends requests and keeps the guest's cookie; it raises `RemoteError`, a GramyError whose message
says what is wrong. `parse_link` (`links.py`) reads the link of a table, with `#seat=TOKEN` or without.

`TableConnection` (`connection.py`) is one viewer of a table, a player or (without token and cookie) a spectator:
- `async for now in table` yields the newest snapshot after each change, and ends with `RemoteError` when the server
  says that the client must not come back. `table.now` is the newest snapshot, None before the first.
- `await table.do("say", phrase=..., at=...)` sends a command and returns its answer: None, or the Message of a
  refusal. A command that was not answered is sent again after a reconnect, under the same id, so it is not executed
  twice. `move`, `say` and `undo` fill in `at` and `round`. `await table.hint()` returns a `HintMessage` or a Message.
- `table.log` has all lines of this round, `table.history()` those that were not undone, as a bot gets them.
- It answers the deals with client seeds, sends pings, and reconnects with growing delays. `listener` is called with
  every message of the server, and with `Connected` and `Disconnected`.

`messages.py` has the messages of the server as structs. `Snapshot.view` is a `gramy.View` with the game's own board.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramy.remote.connection import Connected, Disconnected, TableConnection
    from gramy.remote.errors import RemoteError
    from gramy.remote.links import Link, parse_link
    from gramy.remote.messages import Snapshot
    from gramy.remote.server import Seated, Server

__all__ = [
    "Connected",
    "Disconnected",
    "Link",
    "RemoteError",
    "Seated",
    "Server",
    "Snapshot",
    "TableConnection",
    "parse_link",
]

MODULES = {
    "connection": ("Connected", "Disconnected", "TableConnection"),
    "errors": ("RemoteError",),
    "links": ("Link", "parse_link"),
    "messages": ("Snapshot",),
    "server": ("Seated", "Server"),
}
"""The names by the modules that have them. They are imported when they are used: the command line has a command of this
package, and a plain installation has no aiohttp."""


def __getattr__(name: str) -> Any:
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"gramy.remote.{module}"), name)
    raise AttributeError(name)
