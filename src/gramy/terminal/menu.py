"""What may be written at the prompt: the list of offered moves, and short forms of them."""

from collections.abc import Callable, Sequence
from itertools import groupby

from gramy.terminal.pen import MARGIN, TIMES, WIDTH, Block, padded

MANY, TOO_MANY = 30, 60
"""More moves than this are listed in groups; more than that, only the first and the last of each group."""


def verb(move: str) -> str:
    """The first word of a move, by which moves are grouped where a game has no better way."""
    return move.partition(" ")[0]


def listed(moves: Sequence[str], group: Callable[[str], str]) -> Block:
    """The offered moves with their numbers, in columns."""
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
    wide = max(map(len, cells), default=0) + 3
    across = max(1, (WIDTH - 4) // wide)
    rows = [cells[at : at + across] for at in range(0, len(cells), across)]
    return [MARGIN + "".join(padded(cell, wide) for cell in row).rstrip() for row in rows]


def meant(typed: str, moves: Sequence[str], numbered: Sequence[str]) -> str:
    """The move that was meant: by its number while the list is in sight, without its verb, in any case of letters.

    What fits several moves, or none, stays as it was typed, so that the rules can say what is wrong with it.
    """
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(numbered):
        return numbered[int(typed) - 1]
    wanted = " ".join(typed.replace(TIMES, "x").casefold().split())
    whole = [move for move in moves if move.casefold() == wanted]
    found = whole or [move for move in moves if move.partition(" ")[2].casefold() == wanted]
    return found[0] if len(found) == 1 else typed


def tidied(typed: str) -> str:
    """A line with its verb in small letters and its cards in capitals, as moves are written."""
    first, _, rest = " ".join(typed.split()).partition(" ")
    return f"{first.lower()} {rest.upper()}".strip()
