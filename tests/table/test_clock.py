"""A clock counts down for the seats to act. It is a value: time is handed in, and pressing returns a new clock."""

from __future__ import annotations

from gramy.contract import DEALER
from gramy.table.clock import Clock, TimeControl


def clock(minutes: float = 1, seconds: float = 10, seats: int = 3) -> Clock:
    return Clock.start(TimeControl(minutes, seconds), seats, now=1000.0)


def test_no_bank_runs_before_the_first_turn() -> None:
    ticking = clock()
    assert ticking.read(2000.0) == [60.0, 60.0, 60.0]
    assert ticking.expired(2000.0) == ()
    assert ticking.next_expiry(2000.0) is None


def test_only_the_seats_to_act_spend_time() -> None:
    ticking = clock().press([0, 2], 1000.0)
    assert ticking.read(1015.0) == [45.0, 60.0, 45.0]
    assert ticking.read(1015.0) == [45.0, 60.0, 45.0]  # reading is free


def test_the_increment_comes_when_the_turn_is_over_and_not_before() -> None:
    ticking = clock().press([0], 1000.0)
    ticking = ticking.press([0], 1005.0)  # another card of the same turn
    assert ticking.read(1005.0) == [55.0, 60.0, 60.0]
    ticking = ticking.press([1], 1010.0)
    assert ticking.read(1010.0) == [60.0, 60.0, 60.0]
    assert ticking.running == (1,)


def test_of_several_seats_to_act_the_one_that_is_done_gets_the_increment() -> None:
    ticking = clock().press([0, 1, 2], 1000.0)
    ticking = ticking.press([0, 2], 1004.0)
    assert ticking.read(1004.0) == [56.0, 66.0, 56.0]


def test_the_dealer_has_no_clock() -> None:
    ticking = clock().press([DEALER], 1000.0)
    assert ticking.running == ()
    assert ticking.read(1500.0) == [60.0, 60.0, 60.0]


def test_a_bank_expires_at_its_last_second_and_is_never_negative() -> None:
    ticking = clock().press([1], 1000.0)
    assert ticking.next_expiry(1000.0) == 1060.0
    assert ticking.expired(1059.9) == ()
    assert ticking.expired(1060.0) == (1,)
    assert ticking.read(1100.0) == [60.0, 0.0, 60.0]
    assert ticking.next_expiry(2000.0) is None


def test_the_next_expiry_is_that_of_the_smallest_bank() -> None:
    ticking = clock().press([0], 1000.0)
    ticking = ticking.press([0, 1], 1020.0)
    assert ticking.next_expiry(1020.0) == 1060.0


def test_after_an_expiry_the_increment_is_what_there_is_for_the_next_turn() -> None:
    ticking = clock(seconds=10).press([0], 1000.0)
    assert ticking.expired(1060.0) == (0,)
    ticking = ticking.press([1], 1060.0)
    ticking = ticking.press([0], 1061.0)
    assert ticking.expired(1061.0) == ()
    assert ticking.read(1061.0)[0] == 10.0


def test_time_does_not_run_after_the_match() -> None:
    ticking = clock().press([0], 1000.0)
    ticking = ticking.press([], 1001.0)
    assert ticking.read(5000.0) == ticking.read(1001.0)
