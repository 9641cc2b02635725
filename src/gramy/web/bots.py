"""BotsApi: bot accounts sign in by their tokens, wait for challenges and answer them; others challenge them."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from gramy import games
from gramy.errors import GramyError
from gramy.messages import Message
from gramy.table.bot_accounts import BotAccount, OnlineBot
from gramy.table.challenges import ASKED, DECLINED, Challenge
from gramy.table.lobby import Lobby
from gramy.table.orders import guest_mark
from gramy.table.seat import OPEN
from gramy.table.state import Refused
from gramy.table.store import WAITING
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.limits import Limits, Meter
from gramy.web.responses import json_response, read_body
from gramy.web.schema import ASYNCAPI_FILE, SCHEMA_FILE, asyncapi, protocol_schema
from gramy.web.tables import TablesApi
from gramy.web.visitor import BOT_ACCOUNT, Guests, bot_of, scopes_of

SIGNED_IN = "/api/", "/ws/"
"""Where a bot's token counts."""
HOST_ONLY = "/api/admin"
"""Where the header has the host's token instead."""


class NotABot(GramyError):
    """The request needs the token of a bot account, and has none or a wrong one."""


class BotsApi:
    """Bot accounts, and challenges to them."""

    def __init__(self, lobby: Lobby, guests: Guests, limits: Limits, tables: TablesApi) -> None:
        self._lobby, self._guests, self._tables = lobby, guests, tables
        self._meter, self._bot_meter = Meter("challenge", limits), Meter("bot_challenge", limits)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"/api/{SCHEMA_FILE}", self.schema),
            web.get(f"/api/{ASYNCAPI_FILE}", self.asyncapi),
            web.get("/api/bots", self.list_online),
            web.post("/api/tables/{table}/challenge", self.challenge),
            web.get("/api/challenges/{challenge}", self.show),
            web.get("/api/bot", self.account),
            web.post("/api/bot/events", self.events),
            web.delete("/api/bot/events", self.stop),
            web.post("/api/bot/challenges/{challenge}/accept", self.accept),
            web.post("/api/bot/challenges/{challenge}/decline", self.decline),
        ]

    async def sign_in(self, request: web.Request) -> None:
        """Note the bot account of a request that shows a token; raises NotABot for a wrong one.

        A wrong token is never ignored: its program would play as a person.
        """
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not request.path.startswith(SIGNED_IN) or request.path.startswith(HOST_ONLY):
            return
        account = await self._lobby.bot_accounts.by_token(token.strip())
        if account is None:
            raise NotABot(Message("wrong_bot_token"))
        request[BOT_ACCOUNT] = account

    async def schema(self, request: web.Request) -> web.Response:
        """Return the JSON Schema of the protocol."""
        return json_response(protocol_schema())

    async def asyncapi(self, request: web.Request) -> web.Response:
        """Return the WebSocket of a table as AsyncAPI."""
        return json_response(asyncapi())

    # --- for everybody ------------------------------------------------------------------------------------------------

    async def list_online(self, request: web.Request) -> web.Response:
        """Return the bots that can be challenged now."""
        online = await self._lobby.bot_accounts.online()
        return json_response(
            [{"bot": bot.account.id, "name": bot.account.name, "games": list(bot.games)} for bot in online]
        )

    async def challenge(self, request: web.Request) -> web.Response:
        """Ask a bot to sit down at a table of the sender."""
        scopes = scopes_of(request.remote, self._guests.get(request))
        if not (self._meter if bot_of(request) is None else self._bot_meter).take(scopes):
            raise web.HTTPTooManyRequests
        wanted = wire.decode_challenge(await read_body(request))
        table = await self._lobby.find(request.match_info["table"])
        guest = self._guests.get(request)
        opener = table.state.people.opener
        if guest is None or opener is None or table.state.seats[opener].guest != guest:
            raise Refused(Message("only_opener"))
        bot = await self._online(wanted.bot)
        self._check_table(table, bot, guest)
        made = await self._lobby.challenges.make(bot.account.id, table.id, guest_mark(guest))
        return json_response({"challenge": made.id}, 201)

    async def show(self, request: web.Request) -> web.Response:
        """Return how a challenge stands."""
        found = await self._lobby.challenges.find(request.match_info["challenge"])
        if found is None:
            raise Refused(Message("no_such_challenge"))
        return json_response({"challenge": found.id, "bot": found.bot, "table": found.table, "status": found.status})

    async def _online(self, id: str) -> OnlineBot:
        for bot in await self._lobby.bot_accounts.online():
            if bot.account.id == id:
                return bot
        raise Refused(Message("bot_offline"))

    def _check_table(self, table: Table, bot: OnlineBot, challenger: str) -> None:
        """Refuse a challenge that the bot could not accept."""
        state = table.state
        if challenger == bot.account.guest:
            raise Refused(Message("own_challenge"))
        if state.game.name not in bot.games:
            raise Refused(Message("bot_other_games", {"name": bot.account.name, "games": ", ".join(bot.games)}))
        if state.status != WAITING or all(seat.kind != OPEN for seat in state.seats):
            raise Refused(Message("table_full"))

    # --- for bots -----------------------------------------------------------------------------------------------------

    async def account(self, request: web.Request) -> web.Response:
        """Return the account of the token."""
        bot = _signed_in(request)
        return json_response({"bot": bot.id, "name": bot.name})

    async def events(self, request: web.Request) -> web.Response:
        """Return the challenges to a bot as soon as there is a new one; meanwhile the bot is online."""
        bot = _signed_in(request)
        wanted = wire.decode_events(await read_body(request))
        for game in wanted.games:
            games.named(game)  # raises UnknownGame
        await self._lobby.bot_accounts.mark_seen(bot, wanted.games)
        found = await self._lobby.challenges.wait(bot.id, wanted.known, wanted.wait, self._stands)
        listed = [shown for one in found if (shown := await self._shown(one)) is not None]
        return json_response({"challenges": listed})

    async def _stands(self, challenge: Challenge) -> bool:
        """Return whether the challenger still sits at the table."""
        return await self._shown(challenge) is not None

    async def _shown(self, challenge: Challenge) -> dict[str, Any] | None:
        """Return a challenge as its bot sees it, None if the table does not exist any more."""
        try:
            table = await self._lobby.find(challenge.table)
        except GramyError:
            return None
        seat = next((seat for seat in table.state.seats if _is(seat.guest, challenge)), None)
        if seat is None:
            return None
        by = {"name": seat.name, "bot_account": seat.bot_account}
        return {"challenge": challenge.id, "by": by, "table": table.summary()}

    async def stop(self, request: web.Request) -> web.Response:
        """Let a bot be offline at once."""
        await self._lobby.bot_accounts.mark_gone(_signed_in(request))
        return web.Response(status=204)

    async def accept(self, request: web.Request) -> web.Response:
        """Let a bot sit down at the table that it was challenged to."""
        bot, id = _signed_in(request), request.match_info["challenge"]
        found = await self._lobby.challenges.find(id)
        if found is None or found.bot != bot.id:
            raise Refused(Message("no_such_challenge"))
        table = await self._lobby.find(found.table)
        if found.status != ASKED or not any(_is(seat.guest, found) for seat in table.state.seats):
            raise Refused(Message("challenge_over"))
        return await self._tables.sit_down(request, found.table, wire.JoinTable(name=bot.name))

    async def decline(self, request: web.Request) -> web.Response:
        bot = _signed_in(request)
        await self._lobby.challenges.answer(request.match_info["challenge"], bot.id, DECLINED)
        return web.Response(status=204)


def _is(guest: str | None, challenge: Challenge) -> bool:
    """Return whether a guest has made a challenge."""
    return guest is not None and guest_mark(guest) == challenge.challenger


def _signed_in(request: web.Request) -> BotAccount:
    """Return the bot account of a request; raises NotABot."""
    if (bot := bot_of(request)) is None:
        raise NotABot(Message("bot_token_needed"))
    return bot
