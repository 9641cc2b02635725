"""Servers to be killed, each a process forked from a fork server that has imported everything.

The real `gramy serve` takes a second to import its modules; a fork runs the same `running` at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from gramy.table import lobby as lobby_module
from gramy.table import postgres as postgres  # so that a fork has it already
from gramy.table import redis as redis_module
from gramy.table.services import Times
from gramy.web.limits import Limits
from gramy.web.server import CannotServe, Settings, running
from tests.servers import free_port
from tests.table.services import ThreadBotPool

GENEROUS = Limits(*[10**6] * len(dataclasses.fields(Limits)))


CONFIRMED_FOR = 2.0
"""Seconds for which a node may show a table without an answer of the store."""
STORE_TIMEOUT = 2.0
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")


SECRET = "the secret of all tortured servers"


class ForkServer:
    """Starts nodes; all of them end with it. They may have a network and a clock of their own.

    The file `clock` holds the offset of their calendar time, for example `+15d`. Monotonic time stays true.
    """

    def __init__(self, own_network: bool = False, clock: Path | None = None) -> None:
        self.own_network, self.clock = own_network, clock

    def __enter__(self) -> ForkServer:
        command = [sys.executable, "-m", "tests.torture.nodes"]
        if self.own_network:
            command = ["unshare", "--net", "--", *command]
        environment = dict(os.environ)
        if self.clock is not None:
            self.set_clock("+0")
            environment |= {
                "LD_PRELOAD": str(FAKETIME),
                "FAKETIME_TIMESTAMP_FILE": str(self.clock),
                "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        return self

    def set_clock(self, offset: str) -> None:
        assert self.clock is not None
        self.clock.write_text(offset + "\n", "ascii")

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def start(self, **settings: Any) -> int:
        """Start a node, and return its process id once it serves."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(settings) + "\n")
        self.process.stdin.flush()
        if not (process := int(self.process.stdout.readline())):
            raise ConnectionError("the store or the bus is away")
        return process


class Node:
    """A server that keeps its address when it is killed and started again."""

    def __init__(self, fork_server: ForkServer, **settings: Any) -> None:
        self.fork_server, self.settings = fork_server, {**settings, "port": free_port()}
        self.process = 0

    @property
    def address(self) -> str:
        return f"http://{self.settings.get('host', '127.0.0.1')}:{self.settings['port']}/"

    async def start(self) -> None:
        self.process = await asyncio.to_thread(self.fork_server.start, **self.settings)

    def signal(self, sign: signal.Signals) -> None:
        os.kill(self.process, sign)

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
            while True:  # until the process has ended
                os.kill(self.process, 0)
                await asyncio.sleep(0.001)


async def serve(port: int, data: str, store: str, bus: str, host: str = "127.0.0.1") -> None:
    """Serve with shorter intervals and timeouts than a real node has."""
    lobby_module.REPORT_EVERY = 1.0
    redis_module.LEASE = redis_module.HEARTBEAT_EVERY = 1.0
    postgres.TIMEOUT = STORE_TIMEOUT
    times = Times(pause=0, seed_wait=0.5, reveal_wait=60.0, retry=1.0, confirm_every=0.5, confirmed_for=CONFIRMED_FOR)
    settings = Settings(
        host=host,
        port=port,
        data=Path(data),
        store=store,
        bus=bus,
        secrets=(SECRET,),
        times=times,
        limits=GENEROUS,
        free_disk_mb=0,  # the disk of a run is small
    )
    async with running(settings) as (_, lobby):
        # Starting processes for bots would take longer than a whole match.
        lobby.services.bots = ThreadBotPool()
        print(os.getpid(), flush=True)
        await asyncio.Event().wait()


def fork_nodes() -> None:
    """Fork a node for each line of settings on stdin; kill all of them at the end of the input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children need no wait
    children = []
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                asyncio.run(serve(**json.loads(line)))
            except CannotServe:
                print(0, flush=True)
            finally:
                os._exit(1)
        children.append(child)
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    fork_nodes()
