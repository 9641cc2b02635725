"""Talk of Quick & Easy as lines of a log, and what of it still holds: cases for the browser and the terminal."""

from __future__ import annotations

from typing import Any

TEAM = "quick-easy"


def dealt(seat: int, number: int = 2) -> dict[str, Any]:
    return {"seat": 6, "move": "deal ?", "events": [event("dealt", seat=seat, number=number)]}


def event(key: str, **values: Any) -> dict[str, Any]:
    return {"key": key, "values": values, "game": TEAM}


def said(seat: int, phrase: str) -> dict[str, Any]:
    return {"seat": seat, "move": f"say {phrase}", "events": [event("said", seat=seat, phrase=phrase)]}


def laid(seat: int, pile: str, card: str, top: str | None = None) -> dict[str, Any]:
    return {"seat": seat, "move": f"{pile} {card}", "events": [event("laid", seat=seat, card=card, on=pile, top=top)]}


def undone(seat: int) -> dict[str, Any]:
    return {"seat": seat, "move": "undo", "events": [event("undone", seat=seat, move="?")]}


TALK: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "both cards": ([said(0, "red low"), said(0, "blue high")], ["red low", "blue high"]),
    "the end of a turn changes nothing": (
        [said(0, "red low"), said(0, "blue high"), laid(0, "up", "R1"), dealt(0, 1), dealt(1, 0)],
        ["blue high"],
    ),
    "a card that does not fit leaves it": ([said(0, "red low"), laid(0, "up", "R3")], ["red low"]),
    "another colour leaves it": ([said(0, "red"), laid(0, "up", "G3")], ["red"]),
    "a colour ends with any height": ([said(0, "red"), laid(0, "up", "R9")], []),
    "a partner's card leaves it": ([said(0, "red low"), dealt(1), laid(1, "up", "R1")], ["red low"]),
    "an empty hand ends everything": ([said(0, "red low"), laid(0, "up", "G3"), laid(0, "down", "G9")], []),
    "a card taken back brings it back": ([said(0, "red low"), laid(0, "up", "R1"), undone(0)], ["red low"]),
    "two cards taken back": (
        [said(0, "red low"), laid(0, "up", "R1"), laid(0, "up", "G2"), undone(0), undone(0)],
        ["red low"],
    ),
    "what was said before taking back stays": (
        [said(0, "red low"), laid(0, "up", "R1"), said(0, "blue"), undone(0)],
        ["red low", "blue"],
    ),
    "more exact": ([said(0, "red"), said(0, "red low")], ["red low"]),
    "less exact": ([said(0, "red low"), said(0, "red")], ["red low"]),
    "said twice": ([said(0, "red low"), said(0, "blue"), said(0, "red low")], ["blue", "red low"]),
    "a third card takes back the same colour": (
        [said(0, "blue high"), said(0, "red low"), said(0, "red high")],
        ["blue high", "red high"],
    ),
    "a third card takes back the oldest": (
        [said(0, "blue high"), said(0, "red low"), said(0, "green")],
        ["red low", "green"],
    ),
    "one card left": ([said(0, "blue"), laid(0, "up", "G1"), said(0, "red")], ["red"]),
    "piles": ([said(0, "mine up"), said(0, "turn down"), laid(0, "up", "R1")], ["turn down"]),
    "a wish survives the partner's card": ([said(0, "mine up"), dealt(1), laid(1, "up", "R1")], ["mine up"]),
    "the same colour can still be turned": (
        [said(0, "turn up"), dealt(1), laid(1, "up", "R5", "R4")],
        ["turn up"],
    ),
    "another colour cannot": ([said(0, "turn up"), dealt(1), laid(1, "up", "G5", "R4")], []),
}
