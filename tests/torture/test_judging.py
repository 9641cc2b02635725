"""The checks of the torture test notice every broken guarantee."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.table.services import until
from tests.torture import chaos
from tests.torture.chaos import Chaos
from tests.torture.players import Broken, Line, Player

OTHERS: Line = (1, "down 40")


def player(seat: int | None = 0) -> Player:
    one = Player(None, lambda: "", "t", "token", random.Random(1))  # type: ignore[arg-type]  # it never connects
    one.see(snapshot(seat), [])
    return one


def snapshot(seat: int | None, *moves: str, outcome: Any = None, **words: Any) -> dict[str, Any]:
    view = {"to_act": [seat], "moves": moves, "outcome": outcome}
    fields = {"type": "snapshot", "you": seat, "lines": 0, "log": {"from": 0, "lines": []}, "view": view}
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
    for log in ([(0, "up 3"), OTHERS], [(0, "up 3"), (0, "up 3"), (0, "up 5")], [(0, "up 5"), (0, "up 3")]):
        with pytest.raises(Broken, match="acknowledged"):
            check(one, log)


def test_a_repeated_move_counts_once_and_another_move_in_its_place_is_noticed() -> None:
    one = player()
    for _ in range(2):
        send(one, "up 3")
        one.handle_answer(snapshot(0, answers=["c1"]))
    assert one.repeated == 1
    check(one, [(0, "up 3"), OTHERS])
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


async def test_a_quiet_table_stops_the_kills_and_counts_as_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chaos, "QUIET", 0.1)
    monkeypatch.setattr(chaos, "STUCK", 0.8)
    run = Chaos(None, [], random.Random(1))  # type: ignore[arg-type]  # no server and no store are used
    waiting = asyncio.create_task(asyncio.Event().wait())  # for ever, like a player without messages
    watched = asyncio.create_task(run.watch([player()], [waiting]))  # type: ignore[list-item]  # ends with True
    await until(lambda: bool(run.quiet_tables))
    killing = asyncio.create_task(run.random_moment())
    with pytest.raises(Broken, match="stuck"):
        await watched
    assert not killing.done()
    assert run.report.silence > 0.5
    killing.cancel()
    waiting.cancel()
