"""Starting and stopping: settings from flags and the environment, one store, one lobby, one site."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import re
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvloop
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from gramy.contract import GramyError, Message
from gramy.table.bot_pool import ProcessBotPool
from gramy.table.bus import Bus, LocalBus
from gramy.table.lobby import Lobby
from gramy.table.services import Services, Times, steady_date
from gramy.table.sqlite import SqliteStore
from gramy.table.store import CannotOpenStore, Store, StoreUnavailable
from gramy.web.app import Site
from gramy.web.limits import Limits
from gramy.web.metrics import Metrics
from gramy.web.visitor import Guests, Networks

LOG = logging.getLogger("gramy")
COLLECTING = (2_000, 10, 500)
"""Garbage is looked for seldom: to look through the objects of a thousand tables holds everybody up for 0.1 s."""
SWEEP_EVERY = 60.0
SILENCE = 20.0
"""So long a connection may be open without a whole request."""


class CannotServe(GramyError):
    """The server cannot start; the message says what to change."""


def data_folder() -> Path:
    """Where tables are kept unless something else is said."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "gramy"


@dataclass(frozen=True)
class Settings:
    """What a host may set, by flags and the environment; see `gramy serve --help` and README."""

    host: str = "127.0.0.1"
    port: int = 8484
    data: Path = Path()
    store: str = ""  # a database; none: a file in the data folder
    bus: str = ""  # between the servers of one store; none: there is no other
    origins: frozenset[str] = frozenset()
    proxies: Networks = ()
    secrets: tuple[str, ...] = ()  # newest first; none: one is made and kept beside the tables
    ahead: bool = False  # compile the bots while nobody waits for them
    times: Times = field(default_factory=Times)
    limits: Limits = field(default_factory=Limits)


@contextlib.asynccontextmanager
async def running(
    settings: Settings, now: Callable[[], float] = time.monotonic, date: Callable[[], float] | None = None
) -> AsyncIterator[tuple[tuple[str, ...], Lobby]]:
    """A server while the block lasts; its addresses and its lobby."""
    guests = Guests(settings.secrets or [_secret(settings)])
    store = await _store(settings)
    try:
        bus = await _bus(settings)
    except CannotServe:
        await store.close()
        raise
    bots = ProcessBotPool()
    lobby = Lobby(Services(store, bots, bus, now=now, date=date or steady_date(), times=settings.times))
    await lobby.start()
    site = Site(lobby, guests, bots, Metrics(), settings.limits, settings.origins, settings.proxies)
    runner = web.AppRunner(
        site.app(),
        access_log=None,
        handle_signals=False,
        shutdown_timeout=5,
        keepalive_timeout=SILENCE,
        lingering_time=2,
        auto_decompress=False,
        logger=_connection_log(),
    )
    await runner.setup()
    sweeping = asyncio.create_task(_sweep(lobby))
    try:
        addresses = await _listen(runner, settings)
        LOG.info("serving", extra={"address": addresses[0]})
        if settings.ahead:
            bots.compile_ahead()  # not before: it would make people wait for the first page
        yield addresses, lobby
    finally:
        sweeping.cancel()
        await runner.cleanup()
        await lobby.close()
        bots.close()
        await store.close()


def serve(settings: Settings, ready: Callable[[tuple[str, ...]], None]) -> None:
    """Serve until the process is interrupted or terminated; then say goodbye and stop."""

    async def run() -> None:
        stop = asyncio.Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(sign, stop.set)
        async with running(settings) as (addresses, _):
            gc.freeze()
            gc.set_threshold(*COLLECTING)
            ready(addresses)
            await stop.wait()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


async def _listen(runner: web.AppRunner, settings: Settings) -> tuple[str, ...]:
    """Take the port; the addresses that people reach it by, this machine's own first."""
    listener = web.TCPSite(runner, settings.host, settings.port)
    try:
        await listener.start()
    except OSError:
        raise CannotServe(Message("port_taken", {"port": settings.port, "host": settings.host})) from None
    host, port = runner.addresses[0][:2]
    everywhere = host in ("0.0.0.0", "::")
    hosts = ["localhost" if everywhere or host in ("127.0.0.1", "::1") else host]
    if everywhere and (outside := _address_in_the_network()):
        hosts.append(outside)
    return tuple(f"http://{one}:{port}/" for one in hosts)


def _address_in_the_network() -> str | None:
    """This machine as its neighbours see it, so that a phone can come. Nothing is sent: a route is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


async def _sweep(lobby: Lobby) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        try:
            swept = await lobby.delete_expired()
        except StoreUnavailable as error:
            LOG.warning("sweeping failed", extra={"why": str(error)})
            continue
        if swept:
            LOG.info("swept", extra={"tables": swept})


def _secret(settings: Settings) -> str:
    """The key that guests' cookies are signed with, made on the first start and readable by nobody else."""
    if settings.bus:
        raise CannotServe(Message("secret_needed"))
    path = settings.data / "secret"
    try:
        if path.exists():
            return path.read_text("ascii").strip()
        secret = secrets.token_urlsafe(32)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secret)
    except OSError as error:
        raise _unusable(settings, error) from None
    return secret


def _unusable(settings: Settings, error: Exception) -> CannotServe:
    return CannotServe(Message("data_unusable", {"folder": str(settings.data), "why": str(error)}))


async def _store(settings: Settings) -> Store:
    """A database if one is named, else a file in the data folder."""
    if not settings.store:
        try:
            return SqliteStore(settings.data / "gramy.sqlite")
        except (OSError, CannotOpenStore) as error:
            raise _unusable(settings, error) from None
    if not settings.store.startswith(("postgresql://", "postgres://")):
        raise CannotServe(Message("store_unknown", {"store": _public(settings.store)}))
    try:
        from gramy.table.postgres import PostgresStore

        return await PostgresStore.open(settings.store)
    except ImportError:
        raise CannotServe(Message("extra_missing", {"what": "PostgreSQL", "extra": "cluster"})) from None
    except CannotOpenStore as error:
        raise CannotServe(Message("store_unusable", {"store": _public(settings.store), "why": str(error)})) from None


async def _bus(settings: Settings) -> Bus:
    """Redis if it is named, else nothing: then this is the only server."""
    if not settings.bus:
        return LocalBus()
    try:
        from gramy.table.redis import UNAVAILABLE, RedisBus
    except ImportError:
        raise CannotServe(Message("extra_missing", {"what": "Redis", "extra": "cluster"})) from None
    try:
        return await RedisBus.open(settings.bus)
    except (*UNAVAILABLE, ValueError) as error:
        raise CannotServe(Message("bus_unusable", {"bus": _public(settings.bus), "why": str(error)})) from None


def _public(address: str) -> str:
    """An address as it may be shown: without the password."""
    plain, _, query = address.partition("?")
    return re.sub(r"(?<=//).*" if "@" in query else r"(?<=//).*@", "", plain)  # an @ there: who knows where it ends?


def _connection_log() -> logging.Logger:
    """What the web library has to say: our own mistakes, but neither addresses nor what strangers take for HTTP."""

    def tidy(line: logging.LogRecord) -> bool:
        line.msg, line.args = "a connection failed", ()
        return not (line.exc_info and isinstance(line.exc_info[1], HttpProcessingError))

    log = logging.Logger("gramy.connection")
    log.parent = LOG
    log.addFilter(tidy)
    return log


class JsonLines(logging.Formatter):
    """A log line as JSON: for machines, and for people with jq."""

    USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": round(record.created, 3), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= {key: value for key, value in vars(record).items() if key not in self.USUAL}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def log_to_stderr(verbose: bool) -> None:
    """Structured logs; warnings only, unless more is asked for."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler], force=True)
