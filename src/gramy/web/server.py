"""Start and stop a server: its settings, store, bus, lobby, site and logs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from gramy.messages import Message
from gramy.system import new_event_loop, on_stop_signals, raise_descriptor_limit
from gramy.table.bot_pool import ProcessBotPool
from gramy.table.bus import Bus, LocalBus
from gramy.table.lobby import Lobby
from gramy.table.sealing import Sealer
from gramy.table.services import Services, Times, steady_date
from gramy.table.sqlite import SqliteStore
from gramy.table.store import CannotOpenStore, Store, StoreUnavailable
from gramy.web.app import Site
from gramy.web.hosts import network_address
from gramy.web.limits import Limits
from gramy.web.metrics import Metrics
from gramy.web.quotas import FreeDisk
from gramy.web.server_files import CannotServe as CannotServe
from gramy.web.server_files import check_secrets, load_secret, locked, unusable
from gramy.web.visitor import Guests, Networks
from gramy.web.watchdog import Watchdog

LOG = logging.getLogger("gramy")
GC_THRESHOLDS = (2_000, 10, 500)
"""Full garbage collections are rare: with a thousand tables one stops the server for 0.1 s."""
EXPIRE_EVERY = 60.0
EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that listen in every network of the machine."""
STOP_TIMEOUT = 20.0
"""Seconds that a server may take to stop after SIGTERM."""
BACKLOG = 1024
"""Connections that the system holds while they wait to be accepted."""
KEEPALIVE_TIMEOUT = 20.0
"""Seconds that a connection may stay open without a whole request."""


@dataclass(frozen=True)
class Settings:
    """What a host can set by flags and the environment; see `gramy serve --help` and docs/hosting.md."""

    host: str = "127.0.0.1"
    port: int = 8484
    data: Path = Path()
    store: str = ""  # URL of a database; empty: a file in the data folder
    bus: str = ""  # URL of the bus between servers; empty: there is one server
    origins: frozenset[str] = frozenset()
    proxies: Networks = ()
    secrets: tuple[str, ...] = ()  # newest first; empty: one is generated and stored in the data folder
    admin_token: str = ""  # opens the admin page; empty: there is none
    compile_ahead: bool = False  # start the bots' processes and the compiler with the server
    times: Times = field(default_factory=Times)
    limits: Limits = field(default_factory=Limits)
    free_disk_mb: int = 200  # below this no table is opened; not for a database on another machine


@contextlib.asynccontextmanager
async def running(
    settings: Settings, now: Callable[[], float] = time.monotonic, date: Callable[[], float] | None = None
) -> AsyncIterator[tuple[tuple[str, ...], Lobby]]:
    """Run a server inside an `async with` block; yield its addresses and its lobby."""
    with contextlib.nullcontext() if settings.store else locked(settings.data):
        async with _running(settings, now, date or steady_date()) as server:
            yield server


@contextlib.asynccontextmanager
async def _running(
    settings: Settings, now: Callable[[], float], date: Callable[[], float]
) -> AsyncIterator[tuple[tuple[str, ...], Lobby]]:
    secrets = server_secrets(settings)
    guests = Guests(secrets)
    store = await open_store(settings, Sealer(secrets))
    try:
        bus = await _open_bus(settings)
    except CannotServe:
        await store.close()
        raise
    bots = ProcessBotPool()
    lobby = Lobby(Services(store, bots, bus, now=now, date=date, times=settings.times))
    await lobby.start()
    disk = None if settings.store else FreeDisk(settings.data, settings.free_disk_mb)
    metrics = Metrics()
    watchdog = Watchdog(metrics.loop_delays)
    site = Site(
        lobby,
        guests,
        bots,
        metrics,
        settings.limits,
        settings.origins,
        settings.proxies,
        disk,
        settings.admin_token,
        network_address if settings.host in EVERYWHERE else lambda: None,
    )
    runner = web.AppRunner(
        site.app(),
        access_log=None,
        handle_signals=False,
        shutdown_timeout=5,
        keepalive_timeout=KEEPALIVE_TIMEOUT,
        lingering_time=2,
        auto_decompress=False,
        logger=_connection_log(),
    )
    await runner.setup()
    expiring = asyncio.create_task(_expire(lobby))
    listener: asyncio.Server | None = None
    watchdog.start()
    try:
        if settings.compile_ahead:
            await bots.compile_ahead()  # before listening: who finds the page finds bots that answer
        assert runner.server is not None
        listener = await _listen(site.connections.factory(runner.server), settings)
        addresses = _addresses(listener)
        LOG.info("serving", extra={"address": addresses[0]})
        yield addresses, lobby
    finally:
        watchdog.stop()
        expiring.cancel()
        if listener is not None:
            listener.close()
        await runner.cleanup()
        await lobby.close()
        bots.close()
        await store.close()


def serve(settings: Settings, ready: Callable[[tuple[str, ...]], None]) -> None:
    """Serve until the process gets SIGINT or SIGTERM, then close all connections and stop."""

    raise_descriptor_limit()

    async def run() -> None:
        stop = asyncio.Event()

        def begin_stop() -> None:
            stop.set()
            _limit_shutdown()

        on_stop_signals(begin_stop)
        async with running(settings) as (addresses, _):
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            ready(addresses)
            await stop.wait()

    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(run())


def _limit_shutdown() -> None:
    """End the process after STOP_TIMEOUT, whatever it waits for then, such as a disk that hangs.

    That loses nothing: what was acknowledged is stored.
    """

    def end() -> None:
        LOG.error("the server did not stop in time, and is ended", extra={"seconds": STOP_TIMEOUT})
        os._exit(1)

    timer = threading.Timer(STOP_TIMEOUT, end)
    timer.daemon = True
    timer.start()


async def _listen(factory: Callable[[], asyncio.Protocol], settings: Settings) -> asyncio.Server:
    """Listen on the port."""
    loop = asyncio.get_running_loop()
    try:
        return await loop.create_server(factory, settings.host, settings.port, backlog=BACKLOG)
    except OSError:
        raise CannotServe(Message("port_taken", {"port": settings.port, "host": settings.host})) from None


def _addresses(listener: asyncio.Server) -> tuple[str, ...]:
    """Return the addresses that reach a server, the local one first."""
    host, port = listener.sockets[0].getsockname()[:2]
    everywhere = host in EVERYWHERE
    hosts = ["localhost" if everywhere or host in ("127.0.0.1", "::1") else host]
    if everywhere and (outside := network_address()):
        hosts.append(outside)
    return tuple(f"http://{host}:{port}/" for host in hosts)


async def _expire(lobby: Lobby) -> None:
    """Look for expired tables at the start and every minute; log what was done."""
    for jump_level in chain([logging.INFO], repeat(logging.WARNING)):  # before the first pass, perhaps no server ran
        try:
            done = await lobby.expire()
            if done.jump:
                LOG.log(jump_level, "the date has jumped: no table is deleted", extra={"seconds": done.jump})
            if done.marked or done.restored or done.deleted:
                numbers = {"marked": done.marked, "restored": done.restored, "deleted": done.deleted}
                LOG.info("expired tables", extra=numbers)
        except StoreUnavailable as error:
            LOG.debug("looking for expired tables failed", extra={"why": str(error)})
        except Exception:  # one failed pass must not end all later ones
            LOG.exception("looking for expired tables failed")
        await asyncio.sleep(EXPIRE_EVERY)


def server_secrets(settings: Settings) -> tuple[str, ...]:
    """Return the secrets, newest first; the first one signs cookies and seals what is stored."""
    check_secrets(settings.secrets)
    if settings.secrets:
        return settings.secrets
    if settings.bus:
        raise CannotServe(Message("secret_needed"))
    return (load_secret(settings.data),)


async def open_store(settings: Settings, sealer: Sealer) -> Store:
    """Open the database that the settings name, or else a file in the data folder."""
    if not settings.store:
        try:
            return SqliteStore(settings.data / "gramy.sqlite", sealer)
        except (OSError, CannotOpenStore) as error:
            raise unusable(settings.data, error) from None
    if not settings.store.startswith(("postgresql://", "postgres://")):
        raise CannotServe(Message("store_unknown", {"store": without_password(settings.store)}))
    try:
        from gramy.table.postgres import PostgresStore

        return await PostgresStore.open(settings.store, sealer)
    except ImportError:
        raise CannotServe(Message("extra_missing", {"what": "PostgreSQL", "extra": "cluster"})) from None
    except CannotOpenStore as error:
        raise CannotServe(
            Message("store_unusable", {"store": without_password(settings.store), "why": str(error)})
        ) from None


async def _open_bus(settings: Settings) -> Bus:
    """Connect to Redis if the settings name it; without a bus this is the only server."""
    if not settings.bus:
        return LocalBus()
    try:
        from gramy.table.redis import UNAVAILABLE, RedisBus
    except ImportError:
        raise CannotServe(Message("extra_missing", {"what": "Redis", "extra": "cluster"})) from None
    try:
        return await RedisBus.open(settings.bus)
    except (*UNAVAILABLE, ValueError) as error:
        raise CannotServe(Message("bus_unusable", {"bus": without_password(settings.bus), "why": str(error)})) from None


def without_password(address: str) -> str:
    """Return a URL without user and password, to be shown in messages."""
    plain, _, query = address.partition("?")
    return re.sub(r"(?<=//).*" if "@" in query else r"(?<=//).*@", "", plain)  # with an @ in the query, drop everything


def _connection_log() -> logging.Logger:
    """Return a logger for aiohttp that reports our errors, without addresses and without malformed requests."""

    def keep(entry: logging.LogRecord) -> bool:
        entry.msg, entry.args = "a connection failed", ()
        return not (entry.exc_info and isinstance(entry.exc_info[1], HttpProcessingError))

    log = logging.Logger("gramy.connection")
    log.parent = LOG
    log.addFilter(keep)
    return log


class JsonFormatter(logging.Formatter):
    """Formats a log entry as one line of JSON."""

    STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": round(record.created, 3), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= {key: value for key, value in vars(record).items() if key not in self.STANDARD_FIELDS}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def log_to_stderr(verbose: bool) -> None:
    """Log to standard error as JSON lines: warnings, or everything if verbose."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler], force=True)
