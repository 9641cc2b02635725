"""Hosts: the names that a server is reached by. Host headers are checked once, before any handler uses them."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from gramy.errors import GramyError
from gramy.messages import Message

MAX_LENGTH = 253 + len(":65535")
LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"  # names with other letters come as punycode
HOST = re.compile(
    rf"(?:\[(?P<v6>[0-9A-Fa-f:.]{{2,45}})\]|(?P<name>{LABEL}(?:\.{LABEL})*\.?))(?::(?P<port>[0-9]{{1,5}}))?"
)
LOCAL = "localhost"


class WrongHost(GramyError):
    """The Host header is malformed, or names another site."""


class Hosts:
    """The hosts of the site's public addresses (origins); without any, every well-formed host is accepted.

    `in_network` returns this machine's address in the home network if the server listens there, otherwise None.
    """

    def __init__(self, origins: Iterable[str] = (), in_network: Callable[[], str | None] = lambda: None) -> None:
        self._origins = {urlsplit(origin).netloc.lower(): origin for origin in sorted(origins)}
        self._in_network = in_network

    def check(self, host: str, through_proxy: bool = False) -> str:
        """Return the host that a request counts as sent to; raise WrongHost.

        A proxy may send the name by which it reaches this server, and a health check an IP address. Those requests
        count as sent to the first public address.
        """
        name = parse_host(host)
        if not self._origins or host.lower() in self._origins:
            return host.lower()
        if through_proxy or name == LOCAL or _is_address(name):
            return next(iter(self._origins))
        raise WrongHost(Message("wrong_host"))

    def address(self, scheme: str, host: str) -> str:
        """Return the address that others can open, for a host that was checked, without a slash at its end.

        A visitor on the server's own machine uses localhost. Others reach that machine by its address in the network.
        """
        if (public := self._origins.get(host)) is not None:
            return public
        if is_this_machine(host) and (outside := self._in_network()) is not None:
            _, colon, port = host.rpartition("]")[2].rpartition(":")
            host = f"{outside}{colon}{port if colon else ''}"
        return f"{scheme}://{host}"


def parse_host(host: str) -> str:
    """Return the name or IP address in a Host header, in lower case and without the port; raise WrongHost."""
    found = HOST.fullmatch(host) if len(host) <= MAX_LENGTH else None
    if found is None or int(found["port"] or 1) not in range(1, 65_536):
        raise WrongHost(Message("wrong_host"))
    if (v6 := found["v6"]) is not None and not _is_address(v6):
        raise WrongHost(Message("wrong_host"))
    name: str = v6 or found["name"]
    if len(name) > 253:
        raise WrongHost(Message("wrong_host"))
    return name.lower()


def is_this_machine(host: str) -> bool:
    """Return whether a host that was checked names the machine that the browser runs on."""
    name = parse_host(host)
    return name == LOCAL or (_is_address(name) and ip_address(name).is_loopback)


def network_address() -> str | None:
    """Return this machine's address in the local network, for phones. Nothing is sent; connecting finds the route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def is_origin(text: str) -> bool:
    """Return whether a text is an origin: https://name or http://name:port."""
    try:
        parts = urlsplit(text)
        parse_host(parts.netloc)
    except (ValueError, WrongHost):  # ValueError: brackets without an IPv6 address in them
        return False
    return parts.scheme in ("http", "https") and text == f"{parts.scheme}://{parts.netloc}"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
