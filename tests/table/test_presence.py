"""Presence: who has a table open, here and on other servers, and who is absent for how long."""

from __future__ import annotations

from gramy.table.presence import REPORT_VALID, Presence
from gramy.table.seat import PERSON, Seat
from tests.table.services import Time

AWAY = 30.0
PEOPLE = (Seat(PERSON, "Ada"), Seat(PERSON, "Bob"))


def present(*seats: int) -> tuple[Presence, Time]:
    """Return the presence of a table where these seats have one view each, and its clock."""
    time = Time()
    presence = Presence(time)
    for seat in seats:
        presence.open(seat)
    presence.update(PEOPLE)
    return presence, time


def test_a_seat_is_online_until_its_last_view_is_closed() -> None:
    presence, _ = present(0, 1, 1)
    assert (presence.online, presence.here) == ({0, 1}, [0, 1])
    presence.close(1)
    assert not presence.update(PEOPLE)
    presence.close(1)
    assert presence.update(PEOPLE)
    assert presence.online == {0}


def test_a_seat_with_several_views_is_known_here_and_across_servers() -> None:
    presence, time = present(0, 1, 1)
    assert presence.several == {1}
    presence.close(1)
    presence.update(PEOPLE)
    assert presence.several == frozenset()
    presence.report("other", [0])
    presence.update(PEOPLE)
    assert (presence.online, presence.several) == ({0, 1}, {0})
    time.pass_by(REPORT_VALID)
    presence.update(PEOPLE)
    assert presence.several == frozenset()


def test_the_others_may_decide_after_a_while_and_wait_longer() -> None:
    presence, time = present(0, 1)
    presence.close(1)
    presence.update(PEOPLE)
    assert presence.absent(PEOPLE, AWAY) == [{"seat": 1, "seconds": AWAY, "can_decide": False}]
    assert presence.next_deadline(AWAY) == time() + AWAY
    time.pass_by(AWAY)
    assert presence.overdue(AWAY) == {1}
    assert presence.next_deadline(AWAY) is None
    presence.wait_for(1, 60.0)
    assert presence.overdue(AWAY) == frozenset()
    assert presence.next_deadline(AWAY) == time() + 60.0


def test_a_player_whose_bot_plays_is_not_shown_as_absent() -> None:
    presence, _ = present(0)
    replaced = (PEOPLE[0], PEOPLE[1]._replace(stand_in=True))
    assert presence.absent(replaced, AWAY) == []


def test_a_player_who_was_here_is_expected_back_for_a_while_and_one_who_never_came_is_not() -> None:
    presence, time = present(0)
    assert presence.expected(AWAY) == {0}
    presence.close(0)
    presence.update(PEOPLE)
    assert presence.expected(AWAY) == {0}
    time.pass_by(AWAY)
    assert presence.expected(AWAY) == frozenset()


def test_people_who_move_keep_the_time_of_their_own_absence() -> None:
    people = (*PEOPLE, Seat(PERSON, "Cem"))
    presence, time = present(0, 1)
    presence.update(people)  # Cem has been absent since now
    since = time()
    time.pass_by(5)
    presence.close(1)
    presence.update(people)
    presence.renumber({2: 1}, 2)  # Bob has left, and Cem has moved up
    assert presence.away_since(time()) == {1: round(since)}


def test_another_servers_report_holds_for_a_while_and_its_end_is_a_deadline() -> None:
    presence, time = present(0)
    presence.report("node", [1])
    assert presence.update(PEOPLE)
    assert (presence.online, presence.here) == ({0, 1}, [0])
    assert presence.next_deadline(AWAY) == time() + REPORT_VALID
    assert not presence.report_expired(PEOPLE)
    time.pass_by(REPORT_VALID)
    assert presence.report_expired(PEOPLE)
    assert presence.online == {0}
