"""Boards and events of every game as text, for the terminal and for `print(match)`."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gramy import games
from gramy.contract import View
from gramy.drawing import face_to_face, gra, quick_easy
from gramy.drawing.pen import Block, Pen
from gramy.log import Entry
from gramy.messages import Event
from gramy.text import word


def as_sentence(event: Event, pen: Pen) -> Block:
    """Return an event as its sentence, in lines."""
    return pen.wrapped(pen.say(event))


def verb(move: str) -> str:
    """Return the first word of a move, the default group of a move in a list."""
    return move.partition(" ")[0]


class Drawing(NamedTuple):
    """How a game is shown: its board, its events, and the group of a move in a long list."""

    draw: Callable[[View, Sequence[Entry], Pen], str]
    describe: Callable[[Event, Pen], Block] = as_sentence
    group: Callable[[str], str] = verb


DRAWINGS: dict[str, Drawing] = {
    games.face_to_face.NAME: Drawing(face_to_face.draw),
    games.quick_easy.NAME: Drawing(quick_easy.draw),
    games.gra.NAME: Drawing(gra.draw, gra.describe, gra.group),
}


def board_text(view: View, history: Sequence[Entry], names: Sequence[str], players: int, language: str) -> str:
    """Return the board of a view as plain text; players without a name are called by their seats."""
    named = names or [word("seat", seat, language, ()) for seat in range(players)]
    return DRAWINGS[view.game].draw(view, history, Pen(named, language=language))
