"""WebSocket frames (RFC 6455) as a server reads and writes them, without any input or output."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from aiohttp import WSCloseCode, web

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Appended to the client's key to prove that the server speaks WebSocket (RFC 6455, section 1.3)."""
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN = MASKED = 0x80
LENGTH_16, LENGTH_64 = 126, 127
"""Values of the length field that mean: the length follows in 16 or 64 bits."""
MAX_FRAMES_WITHOUT_MESSAGE = 1000
"""Control frames and fragments that a client may send between two heartbeats. Each costs as much as a small message,
and the limit on messages does not count them."""


class FrameError(Exception):
    """The client broke the protocol or a limit; the connection has to be closed with this code."""

    def __init__(self, code: WSCloseCode) -> None:
        super().__init__(code)
        self.code = code


def accept(request: web.Request) -> bytes:
    """Return the response to a WebSocket handshake; raise HTTPBadRequest if the request is not a valid one."""
    headers = request.headers
    upgrade, connection = headers.get("Upgrade", "").lower(), headers.get("Connection", "").lower()
    key = headers.get("Sec-WebSocket-Key", "").strip()
    if request.method != "GET" or upgrade != "websocket" or "upgrade" not in connection:
        raise web.HTTPBadRequest
    if headers.get("Sec-WebSocket-Version") != "13":
        raise web.HTTPBadRequest
    try:
        nonce = base64.b64decode(key, validate=True)
    except ValueError:
        raise web.HTTPBadRequest from None
    if len(nonce) != 16:
        raise web.HTTPBadRequest
    proof = base64.b64encode(hashlib.sha1(key.encode() + GUID, usedforsecurity=False).digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nServer: Gramy\r\n"
    return head + b"Sec-WebSocket-Accept: " + proof + b"\r\n\r\n"


def encode_frame(opcode: int, body: bytes) -> bytes:
    """Return a whole message as one frame."""
    size = len(body)
    if size < LENGTH_16:
        return bytes((FIN | opcode, size)) + body
    if size < 1 << 16:
        return bytes((FIN | opcode, LENGTH_16, size >> 8, size & 0xFF)) + body
    return bytes((FIN | opcode, LENGTH_64)) + size.to_bytes(8) + body


def close_answer(body: bytes) -> bytes:
    """Return the body that answers a close frame: the same if its code is valid."""
    if not body:
        return body
    code = int.from_bytes(body[:2])
    known = 3000 <= code < 5000 or code in (set(WSCloseCode) - {WSCloseCode.ABNORMAL_CLOSURE})
    return body if len(body) >= 2 and known else WSCloseCode.PROTOCOL_ERROR.to_bytes(2)


class FrameReader:
    """Puts a client's bytes together to messages of at most `max_size` bytes."""

    __slots__ = ("_buffer", "_max_size", "_message", "_opcode", "frames_without_message")

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self.frames_without_message = 0  # the owner resets it
        self._buffer = b""  # the beginning of a frame
        self._opcode, self._message = CONTINUATION, b""  # the fragments so far of an unfinished message

    def read(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield opcode and body of the messages and control frames that end in this data; raise FrameError."""
        data, start = self._buffer + data, 0
        try:
            while (frame := self._frame(data, start)) is not None:
                first, body, start = frame
                opcode, fin = first & 0x0F, bool(first & FIN)
                self.frames_without_message += opcode >= CLOSE or not fin
                if self.frames_without_message > MAX_FRAMES_WITHOUT_MESSAGE:
                    raise FrameError(WSCloseCode.POLICY_VIOLATION)
                if opcode >= CLOSE:
                    yield opcode, body
                else:
                    yield from self._fragment(opcode, body, fin)
        finally:
            self._buffer = data[start:]  # once: a copy per frame would take quadratic time

    def _frame(self, data: bytes, start: int) -> tuple[int, bytes, int] | None:
        """Return the first byte, the body and the end of the frame at `start`; None if it is incomplete."""
        if len(data) < start + 2:
            return None
        first, second = data[start], data[start + 1]
        opcode, size, at = first & 0x0F, second & 0x7F, start + 2
        if first & 0x70 or not second & MASKED or opcode not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
            raise FrameError(WSCloseCode.PROTOCOL_ERROR)
        if opcode >= CLOSE and (size >= LENGTH_16 or not first & FIN):
            raise FrameError(WSCloseCode.PROTOCOL_ERROR)
        if size == LENGTH_64:
            raise FrameError(WSCloseCode.MESSAGE_TOO_BIG)
        if size == LENGTH_16:
            size, at = int.from_bytes(data[at : at + 2]), at + 2
        if opcode < CLOSE and size + len(self._message) > self._max_size:
            raise FrameError(WSCloseCode.MESSAGE_TOO_BIG)
        end = at + 4 + size
        return None if len(data) < end else (first, _unmask(data[at : at + 4], data[at + 4 : end]), end)

    def _fragment(self, opcode: int, body: bytes, fin: bool) -> Iterator[tuple[int, bytes]]:
        """Add a fragment to its message; yield the message if this is the last one."""
        if (opcode == CONTINUATION) != (self._opcode != CONTINUATION):
            raise FrameError(WSCloseCode.PROTOCOL_ERROR)
        self._opcode, self._message = opcode or self._opcode, self._message + body
        if fin:
            message = self._opcode, self._message
            self._opcode, self._message = CONTINUATION, b""
            yield message


def _unmask(key: bytes, body: bytes) -> bytes:
    size = len(body)
    keys = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(body) ^ int.from_bytes(keys)).to_bytes(size)
