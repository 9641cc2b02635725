"""Draw the PNG files that are made from our SVG files, in Chromium. `make pictures` runs it.

    python -m tests.pictures.write

- static/icons/: the icons of the installed app, and the sign of a notification
- web/pictures/: the games' cards, from which the server makes the pictures of link previews

Each file names the hash of its source (in a `tEXt` chunk). `test_pictures.py` compares it, so none gets out of date.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.browser.server import BROWSER_ARGUMENTS, NO_BROWSER, browser_path

WEB = Path(__file__).parents[2] / "src" / "gramy" / "web"
STATIC = WEB / "static"
MARK = STATIC / "icon.svg"
NIGHT = "#1b1d29"
"""The background of the mark."""
SAFE_ZONE = 0.8
"""The part of a maskable icon that every mask shows: a circle of this diameter."""


class Drawn(NamedTuple):
    """A PNG file and how it is made of an SVG file."""

    path: Path
    source: Path
    width: int
    height: int
    scale: float = 1.0  # the size of the drawing inside the picture
    background: str = "transparent"


GAMES = sorted(STATIC.glob("pictures/*.svg"))
PICTURES = (
    Drawn(STATIC / "icons" / "icon-192.png", MARK, 192, 192),
    Drawn(STATIC / "icons" / "icon-512.png", MARK, 512, 512),
    Drawn(STATIC / "icons" / "maskable-512.png", MARK, 512, 512, SAFE_ZONE, NIGHT),
    Drawn(STATIC / "icons" / "apple-touch-icon.png", MARK, 180, 180, 1.0, NIGHT),
    Drawn(STATIC / "icons" / "badge-96.png", STATIC / "icons" / "badge.svg", 96, 96),
    Drawn(WEB / "pictures" / "mark.png", MARK, 144, 144),
    *(Drawn(WEB / "pictures" / f"{game.stem}.png", game, 648, 360) for game in GAMES),
)


def source_hash(path: Path) -> str:
    """Return the hash that a PNG file names."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """Return the chunks of a PNG file: kind and body."""
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        found.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def with_source(png: bytes, source: str) -> bytes:
    """Return a PNG file that names the hash of its source."""
    parts = chunks(png)
    parts.insert(1, (b"tEXt", b"Source\0" + source.encode()))
    packed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
    return png[:8] + b"".join(packed)


def main() -> None:
    """Draw all pictures."""
    path = browser_path()
    if path is None:
        raise SystemExit(NO_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        for drawn in PICTURES:
            page = browser.new_page(viewport={"width": drawn.width, "height": drawn.height})
            page.set_content(
                f'<body style="margin:0;display:grid;place-items:center;width:100vw;height:100vh;'
                f'background:{drawn.background}">{drawn.source.read_text("utf-8")}</body>'
            )
            size = f"width:{drawn.width * drawn.scale}px;height:{drawn.height * drawn.scale}px"
            page.locator("svg").evaluate("(svg, size) => svg.setAttribute('style', size)", size)
            png = page.screenshot(omit_background=True)
            drawn.path.parent.mkdir(exist_ok=True)
            drawn.path.write_bytes(with_source(png, source_hash(drawn.source)))
            print(f"{drawn.path.stat().st_size / 1000:6.1f} kB  {drawn.path.relative_to(WEB)}")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
