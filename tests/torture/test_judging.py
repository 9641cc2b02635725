"""The checks of the torture test notice every broken guarantee."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.table.services import until
from tests.torture import chaos
from tests.torture.chaos import Chaos
from tests.torture.judge import (
    BACKWARDS,
    DOUBLED,
    LOST,
    NOT_STARTED,
    STALE,
    STUCK,
    Acknowledged,
    Disconnected,
    Event,
    Hello,
    Paused,
    Shown,
    judge,
)
from tests.torture.players import Broken, Line, Player

OTHERS: Line = (1, "down 40")


def player(seat: int | None = 0) -> Player:
    one = Player(None, lambda: "", "t", "token", random.Random(1))  # type: ignore[arg-type]  # it never connects
    one.see(snapshot(seat), [])
    return one


def snapshot(seat: int | None, *moves: str, outcome: Any = None, **words: Any) -> dict[str, Any]:
    view = {"to_act": [seat], "moves": moves, "outcome": outcome}
    fields = {"type": "snapshot", "you": seat, "lines": 0, "log": {"from": 0, "lines": []}, "view": view}
    fields["table"] = {"round": 1}
    return fields | words


def send(one: Player, *moves: str, copies: int = 1, at: int = 0) -> str:
    """Let the player pick one of these moves and send so many copies; return the move."""
    one.choose_move(snapshot(0, *moves, lines=at))
    assert one.pending is not None
    one.pending["id"], one.copies = "c1", copies
    one.answered_commands = [{"at": 0}]
    return str(one.pending["move"])


def refused(key: str) -> dict[str, Any]:
    return {"type": "refused", "id": "c1", "message": {"key": key}}


def check(one: Player, log: list[Line]) -> None:
    """Show the player a whole log, and check it."""
    one.shown = list(log)
    one.check(log)


def test_an_acknowledged_move_that_is_lost_doubled_or_out_of_order_is_noticed() -> None:
    one = player()
    for at, move in ((0, "up 3"), (2, "up 5")):
        send(one, move, at=at)
        one.handle_answer(snapshot(0, answers=["c1"]))
    check(one, [(0, "up 3"), OTHERS, (0, "up 5")])
    for log, kind in (
        ([(0, "up 3"), OTHERS], LOST),
        ([(0, "up 3"), (0, "up 3"), (0, "up 5")], DOUBLED),
        ([(0, "up 5"), (0, "up 3")], DOUBLED),
    ):
        with pytest.raises(Broken, match="acknowledged") as broken:
            check(one, log)
        assert broken.value.kind == kind


def test_a_line_with_two_contents_is_noticed() -> None:
    one = player()
    send(one, "up 3")
    one.handle_answer(snapshot(0, answers=["c1"]))
    send(one, "up 5")
    with pytest.raises(Broken, match="both"):
        one.handle_answer(snapshot(0, answers=["c1"]))


def test_a_move_that_is_stored_too_early_is_noticed() -> None:
    one = player()
    send(one, "up 3", at=1)
    one.handle_answer(snapshot(0, answers=["c1"]))
    with pytest.raises(Broken, match="too early"):
        check(one, [(0, "up 3"), OTHERS])


def test_a_stored_move_that_was_not_acknowledged_is_noticed() -> None:
    with pytest.raises(Broken, match="acknowledged"):
        check(player(), [(0, "up 3")])
    check(player(seat=None), [(0, "up 3"), OTHERS])


def test_a_move_that_was_not_stored_is_given_up_and_noticed_if_it_appears() -> None:
    one = player()
    abandoned = send(one, "up 3", "up 5")
    one.handle_answer(refused("not_saved"))
    assert (one.undecided, one.given_up) == (1, 1)
    assert all(send(one, "up 3", "up 5") != abandoned for _ in range(20))
    assert one.answered_commands == [{"at": 0}]  # without the one that was given up
    one.pending = None
    check(one, [OTHERS])
    with pytest.raises(Broken, match="acknowledged"):
        check(one, [(0, abandoned), OTHERS])


@pytest.mark.parametrize(("key", "copies"), [("save_unknown", 1), ("not_saved", 2)])
def test_a_move_that_may_be_stored_is_sent_again(key: str, copies: int) -> None:
    one = player()
    move = send(one, "up 3", "up 5", copies=copies)
    one.handle_answer(refused(key))
    assert one.pending is not None
    assert one.pending["move"] == move
    assert (one.undecided, one.given_up) == (1, 0)


def test_a_wrong_refusal_is_noticed() -> None:
    one = player()
    send(one, "up 3")
    with pytest.raises(Broken, match="not_your_turn"):
        one.handle_answer(refused("not_your_turn"))


def test_a_snapshot_that_contradicts_an_earlier_one_is_noticed() -> None:
    one = player()
    one.shown = [(0, "up 3")]
    with pytest.raises(Broken, match="line 0"):
        one.see(snapshot(0, log={"from": 0, "lines": [{"seat": 0, "move": "up 5"}]}), [])


@pytest.mark.parametrize("begun", [True, False])
async def test_a_quiet_table_stops_the_kills_and_counts_as_stuck(monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    monkeypatch.setattr(chaos, "QUIET", 0.1)
    monkeypatch.setattr(chaos, "STUCK_AFTER", 0.8)
    run = Chaos(None, [], random.Random(1))  # type: ignore[arg-type]  # no server and no store are used
    waiting = asyncio.create_task(asyncio.Event().wait())  # for ever, like a player without messages
    one = player()
    one.shown = [OTHERS] if begun else []
    watched = asyncio.create_task(run.watch([one], [waiting]))  # type: ignore[list-item]  # ends with True
    await until(lambda: bool(run.quiet_tables))
    killing = asyncio.create_task(run.random_moment())
    with pytest.raises(Broken) as broken:
        await watched
    assert broken.value.kind == (STUCK if begun else NOT_STARTED)
    assert not killing.done()
    assert run.report.silence > 0.5
    killing.cancel()
    waiting.cancel()


# --- what clients were shown ------------------------------------------------------------------------------------------


def kinds(*events: Event) -> list[str]:
    """Return the kinds of the broken guarantees in a history, with a bound of five seconds."""
    return [fault.kind for fault in judge(events, bound=5.0)]


def test_a_history_without_faults_is_not_blamed() -> None:
    assert kinds() == []
    begin = (Hello(0, 1), Shown(1, 1, 1, 4), Hello(1, 2), Shown(2, 2, 1, 4))
    play = (Shown(3, 1, 1, 5), Acknowledged(3, 1, 1, 4, "up 3"), Shown(7, 2, 1, 5))
    reconnect = (Disconnected(9, 1), Hello(10, 1), Shown(11, 1, 1, 5), Shown(12, 1, 2, 0))
    assert kinds(*begin, *play, *reconnect) == []


def test_a_client_that_is_shown_less_than_before_at_another_server_is_noticed() -> None:
    before = (Hello(0, 1), Shown(1, 1, 1, 7), Disconnected(2, 1))
    assert BACKWARDS in kinds(*before, Shown(3, 1, 1, 6))
    assert BACKWARDS not in kinds(*before, Shown(3, 1, 2, 0))  # the next round
    assert BACKWARDS in kinds(Shown(1, 1, 2, 0), Shown(2, 1, 1, 30))  # an earlier round
    assert BACKWARDS not in kinds(Shown(1, 1, 1, 7), Shown(2, 2, 1, 6))  # another client


def test_a_snapshot_without_the_clients_own_acknowledged_move_is_noticed() -> None:
    assert kinds(Shown(1, 1, 1, 7), Acknowledged(2, 1, 1, 7, "up 3"), Shown(3, 1, 1, 7)) == [BACKWARDS]
    assert kinds(Shown(1, 1, 1, 7), Acknowledged(2, 1, 1, 7, "up 3"), Shown(3, 1, 1, 8)) == []


@pytest.mark.parametrize("again", ["up 3", "up 5"])
def test_two_acknowledged_decisions_for_one_line_are_noticed(again: str) -> None:
    assert kinds(Acknowledged(1, 1, 1, 7, "up 3"), Acknowledged(2, 1, 1, 7, again)) == [DOUBLED]
    assert kinds(Acknowledged(1, 1, 1, 7, "up 3"), Acknowledged(2, 1, 1, 9, again)) == []
    assert kinds(Acknowledged(1, 1, 1, 7, "up 3"), Acknowledged(2, 2, 1, 7, again)) == []  # both may bid at once


def test_a_first_snapshot_must_have_all_that_anybody_knew_at_the_hello() -> None:
    assert kinds(Shown(1, 1, 1, 7), Hello(2, 2), Shown(2.1, 2, 1, 6)) == [STALE]
    assert kinds(Hello(1, 2), Shown(2, 1, 1, 7), Shown(2.1, 2, 1, 6)) == []  # the hello was earlier
    assert kinds(Acknowledged(1, 1, 1, 6, "up 3"), Hello(2, 2), Shown(2.1, 2, 1, 6)) == [STALE]


def test_a_screen_that_stays_old_for_longer_than_the_bound_is_noticed() -> None:
    old, new = Shown(1, 2, 1, 6), Shown(2, 1, 1, 7)
    assert kinds(old, new, Shown(6.9, 2, 1, 7)) == []
    assert kinds(old, new, Shown(7.1, 2, 1, 7)) == [STALE]
    assert kinds(old, new, Shown(9, 1, 1, 8)) == [STALE]  # it never got anything newer


@pytest.mark.parametrize("marked", [Paused(5, 2), Disconnected(5, 2)])
def test_an_old_screen_that_says_so_is_not_blamed_but_one_that_says_so_too_late_is(marked: Event) -> None:
    old, new = Shown(1, 2, 1, 6), Shown(2, 1, 1, 7)
    assert kinds(old, new, marked, Shown(60, 2, 1, 7)) == []
    assert kinds(old, new, marked._replace(time=7.5), Shown(60, 2, 1, 7)) == [STALE]


def test_an_old_snapshot_after_a_pause_is_noticed() -> None:
    shown = (Shown(1, 2, 1, 6), Shown(2, 1, 1, 7), Paused(5, 2))
    assert kinds(*shown, Shown(20, 2, 1, 6), Shown(20.5, 2, 1, 7)) == [STALE]
