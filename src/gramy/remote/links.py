"""Links to tables, as people share them."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from gramy.remote.errors import problem

TABLE_PATH = re.compile(r"(?P<base>.*)/t/(?P<table>[a-z0-9]{1,32})/?")


class Link(NamedTuple):
    """A server and, if the link names one, a table there and the token of a seat."""

    server: str  # without a slash at its end
    table: str = ""
    token: str = ""


def parse_link(link: str) -> Link:
    """Return the parts of `https://host/t/TABLE#seat=TOKEN`, or of a server's address; raises RemoteError."""
    try:
        parts = urlsplit(link if "://" in link else f"https://{link}")
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise problem("bad_link", link=link) from None
    if parts.scheme not in ("http", "https") or not host:
        raise problem("bad_link", link=link)
    scheme = "http" if "://" not in link and (is_loopback(host) or _is_at_home(host)) else parts.scheme
    origin = f"{scheme}://{parts.netloc}"
    found = TABLE_PATH.fullmatch(parts.path)
    if found is None:
        return Link(origin + parts.path.rstrip("/"))
    token = parts.fragment.removeprefix("seat=") if parts.fragment.startswith("seat=") else ""
    return Link(origin + found["base"], found["table"], token)


def check_token_is_safe(server: str) -> None:
    """Raise RemoteError if a bot's token would be sent to another computer without encryption."""
    parts = urlsplit(server)
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise problem("plain_http", server=server)


def is_loopback(host: str) -> bool:
    """Return whether a host is this computer."""
    address = _address(host)
    return host == "localhost" or host.endswith(".localhost") if address is None else address.is_loopback


def _is_at_home(host: str) -> bool:
    """Return whether a host is in the local network, where servers rarely have certificates."""
    address = _address(host)
    return host.endswith(".local") if address is None else address.is_private


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
