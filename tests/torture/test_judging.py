"""Whoever holds servers to their promises must notice when one is broken."""

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
    one._see(snapshot(seat), [])
    return one


def snapshot(seat: int | None, *moves: str, outcome: Any = None, **words: Any) -> dict[str, Any]:
    view = {"to_act": [seat], "moves": moves, "outcome": outcome}
    told = {"type": "snapshot", "you": seat, "lines": 0, "log": {"from": 0, "lines": []}, "view": view}
    return told | words


def sends(one: Player, *moves: str, copies: int = 1, at: int = 0) -> str:
    """The player picks one of these moves and sends it so often; which."""
    one._choose(snapshot(0, *moves, lines=at))
    assert one._pending is not None
    one._pending["id"], one._copies = "c1", copies
    one._old = [{"at": 0}]
    return str(one._pending["move"])


def refused(key: str) -> dict[str, Any]:
    return {"type": "refused", "id": "c1", "message": {"key": key}}


def judged(one: Player, log: list[Line]) -> None:
    one.shown = list(log)
    one.check(log)


def test_an_acknowledged_move_that_is_lost_doubled_or_moved_is_noticed() -> None:
    one = player()
    for at, move in ((0, "up 3"), (2, "up 5")):
        sends(one, move, at=at)
        one._answered(snapshot(0, answers=["c1"]))
    judged(one, [(0, "up 3"), OTHERS, (0, "up 5")])
    for log in ([(0, "up 3"), OTHERS], [(0, "up 3"), (0, "up 3"), (0, "up 5")], [(0, "up 5"), (0, "up 3")]):
        with pytest.raises(Broken, match="promised"):
            judged(one, log)


def test_a_move_that_was_made_again_on_an_old_screen_counts_once_and_another_one_in_its_place_is_noticed() -> None:
    one = player()
    for _ in range(2):
        sends(one, "up 3")
        one._answered(snapshot(0, answers=["c1"]))
    assert one.repeated == 1
    judged(one, [(0, "up 3"), OTHERS])
    sends(one, "up 5")
    with pytest.raises(Broken, match="both"):
        one._answered(snapshot(0, answers=["c1"]))


def test_a_move_that_is_kept_before_its_moment_is_noticed() -> None:
    one = player()
    sends(one, "up 3", at=1)
    one._answered(snapshot(0, answers=["c1"]))
    with pytest.raises(Broken, match="sooner"):
        judged(one, [(0, "up 3"), OTHERS])


def test_a_move_that_nobody_acknowledged_is_noticed_also_at_a_seat_without_any() -> None:
    with pytest.raises(Broken, match="promised"):
        judged(player(), [(0, "up 3")])
    judged(player(seat=None), [(0, "up 3"), OTHERS])


def test_a_move_that_was_not_kept_is_given_up_and_noticed_when_it_appears_all_the_same() -> None:
    one = player()
    unkept = sends(one, "up 3", "up 5")
    one._answered(refused("not_saved"))
    assert (one.undecided, one.given_up) == (1, 1)
    assert all(sends(one, "up 3", "up 5") != unkept for _ in range(20))
    assert one._old == [{"at": 0}]  # and not the one that was given up
    one._pending = None
    judged(one, [OTHERS])
    with pytest.raises(Broken, match="promised"):
        judged(one, [(0, unkept), OTHERS])


@pytest.mark.parametrize(("key", "copies"), [("save_unknown", 1), ("not_saved", 2)])
def test_a_move_that_may_have_been_kept_is_sent_again(key: str, copies: int) -> None:
    one = player()
    move = sends(one, "up 3", "up 5", copies=copies)
    one._answered(refused(key))
    assert one._pending is not None
    assert one._pending["move"] == move
    assert (one.undecided, one.given_up) == (1, 0)


def test_a_move_that_is_refused_for_no_good_reason_is_noticed() -> None:
    one = player()
    sends(one, "up 3")
    with pytest.raises(Broken, match="not_your_turn"):
        one._answered(refused("not_your_turn"))


def test_a_screen_that_contradicts_an_earlier_one_is_noticed() -> None:
    one = player()
    one.shown = [(0, "up 3")]
    with pytest.raises(Broken, match="line 0"):
        one._see(snapshot(0, log={"from": 0, "lines": [{"seat": 0, "move": "up 5"}]}), [])


async def test_a_table_without_news_is_not_killed_out_of_its_sleep_and_counts_as_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chaos, "QUIET", 0.1)
    monkeypatch.setattr(chaos, "STUCK", 0.8)
    judge = Chaos(None, [], random.Random(1))  # type: ignore[arg-type]  # nothing is killed or looked up
    waiting = asyncio.create_task(asyncio.Event().wait())  # for ever, as a player's task that hears nothing
    watched = asyncio.create_task(judge._watched([player()], [waiting]))  # type: ignore[list-item]  # ends with True
    await until(lambda: bool(judge._quiet))
    killing = asyncio.create_task(judge._random_moment())
    with pytest.raises(Broken, match="stuck"):
        await watched
    assert not killing.done()
    assert judge.report.silence > 0.5
    killing.cancel()
    waiting.cancel()
