"""A real nginx with the site in deploy/, real `gramy serve` processes behind it, and visitors who come over HTTPS."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import AddrInfoType

from tests.servers import free_port, required
from tests.web.client import Visitor

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "gramy.test"
PATIENCE = 60.0
MAIN = """daemon off;
{user}
pid {folder}/pid;
error_log {folder}/error.log notice;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {more}
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    """A running nginx: its ports, its folder, and the client's side of its certificate."""

    http: int
    https: int
    folder: Path
    tls: ssl.SSLContext

    @contextlib.asynccontextmanager
    async def visitor(self, source: str = "127.0.0.1") -> AsyncIterator[Visitor]:
        """Yield a visitor who connects from a loopback address; the name resolves to the proxy."""
        opened: list[socket.socket] = []

        def open_socket(address: AddrInfoType) -> socket.socket:
            opened.append(socket.socket(*address[:3]))
            return opened[-1]

        connector = aiohttp.TCPConnector(
            resolver=_To(self.https), ssl=self.tls, local_addr=(source, 0), limit=0, socket_factory=open_socket
        )
        async with aiohttp.ClientSession(connector=connector) as session:
            visitor = Visitor(session, f"https://{NAME}/")
            try:
                yield visitor
            finally:
                for client in visitor.sockets:
                    await client.close()
        # aiohttp returns before TLS has said goodbye; a test whose loop ends earlier leaks the connection.
        async with asyncio.timeout(PATIENCE):
            while any(one.fileno() >= 0 for one in opened):
                await asyncio.sleep(0.01)

    async def send(self, request: bytes, server_name: str = NAME) -> bytes:
        """Send these bytes over TLS; return the head and the start of the answer, b"" if there is none."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.https, ssl=self.tls, server_hostname=server_name
        )
        writer.write(request)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while b"\r\n\r\n" not in answer or answer.endswith(b"\r\n\r\n"):
                answer += (chunk := await asyncio.wait_for(reader.read(65536), PATIENCE))
                if not chunk:
                    break
        writer.transport.abort()
        return answer

    def connect(self) -> ssl.SSLSocket:
        """Return an open TLS connection."""
        return self.tls.wrap_socket(socket.create_connection(("127.0.0.1", self.https)), server_hostname=NAME)


class _To(AbstractResolver):
    """Resolves every name to a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host="127.0.0.1", port=self.port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        pass


def make_certificate(folder: Path) -> None:
    """Make a certificate for NAME that signs itself."""
    subprocess.run(
        [
            *(required("openssl", "GRAMY_NGINX"), "req", "-x509", "-newkey", "ec"),
            *("-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        ],
        check=True, capture_output=True,
    )  # fmt: skip


def write_site(folder: Path, servers: list[str], http: int, https: int, more: str = "") -> None:
    """Write the site for these servers, as a host does, and a main configuration that includes it.

    Only the ports to listen on differ: the tests need no root.
    """
    make_certificate(folder)
    environment = {**os.environ, "CERTIFICATES": str(folder)}
    command = ["bash", str(DEPLOY / "nginx-site.sh"), NAME, *servers]
    site = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    for port, other in ((80, http), (443, https)):
        site = re.sub(rf"(listen (?:\[::\]:)?){port}\b", rf"\g<1>{other}", site)
    if not _has_ipv6():
        site = re.sub(r".*listen \[::\].*\n", "", site)
    (folder / "site.conf").write_text(site)
    user = "user root root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user, more=more))


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::", 0))
    except OSError:
        return False
    return True


def nginx(folder: Path, *flags: str) -> list[str]:
    program = required("nginx", "GRAMY_NGINX")
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log"), *flags]


@contextlib.contextmanager
def proxying(folder: Path, servers: list[str], more: str = "") -> Iterator[Proxy]:
    """Run nginx in front of these servers."""
    command = nginx(folder)
    folder.mkdir(parents=True, exist_ok=True)
    http, https = free_port(), free_port()
    write_site(folder, servers, http, https, more)
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            wait_for_port(https, process, folder / "error.log")
            yield Proxy(http, https, folder, ssl.create_default_context(cafile=str(folder / "fullchain.pem")))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a process listens on a port."""
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, f"nothing listens on port {port}"
        time.sleep(0.02)


@contextlib.contextmanager
def gramy_serve(
    folder: Path, program: list[str] | None = None, **settings: str
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run `gramy serve` with settings from the environment, as a service does; yield its port and its process."""
    folder.mkdir(parents=True, exist_ok=True)
    port = int(settings.setdefault("GRAMY_PORT", str(free_port())))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRAMY_")}
    environment |= {"GRAMY_DATA": str(folder), **settings}
    command = [*(program or [sys.executable, "-m", "gramy", "serve"]), "--quick"]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, env=environment, stderr=log, stdout=log) as process,
    ):
        try:
            wait_for_port(port, process, folder / "log")
            yield port, process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
