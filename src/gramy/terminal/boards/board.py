"""What every board of the application can do: draw a scene, and turn keys and clicks into moves.

A board knows no rules: the scene has the legal moves, what they do, and why others are illegal.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from gramy.analysis import Advice
from gramy.contract import DEALER, START
from gramy.messages import Event, Message, Reason
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.scene import LogRow, Scene
from gramy.terminal.words import Words

USED = ""
"""What `press` and `click` return when they have used the key or the click, and there is no move to play."""
SILENT = frozenset({"dealt", "chose"})
"""Events that the log leaves out: the sentence on the move before says the same, or the board does."""


LITTLE_TIME = 20
"""The seconds on the clock below which a player is warned."""


class Action(NamedTuple):
    """Something to do now, with its key; `name` is what `press` and `click` take."""

    key: str
    name: str
    label: str
    enabled: bool = True


class GameBoard(ABC):
    """The board of one game. `hinted` is the move that a hint proposes."""

    def __init__(self, scene: Scene, language: str) -> None:
        self.language = language
        self.hinted: str | None = None
        self.advice: Advice | None = None
        self.show(scene)

    def show(self, scene: Scene) -> None:
        """Show a new scene. What the person has chosen stays where it still makes sense."""
        self.scene = scene
        self.words = Words(scene.game, scene.names, self.language)
        moves = scene.view.moves if scene.view else ()
        if self.hinted not in moves:
            self.hinted = self.advice = None

    def hint(self, advice: Advice) -> None:
        """Show advice on the board."""
        self.advice, self.hinted = advice, advice.best

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the board."""

    @abstractmethod
    def press(self, key: str) -> str | None:
        """Use a key: return the move to play, USED, or None for a key that means nothing here."""

    @abstractmethod
    def click(self, region: str) -> str | None:
        """Use a click on a region, as `press` does with a key."""

    @abstractmethod
    def prompt(self) -> str:
        """Return the sentence that says what the table waits for."""

    @abstractmethod
    def actions(self) -> list[Action]:
        """Return what can be done now besides choosing a card."""

    @abstractmethod
    def keys(self) -> list[tuple[str, str]]:
        """Return the keys of this board, each with what it does."""

    @abstractmethod
    def describe_move(self, move: str) -> str:
        """Return a move in words."""

    def in_words(self, event: Event) -> Message:
        """Return an event without codes."""
        return event

    def board_message(self, key: str, **values: Any) -> Message:
        """Return a message of the game's catalogue."""
        return Message(key, values, self.scene.game)

    def refusal(self, reason: Message) -> str:
        """Return why a move was refused, in words."""
        return self.words.say(self.in_words(reason))

    def explanation(self, reason: Reason | None) -> str:
        """Return why a move is advised, in words; nothing without a reason."""
        return self.words.say(self.in_words(reason)) if reason is not None else ""

    def log_lines(self, row: LogRow) -> list[str]:
        """Return the sentences of a line of the log."""
        return [self.words.say(self.in_words(event)) for event in row.events if event.key not in SILENT]

    def draws_reveal(self, row: LogRow) -> bool:
        """Return whether a line of the log shows hidden cards that people want to look at."""
        return False

    def draw_reveal(self, row: LogRow, canvas: Canvas) -> None:
        """Draw what a line of the log has revealed; by default its sentences."""
        for y, sentence in enumerate(self.log_lines(row), 1):
            canvas.centre(0, y, canvas.width, sentence)

    def headline(self) -> str:
        """Return the headline of a finished match."""
        view = self.scene.view
        assert view is not None
        outcome = view.outcome
        if outcome is None or (not outcome.winners and outcome.key == "abandoned"):
            return self.words.web("match_over_title")
        if view.seat is None:
            return self.words.web("match_over_title")
        return self.words.web("you_won" if view.seat in outcome.winners else "you_lost")

    def result(self) -> str:
        """Return the sentence that says how a match ended."""
        view = self.scene.view
        if view is None or view.outcome is None:
            return ""
        outcome = view.outcome
        winner = {"winner": outcome.winners[0]} if len(outcome.winners) == 1 else {}
        return self.words.board(outcome.key, **{**outcome.values, **winner})

    # --- parts that boards share --------------------------------------------------------------------------------------

    def seat_mark(self, seat: int) -> tuple[str, str]:
        """Return the sign before a name and its style: ★ for a winner, ▸ for a seat that must act."""
        view = self.scene.view
        if view and view.outcome:
            return ("★ ", "good") if seat in view.outcome.winners else ("  ", "")
        if seat in self.scene.thinking:
            return "… ", "accent"
        return ("▸ ", "accent") if view and seat in view.to_act else ("  ", "")

    def draw_seat(self, canvas: Canvas, x: int, y: int, seat: int, columns: int = 18) -> int:
        """Write a player's sign and name; return the column after them."""
        sign, style = self.seat_mark(seat)
        canvas.put(x, y, sign, style)
        own, clock = seat == self.scene.seat, self.scene.clock
        seconds = clock.seconds(seat, time.monotonic()) if clock else 0
        left = f"{minutes(seconds)} " if clock else ""
        name = self.words.name(seat, columns - 2 - len(left))
        canvas.put(x + 2, y, name, "accent" if own else "bold")
        canvas.put(x + columns - len(left), y, left, "bad" if seconds < LITTLE_TIME else "dim")
        return x + columns

    def start_actions(self) -> list[Action]:
        """Return the actions while the players agree on who starts."""
        actions = [Action("S", START, self.words.board("board_start"))]
        if self.scene.may_pass:
            actions.append(Action("P", "pass", self.words.words("leave_start")))
        return actions

    @property
    def is_starting(self) -> bool:
        """Whether this person may take the start."""
        return self.scene.view is not None and START in self.scene.view.moves

    def waiting_seat(self) -> int | None:
        """Return the player whom the table waits for, None while the dealer deals."""
        to_act = self.scene.view.to_act if self.scene.view else ()
        return next((seat for seat in to_act if seat != DEALER), None)


def minutes(seconds: int) -> str:
    """Return seconds as a clock shows them: 4:05."""
    return f"{seconds // 60}:{seconds % 60:02}"


def cards_back(number: int) -> str:
    """Return a number of face-down cards."""
    return "▮" * number or "–"


def below(area: Area, rows: int = 1) -> Area:
    """Return the rows under a rectangle."""
    return Area(area.x, area.y + area.height, area.width, rows)
