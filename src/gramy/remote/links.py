"""Links to tables, as people share them."""

from __future__ import annotations

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
    typed = link if "://" in link else f"http://{link}"
    try:
        parts = urlsplit(typed)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise problem("bad_link", link=link) from None
    if parts.scheme not in ("http", "https") or not host:
        raise problem("bad_link", link=link)
    origin = f"{parts.scheme}://{parts.netloc}"
    found = TABLE_PATH.fullmatch(parts.path)
    if found is None:
        return Link(origin + parts.path.rstrip("/"))
    token = parts.fragment.removeprefix("seat=") if parts.fragment.startswith("seat=") else ""
    return Link(origin + found["base"], found["table"], token)
