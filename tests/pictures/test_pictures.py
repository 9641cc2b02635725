"""The PNG files that are made from SVG files: all of them are there, in their size, and none is out of date."""

from __future__ import annotations

import struct

import pytest

import gramy
from tests.pictures.write import GAMES, PICTURES, WEB, Drawn, chunks, source_hash


@pytest.mark.parametrize("drawn", PICTURES, ids=lambda drawn: drawn.path.name)
def test_a_picture_was_made_from_its_source_as_it_is_now(drawn: Drawn) -> None:
    png = drawn.path.read_bytes()
    parts = chunks(png)
    kind, header = parts[0]
    assert (png[:8], kind) == (b"\x89PNG\r\n\x1a\n", b"IHDR")
    assert struct.unpack_from(">II", header) == (drawn.width, drawn.height)
    assert (b"tEXt", b"Source\0" + source_hash(drawn.source).encode()) in parts, "run `make pictures`"


def test_every_game_has_its_cards_and_no_other_file_is_there() -> None:
    assert {game.stem for game in GAMES} == set(gramy.GAMES)
    folders = {drawn.path.parent for drawn in PICTURES}
    assert {path for folder in folders for path in folder.glob("*.png")} == {drawn.path for drawn in PICTURES}
    assert {path.suffix for path in (WEB / "pictures").iterdir()} == {".png"}
