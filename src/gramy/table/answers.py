"""The answers to the last commands of each seat, for clients that send a command again."""

from __future__ import annotations

from gramy.messages import Message

REMEMBERED = 16
"""How many commands of a seat get the same answer when they are sent again: more than a client has under way."""


class CommandAnswers:
    """Remembers answers by seat and by the client's id of the command. None means that the command was done."""

    __slots__ = ("_by_seat",)

    def __init__(self) -> None:
        self._by_seat: dict[int, dict[str, Message | None]] = {}

    def has(self, seat: int, id: str) -> bool:
        """Return whether a command was answered before."""
        return id in self._by_seat.get(seat, ())

    def get(self, seat: int, id: str) -> Message | None:
        """Return the answer to a command that was answered before."""
        return self._by_seat[seat][id]

    def add(self, seat: int, id: str, answer: Message | None) -> None:
        """Remember an answer, and drop the oldest one of the seat when there are too many."""
        answers = self._by_seat.setdefault(seat, {})
        answers[id] = answer
        if len(answers) > REMEMBERED:
            del answers[next(iter(answers))]

    def clear(self) -> None:
        """Drop all answers."""
        self._by_seat.clear()
