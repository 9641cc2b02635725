"""Tables with a clock over real sockets."""

from __future__ import annotations

from pathlib import Path

from gramy.table.clock import TimeControl
from gramy.table.lobby import Lobby
from tests.clock import Time
from tests.web.client import pair, serving, turn_of, visiting


async def against_time(lobby: Lobby, control: TimeControl) -> tuple[str, str]:
    table, _, token = await lobby.open("face-to-face", {}, [None, "easy"], False, control, "Ada", "guest")
    return table.id, token


async def test_a_clock_runs_for_the_player_to_act_and_adds_the_increment(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face", clock={"minutes": 5, "seconds": 10})
        mover, other = turn_of((mine, theirs))
        assert mover.now["clock"] == {"left": [300.0, 300.0], "running": [mover.seat]}
        time.pass_by(20)
        while mover.seat in mover.now["view"]["to_act"]:
            end = "end" in mover.now["view"]["moves"]
            assert await mover.move("end" if end else mover.now["view"]["moves"][0]) is None
        assert mover.now["clock"]["left"][mover.seat] == 290.0
        assert mover.now["clock"]["left"][other.seat] == 300.0
        assert mover.now["clock"]["running"] == [other.seat]


async def test_a_bot_moves_for_a_player_without_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table, token = await against_time(lobby, TimeControl(0.005, 0))
        client = await ada.sit(table, token)
        await client.until(lambda now: any(line["seat"] == 0 for line in client.lines))
        assert client.now["clock"]["left"][0] == 0.0
        await client.until(lambda now: now["bot_played"])
        assert client.now["bot_played"]["reason"] == "time"
        await client.until(lambda now: bool(now["view"]["outcome"]))
        made = sum(line["seat"] == 0 for line in client.lines)
        await client.until(lambda now: now["bot_played"]["moves"] == made)
        told = client.now["bot_played"]["line"]
        assert told == max(at for at, line in enumerate(client.lines) if line["seat"] == 0)


async def test_a_bot_moves_as_soon_as_the_time_is_up(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, lobby), visiting(address) as ada:
        table, token = await against_time(lobby, TimeControl(1, 5))
        client = await ada.sit(table, token)
        await client.until(lambda now: now["view"]["to_act"] == [0] and not now["thinking"])
        time.pass_by(59)
        assert (await client.move("sing"))["key"] == "unreadable"
        assert not [line for line in client.lines if line["seat"] == 0]
        lobby.tables[table].wake()  # sets the timer anew by the clock of the test: one second is left
        time.pass_by(1)
        assert (await client.move("sing"))["key"] == "unreadable"
        await client.until(lambda now: any(line["seat"] == 0 for line in client.lines))
        await client.until(lambda now: bool(now["view"]["outcome"]) or now["clock"]["left"][0] == 5.0)
