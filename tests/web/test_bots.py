"""Bot accounts: who they are, what they may do, challenges, and what ends them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from gramy.table.bot_accounts import ONLINE_FOR, TOKEN_PREFIX, BotAccount, BotAccounts
from gramy.table.challenges import KEPT, LIFETIME, MOST_ASKED
from gramy.table.lobby import Lobby
from gramy.table.store import StoreUnavailable
from gramy.web.limits import Limits
from tests.web.client import BOT, Visitor, closed, serving, visiting

ADMIN = "t" * 32
FACE_TO_FACE = {"games": ["face-to-face"], "wait": 0}


@contextlib.asynccontextmanager
async def as_bot(address: str, lobby: Lobby, name: str = "Zorro") -> AsyncIterator[tuple[Visitor, BotAccount]]:
    """Yield a visitor who shows the token of a new bot account."""
    account, token = await lobby.bot_accounts.issue(name)
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session:
        bot = Visitor(session, address)
        try:
            yield bot, account
        finally:
            for socket in bot.sockets:
                await socket.close()


@contextlib.asynccontextmanager
async def setting(folder: Path, **more: Any) -> AsyncIterator[tuple[Visitor, Visitor, BotAccount, Lobby]]:
    """Run a server; yield a person, a bot, its account and the lobby."""
    server, people = serving(folder, **more), contextlib.AsyncExitStack()
    async with server as (address, lobby), people:
        ada = await people.enter_async_context(visiting(address))
        bot, account = await people.enter_async_context(as_bot(address, lobby))
        yield ada, bot, account, lobby


async def challenged(ada: Visitor, bot: Visitor, account: BotAccount) -> tuple[str, str]:
    """Let a person challenge an online bot; return the ids of the table and the challenge."""
    await bot.post("api/bot/events", FACE_TO_FACE)
    opened = await ada.open("face-to-face", [None, None])
    status, made = await ada.post(f"api/tables/{opened['table']}/challenge", {"bot": account.id})
    assert status == 201, made
    return opened["table"], made["challenge"]


def key(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["key"]


# --- who a bot is -----------------------------------------------------------------------------------------------------


async def test_everybody_at_the_table_sees_that_a_bot_account_is_a_bot(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, _):
        opened = await ada.open("face-to-face", [None, None])
        joined = await bot.join(opened["table"], "Anna")
        client = await ada.sit(opened["table"], opened["token"])
        seats = client.now["table"]["seats"]
        assert [(seat["name"], seat["bot_account"]) for seat in seats] == [("Ada", False), ("Zorro", True)]
        _, listed = await ada.get(f"api/tables/{opened['table']}")
        assert [seat["bot_account"] for seat in listed["seats"]] == [False, True]
        own = await bot.sit(opened["table"], joined["token"])
        assert (await own.do("rename", name="Anna")) == {"key": "bot_keeps_name", "values": {}, "game": ""}
        assert await bot.get("api/bot") == (200, {"bot": account.id, "name": "Zorro"})


async def test_no_person_has_a_name_that_a_bot_account_is_shown_under(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, _, lobby):
        opened = await ada.open("gra", [None, None, None], options={"players": "3"})
        await bot.join(opened["table"])
        client = await ada.sit(opened["table"], opened["token"])
        assert (await client.do("rename", name="Bot Zorro") or {})["key"] == "name_of_a_bot"
        async with visiting(ada.address) as eve:
            path = f"api/tables/{opened['table']}/join"
            for name in ("Bot Zorro", "bot  Rex", "B0t Zorro", "Вот Zorro"):
                assert key(await eve.post(path, {"name": name})) == (400, "name_of_a_bot")
            assert (await eve.post(path, {"name": "BotZorro"}))[0] == 201
        names = [seat.name for seat in lobby.tables[opened["table"]].state.seats]
        assert names == ["Ada", "Zorro", "BotZorro 2"]


async def test_a_bot_gets_no_cookie_and_no_hints(tmp_path: Path) -> None:
    async with setting(tmp_path) as (_, bot, _, _):
        opened = await bot.open("face-to-face", [None, BOT])
        assert list(bot.session.cookie_jar) == []
        client = await bot.sit(opened["table"])  # the handshake shows the token, which is enough
        assert client.seat == 0
        await client.until(lambda now: now["view"] and now["view"]["to_act"] == [0])
        assert client.now["hints"] is False
        assert (await client.do("hint") or {})["key"] == "no_hints_now"


async def test_a_wrong_or_missing_token_is_refused_everywhere_and_makes_nobody_a_person(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, _, _, lobby):
        opened = await ada.open("face-to-face", [None, None])
        for token in ("", "x", TOKEN_PREFIX + "x" * 43, "ü"):
            header = {"Authorization": f"Bearer {token}"}
            for path in ("api/tables", f"api/tables/{opened['table']}/join", "api/bot/events"):
                assert key(await ada.post(path, {"name": "Eve"}, headers=header)) == (401, "wrong_bot_token")
            with pytest.raises(aiohttp.WSServerHandshakeError) as error:
                await ada.session.ws_connect(f"{ada.address}ws/{opened['table']}", headers=header)
            assert error.value.status == 401
        for method, path in (("GET", "api/bot"), ("POST", "api/bot/events"), ("DELETE", "api/bot/events")):
            assert key(await ada.ask(method, path, json=FACE_TO_FACE)) == (401, "bot_token_needed")
        for answer in ("accept", "decline"):
            assert key(await ada.post(f"api/bot/challenges/x/{answer}")) == (401, "bot_token_needed")
        assert [seat.name for seat in lobby.tables[opened["table"]].state.seats] == ["Ada", ""]


async def test_a_revoked_token_ends_connections_and_the_seat_cannot_be_used_any_more(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, lobby):
        opened = await ada.open("face-to-face", [None, None])
        joined = await bot.join(opened["table"])
        client = await bot.sit(opened["table"], joined["token"])
        assert await lobby.bot_accounts.revoke(account.id)
        assert await closed(client.socket) == 4002
        assert key(await bot.get("api/bot")) == (401, "wrong_bot_token")
        socket = await ada.session.ws_connect(f"{ada.address}ws/{opened['table']}")
        await socket.send_json({"type": "hello", "token": joined["token"]})  # the token of the seat alone
        assert json.loads((await socket.receive()).data)["message"]["key"] == "bot_revoked"
        assert await closed(socket) == 4002
        assert not await lobby.bot_accounts.revoke(account.id)


async def test_the_store_has_no_token(tmp_path: Path) -> None:
    async with setting(tmp_path) as (_, bot, _, lobby):
        token = bot.session.headers["Authorization"].split()[1]
        (rows,) = await lobby.services.store.transact([("SELECT * FROM bot_accounts", ())])
        assert token not in repr([tuple(row) for row in rows])


async def test_a_bot_reads_only_what_its_seat_may_know(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, _, lobby):
        opened = await ada.open("face-to-face", [None, None])
        joined = await bot.join(opened["table"])
        person, client = await ada.sit(opened["table"], opened["token"]), await bot.sit(opened["table"])
        await client.until(lambda now: now["view"] is not None)
        await person.until(lambda now: now["view"] is not None)
        halves = client.now["view"]["board"]["halves"]
        assert halves[0]["hand"] is None
        assert halves[joined["seat"]]["hand"]
        match = lobby.tables[opened["table"]].state.match
        assert match is not None
        hidden = person.now["view"]["board"]["halves"][0]["hand"]
        dealt = [line["move"] for line in client.lines if line["seat"] == 6]
        assert hidden
        assert any("?" in move for move in dealt)
        other = await ada.open("face-to-face", [None, BOT])
        spectator = await bot.sit(other["table"], joined["token"])  # the token of a seat at another table
        assert spectator.seat is None
        assert (await spectator.do("move", move="end", at=0) or {})["key"] == "spectators_watch"


# --- challenges -------------------------------------------------------------------------------------------------------


async def test_a_person_challenges_a_bot_which_accepts_and_sits_down(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, _):
        waiting = asyncio.create_task(bot.post("api/bot/events", {"games": ["face-to-face"]}))
        while not (await ada.get("api/bots"))[1]:
            await asyncio.sleep(0)
        assert await ada.get("api/bots") == (200, [{"bot": account.id, "name": "Zorro", "games": ["face-to-face"]}])
        opened = await ada.open("face-to-face", [None, None])
        _, made = await ada.post(f"api/tables/{opened['table']}/challenge", {"bot": account.id})
        _, events = await waiting  # it is woken, and does not wait for its 25 seconds
        (event,) = events["challenges"]
        assert event["challenge"] == made["challenge"]
        assert event["by"] == {"name": "Ada", "bot_account": False}
        assert event["table"]["table"] == opened["table"]
        path = f"api/challenges/{made['challenge']}"
        assert (await ada.get(path))[1]["status"] == "asked"
        status, seated = await bot.post(f"api/bot/challenges/{made['challenge']}/accept")
        assert (status, seated["seat"]) == (201, 1)
        assert (await ada.get(path))[1]["status"] == "accepted"
        again = await bot.post(f"api/bot/challenges/{made['challenge']}/accept")
        assert key(again) == (409, "challenge_over")


async def test_a_challenge_is_declined_or_expires(tmp_path: Path) -> None:
    date = [1_000_000.0]
    async with setting(tmp_path, now=lambda: date[0]) as (ada, bot, account, lobby):
        _, first = await challenged(ada, bot, account)
        assert await bot.post(f"api/bot/challenges/{first}/decline") == (204, "")
        assert (await ada.get(f"api/challenges/{first}"))[1]["status"] == "declined"
        _, second = await challenged(ada, bot, account)
        date[0] += LIFETIME + 1
        assert (await ada.get(f"api/challenges/{second}"))[1]["status"] == "expired"
        assert (await bot.post("api/bot/events", FACE_TO_FACE))[1] == {"challenges": []}
        assert key(await bot.post(f"api/bot/challenges/{second}/accept")) == (409, "challenge_over")
        date[0] += KEPT
        await lobby.expire()
        assert key(await ada.get(f"api/challenges/{second}")) == (404, "no_such_challenge")


async def test_a_challenge_that_cannot_be_accepted_is_refused(tmp_path: Path) -> None:
    date = [1_000_000.0]
    async with setting(tmp_path, now=lambda: date[0]) as (ada, bot, account, _):
        table, _ = await challenged(ada, bot, account)
        path = f"api/tables/{table}/challenge"
        async with visiting(ada.address) as eve:
            assert key(await eve.post(path, {"bot": account.id})) == (400, "only_opener")
        assert key(await ada.post(path, {"bot": "nobody"})) == (409, "bot_offline")
        assert key(await ada.post(path, {})) == (400, "missing_field")
        other = await ada.open("gra", [None, None])
        assert key(await ada.post(f"api/tables/{other['table']}/challenge", {"bot": account.id})) == (
            400,
            "bot_other_games",
        )
        own = await bot.open("face-to-face", [None, None])
        assert key(await bot.post(f"api/tables/{own['table']}/challenge", {"bot": account.id})) == (
            400,
            "own_challenge",
        )
        full = await ada.open("face-to-face", [None, BOT])
        assert key(await ada.post(f"api/tables/{full['table']}/challenge", {"bot": account.id})) == (400, "table_full")
        for _ in range(MOST_ASKED - 1):
            more = await ada.open("face-to-face", [None, None])
            assert (await ada.post(f"api/tables/{more['table']}/challenge", {"bot": account.id}))[0] == 201
        last = await ada.open("face-to-face", [None, None])
        assert key(await ada.post(f"api/tables/{last['table']}/challenge", {"bot": account.id})) == (400, "bot_busy")
        date[0] += ONLINE_FOR + 1
        assert (await ada.get("api/bots"))[1] == []
        assert key(await ada.post(path, {"bot": account.id})) == (409, "bot_offline")


async def test_a_challenge_of_somebody_who_has_left_cannot_be_accepted(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, _):
        table, challenge = await challenged(ada, bot, account)
        client = await ada.sit(table)
        assert await client.do("leave") is None
        assert key(await bot.post(f"api/bot/challenges/{challenge}/accept")) == (409, "challenge_over")


async def test_a_challenge_of_somebody_who_has_left_expires_and_lets_the_bot_wait(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, _):
        table, challenge = await challenged(ada, bot, account)
        client = await ada.sit(table)
        assert await client.do("leave") is None
        waiting = asyncio.create_task(bot.post("api/bot/events", {"games": ["face-to-face"]}))
        while (await ada.get(f"api/challenges/{challenge}"))[1]["status"] != "expired":
            assert not waiting.done()  # it returned at once, with nothing that the bot could know
            await asyncio.sleep(0.01)
        _, later = await challenged(ada, bot, account)
        assert [one["challenge"] for one in (await bot.post("api/bot/events", FACE_TO_FACE))[1]["challenges"]] == [
            later
        ]
        waiting.cancel()


async def test_a_bot_has_one_waiting_challenge_a_table_which_ends_when_it_sits_there(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, lobby):
        table, first = await challenged(ada, bot, account)
        again = await ada.post(f"api/tables/{table}/challenge", {"bot": account.id})
        assert again == (201, {"challenge": first})
        assert len(await lobby.challenges.asked(account.id)) == 1
        await bot.join(table)  # by its link
        assert (await ada.get(f"api/challenges/{first}"))[1]["status"] == "accepted"


async def test_only_the_challenged_bot_can_answer(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, lobby):
        _, challenge = await challenged(ada, bot, account)
        async with as_bot(ada.address, lobby, "Other") as (thief, _):
            assert key(await thief.post(f"api/bot/challenges/{challenge}/accept")) == (404, "no_such_challenge")
            assert key(await thief.post(f"api/bot/challenges/{challenge}/decline")) == (409, "challenge_over")
            assert (await thief.post("api/bot/events", FACE_TO_FACE))[1] == {"challenges": []}


async def test_a_bot_that_says_so_is_offline_at_once(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, _, _):
        await bot.post("api/bot/events", FACE_TO_FACE)
        assert len((await ada.get("api/bots"))[1]) == 1
        assert await bot.ask("DELETE", "api/bot/events") == (204, "")
        assert (await ada.get("api/bots"))[1] == []


async def test_a_later_request_for_events_ends_the_one_before(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, _, _):
        earlier = asyncio.create_task(bot.post("api/bot/events", {"games": ["face-to-face"]}))
        while not (await ada.get("api/bots"))[1]:
            await asyncio.sleep(0)
        later = asyncio.create_task(bot.post("api/bot/events", {"games": ["gra"]}))
        assert key(await asyncio.wait_for(earlier, 10)) == (409, "bot_token_used_twice")
        assert not later.done()
        later.cancel()


# --- limits and the host ----------------------------------------------------------------------------------------------


async def test_a_bot_has_limits_of_its_own(tmp_path: Path) -> None:
    limits = Limits(tables_a_minute=1, bot_tables_a_minute=3, bot_tables=100, challenges_a_minute=1)
    async with setting(tmp_path, limits=limits) as (ada, bot, _, _):
        table = {"game": "face-to-face", "seats": [None, None], "name": "Ada"}
        statuses = [(await bot.post("api/tables", table))[0] for _ in range(7)]
        assert statuses == [201] * 6 + [429]  # twice as many as in a minute at once, whatever people may do
        assert [(await ada.post("api/tables", table))[0] for _ in range(3)] == [201, 201, 429]


async def test_the_host_issues_and_revokes_accounts_by_the_admin_api(tmp_path: Path) -> None:
    async with serving(tmp_path, admin_token=ADMIN) as (address, _), visiting(address) as host:
        header = {"Authorization": f"Bearer {ADMIN}"}
        assert (await host.post("api/admin/bots", {"name": "Zorro"}))[0] == 401
        status, made = await host.post("api/admin/bots", {"name": "Zorro"}, headers=header)
        assert status == 201
        assert made["token"].startswith(TOKEN_PREFIX)
        assert key(await host.post("api/admin/bots", {"name": "Zorró"}, headers=header)) == (400, "bot_name_taken")
        signed = {"Authorization": f"Bearer {made['token']}"}
        assert (await host.get("api/bot", headers=signed))[1] == {"bot": made["bot"], "name": "Zorro"}
        assert (await host.ask("DELETE", f"api/admin/bots/{made['bot']}", headers=header))[0] == 204
        assert (await host.ask("DELETE", f"api/admin/bots/{made['bot']}", headers=header))[0] == 404
        assert (await host.get("api/bot", headers=signed))[0] == 401
        _, seen = await host.get("api/admin", headers=header)
        assert [(one["name"], one["revoked"] is not None) for one in seen["bots"]] == [("Zorro", True)]
        assert [entry["action"] for entry in seen["audit"]] == ["revoke_bot", "issue_bot"]


async def test_a_cookie_never_stands_for_a_bot(tmp_path: Path) -> None:
    async with setting(tmp_path) as (_, bot, _, _):
        async with bot.session.post(
            f"{bot.address}api/tables", json={"game": "gra", "seats": [None, None], "name": ""}
        ) as response:
            assert response.status == 201
            assert "Set-Cookie" not in response.headers
        assert key(await bot.ask("DELETE", "api/guest")) == (400, "bot_keeps_name")


class BrokenStore:
    """A store that does not answer until it is repaired."""

    def __init__(self, store: Any) -> None:
        self.store, self.broken = store, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def transact(self, statements: Any) -> Any:
        if self.broken:
            raise StoreUnavailable("a test")
        return await self.store.transact(statements)


async def test_no_token_is_called_wrong_while_the_accounts_cannot_be_loaded(tmp_path: Path) -> None:
    async with setting(tmp_path) as (_, bot, account, lobby):
        store = BrokenStore(lobby.services.store)
        lobby.services.store = store  # type: ignore[assignment]  # it answers by name
        lobby.bot_accounts = BotAccounts(lobby.services)  # as after a start while the store is down
        for _ in range(3):
            assert key(await bot.get("api/bot")) == (503, "store_unavailable")
        with pytest.raises(StoreUnavailable):
            lobby.bot_accounts.is_in_force(account.guest)
        store.broken = False
        assert (await bot.get("api/bot"))[0] == 200
        assert lobby.bot_accounts.is_in_force(account.guest)


async def test_an_older_answer_of_the_store_does_not_bring_a_revoked_account_back(tmp_path: Path) -> None:
    async with setting(tmp_path) as (_, _, account, lobby):
        real, slow, go_on = lobby.services.store, asyncio.Event(), asyncio.Event()

        class SlowOnce(BrokenStore):
            async def transact(self, statements: Any) -> Any:
                found = await self.store.transact(statements)
                if not slow.is_set():
                    slow.set()
                    await go_on.wait()
                return found

        lobby.services.store = SlowOnce(real)  # type: ignore[assignment]  # it answers by name
        earlier = asyncio.create_task(lobby.bot_accounts.load())
        await slow.wait()
        later = asyncio.create_task(lobby.bot_accounts.revoke(account.id))
        await asyncio.wait({later}, timeout=0.5)  # it loads too, unless it waits for the earlier load
        go_on.set()
        await asyncio.gather(earlier, later)
        assert not lobby.bot_accounts.is_in_force(account.guest)


async def test_forgetting_a_guest_deletes_their_challenges(tmp_path: Path) -> None:
    async with setting(tmp_path) as (ada, bot, account, _):
        _, challenge = await challenged(ada, bot, account)
        assert (await ada.ask("DELETE", "api/guest"))[0] == 204
        assert key(await ada.get(f"api/challenges/{challenge}")) == (404, "no_such_challenge")
