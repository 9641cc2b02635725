"""A minimal WebSocket server, as a lower limit of the cost: it decodes a move and sends it back.

python -m bench.echo serve
"""

from __future__ import annotations

import asyncio
import os
import sys
import time

import aiohttp
import msgspec
import uvloop
from aiohttp import WSMsgType, web

from gramy.loadtest.figures import Figures
from gramy.loadtest.process import Process


class Move(msgspec.Struct, tag_field="type", tag="move"):
    """The echoed message, as long as a move at a table."""

    id: str
    at: int
    move: str
    round: int


async def echo(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    decode, encode = msgspec.json.Decoder(Move).decode, msgspec.json.Encoder().encode
    async for frame in socket:
        await socket.send_frame(encode(decode(frame.data)), WSMsgType.TEXT)
    return socket


async def serve() -> None:
    app = web.Application()
    app.add_routes([web.get("/", echo)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]} {os.getpid()}", flush=True)
    await asyncio.Event().wait()


async def play(server: str, pid: int, tables: int, seconds: float) -> Figures:
    """Keep one message under way on each of two connections per table; an echo counts as a move."""
    figures = Figures(tables=tables, connections=2 * tables)
    message = msgspec.json.encode(Move("m123", 41, "help-down 23", 1)).decode()

    async def talk(socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            sent = time.perf_counter()
            await socket.send_str(message)
            frame = await socket.receive()
            figures.messages += 1
            figures.bytes += len(frame.data)
            now = time.perf_counter()
            figures.answered.add(now, now - sent)

    async with aiohttp.ClientSession() as session:
        sockets = [await session.ws_connect(server) for _ in range(2 * tables)]
        process = Process(pid)
        spent = process.cpu_time()
        figures.begin(time.perf_counter())
        talking = [asyncio.create_task(talk(socket)) for socket in sockets]
        await asyncio.sleep(seconds)
        figures.end(time.perf_counter())
        figures.processor = process.cpu_time() - spent
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
    return figures


if __name__ == "__main__" and sys.argv[1:] == ["serve"]:
    uvloop.run(serve())
