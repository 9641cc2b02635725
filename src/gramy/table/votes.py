"""Votes about an absent player: wait, let a bot play, or end the match.

A strict majority of the voters decides. The voters are the seated people who are present, or who left so recently that
they may come back: a short break of the others' connections gives nobody the majority. A tie waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from gramy.messages import Message
from gramy.table.seat import PERSON
from gramy.table.state import Moment, Refused, TableState, abandon, stand_in
from gramy.table.store import PLAYING

WAIT, BOT, END = "wait", "bot", "end"


def decision(votes: Mapping[int, str], voters: Collection[int]) -> str | None:
    """Return what more than half of the voters want, None if there is no such majority."""
    counted = Counter(choice for voter, choice in votes.items() if voter in voters)
    return next((choice for choice, count in counted.items() if 2 * count > len(voters)), None)


def voters(state: TableState, expected: Collection[int], absent: int) -> list[int]:
    """Return the seats that may vote about an absent one: people who are expected here and have not left to a bot.

    Somebody whose seat a bot plays because of a withheld client seed is still there, and votes.
    """
    seats, forfeited = state.seats, state.forfeited
    return [
        number
        for number in range(len(seats))
        if number != absent
        and number in expected
        and seats[number].kind == PERSON
        and (not seats[number].stand_in or number in forfeited)
    ]


def cast(state: TableState, moment: Moment, *, voter: int, absent: int, choice: str | None) -> TableState:
    """Record a vote about an absent player, None to withdraw it, and carry out what the majority wants."""
    if not _is_undecided(state, moment, absent) or absent not in moment.overdue:
        raise Refused(Message("nobody_absent"))
    others = {one: wanted for one, wanted in state.people.votes.get(absent, {}).items() if one != voter}
    return settle(_with_votes(state, absent, others if choice is None else {**others, voter: choice}), moment)


def settle(state: TableState, moment: Moment) -> TableState:
    """Carry out what majorities have decided, and drop votes about players who are back.

    A majority for `wait` only drops the votes. The caller extends the deadline, see `waits`.
    """
    for absent, votes in list(state.people.votes.items()):
        if not _is_undecided(state, moment, absent):
            state = _with_votes(state, absent, {})
        elif absent in moment.overdue and (choice := decision(votes, voters(state, moment.expected, absent))):
            state = _with_votes(state, absent, {})
            if choice == BOT:
                state = stand_in(state, moment, seat=absent, reason="others")
            elif choice == END:
                state = abandon(state, moment)
    return state


def waits(state: TableState, moment: Moment) -> list[int]:
    """Return the absent seats for which a majority wants to wait."""
    return [
        absent
        for absent, votes in state.people.votes.items()
        if absent in moment.overdue and decision(votes, voters(state, moment.expected, absent)) == WAIT
    ]


def describe(state: TableState, expected: Collection[int], absent: dict[str, Any]) -> dict[str, Any]:
    """Return the facts about an absent player with the seats that may vote, and their votes so far."""
    may_vote = voters(state, expected, absent["seat"])
    votes = state.people.votes.get(absent["seat"], {})
    return {**absent, "voters": may_vote, "votes": {voter: votes[voter] for voter in may_vote if voter in votes}}


def _is_undecided(state: TableState, moment: Moment, absent: int) -> bool:
    """Whether a person is absent from a match and nothing has been decided about them."""
    if state.status != PLAYING or not 0 <= absent < len(state.seats) or absent in moment.present:
        return False
    return state.seats[absent].kind == PERSON and not state.seats[absent].stand_in


def _with_votes(state: TableState, absent: int, votes: dict[int, str]) -> TableState:
    if state.people.votes.get(absent, {}) == votes:
        return state
    others = {one: cast for one, cast in state.people.votes.items() if one != absent}
    return replace(state, people=replace(state.people, votes={**others, absent: votes} if votes else others))
