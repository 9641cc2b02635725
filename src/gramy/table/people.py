"""The order among the people of a table: who opened it, who may not come back, and votes about absent players."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, json
from msgspec.structs import replace

from gramy.table.seat import PERSON, Seat

MOST_BLOCKED = 50
"""Guests that one table blocks; beyond that the first ones are dropped."""


class People(Struct, frozen=True):
    """A frozen value. It is never changed in place, its collections included."""

    opener: int | None = None  # the seat of the person who runs the table
    blocked: tuple[str, ...] = ()  # guests that may neither sit down nor watch
    votes: dict[int, dict[int, str]] = {}  # by absent seat: what each voter wants
    configured: float = 0.0  # when the settings were last changed, in calendar seconds
    held: bool = False  # a bot or a changed setting has filled the table: the match waits for the opener's start

    def seated(self, number: int, seats: Sequence[Seat]) -> People:
        """Return the people after the owner of a seat has changed.

        When the opener has left for good, the next seated person is the opener.
        """
        if self.opener is None:
            return replace(self, opener=number) if seats[number].kind == PERSON else self
        if number != self.opener or seats[number].kind == PERSON:
            return self
        return replace(self, opener=next_person(seats, number))

    def blocking(self, guest: str) -> People:
        """Return the people with one more blocked guest."""
        others = tuple(other for other in self.blocked if other != guest)
        return replace(self, blocked=(*others, guest)[-MOST_BLOCKED:])


NOBODY = People()


def next_person(seats: Sequence[Seat], number: int, among: Collection[int] | None = None) -> int | None:
    """Return the seat of the first person from a number on, around the table; None if nobody sits there.

    With `among`, only these seats count.
    """
    order = [seat for seat in (*range(number, len(seats)), *range(number)) if among is None or seat in among]
    return next((seat for seat in order if seats[seat].kind == PERSON), None)


def encode_people(people: People) -> str:
    return json.encode(people).decode()


decode_people = json.Decoder(People).decode
