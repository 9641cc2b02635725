"""WebSocketConnection: text messages over a socket that was taken over from aiohttp after its handshake."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import cast

from aiohttp import web

from gramy.web.frames import CLOSE, PING, PONG, TEXT, FrameError, FrameReader, close_answer, encode_frame

CLOSE_TIMEOUT = 5.0
"""Seconds that the client has to answer a close frame."""
HEARTBEAT = 5.0
PING_AFTER, ABORT_AFTER = 2, 5
"""Heartbeats without data from the client after which the server pings it, and ends the connection."""
ABORT_PINGING_AFTER = 3
"""Heartbeats without data after which the connection of a client that sent TEXT_PING is ended: at most 15 seconds."""
TEXT_PING, TEXT_CHECK, TEXT_PONG = b"ping", b"check", b"pong"
"""Text messages for browsers, whose scripts can neither send nor see WebSocket pings. A client that sends TEXT_PING
does so again within a few seconds; one that sends TEXT_CHECK promises nothing. TEXT_PONG is the answer to both."""


def take_over(request: web.Request, response: bytes, connection: WebSocketConnection) -> None:
    """Send the response to a handshake and hand the socket from aiohttp to the connection.

    aiohttp would keep the handler of a WebSocket suspended for a whole match. Its request, parser, headers, tasks and
    coroutines hold 20 kB per viewer, and every message passes through them. To aiohttp the socket looks lost instead.
    """
    transport, http = request.transport, request.protocol
    assert transport is not None
    early = http._message_tail  # private; the frames of a client that did not wait for the response
    http.transport = None  # otherwise connection_lost would close the socket
    http.connection_lost(None)
    transport.set_protocol(connection)
    transport.set_write_buffer_limits(high=0)  # writing is paused as soon as the system's buffer is full
    transport.write(response)
    connection.connection_made(transport)
    transport.resume_reading()  # aiohttp pauses it when much data arrives before the response
    if early:
        connection.data_received(early)


class WebSocketConnection(asyncio.Protocol, ABC):
    """One open WebSocket. A subclass handles its messages."""

    __slots__ = (
        "_abort_after",
        "_reader",
        "_silent_heartbeats",
        "_transport",
        "closing",
        "write_paused",
    )

    def __init__(self, max_message_size: int) -> None:
        self._reader: FrameReader | None = FrameReader(max_message_size)  # None after an error: the rest is ignored
        self._transport: asyncio.Transport | None = None
        self._silent_heartbeats, self._abort_after = 0, ABORT_AFTER
        self.write_paused = False  # the client does not read what was sent
        self.closing = False  # a close frame was sent or the connection is lost

    @property
    def lost(self) -> bool:
        """Whether the socket is closed."""
        return self._transport is None

    # --- for the subclass ---------------------------------------------------------------------------------------------

    @abstractmethod
    def message_received(self, body: bytes | None) -> None:
        """Handle a text message; None stands for a binary message."""

    @abstractmethod
    def writing_resumed(self) -> None:
        """Send what waited while `write_paused` was true."""

    @abstractmethod
    def connection_closed(self) -> None:
        """Release everything. Called once, when the socket is closed."""

    def send(self, body: bytes) -> None:
        """Send a text message. While `write_paused` is true it stays in memory, so check that first."""
        if self._transport is not None and not self.closing:
            self._transport.write(encode_frame(TEXT, body))

    def close(self, code: int, reason: str = "") -> None:
        """Send a close frame. The socket is closed when the client answers, or after CLOSE_TIMEOUT."""
        self._send_close(code.to_bytes(2) + reason.encode())

    def heartbeat(self) -> None:
        """Ping a client that has been silent for long, or end its connection. Called every HEARTBEAT seconds."""
        self._silent_heartbeats += 1
        if self._reader is not None:
            self._reader.frames_without_message = 0
        if self._transport is None:
            return
        if self._silent_heartbeats >= self._abort_after:
            self._transport.abort()
        elif self._silent_heartbeats >= PING_AFTER and not self.write_paused and not self.closing:
            self._transport.write(encode_frame(PING, b""))

    def pause_reading(self) -> None:
        """Stop reading from the client, which then has to wait."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read from the client again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    # --- for the event loop -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._silent_heartbeats = 0
        if self._reader is None:
            return
        try:
            for opcode, body in self._reader.read(data):
                self._frame_received(opcode, body)
        except FrameError as error:
            self._reader = None
            self.close(error.code)

    def pause_writing(self) -> None:
        self.write_paused = True

    def resume_writing(self) -> None:
        self.write_paused, self._silent_heartbeats = False, 0
        if not self.closing:
            self.writing_resumed()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport, self.closing = None, True
        self.connection_closed()

    # --- frames -------------------------------------------------------------------------------------------------------

    def _frame_received(self, opcode: int, body: bytes) -> None:
        if opcode == CLOSE:
            self._reader = None
            self._send_close(close_answer(body))
            if self._transport is not None:
                self._transport.close()
        elif self.closing:
            return
        elif opcode == PING:
            if self._transport is not None and not self.write_paused:  # unread pongs would pile up
                self._transport.write(encode_frame(PONG, body))
        elif opcode == TEXT and body in (TEXT_PING, TEXT_CHECK):
            self._text_ping_received(body)
        elif opcode != PONG:
            self.message_received(body if opcode == TEXT else None)

    def _text_ping_received(self, body: bytes) -> None:
        """Answer a text ping here: it needs no JSON, no task and no table. It is limited like control frames."""
        self._abort_after = ABORT_PINGING_AFTER if body == TEXT_PING else ABORT_AFTER
        if self._reader is not None:
            self._reader.frames_without_message += 1
        if not self.write_paused:
            self.send(TEXT_PONG)

    def _send_close(self, body: bytes) -> None:
        """Send a close frame, unless one was sent, and limit the time that closing takes."""
        if self._transport is not None and not self.closing:
            self.closing = True
            self._transport.write(encode_frame(CLOSE, body))
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT, self._transport.abort)
