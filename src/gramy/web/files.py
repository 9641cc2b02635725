"""The client's files, read once at the start, with a compressed copy and an ETag.

Whole-line comments of scripts and styles are not sent: they are a fifth of the bytes of a first load. Their lines stay,
empty, so that positions in error messages are those of the source. There is no other build step.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

TYPES = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """A file as it is served."""

    type: str
    etag: str
    body: bytes
    gzipped: bytes | None  # None if compression saves too little


def read_static() -> dict[str, File]:
    """Return all files under `static` by their path."""
    return dict(_walk(files("gramy.web").joinpath("static"), ""))


def make_file(body: bytes, type: str) -> File:
    """Return a body as a file, with a compressed copy where that saves at least 5%."""
    gzipped = gzip.compress(body, 9, mtime=0)
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(type, etag, body, gzipped if len(gzipped) < 0.95 * len(body) else None)


def without_comments(source: str) -> str:
    """Return a script or style with an empty line for each line that is only a comment or inside one."""
    lines, inside = [], False
    for line in source.split("\n"):
        words = line.strip()
        begins = not inside and words.startswith("/*")
        # A comment with code behind it on its line, such as a type before a value, stays.
        comment = inside or words.startswith("//") or (begins and ("*/" not in words or words.endswith("*/")))
        inside = (inside or begins) and "*/" not in words
        lines.append("" if comment else line)
    return "\n".join(lines)


def _walk(folder: Traversable, path: str) -> list[tuple[str, File]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{path}{item.name}/")
        else:
            found.append((path + item.name, _read(item, own="vendor" not in path)))
    return found


def _read(item: Traversable, own: bool) -> File:
    suffix = "." + item.name.rpartition(".")[2]
    type = TYPES.get(suffix) or mimetypes.guess_type(item.name)[0] or "application/octet-stream"
    body = item.read_bytes()
    if own and suffix in (".js", ".css"):
        body = without_comments(body.decode()).encode()
    return make_file(body, f"{type}; charset=utf-8" if type.startswith("text/") else type)
