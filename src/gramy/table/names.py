"""Players' names: cleaned so that they are visible, harmless to the layout, and distinct at a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gramy.errors import BadOptions
from gramy.messages import Message

LONGEST_NAME = 24
ALIKE = 3
"""Names that begin with the same letters, so many of them, are easily confused: Otto and Otter."""
MOST_MARKS = 3
"""The most combining marks on one letter; more would overlap the lines above."""
INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode calls printable although they show nothing."""
LOOKALIKES = "aаα bвβ cсϲ dԁ eеε hнһΗ iіι jјϳ kкκ lӏI1|ІΙ mмΜ nηΝ oоο0 pрρ qԛ sѕ tтτ uμυ vν wԝω xхχ yуγΥ"
TO_LATIN = {ord(letter): group[0] for group in LOOKALIKES.split() for letter in group}
"""Maps letters of other alphabets, and digits, to the small Latin letter that they look like."""


def nickname(name: str) -> str:
    """Return a name that is short, printable and not empty; raises BadOptions."""
    printable = "".join(letter if letter.isprintable() else " " for letter in INVISIBLE.sub("", name))
    shown = " ".join(_without_stacked_marks(unicodedata.normalize("NFC", printable)).split())
    if not shown or len(shown) > LONGEST_NAME:
        raise BadOptions(Message("bad_name", {"most": LONGEST_NAME}))
    return shown


def _without_stacked_marks(name: str) -> str:
    """Return a name without combining marks that have no letter, or too many on one."""
    result, marks = "", MOST_MARKS
    for letter in name:
        if unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
        else:
            marks = MOST_MARKS if letter == " " else 0
        result += letter if letter == " " or marks <= MOST_MARKS else ""
    return result


def distinct(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number if another one looks the same."""
    taken, number, shown = {_look_key(other) for other in others}, 1, name
    while _look_key(shown) in taken:
        number += 1
        shown = f"{name[: LONGEST_NAME - 2].rstrip()} {number}"
    return shown


def confusable(name: str, other: str) -> bool:
    """Whether two names are easily taken for each other: they look the same, begin alike, or differ in one letter."""
    one, two = sorted((_look_key(name), _look_key(other)), key=len)
    if one[:ALIKE] == two[:ALIKE]:
        return True
    if len(one) == len(two):
        return sum(letter != its for letter, its in zip(one, two, strict=True)) <= 1
    return any(two[:at] + two[at + 1 :] == one for at in range(len(two)))


def _look_key(name: str) -> str:
    """Return a key that is equal for names that look the same."""
    letters = unicodedata.normalize("NFKC", name).translate(TO_LATIN).casefold().translate(TO_LATIN)
    return letters.replace(" ", "")
