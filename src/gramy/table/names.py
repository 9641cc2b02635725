"""Players' names: cleaned so that they are visible, harmless to the layout, and distinct at a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gramy.errors import BadOptions
from gramy.messages import Message

LONGEST_NAME = 24
"""The most characters as people count them: a joined emoji is one."""
MOST_CODE_POINTS = 64
ALIKE = 3
"""Names that begin with the same letters, so many of them, are easily confused: Otto and Otter."""
MOST_MARKS = 3
"""The most combining marks on one letter; more would overlap the lines above."""
INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode calls printable although they show nothing."""
PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff][\U0001f3fb-\U0001f3ff]?\ufe0f?"
)
JOINERS = re.compile("[\u200d\ufe00-\ufe0f\U000e0020-\U000e007f]")
"""Invisible characters within emoji. Without them an emoji may look the same."""
FLAG = "[\U0001f1e6-\U0001f1ff]{2}|\U0001f3f4[\U000e0061-\U000e007a]{3,6}\U000e007f"
EMOJI = re.compile(f"{FLAG}|[0-9#*]\ufe0f?\u20e3|{PICTURE}(?:\u200d{PICTURE})*")
"""An emoji that is one character to people: flags, keycaps, and pictures with a skin tone or joined to others.

The invisible characters within it are kept; Unicode's full segmentation is not needed for that.
"""
LOOKALIKES = "aаα bвβ cсϲ dԁ eеε hнһΗ iіι jјϳ kкκ lӏI1|ІΙ mмΜ nηΝ oоο0 pрρ qԛ sѕ tтτ uμυ vν wԝω xхχ yуγΥ"
TO_LATIN = {ord(letter): group[0] for group in LOOKALIKES.split() for letter in group}
"""Maps letters of other alphabets, and digits, to the small Latin letter that they look like."""


def nickname(name: str) -> str:
    """Return a name that is short, printable and not empty; raises BadOptions."""
    whole = unicodedata.normalize("NFC", name)
    shown, end = "", 0
    for emoji in EMOJI.finditer(whole):
        known = JOINERS.sub("", emoji[0]).isprintable()  # Unicode has not assigned every character of the range
        shown += _printable(whole[end : emoji.start()]) + (emoji[0] if known else _printable(emoji[0]))
        end = emoji.end()
    shown = " ".join((shown + _printable(whole[end:])).split())
    if not shown or len(_characters(shown)) > LONGEST_NAME or len(shown) > MOST_CODE_POINTS:
        raise BadOptions(Message("bad_name", {"most": LONGEST_NAME}))
    return shown


def _printable(words: str) -> str:
    """Return words without emoji as far as they can be seen."""
    printable = "".join(letter if letter.isprintable() else " " for letter in INVISIBLE.sub("", words))
    return _without_stacked_marks(unicodedata.normalize("NFC", printable))


def _characters(name: str) -> list[str]:
    """Return the characters of a name as people count them: a joined emoji and a letter with its marks are one."""
    result: list[str] = []
    for part in re.findall(f"{EMOJI.pattern}|.", name):
        if result and unicodedata.category(part[0]) in ("Mn", "Me", "Mc"):
            result[-1] += part
        else:
            result.append(part)
    return result


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
        kept = "".join(_characters(name)[: LONGEST_NAME - 2])
        shown = f"{kept.rstrip()} {number}"
    return shown


def begins_like_a_bot(name: str) -> bool:
    """Whether a name begins as pages show a bot account: with the word “Bot”."""
    first, _, rest = name.partition(" ")
    return bool(rest) and _look_key(first) == _look_key("Bot")


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
    return JOINERS.sub("", letters).replace(" ", "")
