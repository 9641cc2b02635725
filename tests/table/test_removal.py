"""The opener of a table: who that is, and what removing a person does."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from gramy.table.people import MOST_BLOCKED, NOBODY
from gramy.table.removal import remove
from gramy.table.rows import row_of, state_of
from gramy.table.seat import BOT, OPEN, PERSON
from gramy.table.state import abandon, ask_rematch, come_back, give_up, leave, sit, stand_in
from gramy.table.store import ABANDONED, PLAYING, WAITING
from tests.table.test_dealing import committed, full, revealed
from tests.table.test_state import moment, playing, refusal, taken, waiting

BOTH = moment(present={0, 1})


# --- the opener -------------------------------------------------------------------------------------------------------


def test_the_first_person_who_sits_down_is_the_opener() -> None:
    assert waiting().people.opener is None
    assert sit(waiting(), moment(), name="Ada", guest="a", token="a", wanted=1).people.opener == 1
    assert taken(waiting("gra", players=3), "Ada", "Bob").people.opener == 0


def test_the_next_person_is_the_opener_when_the_opener_leaves_for_good() -> None:
    table = taken(waiting("gra", players=4), "Ada", "Bob", "Cem")
    left = leave(table, moment(), seat=0)
    assert left.people.opener == 1
    back = sit(left, moment(), name="Ada", guest="Ada", token="again")
    assert (back.seats[0].name, back.people.opener) == ("Ada", 1)
    nobody = leave(leave(left, moment(), seat=1), moment(), seat=2)
    assert nobody.people.opener is None
    assert taken(nobody, "Dan").people.opener == 0
    assert give_up(playing(), moment(present={0, 1}), seat=0, guest="Ada").people.opener == 1


def test_an_opener_whose_bot_plays_stays_the_opener() -> None:
    away = stand_in(playing(), moment(), seat=0)
    assert away.people.opener == 0
    assert come_back(away, moment(), seat=0).people.opener == 0


def test_a_table_that_was_stored_without_an_opener_gets_one() -> None:
    table = taken(waiting("gra", players=3), "Ada", "Bob")
    stored = row_of(table)._replace(people=NOBODY)
    assert state_of(stored, (), 0.0).people.opener == 0


# --- removing ---------------------------------------------------------------------------------------------------------


def test_a_person_who_is_removed_from_a_waiting_table_cannot_sit_down_again() -> None:
    table = remove(taken(waiting("gra", players=3), "Ada", "Bob"), BOTH, opener=0, removed=1)
    assert table.seats[1].kind == OPEN
    assert table.people.blocked == ("Bob",)
    assert refusal(partial(sit, name="Bob", guest="Bob", token="again"), table) == "removed_from_table"
    assert sit(table, moment(), name="Cem", guest="Cem", token="c").seats[1].name == "Cem"


def test_a_bot_takes_the_seat_of_a_person_who_is_removed_during_a_match() -> None:
    table = remove(playing(), BOTH, opener=0, removed=1)
    assert (table.status, table.seats[1].kind, table.seats[1].token) == (PLAYING, BOT, None)
    assert "Bob" not in table.names


def test_a_person_who_is_removed_after_a_match_does_not_hold_up_the_next_one() -> None:
    over = ask_rematch(abandon(playing(), moment()), BOTH, seat=0)
    assert over.status == ABANDONED
    table = remove(over, BOTH, opener=0, removed=1)
    assert (table.seats[1].kind, table.people.blocked) == (BOT, ("Bob",))
    assert (table.status, table.round) == (WAITING, 2)  # its cards are dealt next


@pytest.mark.parametrize(
    ("opener", "removed", "key"),
    [(1, 0, "only_opener_removes"), (0, 0, "nobody_to_remove"), (0, 2, "nobody_to_remove"), (0, 5, "nobody_to_remove")],
)
def test_only_the_opener_removes_and_only_other_people(opener: int, removed: int, key: str) -> None:
    table = taken(waiting("gra", players=3), "Ada", "Bob")
    assert refusal(partial(remove, opener=opener, removed=removed), table, BOTH) == key


def test_who_takes_the_seat_of_the_person_meant_is_not_removed() -> None:
    """The opener's command was under way, or is sent again after a lost connection."""
    bob = partial(remove, opener=0, removed=1, name="Bob")
    table = bob(taken(waiting("gra", players=3), "Ada", "Bob"), BOTH)
    table = sit(table, moment(), name="Cem", guest="Cem", token="c")
    assert refusal(bob, table, BOTH) == "nobody_to_remove"


def test_nobody_is_removed_while_client_seeds_are_revealed() -> None:
    table = committed(full("Ada", "Bob"), 0, 1)
    assert refusal(partial(remove, opener=0, removed=1), table, BOTH) == "remove_after_deal"
    assert remove(revealed(table, 0, 1), BOTH, opener=0, removed=1).seats[1].kind == BOT


def test_a_table_blocks_a_limited_number_of_guests() -> None:
    people = NOBODY
    for number in range(2 * MOST_BLOCKED):
        people = people.blocking(f"guest {number}")
    assert len(people.blocked) == MOST_BLOCKED
    assert people.blocking(people.blocked[0]).blocked.count(people.blocked[0]) == 1


def test_the_people_of_a_table_survive_the_store() -> None:
    table = remove(taken(waiting("gra", players=3), "Ada", "Bob"), BOTH, opener=0, removed=1)
    table = replace(table, people=replace(table.people, votes={2: {0: "bot"}}))
    assert state_of(row_of(table), (), 0.0).people == table.people
    assert table.seats[0].kind == PERSON
