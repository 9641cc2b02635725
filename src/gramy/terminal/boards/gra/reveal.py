"""The reveal of GRA: all hands after a check, the faces that count, and what follows."""

from __future__ import annotations

from typing import Any

from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.scene import LogRow
from gramy.terminal.words import Words


def revealed(row: LogRow) -> dict[str, Any] | None:
    """Return the values of a line's reveal, None if it has none."""
    return next((dict(event.values) for event in row.events if event.key == "revealed"), None)


def faces_of(hand: Any) -> tuple[int, ...]:
    """Return the faces of a hand, which is a structure here and an object of JSON from a server."""
    return tuple(hand["faces"] if isinstance(hand, dict) else hand.faces)


def counting(values: dict[str, Any]) -> set[int]:
    """Return the faces that match the bid; if more count than show its value, the ones do too."""
    hands = [faces_of(hand) for hand in values["hands"]]
    plain = sum(faces.count(values["value"]) for faces in hands)
    return {values["value"], 1} if values["count"] > plain else {values["value"]}


def draw(row: LogRow, canvas: Canvas, words: Words, bid: str) -> None:
    """Draw every hand with the matching faces marked, the count, and the sentences on what follows."""
    values = revealed(row)
    assert values is not None
    matching = counting(values)
    checked = next(event.values for event in row.events if event.key == "checked")
    canvas.centre(
        0, 1, canvas.width, words.board("board_doubts", mine=False, name=words.names[checked["seat"]]), "bold"
    )
    canvas.centre(0, 2, canvas.width, f"{words.names[checked['bidder']]}: {bid}", "accent")
    y = 4
    order = [(checked["bidder"] + 1 + step) % len(values["hands"]) for step in range(len(values["hands"]))]
    for seat in order:
        faces = faces_of(values["hands"][seat])
        if faces:
            _hand(canvas, y, words.name(seat, 14), faces, matching)
            y += 1 if len(words.names) > 4 else 2
    good = values["holds"]
    verdict = words.board("board_holds" if good else "board_fails")
    found = words.board("board_found_number", count=values["count"])
    canvas.centre(0, y + 1, canvas.width, f"{'✓' if good else '✗'} {found} · {verdict}", "good" if good else "bad")
    y += 3
    for event in row.events:
        if event.key not in ("checked", "revealed"):
            y += canvas.paragraph(Area(3, y, canvas.width - 6, 3), words.say(event), "", centred=True)


def _hand(canvas: Canvas, y: int, name: str, faces: tuple[int, ...], matching: set[int]) -> None:
    left = max(1, (canvas.width - 44) // 2)
    canvas.put(left, y, name, "bold")
    x = left + 16
    for face in faces:
        hit = face in matching
        canvas.put(x, y, f"[{face}]" if hit else f" {face} ", "good" if hit else "dim")
        x += 4
