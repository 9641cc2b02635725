"""Talk as actions: the vocabulary, and who may talk when. docs/environments.md states the rules with an example.

A round of talk comes before the first move and before every later turn. Each seat may say a few phrases or wait. The
seat after the one to move talks first, the one to move last. What a seat has said stands until it ends its next turn.
Everything here is a value, and a change is a function from value to value.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.contract import Game

VOCABULARY_VERSION = 1
"""Raised when a phrase is added, removed or moved, because a learned policy knows phrases by their numbers."""

PHRASES_IN_A_ROUND = 2
"""How many phrases a seat may say in a round of talk. At a table nobody counts, but an episode must end."""


class Phrase(NamedTuple):
    """A phrase that may be said. `about` is a colour or a wish, `detail` a height or a pile, if it has one."""

    number: int
    text: str
    about: str
    detail: str


def vocabulary(game: Game) -> tuple[Phrase, ...]:
    """Return the phrases of a game in the order of their numbers; empty where the rules allow no talk."""
    phrases = []
    for number, text in enumerate(game.phrases()):
        about, _, detail = text.partition(" ")
        phrases.append(Phrase(number, text, about, detail))
    return tuple(phrases)


class Conversation(NamedTuple):
    """The talk of a match, and whether the players have agreed on who starts."""

    speakers: tuple[int, ...]
    """The seats that may talk now, in order."""
    left: tuple[int, ...]
    """How many phrases each seat may still say in this round."""
    said: tuple[int, ...]
    """The phrases of each seat that stand, as bits."""
    started: bool
    """Whether somebody has taken the start, or a lot decides."""
    declined: tuple[int, ...]
    """The seats that have left the start to others."""


def silence(players: int, agreed: bool) -> Conversation:
    """Return the conversation before anybody may talk."""
    return Conversation((), (0,) * players, (0,) * players, not agreed, ())


def opened(before: Conversation, mover: int) -> Conversation:
    """Return the conversation at the beginning of a round of talk; the seat that moves afterwards talks last."""
    players = len(before.said)
    order = tuple((mover + 1 + offset) % players for offset in range(players))
    return before._replace(speakers=order, left=(PHRASES_IN_A_ROUND,) * players)


def spoken(before: Conversation, seat: int, phrase: int) -> Conversation:
    """Return the conversation after a seat said a phrase. After its last one it is the next seat's turn to talk."""
    left = _replaced(before.left, seat, before.left[seat] - 1)
    said = _replaced(before.said, seat, before.said[seat] | 1 << phrase)
    after = before._replace(left=left, said=said)
    return after if left[seat] else waited(after, seat)


def waited(before: Conversation, seat: int) -> Conversation:
    """Return the conversation after a seat waited: it says no more in this round, or leaves the start to others."""
    if before.speakers:
        left = _replaced(before.left, seat, 0)
        return before._replace(speakers=tuple(one for one in before.speakers if one != seat), left=left)
    return before._replace(declined=(*before.declined, seat))


def turn_ended(before: Conversation, seat: int) -> Conversation:
    """Return the conversation after a seat's turn: what it said was about cards that it may have laid."""
    return before._replace(said=_replaced(before.said, seat, 0))


def _replaced(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*numbers[:at], number, *numbers[at + 1 :])
