"""The waiting room: what people arrange before the first deal, as pure transitions."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from gramy.table.clock import TimeControl
from gramy.table.dealing import COMMIT, WAIT, phase_of, proceed, void_attempt
from gramy.table.moderation import close
from gramy.table.names import confusable
from gramy.table.removal import remove
from gramy.table.rows import row_of, state_of
from gramy.table.seat import BOT, BOT_NAMES, MOST_SEATS, OPEN, PERSON, Seat
from gramy.table.state import Moment, Step, TableState, leave, sit
from gramy.table.store import PLAYING, WAITING
from gramy.table.waiting_room import configure, hand_over, heir, inherit, rename, set_bot, start
from tests.table.test_dealing import committed, committing, full, revealing, seed_of
from tests.table.test_state import moment, playing, refusal, taken, waiting


def room(players: int = 4, *names: str) -> TableState:
    """A waiting table of GRA with these people."""
    return taken(waiting("gra", players=players), *(names or ("Ada", "Bob")))


def kinds(state: TableState) -> list[str]:
    return [seat.kind for seat in state.seats]


def at(state: TableState, step: Step, when: Moment | None = None) -> TableState:
    """The table after a step, and after all that follows from it at once."""
    when = when or moment()
    return proceed(step(state, when), when)


def collecting(present: set[int] | None = None, overdue: set[int] | None = None) -> Moment:
    """A moment in which deals wait for commitments."""
    return moment(present=present, overdue=overdue)._replace(waits_for_seeds=True)


# --- bots -------------------------------------------------------------------------------------------------------------


def test_the_opener_fills_a_seat_with_a_bot_changes_its_level_and_takes_it_out_again() -> None:
    table = at(room(), partial(set_bot, opener=0, seat=2, level="hard"))
    assert kinds(table) == [PERSON, PERSON, BOT, OPEN]
    assert table.seats[2].level == "hard"
    assert set_bot(table, moment(), opener=0, seat=2, level="hard") is table
    easier = at(table, partial(set_bot, opener=0, seat=2, level="easy"))
    assert (easier.seats[2].level, easier.seats[2].name) == ("easy", table.seats[2].name)
    assert kinds(at(easier, partial(set_bot, opener=0, seat=2, level=None))) == [PERSON, PERSON, OPEN, OPEN]


def test_a_bot_in_the_last_seat_does_not_begin_the_match_before_the_opener_starts_it() -> None:
    table = at(room(3), partial(set_bot, opener=0, seat=2, level="easy"))
    assert (table.is_full, table.status, phase_of(table)) == (True, WAITING, WAIT)
    assert at(table, partial(start, opener=0, bots="easy")).status == PLAYING


def test_a_person_who_takes_the_last_seat_begins_the_match() -> None:
    table = at(room(3), partial(set_bot, opener=0, seat=2, level="easy"))
    left = at(table, partial(leave, seat=1))
    assert at(left, partial(sit, name="Cem", guest="c", token="c")).status == PLAYING


def test_a_bots_level_must_exist_and_its_seat_be_free() -> None:
    assert refusal(partial(set_bot, opener=0, seat=2, level="genius"), room()) == "no_such_level"
    assert refusal(partial(set_bot, opener=0, seat=1, level="easy"), room()) == "seat_taken"
    assert refusal(partial(set_bot, opener=0, seat=5, level="easy"), room()) == "seat_taken"


# --- starting ---------------------------------------------------------------------------------------------------------


def test_a_start_with_bots_fills_the_open_seats() -> None:
    table = at(room(), partial(start, opener=0, bots="medium"))
    assert (table.status, kinds(table)) == (PLAYING, [PERSON, PERSON, BOT, BOT])
    assert {seat.level for seat in table.seats[2:]} == {"medium"}


def test_a_start_without_bots_is_for_as_many_players_as_there_are() -> None:
    table = leave(room(5, "Ada", "Bob", "Cem"), moment(), seat=1)
    begun = at(table, partial(start, opener=0, bots=None))
    assert (begun.status, begun.game.players, begun.names) == (PLAYING, 2, ["Ada", "Cem"])
    assert begun.match is not None
    assert begun.match.game.players == 2


def test_a_start_alone_without_bots_is_refused() -> None:
    assert refusal(partial(start, opener=0, bots=None), room(4, "Ada")) == "too_few_players"


def test_a_start_that_is_sent_again_changes_nothing() -> None:
    begun = at(room(), partial(start, opener=0, bots="easy"))
    assert start(begun, moment(), opener=0, bots="easy") is begun
    dealing = at(room(), partial(start, opener=0, bots="easy"), collecting())
    assert phase_of(dealing) == COMMIT
    assert start(dealing, moment(), opener=0, bots=None) is dealing


def test_bots_stand_in_for_people_who_are_away_at_the_start() -> None:
    table = at(room(3, "Ada", "Bob"), partial(start, opener=0, bots="easy"), moment(present={0}, overdue={0, 1, 2, 5}))
    assert [seat.stand_in for seat in table.seats] == [False, True, False]


def test_a_bot_stands_in_for_the_absent_person_although_the_start_renumbers_the_seats() -> None:
    table = leave(room(5, "Ada", "Bob", "Cem", "Dan"), moment(), seat=1)  # Ada, open, Cem who is away, Dan
    begun = at(table, partial(start, opener=0, bots=None), moment(present={0, 3}, overdue={2}))
    assert [(seat.name, seat.stand_in) for seat in begun.seats] == [("Ada", False), ("Cem", True), ("Dan", False)]


def test_an_opener_who_moves_up_at_the_start_plays_although_their_old_number_is_overdue() -> None:
    table = hand_over(room(5, "Ada", "Bob", "Cem", "Dan"), moment(), opener=0, seat=2)
    table = leave(table, moment(), seat=0)  # open, Bob, Cem who runs the table, Dan
    begun = at(table, partial(start, opener=2, bots=None), moment(present={2, 3}, overdue={1, 2}))
    assert [(seat.name, seat.stand_in) for seat in begun.seats] == [("Bob", True), ("Cem", False), ("Dan", False)]


# --- settings ---------------------------------------------------------------------------------------------------------


def settings(players: int, control: TimeControl | None = None, **options: str) -> Step:
    return partial(configure, opener=0, options={"players": str(players), **options}, control=control)


def test_the_opener_changes_variants_and_the_clock() -> None:
    table = at(room(), settings(4, TimeControl(5, 10), jokers="on"))
    assert (table.game.option_texts["jokers"], table.control) == ("on", TimeControl(5, 10))
    assert settings(4, TimeControl(5, 10), jokers="on")(table, moment()) is table
    begun = at(table, partial(start, opener=0, bots="easy"))
    assert begun.match is not None
    assert begun.match.game.option_texts["jokers"] == "on"
    assert begun.clock is not None


def test_a_start_right_after_a_change_waits_until_the_others_could_see_it() -> None:
    changed, begin = at(room(), settings(4, jokers="on")), partial(start, opener=0, bots="easy")
    soon, later = moment(1003.9)._replace(settings_shown=4.0), moment(1004.0)._replace(settings_shown=4.0)
    assert refusal(begin, changed, soon) == "settings_just_changed"
    loaded = state_of(row_of(changed), (), now=1003.9)  # on another server, too
    assert refusal(begin, loaded, soon) == "settings_just_changed"
    assert at(changed, begin, later).status == PLAYING
    same = settings(4, jokers="on")(changed, moment(1003.0))
    assert at(same, begin, later).status == PLAYING  # nothing has changed since


def test_whoever_sits_alone_starts_right_after_a_change() -> None:
    changed = at(room(4, "Ada"), settings(4, jokers="on"))
    begun = at(changed, partial(start, opener=0, bots="easy"), moment()._replace(settings_shown=4.0))
    assert begun.status == PLAYING


def test_with_more_players_there_are_more_open_seats() -> None:
    assert kinds(at(room(3), settings(5))) == [PERSON, PERSON, OPEN, OPEN, OPEN]


def test_with_fewer_players_open_seats_go_first_then_bots_and_people_move_up() -> None:
    table = room(6, "Ada", "Bob", "Cem", "Dan")
    table = set_bot(leave(table, moment(), seat=1), moment(), opener=0, seat=1, level="easy")
    table = set_bot(table, moment(), opener=0, seat=4, level="easy")  # Ada, bot, Cem, Dan, bot, open
    five = at(table, settings(5))
    assert [seat.name or "-" for seat in five.seats] == ["Ada", "Otto", "Cem", "Dan", "Zuza"]
    three = at(five, settings(3))
    assert three.names == ["Ada", "Cem", "Dan"]
    assert [seat.token for seat in three.seats] == ["ada", "cem", "dan"]
    assert (three.status, three.is_full) == (WAITING, True)  # it waits for the opener's start
    assert all(len(deal.client_seeds) == 3 for deal in three.deals)


def test_the_opener_who_moves_up_is_still_the_opener() -> None:
    table = hand_over(room(5, "Ada", "Bob", "Cem"), moment(), opener=0, seat=2)
    table = leave(table, moment(), seat=0)
    two = at(table, partial(configure, opener=2, options={"players": "2"}, control=None))
    assert (two.names, two.people.opener) == (["Bob", "Cem"], 1)


def test_nobody_loses_a_seat_to_fewer_players() -> None:
    assert refusal(settings(2), room(4, "Ada", "Bob", "Cem")) == "too_many_people"


@pytest.mark.parametrize("options", [{"players": "9"}, {"players": "3", "jokers": "maybe"}, {"nonsense": "on"}])
def test_settings_that_the_game_does_not_have_are_refused(options: dict[str, str]) -> None:
    key = refusal(partial(configure, opener=0, options=options, control=None), room())
    assert key in ("no_such_value", "no_such_option")


def test_the_seeds_that_the_server_committed_to_stay_when_the_seats_change() -> None:
    table = room(4)
    resized = at(table, settings(3))
    assert [deal.commitment for deal in resized.deals] == [deal.commitment for deal in table.deals]


def test_settings_and_seats_are_fixed_while_clients_commit() -> None:
    """A commitment is to a seat at a table of a size: nothing of that changes under a commitment."""
    table = full("Ada", "Bob")
    assert phase_of(table) == COMMIT
    for step in (
        partial(set_bot, opener=0, seat=0, level="easy"),
        partial(configure, opener=0, options={"players": "2"}, control=TimeControl(1, 1)),
        partial(rename, seat=0, name="Eve"),
        partial(remove, opener=0, removed=1, block=False),
    ):
        assert refusal(step, table) == "only_before_deal"
        assert refusal(step, committed(table, 0, 1)) in ("only_before_deal", "remove_after_deal")


def test_a_resized_table_deals_in_two_phases() -> None:
    ready = collecting(present={0, 1})
    table = at(room(5), settings(3), ready)
    table = at(table, partial(start, opener=0, bots="easy"), ready)
    for seat in (0, 1):
        assert phase_of(table) == COMMIT
        table = at(table, committing(table, seat), ready)
    for seat in (0, 1):
        table = at(table, revealing(table, seat), ready)
    assert table.status == PLAYING
    assert table.deals[0].client_seeds == (seed_of(0, 1), seed_of(1, 1), "")


def test_the_number_of_players_stays_after_a_void_attempt() -> None:
    """The record of a void attempt names its seats."""
    table = committed(full("Ada", "Bob"), 0, 1)
    table = void_attempt(table, moment(), round=1, attempt=1)
    table = leave(table, moment(), seat=1)
    assert phase_of(table) == WAIT
    assert refusal(settings(4), table) == "players_fixed"
    assert settings(2, jokers="on")(table, moment()).game.option_texts["jokers"] == "on"


# --- names ------------------------------------------------------------------------------------------------------------


def test_everybody_can_take_another_name_before_the_deal() -> None:
    table = rename(room(), moment(), seat=1, name="  Bea ")
    assert table.seats[1].name == "Bea"
    assert rename(table, moment(), seat=1, name="Bea") is table
    assert rename(table, moment(), seat=1, name="Ada").seats[1].name == "Ada 2"
    assert refusal(partial(rename, seat=1, name=" "), table) == "bad_name"
    assert refusal(partial(rename, seat=1, name="Bea"), playing()) == "only_before_deal"


def test_a_bot_gives_way_when_a_person_has_a_name_like_its_own() -> None:
    bots = waiting("gra", Seat(), Seat.for_bot(1, "easy"), Seat(), players=3)
    table = taken(bots, "Otter")
    assert table.seats[1].kind == BOT
    assert not confusable(table.seats[1].name, "Otter")
    assert table.seats[0].name == "Otter"
    renamed = rename(table, moment(), seat=0, name=table.seats[1].name)
    assert renamed.seats[0].name == table.seats[1].name
    assert not confusable(renamed.seats[1].name, renamed.seats[0].name)


def test_a_bot_that_comes_later_has_a_name_unlike_all_others() -> None:
    table = taken(waiting("gra", players=6), *BOT_NAMES[1:MOST_SEATS:2])
    table = start(table, moment(), opener=0, bots="easy")
    names = table.names
    assert len(set(names)) == 6
    assert not any(confusable(one, two) for at, one in enumerate(names) for two in names[:at])


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ("Otto", "Otter", True),
        ("Leo", "Lea", True),
        ("Leo", "Leon", True),
        ("Nero", "Vero", True),
        ("Leo", "LE0", True),
        ("Mimi", "Mia", False),
        ("Ada", "Bo", False),
        ("Kika", "Lika 7", False),
    ],
)
def test_names_that_begin_alike_or_differ_in_one_letter_are_confusable(one: str, two: str, alike: bool) -> None:
    assert confusable(one, two) is confusable(two, one) is alike


def test_no_two_bots_have_names_that_are_confusable() -> None:
    pairs = [(one, two) for at, one in enumerate(BOT_NAMES) for two in BOT_NAMES[:at]]
    assert [pair for pair in pairs if confusable(*pair)] == []


# --- who runs the table -----------------------------------------------------------------------------------------------


def test_the_opener_hands_the_table_over() -> None:
    table = hand_over(room(), moment(), opener=0, seat=1, name="Bob")
    assert table.people.opener == 1
    assert hand_over(table, moment(), opener=0, seat=1, name="Bob") is table  # sent again
    assert refusal(partial(set_bot, opener=0, seat=2, level="easy"), table) == "only_opener"


@pytest.mark.parametrize(("seat", "name"), [(1, "Cem"), (2, None), (5, None)])
def test_a_table_is_handed_over_to_the_person_who_is_meant(seat: int, name: str | None) -> None:
    assert refusal(partial(hand_over, opener=0, seat=seat, name=name), room()) == "nobody_to_hand_over"
    assert refusal(partial(hand_over, opener=0, seat=1), close(room(), moment())) == "nobody_to_hand_over"


@pytest.mark.parametrize(
    "step",
    [
        partial(set_bot, opener=1, seat=2, level="easy"),
        partial(start, opener=1, bots="easy"),
        partial(configure, opener=1, options={"players": "3"}, control=None),
        partial(hand_over, opener=1, seat=2),
    ],
)
def test_only_the_opener_arranges_the_table(step: Step) -> None:
    assert refusal(step, room(4, "Ada", "Bob", "Cem")) == "only_opener"


@pytest.mark.parametrize(
    "step",
    [
        partial(set_bot, opener=0, seat=1, level="easy"),
        partial(configure, opener=0, options={"players": "2"}, control=None),
    ],
)
def test_nothing_is_arranged_once_the_match_has_begun(step: Step) -> None:
    assert refusal(step, playing()) == "only_before_deal"
    assert refusal(step, close(room(), moment())) == "only_before_deal"


def gone(*seats: int, present: set[int]) -> Moment:
    return moment(present=present)._replace(gone=frozenset(seats))


def test_the_next_person_who_is_there_inherits_a_table_whose_opener_stays_away() -> None:
    table = room(5, "Ada", "Bob", "Cem")
    assert heir(table, {2}) == 2
    assert inherit(table, gone(0, 1, present={2})).people.opener == 2
    assert inherit(table, gone(0, present={1, 2})).people.opener == 1


def test_nobody_inherits_while_the_opener_is_there_or_nobody_else_is() -> None:
    table = room(5, "Ada", "Bob", "Cem")
    assert inherit(table, gone(present={1, 2})) is table
    assert inherit(table, gone(0, present={0, 1})) is table
    assert inherit(table, gone(0, present=set())) is table
    begun = start(table, moment(), opener=0, bots="easy")
    assert inherit(begun, gone(0, present={1})) is begun


# --- freeing a seat ---------------------------------------------------------------------------------------------------


def test_a_person_whose_seat_is_freed_may_sit_down_again() -> None:
    table = remove(room(), moment(present={0}), opener=0, removed=1, name="Bob", block=False)
    assert (kinds(table), table.people.blocked) == ([PERSON, OPEN, OPEN, OPEN], ())
    assert sit(table, moment(), name="Bob", guest="Bob", token="again").seats[1].name == "Bob"


# --- the store --------------------------------------------------------------------------------------------------------


def test_what_was_arranged_survives_the_store() -> None:
    table = at(room(5), settings(3, TimeControl(2, 5), jokers="on"))
    table = at(table, partial(set_bot, opener=0, seat=2, level="hard"))
    loaded = state_of(row_of(table), (), 0.0)
    assert loaded.people.held
    assert row_of(loaded) == row_of(table)
    known = state_of(row_of(table), (), 0.0, room(5))  # another server had the old settings
    assert known.game.option_texts == table.game.option_texts
    assert replace(known, game=table.game) == table
