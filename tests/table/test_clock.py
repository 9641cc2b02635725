"""The clock counts for who is awaited, by the time that it is handed."""

from __future__ import annotations

from gramy.contract import DEALER
from gramy.table.clock import Clock, Control


def clock(minutes: float = 1, seconds: float = 10, seats: int = 3) -> Clock:
    return Clock(Control(minutes, seconds), seats, now=1000.0)


def test_nobodys_time_runs_before_the_first_turn() -> None:
    ticking = clock()
    assert ticking.read(2000.0) == [60.0, 60.0, 60.0]
    assert ticking.fallen(2000.0) == ()
    assert ticking.next_fall() is None


def test_only_the_awaited_seats_spend_time() -> None:
    ticking = clock()
    ticking.press([0, 2], 1000.0)
    assert ticking.read(1015.0) == [45.0, 60.0, 45.0]
    assert ticking.read(1015.0) == [45.0, 60.0, 45.0]  # reading is free


def test_the_increment_comes_when_the_turn_is_over_and_not_before() -> None:
    ticking = clock()
    ticking.press([0], 1000.0)
    ticking.press([0], 1005.0)  # another card of the same turn
    assert ticking.read(1005.0) == [55.0, 60.0, 60.0]
    ticking.press([1], 1010.0)
    assert ticking.read(1010.0) == [60.0, 60.0, 60.0]
    assert ticking.running == (1,)


def test_who_has_chosen_among_several_gets_the_increment_alone() -> None:
    ticking = clock()
    ticking.press([0, 1, 2], 1000.0)
    ticking.press([0, 2], 1004.0)
    assert ticking.read(1004.0) == [56.0, 66.0, 56.0]


def test_the_dealer_has_no_clock() -> None:
    ticking = clock()
    ticking.press([DEALER], 1000.0)
    assert ticking.running == ()
    assert ticking.read(1500.0) == [60.0, 60.0, 60.0]


def test_a_bank_is_empty_at_its_second_and_never_shown_below_nothing() -> None:
    ticking = clock()
    ticking.press([1], 1000.0)
    assert ticking.next_fall() == 60.0
    assert ticking.fallen(1059.9) == ()
    assert ticking.fallen(1060.0) == (1,)
    assert ticking.read(1100.0) == [60.0, 0.0, 60.0]
    assert ticking.next_fall() is None


def test_the_next_fall_is_that_of_the_least_bank() -> None:
    ticking = clock()
    ticking.press([0], 1000.0)
    ticking.press([0, 1], 1020.0)
    assert ticking.next_fall() == 40.0


def test_after_a_fall_the_increment_is_what_there_is_for_the_next_turn() -> None:
    ticking = clock(seconds=10)
    ticking.press([0], 1000.0)
    assert ticking.fallen(1060.0) == (0,)
    ticking.press([1], 1060.0)
    ticking.press([0], 1061.0)
    assert ticking.fallen(1061.0) == ()
    assert ticking.read(1061.0)[0] == 10.0


def test_time_does_not_run_after_the_match() -> None:
    ticking = clock()
    ticking.press([0], 1000.0)
    ticking.press([], 1001.0)
    assert ticking.read(5000.0) == ticking.read(1001.0)
