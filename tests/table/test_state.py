"""The transitions of a table are pure: each is tried here without an event loop, a store or a socket."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

import gramy
from gramy.contract import DEALER
from gramy.errors import GramyError, IllegalMove
from gramy.fair import first_unfair
from gramy.matches import Entry
from gramy.table import state as transitions
from gramy.table.clock import TimeControl
from gramy.table.dealing import proceed
from gramy.table.rows import row_of, state_of
from gramy.table.seat import BOT, OPEN, PERSON, Seat
from gramy.table.stand_ins import acknowledge
from gramy.table.state import (
    LONG_LOG,
    TOUCH_EVERY,
    Moment,
    Refused,
    Step,
    TableState,
    abandon,
    ask_rematch,
    begin_if_agreed,
    come_back,
    give_up,
    leave,
    play,
    say,
    sit,
    stand_in,
    undo,
    unseeded_deal,
    withdraw_rematch,
)
from gramy.table.store import ABANDONED, FINISHED, PLAYING, WAITING

SEED = 20_261


def moment(now: float = 1000.0, present: set[int] | None = None, overdue: set[int] | None = None) -> Moment:
    """A moment whose new seeds are 1, 2, 3, ...; whoever is present is expected, too. Deals wait for nobody."""
    numbers, there = count(1), frozenset(present or ())
    return Moment(now, now, lambda: f"{next(numbers):064x}", there, there, frozenset(overdue or ()), False)


def waiting(game: str = "face-to-face", *seats: Seat, control: TimeControl | None = None, **options: Any) -> TableState:
    """A table with open seats, or these."""
    rules = gramy.game(game, **options)
    deals = unseeded_deal("aa", rules.players), unseeded_deal("bb", rules.players)
    return TableState("table", rules, seats or (Seat(),) * rules.players, deals, 0.0, control=control)


def taken(state: TableState, *names: str) -> TableState:
    """The table after these people sat down, one after the other; tokens and guests are called like their names."""
    for name in names:
        state = proceed(sit(state, moment(), name=name, guest=name, token=name.lower()), moment())
    return state


def playing(game: str = "face-to-face", **more: Any) -> TableState:
    """A match between Ada and Bob, with the deal as the seed says."""
    return taken(waiting(game, **more), "Ada", "Bob")


def refusal(step: Step, state: TableState, at: Moment | None = None) -> str:
    """The key of the refusal; the state is what it was."""
    before = row_of(state), state.match and list(state.match.log)
    with pytest.raises(GramyError) as error:
        step(state, at or moment())
    assert (row_of(state), state.match and list(state.match.log)) == before
    return error.value.message.key


def moved(state: TableState, at: Moment | None = None) -> tuple[TableState, int, str]:
    """The table after the first legal move of the seat to act; with that seat and move."""
    assert state.match is not None
    (seat,), move = state.match.to_act, state.match.moves()[0]
    return play(state, at or moment(), seat=seat, at=len(state.match.log), move=move), seat, move


# --- sitting down -----------------------------------------------------------------------------------------------------


def test_a_person_takes_the_first_open_seat_or_the_one_they_want() -> None:
    table = taken(waiting("gra", players=3), "Ada")
    assert [seat.kind for seat in table.seats] == [PERSON, OPEN, OPEN]
    third = sit(table, moment(), name="Bob", guest="b", token="b", wanted=2)
    assert [seat.name for seat in third.seats] == ["Ada", "", "Bob"]
    assert third.status == WAITING


def test_a_taken_seat_and_a_full_table_are_refused() -> None:
    table = taken(waiting("gra", players=3), "Ada")
    assert refusal(partial(sit, name="Eve", guest="e", token="e", wanted=0), table) == "seat_taken"
    assert refusal(partial(sit, name="Eve", guest="e", token="e"), playing()) == "table_full"


def test_sitting_down_twice_with_one_token_changes_nothing() -> None:
    """The first answer was lost, or another server's write came in between: the step is computed again."""
    table = taken(waiting("gra", players=3), "Ada")
    assert sit(table, moment(), name="Ada", guest="Ada", token="ada") is table


def test_two_people_of_one_name_are_told_apart() -> None:
    table = sit(taken(waiting("gra", players=3), "Ada"), moment(), name="Ada", guest="other", token="other")
    assert table.names == ["Ada", "Ada 2", ""]


def test_the_last_seat_begins_the_match() -> None:
    table = playing()
    assert (table.status, table.round) == (PLAYING, 1)
    assert table.match is not None
    assert table.match.names == ("Ada", "Bob")
    assert first_unfair(table.match, table.deals[0]) is None


# --- leaving and coming back ------------------------------------------------------------------------------------------


def test_a_seat_that_is_left_while_the_table_waits_is_open_again() -> None:
    assert leave(taken(waiting("gra", players=3), "Ada"), moment(), seat=0).seats == (Seat(),) * 3


def test_a_bot_stands_in_for_who_leaves_a_match_while_somebody_else_plays() -> None:
    left = leave(playing(), moment(present={1}), seat=0)
    assert (left.status, left.seats[0].name, left.seats[0].stand_in) == (PLAYING, "Ada", True)
    assert come_back(left, moment(), seat=0).seats == playing().seats
    assert come_back(playing(), moment(), seat=0).seats[0].stand_in is False


def test_a_player_who_is_back_is_told_how_many_moves_a_bot_made_for_them() -> None:
    left = leave(playing(), moment(present={0, 1}), seat=0)
    assert come_back(left, moment(), seat=0).seats[0].bot_played is None  # there was no move
    made = 0
    while made < 2:
        left, seat, _ = moved(left)
        made += seat == 0
    back = come_back(left, moment(2000.0), seat=0)
    assert (report := back.seats[0].bot_played) is not None
    assert (report.reason, report.since, report.moves) == ("left", 1000.0, made)
    again = leave(back, moment(present={0, 1}), seat=0)
    assert (report := come_back(again, moment(), seat=0).seats[0].bot_played) is not None
    assert report.moves == made  # still unread
    assert acknowledge(back, moment(), seat=0).seats[0].bot_played is None


def test_a_match_that_nobody_else_plays_is_abandoned_by_leaving() -> None:
    assert leave(playing(), moment(present={0}), seat=0).status == ABANDONED


def test_leaving_after_the_match_changes_nothing() -> None:
    over = abandon(playing(), moment())
    assert leave(over, moment(), seat=0) is over


def test_who_gives_up_a_seat_leaves_neither_name_nor_token() -> None:
    table = give_up(playing(), moment(present={0, 1}), seat=0, guest="Ada")
    assert (table.status, table.seats[0].kind, table.seats[0].guest, table.seats[0].token) == (PLAYING, BOT, None, None)
    assert "Ada" not in table.names
    assert table.match is not None
    assert table.match.names == tuple(table.names)
    assert give_up(taken(waiting(), "Ada"), moment(), seat=0, guest="Ada").seats == (Seat(), Seat())
    assert give_up(playing(), moment(), seat=0, guest="Ada").status == ABANDONED


# --- moves, undo and talk ---------------------------------------------------------------------------------------------


def test_a_move_changes_the_match_and_nothing_of_the_state_before() -> None:
    before = playing()
    assert before.match is not None
    lines = list(before.match.log)
    after, seat, move = moved(before)
    assert after.match is not None
    assert after.match.log[len(lines) :][0][:2] == (seat, move)
    assert before.match.log == lines
    assert after.only_match_differs(before)
    assert not stand_in(after, moment(), seat=0).only_match_differs(after)


def test_a_stale_move_is_refused() -> None:
    before = playing()
    after, seat, _ = moved(before)
    assert before.match is not None
    assert after.match is not None
    old, other = len(before.match.log), before.match.moves()[1]
    assert refusal(partial(play, seat=seat, at=old, move=other), after) == "too_late"
    assert refusal(partial(play, seat=seat, at=len(after.match.log) + 1, move=other), after) == "too_late"
    now = partial(play, seat=seat, at=len(after.match.log), move=other)
    assert refusal(partial(now, round=2), after) == "too_late"


def test_a_move_that_is_sent_again_is_made_once() -> None:
    before = playing()
    after, seat, move = moved(before)
    assert before.match is not None
    assert play(after, moment(), seat=seat, at=len(before.match.log), move=f" {move} ") is after


def test_an_illegal_move_is_refused_by_the_game() -> None:
    table = playing()
    assert table.match is not None
    (seat,) = table.match.to_act
    with pytest.raises(IllegalMove):
        play(table, moment(), seat=1 - seat, at=len(table.match.log), move=table.match.moves()[0])


def test_nothing_is_played_before_or_after_a_match() -> None:
    step = partial(play, seat=0, at=0, move="up 5")
    assert refusal(step, taken(waiting(), "Ada")) == "no_match_running"
    over = abandon(playing(), moment())
    assert over.match is not None
    assert refusal(partial(play, seat=0, at=len(over.match.log), move="up 5"), over) == "no_match_running"


def test_the_last_move_finishes_the_table() -> None:
    table = playing()
    while table.status == PLAYING:
        table, _, _ = moved(table)
    assert table.status == FINISHED
    assert table.match is not None
    assert table.match.outcome is not None


def test_a_move_is_taken_back_as_long_as_its_moment_lasts() -> None:
    after, seat, _ = moved(playing())
    assert after.match is not None
    lines = len(after.match.log)
    back = undo(after, moment(), seat=seat, at=lines)
    assert back.match is not None
    assert back.match.log[-1] == Entry(seat, "undo")
    assert undo(back, moment(), seat=seat, at=lines) is back
    assert refusal(partial(undo, seat=1 - seat, at=lines), back) == "too_late"


def test_talk_is_never_late_and_said_once() -> None:
    table = playing("quick-easy", starter="lot")
    assert table.match is not None
    phrase, at = table.game.phrases()[0], len(table.match.log)
    after, _, _ = moved(table)
    said = say(after, moment(), seat=0, phrase=phrase, at=at)
    assert said.match is not None
    assert said.match.log[-1] == Entry(0, f"say {phrase}")
    assert say(said, moment(), seat=0, phrase=phrase, at=at) is said
    assert refusal(partial(say, seat=0, phrase=phrase, at=at, round=2), after) == "too_late"


def test_talk_does_not_end_the_moment_of_a_move() -> None:
    table = playing("quick-easy", starter="lot")
    assert table.match is not None
    (seat,), at = table.match.to_act, len(table.match.log)
    said = say(table, moment(), seat=1 - seat, phrase=table.game.phrases()[0], at=at)
    after = play(said, moment(), seat=seat, at=at, move=table.match.moves()[0])
    assert after is not said


def test_secret_choices_of_others_do_not_end_the_moment_of_a_choice() -> None:
    table = playing("gra", starter="lot")
    assert table.match is not None
    assert table.match.to_act == (0, 1)
    at, choice = len(table.match.log), table.match.moves(1)[0]
    first = play(table, moment(), seat=0, at=at, move=table.match.moves(0)[0])
    both = play(first, moment(), seat=1, at=at, move=choice)
    assert both is not first


def test_a_very_long_log_grows_only_by_what_the_match_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = playing("quick-easy", starter="lot")
    assert table.match is not None
    assert table.game.rules.bound(table.game.options) < LONG_LOG
    monkeypatch.setattr(transitions, "LONG_LOG", len(table.match.log))
    at, phrase = len(table.match.log), table.game.phrases()[0]
    assert refusal(partial(say, seat=0, phrase=phrase, at=at), table) == "talk_limit_reached"
    after, seat, _ = moved(table)
    assert after.match is not None
    assert refusal(partial(undo, seat=seat, at=len(after.match.log)), after) == "talk_limit_reached"


def test_a_tables_date_follows_moves_by_the_minute() -> None:
    """The store's index on it need not change with every move."""
    table = playing()
    soon, _, _ = moved(table, moment(table.touched + 1))
    late, _, _ = moved(table, moment(table.touched + TOUCH_EVERY + 1))
    assert soon.touched == table.touched
    assert late.touched == table.touched + TOUCH_EVERY + 1


# --- clocks and bots --------------------------------------------------------------------------------------------------


def test_a_clock_runs_for_who_is_to_act_and_a_bot_plays_when_it_is_empty() -> None:
    table = playing(control=TimeControl(1, 10))
    assert table.clock is not None
    assert table.match is not None
    (seat,) = table.match.to_act
    assert table.clock.running == (seat,)
    assert table.bots_to_act(1059.0) == []
    assert table.bots_to_act(1060.0) == [seat]
    after, _, _ = moved(table, moment(1030.0))
    assert after.clock is not None
    assert after.clock.read(1030.0)[seat] == 30.0


def test_a_bot_plays_its_own_seat_and_an_absent_persons() -> None:
    table = taken(waiting("gra", Seat(), Seat.for_bot(1, "hard")), "Ada")
    assert table.bots_to_act(0.0) == [1]
    assert stand_in(table, moment(), seat=0).bots_to_act(0.0) == [0, 1]
    assert abandon(table, moment()).bots_to_act(0.0) == []
    assert (table.seats[0].bot_level, table.seats[1].bot_level) == (None, "hard")


def test_hints_are_fair_only_against_bots_or_among_partners_and_without_a_clock() -> None:
    against_bots = taken(waiting("gra", Seat(), Seat.for_bot(1, "easy")), "Ada")
    assert against_bots.allows_hints
    assert not playing().allows_hints
    assert playing("quick-easy").allows_hints
    assert not playing("quick-easy", control=TimeControl(5, 0)).allows_hints


# --- rounds -----------------------------------------------------------------------------------------------------------


def test_the_next_round_begins_when_everybody_who_is_present_has_asked() -> None:
    over, both = abandon(playing(), moment()), moment(present={0, 1})
    asked = ask_rematch(over, both, seat=0)
    assert (asked.round, asked.rematch) == (1, {0})
    assert ask_rematch(asked, both, seat=0) is asked
    agreed = ask_rematch(asked, both, seat=1)
    assert (agreed.round, agreed.status, agreed.match) == (2, WAITING, None)
    assert agreed.deals[0].seed == over.deals[1].seed
    begun = proceed(agreed, both)
    assert (begun.round, begun.status, begun.rematch) == (2, PLAYING, set())
    assert begun.deals[1].commitment != begun.deals[0].commitment
    assert begun.match is not None
    assert first_unfair(begun.match, begun.deals[0]) is None


def test_the_next_round_begins_when_the_one_who_did_not_ask_has_gone() -> None:
    asked = ask_rematch(abandon(playing(), moment()), moment(present={0, 1}), seat=0)
    assert begin_if_agreed(asked, moment(present={0, 1})) is asked
    assert begin_if_agreed(asked, moment()) is asked
    assert withdraw_rematch(asked, moment(present={0}), seat=1).round == 2
    assert withdraw_rematch(asked, moment(present={1}), seat=0).rematch == set()


def test_a_rematch_is_refused_during_a_match() -> None:
    assert refusal(partial(ask_rematch, seat=0), playing()) == "match_not_over"


# --- stored and loaded ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        partial(waiting, "gra", Seat(), Seat.for_bot(1, "easy")),
        partial(taken, waiting("gra", players=4, jokers=True), "Ada", "Bob"),
        playing,
        partial(playing, "quick-easy", control=TimeControl(5, 3)),
        lambda: moved(playing())[0],
        lambda: stand_in(playing(), moment(), seat=1),
        lambda: abandon(playing(), moment()),
        lambda: ask_rematch(abandon(playing(), moment()), moment(present={0, 1}), seat=0),
    ],
)
def test_a_state_comes_back_from_the_store_as_it_was(make: Callable[[], TableState]) -> None:
    table = make()
    lines = [Entry(entry.seat, entry.text) for entry in table.match.log] if table.match else []
    found = state_of(row_of(table), lines, now=1000.0)
    assert row_of(found) == row_of(table)
    assert (found.match and found.match.log) == (table.match and table.match.log)
    assert (found.match and found.match.names) == (table.match and table.match.names)
    assert found.clock == (None if table.is_over else table.clock)


def test_a_match_goes_on_after_loading_with_the_deals_that_it_would_have_had() -> None:
    table = playing()
    assert table.match is not None
    found = state_of(row_of(table), [Entry(*entry[:2]) for entry in table.match.log], now=1000.0)
    while table.status == PLAYING:
        (table, _, _), (found, _, _) = moved(table), moved(found)
    assert table.match is not None
    assert found.match is not None
    assert found.match.log == table.match.log
    assert any(entry.seat == DEALER for entry in table.match.log[-10:])


def test_loading_takes_only_new_lines_and_keeps_what_is_equal_the_same_object() -> None:
    known = playing()
    newer, _, _ = moved(known)
    assert known.match is not None
    assert newer.match is not None
    found = state_of(row_of(newer), newer.match.log[len(known.match.log) :], 1000.0, known)
    assert found.match is not None
    assert found.match.log == newer.match.log
    assert found.only_match_differs(known)


def test_loading_a_change_without_a_move_gives_nobody_time_back() -> None:
    known = playing(control=TimeControl(5, 3))
    assert known.match is not None
    assert known.clock is not None
    found = state_of(row_of(stand_in(known, moment(1060.0), seat=1)), (), 1060.0, known)
    assert found.clock == known.clock
    assert known.clock.read(1060.0)[known.match.to_act[0]] == 240.0
    newer, _, _ = moved(known, moment(1060.0))
    assert newer.match is not None
    assert newer.clock is not None
    found = state_of(row_of(newer), newer.match.log[len(known.match.log) :], 1061.0, known)
    assert found.clock == newer.clock._replace(since=1061.0)


def test_a_refusal_is_a_message_with_a_sentence_in_every_language() -> None:
    with pytest.raises(Refused) as error:
        ask_rematch(playing(), moment(), seat=0)
    assert len({gramy.say(error.value.message, language) for language in ("en", "pl", "de")}) == 3
