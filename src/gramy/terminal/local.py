"""A table in this process: people share one keyboard, and bots think in a thread."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from gramy.analysis import Advice, advise
from gramy.bots import Bot, ahead, bot
from gramy.bots.protocol import keenest
from gramy.contract import START, Game, View
from gramy.errors import BadOptions, GramyError
from gramy.matches import Entry, Match, ShuffledDealer, as_read
from gramy.messages import Event, Message
from gramy.terminal.files import write_private
from gramy.terminal.scene import LogRow, Scene

BUDGET, PLAIN_BUDGET = 0.5, 0.1
"""Seconds that a bot may think about a move: by compiled and by plain functions."""
HINT_BUDGET = 1.0
PAUSE = 0.7
"""Seconds between the moves of bots, so that people can follow them."""
KEY_GUARD = 0.7
"""Seconds in which a hand-over ignores keys: a repeated Enter must not show the next person's hand."""


@dataclass(frozen=True)
class LocalSettings:
    """Who plays what: people in the first seats, bots of a level in the others. The match is saved in `file`."""

    game: Game
    names: tuple[str, ...]
    people: int = 1
    level: str = "easy"
    pause: float = PAUSE
    key_guard: float = KEY_GUARD
    file: Path | None = None


class LocalTable:
    """A match at one keyboard. `seat` is the person at the screen, None while the keyboard is handed over."""

    def __init__(self, settings: LocalSettings, rng: random.Random, match: Match | None = None) -> None:
        game, people = settings.game, settings.people
        if not 1 <= people <= game.players:
            raise BadOptions(Message("people_number", {"people": people, "players": game.players}, "terminal"))
        self.settings = settings
        self._bot: Bot = bot(game.name, settings.level)
        self._bots = frozenset(range(people, game.players))
        self._dealing, self._thinking = random.Random(rng.getrandbits(64)), random.Random(rng.getrandbits(64))
        self._advising = random.Random(rng.getrandbits(64))
        self._wake = asyncio.Event()
        self._changed: Callable[[], None] = lambda: None
        self._begin(match)

    def _begin(self, match: Match | None) -> None:
        dealer = ShuffledDealer(self._dealing)
        self.match = match.dealt_by(dealer) if match else Match(self.settings.game, dealer, self.settings.names)
        self.seat: int | None = 0 if self.settings.people == 1 else None
        self._next_person: int | None = None
        self._passed: set[int] = set()  # the people who leave the start to the others
        self._greeted = False  # whether the bots have talked about the start
        self._bot_at_work: int | None = None
        self._notice: Message | None = None
        self._settle()

    # --- what is shown ------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """What the person at the screen may see now; nothing hidden while the keyboard is handed over."""
        match, game, seat = self.match, self.settings.game, self.seat
        acting = seat is not None and seat in match.to_act
        return Scene(
            game=game.name,
            names=match.names,
            view=match.view(seat),
            log=log_rows(match, seat),
            effects=game.effects(match.state, seat) if acting and seat is not None else {},
            refusals=game.refusals(match.state, seat) if acting and seat is not None else {},
            phrases=game.phrases() if seat is not None else (),
            variants=game.variants,
            bots=self._bots,
            thinking=() if self._bot_at_work is None else (self._bot_at_work,),
            next_person=self._next_person,
            may_pass=match.agreeing and game.players > 1,
            hints=self._allows_hints,
            notice=self._notice,
        )

    @property
    def _allows_hints(self) -> bool:
        """Whether no person at the keyboard plays against another."""
        return self.settings.people == 1 or self.settings.game.rules.COOPERATIVE

    # --- commands -----------------------------------------------------------------------------------------------------

    async def play(self, move: str) -> Message | None:
        return self._command(lambda seat: self.match.play(move, seat))

    async def undo(self) -> Message | None:
        return self._command(self.match.undo)

    async def say(self, phrase: str) -> Message | None:
        return self._command(lambda seat: self.match.say(phrase, seat))

    async def leave_start(self) -> Message | None:
        if self.match.agreeing and self.seat is not None:
            self._passed.add(self.seat)
            self._settle()
        return None

    async def hint(self) -> Advice | Message:
        if self.seat is None or self.seat not in self.match.to_act or not self._allows_hints or self.match.agreeing:
            return Message("no_hints_now")
        view, history = self.match.view(self.seat), self.match.history(self.seat)
        try:
            return await asyncio.to_thread(advice_for, view, history, self._advising)
        except GramyError as error:
            return error.message

    async def rematch(self) -> Message | None:
        if self.match.outcome is None:
            return Message("match_not_over")
        self._begin(None)
        return None

    async def start(self, level: str) -> Message | None:
        return None  # a table at one keyboard has no waiting room

    async def vote(self, seat: int, choice: str | None) -> Message | None:
        return None  # and nobody is away from it

    def take_keyboard(self) -> None:
        self.seat, self._next_person = self._next_person, None
        self._settle()

    def save(self, path: Path) -> None:
        """Write the match to a file; raises BadOptions when that fails."""
        write_private(path, self.match)

    def _command(self, act: Callable[[int], Sequence[object]]) -> Message | None:
        if self.seat is None:
            return Message("not_your_turn", {"to_act": self.match.to_act})
        try:
            act(self.seat)
        except GramyError as error:
            return error.message
        self._settle()
        return None

    # --- the course of a match ----------------------------------------------------------------------------------------

    async def run(self, changed: Callable[[], None]) -> None:
        """Let the bots play whenever it is their turn."""
        self._changed = changed
        while True:
            seat = self._bot_to_act()
            if seat is None:
                self._wake.clear()
                await self._wake.wait()
            elif self.match.agreeing:
                await self._start_by_bot()
            else:
                await self._move_bot(seat)

    def _bot_to_act(self) -> int | None:
        """Return a bot that must act now; while the players agree on who starts, only after all people have passed."""
        if self.match.agreeing and self._greeted and self._people_to_act():
            return None
        return next((seat for seat in self.match.to_act if seat in self._bots), None)

    def _people_to_act(self) -> list[int]:
        people = [seat for seat in self.match.to_act if seat < self.settings.people]
        return [seat for seat in people if not (self.match.agreeing and seat in self._passed)]

    async def _start_by_bot(self) -> None:
        """Let the bots say what they think of the start; once everybody has passed, the keenest one starts."""
        if not self._greeted:
            self._greeted = True
            for seat in sorted(self._bots):
                await self._talk(seat)
        elif not self._people_to_act():
            start_by_keenest(self.match, self._bot, self._bots, self._thinking)
        self._settle()

    async def _move_bot(self, seat: int) -> None:
        self._bot_at_work = seat
        self._changed()
        began = time.monotonic()
        await self._talk(seat)
        match = self.match
        view, history = match.view(seat), match.history(seat)
        move = await asyncio.to_thread(bot_move, self._bot, view, history, self._thinking)
        await asyncio.sleep(max(0.0, self.settings.pause - (time.monotonic() - began)))
        self._bot_at_work = None
        if match is self.match:  # no rematch has begun meanwhile
            match.play(move, seat)
        self._settle()

    async def _talk(self, seat: int) -> None:
        view, history = self.match.view(seat), self.match.history(seat)
        for phrase in await asyncio.to_thread(self._bot.say, view, history, self._thinking):
            self.match.say(phrase, seat)

    def _settle(self) -> None:
        """After a change: find out who must take the keyboard, save, and report."""
        waiting = self._people_to_act()
        if not waiting and self.match.agreeing and not self._bots:
            self._passed.clear()  # everybody has passed, and there is no bot: ask again
            waiting = self._people_to_act()
        if self.settings.people > 1 and self._bot_to_act() is None:
            if self.match.outcome is not None:
                self.seat = self._next_person = None
            elif waiting and self.seat not in waiting:
                self.seat, self._next_person = None, _following(self.seat, waiting)
        self._save()
        self._wake.set()
        self._changed()

    def _save(self) -> None:
        """Save the match; a failure is shown and does not stop the match."""
        self._notice = None
        try:
            if self.settings.file is not None:
                write_private(self.settings.file, self.match)
        except GramyError as error:
            self._notice = error.message


def _following(seat: int | None, waiting: Sequence[int]) -> int:
    """Return who sits down next: clockwise from the person at the screen."""
    return next((one for one in waiting if seat is not None and one > seat), waiting[0])


def log_rows(match: Match, seat: int | None) -> tuple[LogRow, ...]:
    """Return the log as a seat may read it."""
    return tuple(
        LogRow(entry.seat, as_read(entry, seat).text, events)
        for entry, events in zip(match.log, match.events_by_line, strict=True)
    )


def start_by_keenest(match: Match, player: Bot, seats: Collection[int], rng: random.Random) -> Sequence[Event]:
    """Let the bot that is keenest on the start take it; return the events."""
    views = {seat: (match.view(seat), match.history(seat)) for seat in sorted(seats)}
    eagerness = {seat: player.eagerness(*views[seat], rng) for seat in views}
    return match.play(START, keenest(eagerness, rng))


def bot_move(player: Bot, view: View, history: tuple[Entry, ...], rng: random.Random) -> str:
    """Return a bot's move; a program that is still being compiled is not waited for."""
    with ahead.without_waiting(view.game, time.monotonic()) as compiled:
        return player.choose(view, history, rng, BUDGET if compiled else PLAIN_BUDGET)


def advice_for(view: View, history: tuple[Entry, ...], rng: random.Random) -> Advice:
    """Return advice for a seat, without waiting for the compiler either."""
    with ahead.without_waiting(view.game, time.monotonic()):
        return advise(view, history, rng, HINT_BUDGET)
