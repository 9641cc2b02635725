"""Server: the HTTP requests of docs/protocol.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import aiohttp

from gramy.remote.errors import problem, refused
from gramy.remote.links import check_token_is_safe
from gramy.remote.messages import message_of

TIMEOUT = 30.0
"""Seconds that a request may take."""
LONGEST_ANSWER = 1 << 20
"""The most bytes of a response or a message. A snapshot has some ten thousand."""


class Seated(NamedTuple):
    """A seat that was taken, with the token that opens it."""

    table: str
    seat: int
    token: str


class Server:
    """A server, as one guest uses it. With a bot's token it is that bot account, and no cookie is kept.

    Raises RemoteError if the token would be sent to another computer without encryption.
    """

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.token = token
        if token:
            check_token_is_safe(self.address)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Server:
        jar = aiohttp.DummyCookieJar() if self.token else aiohttp.CookieJar(unsafe=True)  # unsafe: hosts may be numbers
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        timeout = aiohttp.ClientTimeout(total=TIMEOUT)
        self._session = aiohttp.ClientSession(cookie_jar=jar, headers=headers, timeout=timeout)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.session.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The session of the requests; the server must have been entered."""
        assert self._session is not None, "use `async with Server(...)`"
        return self._session

    async def games(self) -> list[dict[str, Any]]:
        """Return the games that the server has."""
        found: list[dict[str, Any]] = await self.ask("GET", "/api/games")
        return found

    async def open(
        self,
        game: str,
        seats: Sequence[str | None],
        name: str = "",
        options: Mapping[str, str] | None = None,
        public: bool = False,
    ) -> Seated:
        """Open a table and sit down; `seats` has None for open seats and the level of each bot."""
        body = {"game": game, "name": name, "options": dict(options or {}), "public": public}
        listed = [None if level is None else {"bot": level} for level in seats]
        return _seated(await self.ask("POST", "/api/tables", {**body, "seats": listed}))

    async def join(self, table: str, name: str = "", seat: int | None = None) -> Seated:
        """Sit down at a table, in any open seat or a given one."""
        return _seated(await self.ask("POST", f"/api/tables/{table}/join", {"name": name, "seat": seat}))

    async def table(self, table: str) -> dict[str, Any]:
        """Return a table as the lobby shows it."""
        found: dict[str, Any] = await self.ask("GET", f"/api/tables/{table}")
        return found

    async def ask(self, method: str, path: str, body: object = None, seconds: float = TIMEOUT) -> Any:
        """Send a request; return the decoded body of its response, None without one. Raises RemoteError."""
        timeout = aiohttp.ClientTimeout(total=seconds)
        try:
            async with self.session.request(method, self.address + path, json=body, timeout=timeout) as response:
                found = await self.read(response)
                status, kind = response.status, response.content_type
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise problem("unreachable", server=self.address, why=str(error) or type(error).__name__) from None
        if status == 204:
            return None
        try:
            decoded = json.loads(found)
            failure = refused(message_of(decoded), status) if status >= 400 else None
        except (ValueError, KeyError, TypeError):
            raise problem("not_gramy", server=self.address, status=status, kind=kind) from None
        if failure is not None:
            raise failure
        return decoded

    async def read(self, response: aiohttp.ClientResponse) -> bytes:
        """Return the body of a response; raises RemoteError if it is too long for a server of Gramy."""
        found = bytearray()
        async for part in response.content.iter_any():
            found += part
            if len(found) > LONGEST_ANSWER:
                raise problem("not_gramy", server=self.address, status=response.status, kind="> 1 MiB")
        return bytes(found)


def _seated(found: Mapping[str, Any]) -> Seated:
    return Seated(found["table"], found["seat"], found["token"])
