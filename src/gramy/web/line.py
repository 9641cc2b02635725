"""Line: a WebSocket after its handshake, with no more than a table needs: texts in, texts out, pings, a goodbye.

aiohttp answers the request; then the connection changes hands, and nothing of the request stays: a viewer's request,
parser, headers and the coroutines under a handler that lasts as long as a match held 20 kB, and every move went through
all of them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator

from aiohttp import WSCloseCode, web

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What every WebSocket server puts behind a client's key (RFC 6455, section 1.3)."""
MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
LAST = MASKED = 0x80
TWO_BYTES, EIGHT_BYTES = 126, 127
"""Not the length of a frame, but how many bytes of length follow."""
GOODBYE_WITHIN = 5.0
"""Seconds that the other side has to answer a goodbye."""
BEAT = 5.0
PINGED_AFTER, GONE_AFTER = 5, 8
"""Beats of silence after which a line is pinged, and given up."""
EMPTY_WORDS = 1000
"""Frames without a message of their own, pings and pieces, that somebody may send from beat to beat: each costs as much
as a small message, and nobody else counts them."""


class Wrong(Exception):
    """What came is no WebSocket frame, or none that we take."""

    def __init__(self, code: WSCloseCode) -> None:
        super().__init__(code)
        self.code = code


def accepted(request: web.Request) -> bytes:
    """The answer to a handshake; raises HTTPBadRequest when it is none."""
    said = request.headers
    upgrade, connection = said.get("Upgrade", "").lower(), said.get("Connection", "").lower()
    key = said.get("Sec-WebSocket-Key", "").strip()
    if request.method != "GET" or upgrade != "websocket" or "upgrade" not in connection:
        raise web.HTTPBadRequest
    if said.get("Sec-WebSocket-Version") != "13":
        raise web.HTTPBadRequest
    try:
        nonce = base64.b64decode(key, validate=True)
    except ValueError:
        raise web.HTTPBadRequest from None
    if len(nonce) != 16:
        raise web.HTTPBadRequest
    proof = base64.b64encode(hashlib.sha1(key.encode() + MAGIC, usedforsecurity=False).digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nServer: Gramy\r\n"
    return head + b"Sec-WebSocket-Accept: " + proof + b"\r\n\r\n"


def frame(kind: int, body: bytes) -> bytes:
    """A whole message as a server sends it."""
    size = len(body)
    if size < TWO_BYTES:
        return bytes((LAST | kind, size)) + body
    if size < 1 << 16:
        return bytes((LAST | kind, TWO_BYTES, size >> 8, size & 0xFF)) + body
    return bytes((LAST | kind, EIGHT_BYTES)) + size.to_bytes(8) + body


class Frames:
    """Whole messages out of the bytes that a client sends, none of them longer than `most`."""

    __slots__ = ("_body", "_kind", "_most", "_rest", "empty")

    def __init__(self, most: int) -> None:
        self._most = most
        self.empty = 0  # frames without a message of their own, since somebody last looked
        self._rest = b""  # the beginning of a frame
        self._kind, self._body = MORE, b""  # a message whose last frame has not come yet

    def read(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The messages that are whole with these bytes, by kind; raises Wrong."""
        data, start = self._rest + data, 0
        try:
            while (found := self._frame(data, start)) is not None:
                first, body, start = found
                kind, last = first & 0x0F, bool(first & LAST)
                self.empty += kind >= CLOSE or not last
                if self.empty > EMPTY_WORDS:
                    raise Wrong(WSCloseCode.POLICY_VIOLATION)
                if kind >= CLOSE:
                    yield kind, body
                else:
                    yield from self._put_together(kind, body, last)
        finally:
            self._rest = data[start:]  # once: a copy for each frame would be the square of what came

    def _frame(self, data: bytes, start: int) -> tuple[int, bytes, int] | None:
        """The frame that begins here: its first byte, its body and where it ends; None when it is not whole yet."""
        if len(data) < start + 2:
            return None
        first, second = data[start], data[start + 1]
        kind, size, at = first & 0x0F, second & 0x7F, start + 2
        if first & 0x70 or not second & MASKED or kind not in (MORE, TEXT, BINARY, CLOSE, PING, PONG):
            raise Wrong(WSCloseCode.PROTOCOL_ERROR)
        if kind >= CLOSE and (size >= TWO_BYTES or not first & LAST):
            raise Wrong(WSCloseCode.PROTOCOL_ERROR)
        if size == EIGHT_BYTES:
            raise Wrong(WSCloseCode.MESSAGE_TOO_BIG)
        if size == TWO_BYTES:
            size, at = int.from_bytes(data[at : at + 2]), at + 2
        if kind < CLOSE and size + len(self._body) > self._most:
            raise Wrong(WSCloseCode.MESSAGE_TOO_BIG)
        end = at + 4 + size
        return None if len(data) < end else (first, _unmasked(data[at : at + 4], data[at + 4 : end]), end)

    def _put_together(self, kind: int, body: bytes, last: bool) -> Iterator[tuple[int, bytes]]:
        if (kind == MORE) != (self._kind != MORE):  # more of nothing, or something new in the middle
            raise Wrong(WSCloseCode.PROTOCOL_ERROR)
        self._kind, self._body = kind or self._kind, self._body + body
        if last:
            whole = self._kind, self._body
            self._kind, self._body = MORE, b""
            yield whole


def _unmasked(key: bytes, body: bytes) -> bytes:
    size = len(body)
    keys = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(body) ^ int.from_bytes(keys)).to_bytes(size)


class Line(asyncio.Protocol, ABC):
    """A connection and what comes over it; whoever uses it says what to do with that."""

    __slots__ = ("_frames", "_silent", "_transport", "busy", "closed")

    def __init__(self, most: int) -> None:
        self._frames: Frames | None = Frames(most)  # None: after what is no frame nothing means anything
        self._silent = 0  # beats since the last sign of life
        self._transport: asyncio.Transport | None = None
        self.busy = False  # the other side does not take what it was sent
        self.closed = False  # nothing is heard or said any more but goodbye

    @property
    def over(self) -> bool:
        """Whether there is no connection any more."""
        return self._transport is None

    # --- for whoever uses it ------------------------------------------------------------------------------------------

    @abstractmethod
    def heard(self, body: bytes | None) -> None:
        """A text has come; None: something else, which is no text."""

    @abstractmethod
    def free(self) -> None:
        """The other side has taken everything that it was sent."""

    @abstractmethod
    def gone(self) -> None:
        """The connection is over; called once."""

    def take(self, request: web.Request, answer: bytes) -> None:
        """Take the connection of a request, whose last answer this is. For aiohttp it is lost from now on."""
        transport, before = request.transport, request.protocol
        assert transport is not None
        early = before._message_tail  # a private name; whoever did not wait for the answer would not be heard
        before.transport = None  # or it would be closed with everything else
        before.connection_lost(None)
        self._transport = transport
        transport.set_protocol(self)
        transport.set_write_buffer_limits(high=0)  # so that `busy` is the truth
        transport.write(answer)
        transport.resume_reading()  # aiohttp may have let the other side wait
        if early:
            self.data_received(early)

    def send(self, body: bytes) -> None:
        """A text; nothing waits, so see first whether the line is busy."""
        if self._transport is not None and not self.closed:
            self._transport.write(frame(TEXT, body))

    def close(self, code: int, why: bytes = b"") -> None:
        """Say goodbye; the connection ends when the other side has said it, too, or soon."""
        if self._transport is not None and not self.closed:
            self.closed = True
            self._transport.write(frame(CLOSE, code.to_bytes(2) + why))
            asyncio.get_running_loop().call_later(GOODBYE_WITHIN, self._transport.abort)

    def beat(self) -> None:
        """Some time has passed: whoever has been silent for long is asked for a sign of life."""
        self._silent += 1
        if self._frames is not None:
            self._frames.empty = 0
        if self._transport is not None:
            if self._silent >= GONE_AFTER:
                self._transport.abort()
            elif self._silent >= PINGED_AFTER and not self.busy and not self.closed:
                self._transport.write(frame(PING, b""))

    def listen(self, on: bool) -> None:
        """Read on, or let the other side wait."""
        if self._transport is not None and not self._transport.is_closing():
            (self._transport.resume_reading if on else self._transport.pause_reading)()

    # --- for the event loop -------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        if self._frames is None:
            return
        try:
            for kind, body in self._frames.read(data):
                self._received(kind, body)
        except Wrong as wrong:
            self._frames = None
            self.close(wrong.code)

    def _received(self, kind: int, body: bytes) -> None:
        if kind == CLOSE:
            self.close(_answer_to(body))
            if self._transport is not None:
                self._transport.close()
        elif self.closed:
            pass
        elif kind == PING:
            if self._transport is not None and not self.busy:
                self._transport.write(frame(PONG, body))
        elif kind != PONG:
            self.heard(body if kind == TEXT else None)

    def pause_writing(self) -> None:
        self.busy = True

    def resume_writing(self) -> None:
        self.busy, self._silent = False, 0
        if not self.closed:
            self.free()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport, self.closed = None, True
        self.gone()


def _answer_to(goodbye: bytes) -> int:
    """The code of a goodbye that answers one: the same, if there is such a code."""
    if not goodbye:
        return WSCloseCode.OK
    code = int.from_bytes(goodbye[:2])
    known = 3000 <= code < 5000 or code in (set(WSCloseCode) - {WSCloseCode.ABNORMAL_CLOSURE})
    return code if len(goodbye) >= 2 and known else WSCloseCode.PROTOCOL_ERROR
