"""A PostgreSQL and a Redis of our own for tests: real servers, in a folder that goes away, on ports of the loopback."""

from __future__ import annotations

import contextlib
import os
import pwd
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


def installed(binary: str) -> str | None:
    """Where a server's binary is, None when it is not there."""
    places = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(binary, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))


def required(binary: str) -> str:
    """The same; tests that need one which is not there are skipped, unless GRAMY_CLUSTER=required."""
    if (found := installed(binary)) is None:
        if os.environ.get("GRAMY_CLUSTER") == "required":
            raise AssertionError(f"{binary} is not installed, and GRAMY_CLUSTER=required")
        pytest.skip(f"{binary} is not installed: what needs it was NOT tested")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: who runs it then."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name for user in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in names else "nobody", "extra_groups": []}


class Server:
    """A server process that can be stopped, killed and started again with what it has kept."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def who(self) -> dict[str, Any]:
        return {}

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder, **self.who()
            )
        until = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "it does not start"
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
        """Stop, and start again after a while."""
        self.stop()
        time.sleep(seconds)  # this is the absence, nobody waits for anything by it
        self.start()


class Postgres(Server):
    """Killed by SIGQUIT it stops at once and must recover: SIGKILL would leave its children behind."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.made = 0
        make = [required("initdb"), "-D", str(folder / "base"), "--auth=trust", "--username=gramy", "--no-sync"]
        subprocess.run(
            [*make, "--encoding=UTF8", "--locale=C"], check=True, capture_output=True, cwd=folder, **self.who()
        )

    def who(self) -> dict[str, Any]:
        return unprivileged()

    def command(self) -> list[str]:
        said = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
        }
        settings = [word for name, value in said.items() for word in ("-c", f"{name}={value}")]
        return [required("postgres"), "-D", str(self.folder / "base"), *settings]

    def answers(self) -> bool:
        ready = [required("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready).returncode == 0

    def stop(self, sign: signal.Signals = signal.SIGQUIT) -> None:
        super().stop(sign)

    def restart(self, sign: signal.Signals = signal.SIGQUIT) -> None:
        super().restart(sign)

    def signal(self, sign: signal.Signals, *children: int) -> None:
        """To the server and some of its processes."""
        assert self.process is not None
        for process in (self.process.pid, *children):
            os.kill(process, sign)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://gramy@127.0.0.1:{self.port}/{database}"

    def new(self) -> str:
        """The address of a new, empty place for tables: a schema, which is made much faster than a database."""
        self.made += 1
        self.say(f"CREATE SCHEMA test{self.made}")
        return f"{self.url()}?options=-csearch_path%3Dtest{self.made}"

    def new_database(self) -> str:
        """The address of a database of its own, for what copies whole databases."""
        self.made += 1
        self.say(f"CREATE DATABASE test{self.made}")
        return self.url(f"test{self.made}")

    def say(self, sentence: str, url: str | None = None) -> str:
        """A sentence by another program, and its answer."""
        said = [required("psql"), "-X", "-A", "-t", "-q", "-d", url or self.url(), "-c", sentence]
        return subprocess.run(said, check=True, capture_output=True, text=True).stdout.strip()


class RedisServer(Server):
    def command(self) -> list[str]:
        return [
            required("redis-server"),
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(self.folder),
        ]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


@contextlib.contextmanager
def running(kind: type[Server]) -> Iterator[Any]:
    """A server in a folder of its own, which whoever runs it may enter."""
    with tempfile.TemporaryDirectory(prefix="gramy-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if kind is Postgres and os.geteuid() == 0:
            shutil.chown(folder, unprivileged()["user"])
        server = kind(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
