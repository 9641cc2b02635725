"""The colours of the terminal application: a style for each name that boards use, on dark and on light screens."""

from __future__ import annotations

from collections.abc import Mapping

DARK: dict[str, str] = {
    "": "#d9dbe3 on #14161c",
    "dim": "#858b9a on #14161c",
    "faint": "#4a4f5e on #14161c",
    "bold": "bold #ffffff on #14161c",
    "accent": "bold #ffc85c on #14161c",
    "good": "bold #7bdc9c on #14161c",
    "bad": "bold #ff8f80 on #14161c",
    "bar": "#d9dbe3 on #232733",
    "bar.bold": "bold #ffffff on #232733",
    "bar.dim": "#9aa1b3 on #232733",
    "bar.key": "bold #ffc85c on #232733",
    "bar.off": "#5d6373 on #232733",
    "card": "bold #f3f4f8 on #2b3040",
    "card.frame": "#8f97ab on #14161c",
    "card.cursor": "bold #ffc85c on #14161c",
    "card.picked": "bold #14161c on #ffc85c",
    "card.dead": "#6b7183 on #1b1e27",
    "card.dead.frame": "#3b4050 on #14161c",
    "pile.legal": "bold #7bdc9c on #14161c",
    "pile.help": "bold #7cc4ff on #14161c",
    "pile.trick": "bold #ffc85c on #14161c",
    "pile.refused": "#5b6070 on #14161c",
    "shade": "#d9dbe3 on #1b1e27",
    "shade.dim": "#858b9a on #1b1e27",
    "red": "bold #ffffff on #b73619",
    "blue": "bold #ffffff on #1c68b6",
    "green": "bold #10201a on #58b598",
    "yellow": "bold #2b2200 on #ffdc4f",
    "grey": "bold #f3f4f8 on #4a4358",
    "red.text": "bold #ff8a70 on #14161c",
    "blue.text": "bold #74b6ff on #14161c",
    "green.text": "bold #7bd6b9 on #14161c",
    "yellow.text": "bold #ffdc4f on #14161c",
    "grey.text": "bold #b8b0c8 on #14161c",
}

LIGHT: dict[str, str] = {
    "": "#23262f on #fbfaf6",
    "dim": "#666b78 on #fbfaf6",
    "faint": "#b9bcc6 on #fbfaf6",
    "bold": "bold #000000 on #fbfaf6",
    "accent": "bold #8a5a00 on #fbfaf6",
    "good": "bold #136b3a on #fbfaf6",
    "bad": "bold #b3261e on #fbfaf6",
    "bar": "#23262f on #e7e4da",
    "bar.bold": "bold #000000 on #e7e4da",
    "bar.dim": "#5a5e6a on #e7e4da",
    "bar.key": "bold #8a5a00 on #e7e4da",
    "bar.off": "#9b9a94 on #e7e4da",
    "card": "bold #14161c on #ffffff",
    "card.frame": "#6b7080 on #fbfaf6",
    "card.cursor": "bold #8a5a00 on #fbfaf6",
    "card.picked": "bold #14161c on #ffc85c",
    "card.dead": "#a2a5ae on #f3f1ea",
    "card.dead.frame": "#cfd0d4 on #fbfaf6",
    "pile.legal": "bold #136b3a on #fbfaf6",
    "pile.help": "bold #14569a on #fbfaf6",
    "pile.trick": "bold #8a5a00 on #fbfaf6",
    "pile.refused": "#a2a5ae on #fbfaf6",
    "shade": "#23262f on #f1efe7",
    "shade.dim": "#666b78 on #f1efe7",
    "red": "bold #ffffff on #b73619",
    "blue": "bold #ffffff on #1c68b6",
    "green": "bold #10201a on #58b598",
    "yellow": "bold #2b2200 on #ffdc4f",
    "grey": "bold #ffffff on #4a4358",
    "red.text": "bold #a02f16 on #fbfaf6",
    "blue.text": "bold #175a9e on #fbfaf6",
    "green.text": "bold #1f6b53 on #fbfaf6",
    "yellow.text": "bold #7a6200 on #fbfaf6",
    "grey.text": "bold #4a4358 on #fbfaf6",
}


def is_light(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal says that its background is light: COLORFGBG ends in white or light grey."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
