"""PostgreSQL and Redis servers for tests: real processes in a temporary folder, on ports of the loopback interface."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
"""Seconds that a server may take to start or to stop."""


def installed(binary: str) -> str | None:
    """Return the path of a server's binary, None if it is not installed."""
    places = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(binary, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))


def required(binary: str, setting: str = "GRAMY_CLUSTER") -> str:
    """Return the path of a binary; skip the test if it is not installed, or fail it if the setting is `required`."""
    found = installed(binary)
    need(found is not None, f"{binary} is not installed", setting)
    return str(found)


def need(condition: bool, missing: str, setting: str) -> None:
    """Skip the test if a condition does not hold, or fail it if the setting in the environment is `required`."""
    if not condition:
        assert os.environ.get(setting) != "required", f"{missing}, and {setting}=required"
        pytest.skip(f"{missing}: what needs it was NOT tested")


def need_network_namespaces() -> None:
    """Skip the test where this user may not make network namespaces, or fail it if GRAMY_FAULTS=required."""
    ip, name = required("ip", "GRAMY_FAULTS"), f"gramy-{os.getpid()}"
    made = subprocess.run([ip, "netns", "add", name], capture_output=True).returncode == 0
    if made:
        subprocess.run([ip, "netns", "delete", name], check=True)
    need(made, "network namespaces cannot be made here", "GRAMY_FAULTS")


def free_port() -> int:
    """Return a port that nothing uses.

    It is below the ports that systems give to outgoing connections (Linux: 32768 and up): one of those could be taken
    before a server binds it. It is drawn at random, because other tests look for ports at the same time.
    """
    for _ in range(1000):
        port = secrets.choice(range(10000, 32000))
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port between 10000 and 32000")


def unprivileged() -> dict[str, Any]:
    """Return arguments of Popen for another user, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name for user in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in names else "nobody", "extra_groups": []}


class Server:
    """A server process that can be stopped, killed and started again with its data."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def run_as(self) -> dict[str, Any]:
        return {}

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder, **self.run_as()
            )
        until = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)

    def answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def stop(self, sign: signal.Signals = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(sign)
            self.process.wait(PATIENCE)
            self.process = None

    def restart(self, sign: signal.Signals = signal.SIGKILL) -> None:
        self.stop(sign)
        self.start()

    def away(self, seconds: float) -> None:
        """Stop, and start again after some seconds."""
        self.stop()
        time.sleep(seconds)  # the outage itself, not a wait for something
        self.start()


class Postgres(Server):
    """PostgreSQL. SIGQUIT stops it at once without a clean shutdown; SIGKILL would leave child processes behind."""

    listen = "127.0.0.1"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.schemas = 0
        make = [required("initdb"), "-D", str(folder / "base"), "--auth=trust", "--username=gramy", "--no-sync"]
        subprocess.run(
            [*make, "--encoding=UTF8", "--locale=C"], check=True, capture_output=True, cwd=folder, **self.run_as()
        )

    def run_as(self) -> dict[str, Any]:
        return unprivileged()

    def command(self) -> list[str]:
        settings = {
            "listen_addresses": self.listen,
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
        }
        flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [required("postgres"), "-D", str(self.folder / "base"), *flags]

    def answers(self) -> bool:
        ready = [required("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready).returncode == 0

    def stop(self, sign: signal.Signals = signal.SIGQUIT) -> None:
        super().stop(sign)

    def restart(self, sign: signal.Signals = signal.SIGQUIT) -> None:
        super().restart(sign)

    def signal(self, sign: signal.Signals, *children: int) -> None:
        """Send a signal to the server and some of its child processes."""
        assert self.process is not None
        for process in (self.process.pid, *children):
            os.kill(process, sign)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://gramy@127.0.0.1:{self.port}/{database}"

    def new(self) -> str:
        """Return the URL of a new schema, which is made much faster than a database."""
        self.schemas += 1
        self.execute(f"CREATE SCHEMA test{self.schemas}")
        return f"{self.url()}?options=-csearch_path%3Dtest{self.schemas}"

    def new_database(self) -> str:
        """Return the URL of a new database, for tools that copy whole databases."""
        self.schemas += 1
        self.execute(f"CREATE DATABASE test{self.schemas}")
        return self.url(f"test{self.schemas}")

    def execute(self, statement: str, url: str | None = None) -> str:
        """Execute an SQL statement with psql and return its output."""
        command = [required("psql"), "-X", "-A", "-t", "-q", "-d", url or self.url(), "-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class RedisServer(Server):
    listen = "127.0.0.1"

    def command(self) -> list[str]:
        flags = {"--port": str(self.port), "--bind": self.listen, "--save": "", "--dir": str(self.folder)}
        return [required("redis-server"), *(word for flag in flags.items() for word in flag)]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


@contextlib.contextmanager
def running(kind: type[Server]) -> Iterator[Any]:
    """Run a server in a temporary folder that belongs to its user."""
    with tempfile.TemporaryDirectory(prefix="gramy-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if issubclass(kind, Postgres) and os.geteuid() == 0:
            shutil.chown(folder, unprivileged()["user"])
        server = kind(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
