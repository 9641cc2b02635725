"""The numbered list of legal moves, and the short forms in which a move may be typed."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby

from gramy.drawing.pen import MARGIN, SCOPE, TIMES, WIDTH, Block, padded
from gramy.text import catalogue

MANY, TOO_MANY = 30, 60
"""More than MANY moves are listed in groups; of more than TOO_MANY, only the first and the last of each group."""


def list_moves(moves: Sequence[str], group: Callable[[str], str]) -> Block:
    """Return the legal moves with their numbers, in columns."""
    numbered = list(enumerate(moves, 1))
    if len(moves) <= MANY:
        return _columns([f"{number:3}  {move}" for number, move in numbered])
    groups = [list(part) for _, part in groupby(numbered, lambda item: group(item[1]))]
    if len(moves) <= TOO_MANY:
        return [line for part in groups for line in _columns([f"{number:3}  {move}" for number, move in part])]
    return _columns([_span(part) for part in groups])


def _span(part: list[tuple[int, str]]) -> str:
    (first, lowest), (last, highest) = part[0], part[-1]
    return f"{first:3}  {lowest}" if first == last else f"{first:3} to {last:3}   {lowest} … {highest}"


def _columns(cells: Sequence[str]) -> Block:
    width = max(map(len, cells), default=0) + 3
    columns = max(1, (WIDTH - 4) // width)
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    return [MARGIN + "".join(padded(cell, width) for cell in row).rstrip() for row in rows]


def find_moves(typed: str, moves: Sequence[str], numbered: Sequence[str]) -> list[str]:
    """Return the moves that a line can stand for: by the number in the list, without the verb, in other letter case.

    A line that fits no move is returned as typed, so that the rules can say what is wrong with it.
    """
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(numbered):
        return [numbered[int(typed) - 1]]
    wanted = " ".join(typed.replace(TIMES, "x").casefold().split())
    whole = [move for move in moves if move.casefold() == wanted]
    found = whole or [move for move in moves if move.partition(" ")[2].casefold() == wanted]
    return found or [typed]


@cache
def _vocabulary(language: str) -> Mapping[str, str]:
    """Return the words of moves, commands and phrases, by how they are typed in a language."""
    entry = catalogue(SCOPE, language)["typed"]
    return {str(typed).casefold(): word for word, typed in entry.items() if word not in ("by", "other")}


def understood(typed: str, language: str) -> str:
    """Return a line with the words of a language replaced by those of the rules, which are always understood too."""
    return " ".join(_vocabulary(language).get(word.casefold(), word) for word in typed.split())


def normalised(typed: str) -> str:
    """Return a line in the spelling of moves: the verb in lower case, the cards in upper case."""
    first, _, rest = " ".join(typed.split()).partition(" ")
    return f"{first.lower()} {rest.upper()}".strip()
