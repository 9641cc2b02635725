"""A TCP proxy that can stop forwarding without closing anything, as a lost network does."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Proxy:
    """Forwards connections to a server until `freeze` is called. Connections that are made later are forwarded."""

    def __init__(self, server: str) -> None:
        host, port = server.removeprefix("http://").split(":")
        self._server = host, int(port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._frozen: set[socket.socket] = set()
        self._partners: dict[socket.socket, socket.socket] = {}
        self._wake, self._woken = socket.socketpair()
        self._lock, self._closing = threading.Lock(), False
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def freeze(self) -> None:
        """Forward nothing more on the connections that are open now, in both directions, and keep them open."""
        with self._lock:
            self._frozen |= set(self._partners)
        self._wake.send(b"!")

    def _run(self) -> None:
        while not self._closing:
            with self._lock:
                waiting = [self._listener, self._woken, *(set(self._partners) - self._frozen)]
            for ready in select.select(waiting, [], [])[0]:
                if ready is self._woken:
                    self._woken.recv(1)
                elif ready is self._listener:
                    self._connect(self._listener.accept()[0])
                elif ready in self._partners and ready not in self._frozen:
                    self._forward(ready)

    def _connect(self, client: socket.socket) -> None:
        server = socket.create_connection(self._server)
        with self._lock:
            self._partners |= {client: server, server: client}

    def _forward(self, source: socket.socket) -> None:
        data = b""
        with suppress(OSError):
            data = source.recv(65_536)
        with suppress(OSError):
            if data:
                self._partners[source].sendall(data)
                return
        with self._lock:
            for end in (self._partners.pop(source), source):
                self._partners.pop(end, None)
                end.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        self._wake.send(b"!")
        self._thread.join()
        for end in (self._listener, self._wake, self._woken, *self._partners):
            end.close()
