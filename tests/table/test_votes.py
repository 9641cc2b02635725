"""Votes about an absent player: the laws of the count, and what a majority does."""

from __future__ import annotations

from functools import partial
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramy.table.state import TableState, come_back, leave, stand_in
from gramy.table.store import ABANDONED, PLAYING
from gramy.table.votes import cast, decision, describe, settle, voters, waits
from tests.table.test_state import moment, playing, refusal, taken, waiting

CHOICES = ("wait", "bot", "end")
SEATS = st.frozensets(st.integers(0, 5))
VOTES = st.dictionaries(st.integers(0, 5), st.sampled_from(CHOICES))


def trio() -> TableState:
    """A match of three people."""
    return taken(waiting("gra", players=3), "Ada", "Bob", "Cem")


def vote(state: TableState, voter: int, choice: str | None, present: set[int], absent: int = 2) -> TableState:
    return cast(state, moment(present=present, overdue={absent}), voter=voter, absent=absent, choice=choice)


# --- laws of the count ------------------------------------------------------------------------------------------------


@given(VOTES, SEATS)
def test_a_decision_has_more_than_half_of_the_voters_behind_it(votes: dict[int, str], may_vote: frozenset[int]) -> None:
    decided = decision(votes, may_vote)
    for choice in CHOICES:
        behind = sum(votes.get(voter) == choice for voter in may_vote)
        assert (2 * behind > len(may_vote)) == (decided == choice)


@given(VOTES, SEATS)
def test_votes_of_others_than_the_voters_do_not_count(votes: dict[int, str], may_vote: frozenset[int]) -> None:
    assert decision(votes, may_vote) == decision({v: c for v, c in votes.items() if v in may_vote}, may_vote)


@given(VOTES, SEATS.filter(bool))
def test_nobody_decides_alone_unless_they_are_alone(votes: dict[int, str], may_vote: frozenset[int]) -> None:
    voted = [voter for voter in may_vote if voter in votes]
    if len(voted) <= 1 < len(may_vote):
        assert decision(votes, may_vote) is None
    if len(may_vote) == 1 and voted:
        assert decision(votes, may_vote) == votes[voted[0]]


@given(VOTES, SEATS, st.data())
def test_another_vote_for_the_decision_does_not_change_it(
    votes: dict[int, str], may_vote: frozenset[int], data: st.DataObject
) -> None:
    if (decided := decision(votes, may_vote)) is not None:
        voter = data.draw(st.sampled_from(sorted(may_vote)))
        assert decision({**votes, voter: decided}, may_vote) == decided


@given(VOTES, SEATS)
def test_the_order_of_the_votes_does_not_matter(votes: dict[int, str], may_vote: frozenset[int]) -> None:
    turned = dict(reversed(votes.items()))
    assert decision(votes, may_vote) == decision(turned, may_vote)


# --- what a majority does ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "status", "stands_in"), [("bot", PLAYING, True), ("end", ABANDONED, False)])
def test_who_is_alone_with_an_absent_player_decides(choice: str, status: str, stands_in: bool) -> None:
    table = vote(playing(), 0, choice, {0}, absent=1)
    assert (table.status, table.seats[1].stand_in) == (status, stands_in)
    assert table.people.votes == {}


@pytest.mark.parametrize("choice", ["bot", "end"])
def test_two_players_must_agree(choice: str) -> None:
    one = vote(trio(), 0, choice, {0, 1})
    assert (one.status, one.seats[2].stand_in) == (PLAYING, False)
    assert one.people.votes == {2: {0: choice}}
    both = vote(one, 1, choice, {0, 1})
    assert (both.status, both.seats[2].stand_in) == ((PLAYING, True) if choice == "bot" else (ABANDONED, False))


def test_a_tie_waits_and_a_vote_can_be_changed_or_withdrawn() -> None:
    tie = vote(vote(trio(), 0, "bot", {0, 1}), 1, "end", {0, 1})
    assert tie.people.votes == {2: {0: "bot", 1: "end"}}
    assert vote(tie, 1, None, {0, 1}).people.votes == {2: {0: "bot"}}
    assert vote(vote(tie, 1, None, {0, 1}), 0, None, {0, 1}).people.votes == {}
    assert vote(tie, 1, "bot", {0, 1}).seats[2].stand_in


def test_a_majority_that_waits_drops_the_votes() -> None:
    before = vote(trio(), 0, "wait", {0, 1})
    at = moment(present={0}, overdue={2})
    assert waits(before, at) == [2]
    assert settle(before, at).people.votes == {}
    assert vote(before, 1, "wait", {0, 1}).people.votes == {}


def test_when_a_voter_goes_the_others_may_have_the_majority() -> None:
    one = vote(trio(), 0, "bot", {0, 1})
    still_expected = moment(present={0}, overdue={2})._replace(expected=frozenset({0, 1}))
    assert settle(one, still_expected) is one
    assert settle(one, moment(present={0}, overdue={2})).seats[2].stand_in


def test_votes_expire_when_the_absent_player_is_back() -> None:
    one = vote(trio(), 0, "end", {0, 1})
    assert settle(one, moment(present={0, 1, 2})).people.votes == {}


def test_nobody_votes_about_a_player_who_is_there_or_whose_bot_plays() -> None:
    table, overdue = playing(), moment(present={0}, overdue={1})
    end = partial(cast, voter=0, absent=1, choice="end")
    assert refusal(end, table, moment(present={0, 1})) == "nobody_absent"
    assert refusal(end, table, moment(present={0})) == "nobody_absent"  # not yet
    assert refusal(end, stand_in(table, moment(), seat=1), overdue) == "nobody_absent"
    assert refusal(partial(cast, voter=0, absent=5, choice="end"), table, moment(overdue={5})) == "nobody_absent"


def test_who_left_their_seat_to_a_bot_has_no_vote() -> None:
    table = leave(trio(), moment(present={0, 1}), seat=1)
    assert voters(table, {0, 1}, absent=2) == [0]
    assert voters(come_back(table, moment(), seat=1), {0, 1, 2}, absent=2) == [0, 1]


def test_everybody_sees_the_votes_of_those_who_count() -> None:
    table = vote(vote(trio(), 0, "bot", {0, 1}), 1, "end", {0, 1})
    shown = describe(table, {0, 2}, {"seat": 2, "seconds": 0.0, "can_decide": True})
    assert shown == {"seat": 2, "seconds": 0.0, "can_decide": True, "voters": [0], "votes": {0: "bot"}}


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_of_four_present_three_decide_in_any_order(order: tuple[int, ...]) -> None:
    table = taken(waiting("gra", players=5), "Ada", "Bob", "Cem", "Dan", "Eve")
    for number, voter in enumerate(order):
        assert table.seats[4].stand_in == (number >= 3)
        if not table.seats[4].stand_in:
            table = vote(table, voter, "bot", {0, 1, 2, 3}, absent=4)
