"""Names as they may be shown: something to see, nothing that disturbs what stands around it, nobody else's face."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gramy.contract import BadOptions, Message

LONGEST_NAME = 24
MARKS = 3
"""So many accents may stand on one letter; more would climb over the lines above."""
UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that count as printable and show nothing."""
LOOKALIKES = "aаα bвβ cсϲ dԁ eеε hнһΗ iіι jјϳ kкκ lӏI1|ІΙ mмΜ nηΝ oоο0 pрρ qԛ sѕ tтτ uμυ vν wԝω xхχ yуγΥ"
ALIKE = {ord(letter): group[0] for group in LOOKALIKES.split() for letter in group}
"""Letters of other alphabets, and digits, that look like a small Latin one; capitals only where they differ."""


def nickname(name: str) -> str:
    """A name as it may be shown: short, printable, not empty."""
    printable = "".join(letter if letter.isprintable() else " " for letter in UNSEEN.sub("", name))
    shown = " ".join(_calm(unicodedata.normalize("NFC", printable)).split())
    if not shown or len(shown) > LONGEST_NAME:
        raise BadOptions(Message("bad_name", {"most": LONGEST_NAME}))
    return shown


def _calm(name: str) -> str:
    """Without accents that stand on nothing, or higher than a letter."""
    kept, height = "", MARKS
    for letter in name:
        if unicodedata.category(letter) in ("Mn", "Me"):
            height += 1
        else:
            height = MARKS if letter == " " else 0
        kept += letter if letter == " " or height <= MARKS else ""
    return kept


def distinct(name: str, others: Iterable[str]) -> str:
    """The name, numbered where somebody at the table has one that looks the same."""
    taken, number, shown = {_looks(other) for other in others}, 1, name
    while _looks(shown) in taken:
        number += 1
        shown = f"{name[: LONGEST_NAME - 2].rstrip()} {number}"
    return shown


def _looks(name: str) -> str:
    """What names have in common that are hard to tell apart."""
    letters = unicodedata.normalize("NFKC", name).translate(ALIKE).casefold().translate(ALIKE)
    return letters.replace(" ", "")
