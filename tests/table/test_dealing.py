"""The phases of a deal are pure transitions: laws for every order of messages, and each case by itself."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramy import record
from gramy.errors import GramyError
from gramy.fair import Deal, client_commitment
from gramy.matches import Entry
from gramy.table.dealing import (
    COMMIT,
    DEALT,
    REVEAL,
    WAIT,
    close_list,
    commit,
    deal_of,
    exchange_of,
    phase_of,
    proceed,
    reveal,
    void_attempt,
)
from gramy.table.rows import row_of, state_of
from gramy.table.seat import BOT, Seat
from gramy.table.state import Moment, Step, TableState, abandon, ask_rematch, by_person, come_back, give_up, leave, sit
from gramy.table.store import ABANDONED, PLAYING, WAITING
from gramy.verification import FAILED, checks
from gramy.web import wire
from gramy.web.commands import step_for
from tests.table.test_state import moment, playing, refusal, waiting

PRESENT = frozenset(range(6))


def now() -> Moment:
    """A moment at which everybody is present, and deals wait for client seeds."""
    return moment()._replace(present=PRESENT, expected=PRESENT, waits_for_seeds=True)


def after(state: TableState, step: Step) -> TableState:
    """Return the state after a step, as `Table` computes it."""
    return proceed(step(state, now()), now())


def full(*names: str, bots: int = 0) -> TableState:
    """A table of GRA at which these people have just sat down."""
    players = len(names) + bots
    bot_seats = [Seat.for_bot(len(names) + number, "easy") for number in range(bots)]
    table = waiting("gra", *[Seat()] * len(names), *bot_seats, players=players)
    for name in names:
        table = after(table, partial(sit, name=name, guest=name, token=name.lower()))
    return table


def seed_of(seat: int, attempt: int) -> str:
    return f"seed{seat}x{attempt}"


def commitment_of(table: TableState, seat: int, seed: str | None = None) -> str:
    exchange, deal = exchange_of(table), deal_of(table)
    place = exchange.table, exchange.round, exchange.attempt, seat
    return client_commitment(*place, deal.commitment, seed or seed_of(seat, exchange.attempt))


def committing(table: TableState, seat: int) -> Step:
    exchange = exchange_of(table)
    place = {"seat": seat, "round": exchange.round, "attempt": exchange.attempt}
    return partial(commit, commitment=commitment_of(table, seat), **place)


def revealing(table: TableState, seat: int, seed: str | None = None) -> Step:
    exchange = exchange_of(table)
    place = {"seat": seat, "round": exchange.round, "attempt": exchange.attempt}
    return partial(reveal, client_seed=seed or seed_of(seat, exchange.attempt), **place)


def committed(table: TableState, *seats: int) -> TableState:
    for seat in seats:
        table = after(table, committing(table, seat))
    return table


def revealed(table: TableState, *seats: int) -> TableState:
    for seat in seats:
        table = after(table, revealing(table, seat))
    return table


def voided(table: TableState) -> TableState:
    exchange = exchange_of(table)
    return after(table, partial(void_attempt, round=exchange.round, attempt=exchange.attempt))


def closed(table: TableState) -> TableState:
    exchange = exchange_of(table)
    return after(table, partial(close_list, round=exchange.round, attempt=exchange.attempt))


def fair(table: TableState) -> bool:
    assert table.match is not None
    return all(check.state != FAILED for check in checks(table.match, table.deals[0], table.deals[0].commitment))


# --- one deal ---------------------------------------------------------------------------------------------------------


def test_the_cards_are_dealt_when_all_have_committed_and_then_revealed() -> None:
    table = waiting("gra", Seat(), Seat(), Seat.for_bot(2, "easy"), players=3)
    assert phase_of(table) == WAIT
    table = full("Ada", "Bob", bots=1)
    assert phase_of(table) == COMMIT
    table = committed(table, 0)
    assert phase_of(table) == COMMIT
    table = committed(table, 1)
    assert (phase_of(table), exchange_of(table).commitments[2]) == (REVEAL, "")
    table = revealed(table, 1)
    assert (phase_of(table), table.match) == (REVEAL, None)
    table = revealed(table, 0)
    assert (phase_of(table), table.status) == (DEALT, PLAYING)
    assert table.deals[0].client_seeds == ("seed0x1", "seed1x1", "")
    assert fair(table)


def test_nobody_commits_before_the_table_is_full() -> None:
    table = full("Ada", "Bob")
    alone = after(table, partial(leave, seat=1))
    assert phase_of(alone) == WAIT
    assert refusal(committing(alone, 0), alone, now()) == "not_collecting"
    assert after(committed(table, 0), partial(leave, seat=1)).deals[0].exchange == exchange_of(alone)


def test_a_commitment_that_was_made_for_another_seat_is_refused() -> None:
    """Bob moved from seat 2 to seat 1 while it was under way: at seat 1 nobody could reveal it."""
    table = full("Ada", "Bob")
    stale = wire.Commit("a", 1, 1, commitment_of(table, 1), seat=2)
    assert refusal(step_for(stale, 1), table, now()) == "not_collecting"
    for seat in (1, None):  # older clients do not say the seat
        timely = wire.Commit("b", 1, 1, commitment_of(table, 1), seat=seat)
        assert exchange_of(after(table, step_for(timely, 1))).commitments[1] == timely.commitment


def test_a_client_seed_is_refused_until_the_list_is_closed() -> None:
    table = committed(full("Ada", "Bob"), 0)
    assert refusal(revealing(table, 0), table, now()) == "not_collecting"


def test_a_commitment_cannot_be_changed_and_a_wrong_client_seed_is_refused() -> None:
    table = committed(full("Ada", "Bob"), 0)
    other = partial(commit, seat=0, round=1, attempt=1, commitment="0" * 64)
    assert refusal(other, table, now()) == "already_committed"
    table = committed(table, 1)
    assert refusal(revealing(table, 0, "other"), table, now()) == "wrong_reveal"


def test_the_commitment_of_another_seat_is_useless() -> None:
    """Bob repeats Ada's commitment and then her client seed: the hash has her seat inside."""
    table = committed(full("Ada", "Bob"), 0)
    stolen = exchange_of(table).commitments[0]
    table = after(table, partial(commit, seat=1, round=1, attempt=1, commitment=stolen))
    table = revealed(table, 0)
    assert refusal(revealing(table, 1, seed_of(0, 1)), table, now()) == "wrong_reveal"


def test_who_does_not_commit_in_time_takes_part_without_a_client_seed() -> None:
    table = closed(committed(full("Ada", "Bob"), 1))
    assert exchange_of(table).commitments[0] == "-"
    assert refusal(committing(table, 0), table, now()) == "not_collecting"
    table = revealed(table, 1)
    assert table.deals[0].client_seeds == ("", "seed1x1")
    assert fair(table)


def test_a_client_may_say_that_it_has_no_client_seed() -> None:
    table = full("Ada", "Bob")
    for seat in (0, 1):
        table = after(table, partial(commit, seat=seat, round=1, attempt=1))
    assert table.status == PLAYING


def test_a_timer_of_an_earlier_attempt_or_phase_changes_nothing() -> None:
    table = voided(revealed(committed(full("Ada", "Bob", "Cleo"), 0, 1, 2), 0, 1))
    for step in (close_list, void_attempt):
        assert step(table, now(), round=1, attempt=1) is table
    assert void_attempt(table, now(), round=1, attempt=2) is table
    done = revealed(committed(table, 0, 1), 0, 1)
    for step in (close_list, void_attempt):
        assert step(done, now(), round=1, attempt=2) is done


# --- withheld client seeds --------------------------------------------------------------------------------------------


def test_a_withheld_client_seed_costs_the_one_who_withholds_it() -> None:
    table = revealed(committed(full("Ada", "Bob", "Cleo"), 0, 1, 2), 0, 2)
    next_commitment = table.deals[1].commitment
    table = voided(table)
    assert (phase_of(table), exchange_of(table).attempt, table.forfeited) == (COMMIT, 2, {1})
    assert table.deals[0].commitment == next_commitment  # the seed was fixed before the first attempt
    assert [seat.stand_in for seat in table.seats] == [False, True, False]
    assert come_back(table, now(), seat=1) is table
    assert refusal(committing(table, 1), table, now()) == "not_collecting"
    table = revealed(committed(table, 0, 2), 0, 2)
    assert table.status == PLAYING
    assert fair(table)
    assert refusal(partial(by_person, seat=1, step=lambda state, _: state), table, now()) == "bot_plays_round"
    (void,) = table.deals[0].exchange.voids if table.deals[0].exchange else ()
    assert void.withheld == (1,)


def test_the_seat_is_back_in_the_next_round() -> None:
    table = voided(revealed(committed(full("Ada", "Bob", "Cleo"), 0, 1, 2), 0, 2))
    table = abandon(revealed(committed(table, 0, 2), 0, 2), now())
    three = now()._replace(present=frozenset({0, 1, 2}))
    for seat in (0, 1, 2):
        table = proceed(ask_rematch(table, three, seat=seat), three)
    assert (table.round, phase_of(table)) == (2, COMMIT)
    assert not any(seat.stand_in for seat in table.seats)
    assert revealed(committed(table, 0, 1, 2), 2, 1, 0).status == PLAYING


def test_leaving_is_no_way_to_another_deal() -> None:
    """Whoever leaves after the list is closed has withheld, and whoever forfeited the round cannot sit down again."""
    table = revealed(committed(full("Ada", "Bob", "Cleo"), 0, 1, 2), 0, 2)
    left = after(table, partial(leave, seat=1))
    assert (left.status, left.seats[1].name, left.seats[1].stand_in) == (WAITING, "Bob", True)
    again = voided(left)
    assert again.forfeited == {1}
    assert after(again, partial(leave, seat=1)).seats[1].name == "Bob"
    forgotten = after(again, partial(give_up, seat=1, guest="Bob"))
    assert (forgotten.seats[1].kind, forgotten.seats[1].guest) == ("bot", None)


def test_without_a_client_seed_from_anybody_nobody_forfeits_the_round() -> None:
    """Probably the line to the server was cut; and nobody can have gained anything."""
    table = voided(committed(full("Ada", "Bob"), 0, 1))
    assert (table.forfeited, exchange_of(table).attempt) == (set(), 2)
    assert revealed(committed(table, 0, 1), 0, 1).status == PLAYING


def test_the_number_of_attempts_is_limited() -> None:
    table = full("Ada", bots=1)
    for attempt in (1, 2):
        assert exchange_of(table).attempt == attempt
        table = voided(committed(table, 0))
    assert (table.status, table.forfeited) == (PLAYING, {0})
    assert fair(table)
    assert table.match is not None
    assert checks(table.match, table.deals[0])[1].message.values["case"] == "nobody"


def test_who_leaves_alone_ends_the_round_before_it_is_dealt() -> None:
    left = leave(committed(full("Ada", bots=1), 0), moment(present={0}), seat=0)
    assert (left.status, left.match) == (ABANDONED, None)
    assert state_of(row_of(left), (), now=1000.0).status == ABANDONED


def test_the_commitment_of_a_seat_that_becomes_a_bots_is_dropped() -> None:
    """Nobody is there to reveal the client seed: the others would wait in vain, and begin again."""
    three = now()._replace(present=frozenset(range(3)))
    table = abandon(full("Ada", "Bob", "Cem"), three)
    for seat in range(3):
        table = proceed(ask_rematch(table, three, seat=seat), three)
    table = after(committed(table, 2), partial(give_up, seat=2, guest="Cem"))
    assert (phase_of(table), table.seats[2].kind) == (COMMIT, BOT)
    table = committed(table, 0, 1)
    assert (phase_of(table), exchange_of(table).commitments[2]) == (REVEAL, "")
    table = revealed(table, 0, 1)
    assert (phase_of(table), table.status) == (DEALT, PLAYING)
    assert fair(table)


def test_a_record_holds_as_many_void_attempts_as_a_deal_can_have() -> None:
    """Everybody may withhold once for nothing, if nobody else took part; the second time costs the seat."""
    names = [f"P{seat}" for seat in range(6)]
    table = full(*names)
    for seat in (*range(6), *range(6)):
        table = voided(closed(committed(table, seat)))
    assert (phase_of(table), len(table.deals[0].exchange.voids)) == (DEALT, 12)  # type: ignore[union-attr]
    assert table.match is not None
    assert record.parse_checkable(record.format(table.match, table.deals[0]))[1] == table.deals[0]


def test_a_rematch_does_not_wait_for_who_did_not_ask() -> None:
    over, ada = abandon(playing(), moment()), now()._replace(present=frozenset({0}))
    table = proceed(ask_rematch(over, ada, seat=0), ada)
    assert phase_of(table) == COMMIT
    table = committed(table, 0)
    assert (phase_of(table), exchange_of(table).commitments[1]) == (REVEAL, "-")


def test_a_waiting_table_of_an_older_version_is_dealt_in_two_phases() -> None:
    table = full("Ada", "Bob")
    old = state_of(row_of(table)._replace(deals=(Deal("aa", ("x", "y")), Deal("bb", ("", "")))), (), now=0.0)
    done = revealed(committed(old, 0, 1), 0, 1)
    assert done.deals[0].client_seeds == ("seed0x1", "seed1x1")
    assert fair(done)


# --- laws -------------------------------------------------------------------------------------------------------------

ACTIONS = ("commit", "reveal", "wrong", "close", "void", "leave", "back", "early", "restart")


def acted(table: TableState, action: str, seat: int) -> TableState:
    """Return the table after an action that somebody may take at any time; refusals change nothing."""
    place = {"round": exchange_of(table).round, "attempt": exchange_of(table).attempt}
    steps: dict[str, Step] = {
        "commit": committing(table, seat),
        "reveal": revealing(table, seat),
        "wrong": revealing(table, seat, "wrong"),
        "close": partial(close_list, **place),
        "void": partial(void_attempt, **place),
        "leave": partial(leave, seat=seat),
        "back": partial(come_back, seat=seat),
        "early": partial(reveal, seat=seat, round=1, attempt=9, client_seed="x"),
        "restart": lambda state, _: state_of(row_of(state), (), now=1000.0),
    }
    try:
        done = after(table, steps[action])
    except GramyError:
        return table
    if action in ("commit", "reveal") and done.match is None:
        assert steps[action](done, now()) is done  # sent again, it changes nothing
    return done


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 2)), max_size=40))
def test_laws_of_a_deal_for_every_order_of_messages(actions: list[tuple[str, int]]) -> None:
    table = full("Ada", "Bob", "Cleo")
    for action, seat in actions:
        if table.status != WAITING:
            break
        before, table = table, acted(table, action, seat)
        if table.match is not None or table.status != WAITING:
            break
        one, two = exchange_of(before), exchange_of(table)
        if not two.closed:
            assert not any(deal_of(table).client_seeds)  # no client seed before the list is closed
        if one.closed and one.attempt == two.attempt:
            assert two.closed
            assert two.commitments == one.commitments  # a closed list does not change
        assert two.attempt - one.attempt in (0, 1)
        assert two.voids[: len(one.voids)] == one.voids  # what was void is not forgotten
        assert two.attempt <= len(table.seats) + 1
        assert all(table.seats[seat].stand_in for seat in table.forfeited if table.seats[seat].kind == "person")
        for at, seed in enumerate(deal_of(table).client_seeds):
            assert not seed or two.commitments[at] == commitment_of(table, at, seed)
    if table.match is not None:
        assert fair(table)
        stored = [Entry(*entry[:2]) for entry in table.match.log]
        assert state_of(row_of(table), stored, now=1000.0).deals == table.deals


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(3)), st.permutations(range(3)))
def test_the_order_of_messages_does_not_change_the_cards(first: list[int], second: list[int]) -> None:
    table = revealed(committed(full("Ada", "Bob", "Cleo"), *first), *second)
    expected = revealed(committed(full("Ada", "Bob", "Cleo"), 0, 1, 2), 0, 1, 2)
    assert table.match == expected.match
    assert table.deals == expected.deals


@pytest.mark.parametrize("phase", [COMMIT, REVEAL])
def test_a_deal_goes_on_after_a_restart_in_each_phase(phase: str) -> None:
    table = committed(full("Ada", "Bob"), 0) if phase == COMMIT else revealed(committed(full("Ada", "Bob"), 0, 1), 0)
    found = state_of(row_of(table), (), now=1000.0)
    assert (phase_of(found), row_of(found)) == (phase, row_of(table))
    rest = revealed(committed(found, 1), 0, 1) if phase == COMMIT else revealed(found, 1)
    assert rest.status == PLAYING
    assert fair(rest)
