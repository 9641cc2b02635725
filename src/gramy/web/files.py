"""The client's files, read once at the start: compressed, and with a tag that changes when they do."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

KINDS = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """One file, plain and compressed."""

    kind: str
    tag: str
    body: bytes
    packed: bytes | None


def read_static() -> dict[str, File]:
    """All files under `static`, by their path."""
    return dict(_walk(files("gramy.web").joinpath("static"), ""))


def _walk(folder: Traversable, path: str) -> list[tuple[str, File]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{path}{item.name}/")
        else:
            found.append((path + item.name, _file(item)))
    return found


def _file(item: Traversable) -> File:
    ending = "." + item.name.rpartition(".")[2]
    kind = KINDS.get(ending) or mimetypes.guess_type(item.name)[0] or "application/octet-stream"
    return packed(item.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


def packed(body: bytes, kind: str) -> File:
    """A body as a file, compressed where that helps."""
    small = gzip.compress(body, 9, mtime=0)
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(kind, tag, body, small if len(small) < 0.95 * len(body) else None)
