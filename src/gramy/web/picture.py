"""Draws the picture of a link preview: the game's cards, who invites, and the variants.

It takes some 50 ms, so run it in a thread. Pillow is imported here and nowhere else; the first preview imports it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from PIL import Image, ImageDraw, ImageFont

import gramy
from gramy.web.documents import PICTURE_SIZE, Preview, say

WIDTH, HEIGHT = PICTURE_SIZE
NIGHT, PANEL, LINE = "#14151d", "#282b3a", "#414661"
INK, QUIET, GOLD = "#f1eff7", "#b9bbce", "#f3bb55"
MARGIN = 68
TOP, BOTTOM = 152, HEIGHT - 142
"""Between them stand the title and the chips."""
TEXT_WIDTH = 488
PANEL_LEFT = WIDTH - 620
CARDS_WIDTH = 552
GAP = 20
LINE_HEIGHT = 1.12
TITLE_SIZES = (72, 66, 60, 54, 48, 42, 36)
BOLD, MEDIUM = 800, 560
CHIP_HEIGHT, CHIP_STEP = 46, 56
MOST_CHIP_ROWS = 2
PANELS = ("#4c3f28", "#1f4942", "#37305c")
"""The panels behind the cards, for the games in their order; as in the lobby."""
SITE_PANEL = "#262a3c"
LATIN = "figtree-latin.woff2"
LATIN_EXT = "figtree-latin-ext.woff2"
EXTENDED = range(0x100, 0x180)
"""The letters of the second font file: those of Polish, among others."""
COVERED = (range(0x20, 0x7F), range(0xA0, 0x100), EXTENDED, range(0x2013, 0x2027), range(0x20AC, 0x20AD))
"""The letters that our font has."""

Font = ImageFont.FreeTypeFont


def can_write(words: str) -> bool:
    """Return whether our font has every letter of a text. It has no emoji, and only Latin letters."""
    return all(any(ord(letter) in letters for letters in COVERED) for letter in words)


def draw(preview: Preview) -> bytes:
    """Return the picture of a preview as PNG."""
    picture = _ground(preview.game).copy()
    pen = ImageDraw.Draw(picture)
    title = preview.title if can_write(preview.title) else preview.nameless
    headline = title if preview.game else preview.description
    rows = list(_chip_rows(preview.chips))[:MOST_CHIP_ROWS]
    chips_height = len(rows) * CHIP_STEP + (GAP if rows else 0)
    size, lines = _fitted(headline, BOTTOM - TOP - chips_height)
    y = TOP + (BOTTOM - TOP - chips_height - len(lines) * size * LINE_HEIGHT) / 2
    for line in lines:
        _write(pen, MARGIN, y, line, size, BOLD, INK)
        y += size * LINE_HEIGHT
    y += GAP
    for row in rows:
        _write_chips(pen, y, row)
        y += CHIP_STEP
    for number, line in enumerate(_wrapped(say("by_link", preview.language, "preview"), 26, MEDIUM)):
        _write(pen, MARGIN, HEIGHT - 112 + number * 34, line, 26, MEDIUM, QUIET)
    png = io.BytesIO()
    picture.save(png, "PNG", compress_level=6)
    return png.getvalue()


@cache
def _ground(game: str) -> Image.Image:
    """Return the picture without words. There is one for each game and one for the site, so the cache stays small."""
    ground = Image.new("RGB", PICTURE_SIZE, NIGHT)
    pen = ImageDraw.Draw(ground)
    shown = [game] if game else list(gramy.GAMES)
    panel = (PANEL_LEFT, 24, WIDTH - 24, HEIGHT - 24)
    pen.rounded_rectangle(panel, 44, fill=PANELS[list(gramy.GAMES).index(game) % 3] if game else SITE_PANEL)
    mark = _load("mark").resize((72, 72), Image.Resampling.LANCZOS)
    ground.paste(mark, (MARGIN, 60), mark)
    _write(pen, MARGIN + 90, 68, "Gramy", 46, BOLD, INK)
    pen.rounded_rectangle((MARGIN, HEIGHT - 132, MARGIN + 64, HEIGHT - 127), 2, fill=GOLD)
    width = CARDS_WIDTH if len(shown) == 1 else round(CARDS_WIDTH * 0.6)
    height = round(width * 5 / 9)
    step = (HEIGHT - 48) / len(shown)
    for number, name in enumerate(shown):
        cards = _load(name).resize((width, height), Image.Resampling.LANCZOS)
        shift = 0 if len(shown) == 1 else (-90, 90)[number % 2]
        at = (PANEL_LEFT + WIDTH - 24 - width) // 2 + shift, round(24 + step * (number + 0.5) - height / 2)
        ground.paste(cards, at, cards)
    return ground


def _load(name: str) -> Image.Image:
    with files("gramy.web").joinpath("pictures", f"{name}.png").open("rb") as file:
        return Image.open(file).convert("RGBA")


@cache
def _font(file: str, size: int, weight: int) -> Font:
    """Return a font. A dozen sizes and weights are used."""
    font = ImageFont.truetype(io.BytesIO(files("gramy.web").joinpath("static", "font", file).read_bytes()), size)
    font.set_variation_by_axes([weight])
    return font


def _runs(words: str, size: int, weight: int) -> Iterator[tuple[str, Font]]:
    """Yield the parts of a text with the font that has their letters."""
    part, file = "", LATIN
    for letter in words:
        needed = LATIN_EXT if ord(letter) in EXTENDED else LATIN
        if needed != file and part:
            yield part, _font(file, size, weight)
            part = ""
        part, file = part + letter, needed
    if part:
        yield part, _font(file, size, weight)


def _length(words: str, size: int, weight: int) -> float:
    return sum(font.getlength(part) for part, font in _runs(words, size, weight))


def _write(pen: ImageDraw.ImageDraw, x: float, y: float, words: str, size: int, weight: int, colour: str) -> None:
    """Write one line; `y` is the top of a line of this size."""
    for part, font in _runs(words, size, weight):
        pen.text((x, y + size * 0.93), part, colour, font, anchor="ls")
        x += font.getlength(part)


def _fitted(words: str, height: float) -> tuple[int, list[str]]:
    """Return the largest size in which a text fits, and its lines."""
    for size in TITLE_SIZES:
        lines = _wrapped(words, size, BOLD)
        if len(lines) * size * LINE_HEIGHT <= height and all(_length(line, size, BOLD) <= TEXT_WIDTH for line in lines):
            return size, lines
    return size, [_shortened(line, size) for line in lines[: int(height / (size * LINE_HEIGHT))]]


def _wrapped(words: str, size: int, weight: int) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _length(longer, size, weight) > TEXT_WIDTH:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _shortened(line: str, size: int) -> str:
    """Return a line cut to the width: a name may have 24 wide letters and no space."""
    while _length(line, size, BOLD) > TEXT_WIDTH:
        line = line.rstrip("…")[:-1] + "…"
    return line


def _chip_rows(chips: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield rows of chips that fit beside the cards."""
    row: list[str] = []
    for chip in chips:
        if row and sum(_chip_width(one) + 12 for one in (*row, chip)) - 12 > TEXT_WIDTH:
            yield row
            row = []
        row.append(chip)
    if row:
        yield row


def _chip_width(chip: str) -> float:
    return _length(chip, 25, 650) + 36


def _write_chips(pen: ImageDraw.ImageDraw, y: float, row: list[str]) -> None:
    x = float(MARGIN)
    for chip in row:
        width = _chip_width(chip)
        pen.rounded_rectangle((x, y, x + width, y + CHIP_HEIGHT), CHIP_HEIGHT / 2, fill=PANEL, outline=LINE, width=2)
        _write(pen, x + 18, y + 9, chip, 25, 650, QUIET)
        x += width + 12
