"""A WebSocketConnection on a fake socket, both of which record what happens to them."""

from __future__ import annotations

import asyncio

from gramy.web.websocket import WebSocketConnection
from tests.web.raw_socket import CLOSE, server_frames

MAX_SIZE = 4096


class FakeTransport(asyncio.Transport):
    """Records what a connection does to its socket."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.eof = self.closed = self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def write_eof(self) -> None:
        self.eof = True

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def abort(self) -> None:
        self.aborted = True

    @property
    def frames(self) -> list[tuple[int, bytes]]:
        return server_frames(self.written)

    @property
    def close_code(self) -> int | None:
        """The code of the close frame, if one was sent."""
        codes = [int.from_bytes(body[:2]) for opcode, body in self.frames if opcode == CLOSE]
        return codes[-1] if codes else None


class RecordingConnection(WebSocketConnection):
    """Collects the messages that it receives."""

    def __init__(self) -> None:
        super().__init__(MAX_SIZE)
        self.socket = FakeTransport()
        self.messages: list[bytes | None] = []
        self.resumed = self.ended = 0
        self.connection_made(self.socket)

    def message_received(self, body: bytes | None) -> None:
        self.messages.append(body)

    def writing_resumed(self) -> None:
        self.resumed += 1

    def connection_closed(self) -> None:
        self.ended += 1
