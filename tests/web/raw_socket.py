"""A client below the level of WebSocket libraries: handshakes and frames as bytes, also wrong ones."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.web.client import TIMEOUT

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
KEY = base64.b64encode(bytes(range(16))).decode()
HELLO = b'{"type": "hello"}'


def client_frame(opcode: int, body: bytes, fin: bool = True, key: bytes = b"\x37\xfa\x21\x3d") -> bytes:
    """Return a masked frame, as a client sends it."""
    size = len(body)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65_536:
        length = bytes([0xFE, *size.to_bytes(2)])
    else:
        length = bytes([0xFF, *size.to_bytes(8)])
    masked = bytes(byte ^ key[at % 4] for at, byte in enumerate(body))
    return bytes([opcode | (0x80 if fin else 0)]) + length + key + masked


def server_frames(data: bytes) -> list[tuple[int, bytes]]:
    """Return the opcode and body of each frame that a server sent."""
    frames = []
    while data:
        size, start = data[1], 2
        if size == 126:
            size, start = int.from_bytes(data[2:4]), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10]), 10
        assert data[0] & 0xF0 == 0x80, "the server sends whole messages without extensions"
        frames.append((data[0] & 0x0F, data[start : start + size]))
        data = data[start + size :]
    return frames


def handshake(table: str, **changed: str | None) -> bytes:
    """Return the request that opens a WebSocket, with some headers changed or, as None, left out."""
    headers = {"Host": "x", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": KEY} | {name.replace("_", "-"): value for name, value in changed.items()}
    method = headers.pop("Method", "GET")
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"{method} /ws/{table} HTTP/1.1", *lines, "", ""]).encode()


@asynccontextmanager
async def raw_socket(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a TCP connection to a server."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


async def read_response(reader: asyncio.StreamReader) -> bytes:
    """Return the head of the server's response to a handshake."""
    return await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT)


@asynccontextmanager
async def raw_websocket(
    address: str, table: str, **changed: str | None
) -> AsyncIterator[tuple[bytes, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a TCP connection and make the handshake; also yield the response's head."""
    async with raw_socket(address) as (reader, writer):
        writer.write(handshake(table, **changed))
        yield await read_response(reader), reader, writer


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the opcode and body of the server's next frame."""
    first, size = await asyncio.wait_for(reader.readexactly(2), TIMEOUT)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2))
    return first & 0x0F, await reader.readexactly(size)


async def read_close(reader: asyncio.StreamReader) -> bytes:
    """Return the body of the server's close frame, skipping everything before it."""
    while (frame := await read_frame(reader))[0] != CLOSE:
        pass
    return frame[1]
