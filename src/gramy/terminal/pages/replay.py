"""The replay of a recorded match: step by step, from any seat's point of view."""

from __future__ import annotations

import asyncio
import time

from gramy.analysis import Decision, DecisionPoint, adviser, decision_points, evaluate_decision
from gramy.bots import ahead
from gramy.matches import Match
from gramy.terminal.boards import board_for
from gramy.terminal.boards.board import Action
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.local import log_rows
from gramy.terminal.pages.dialogs import KeysPage, RulesPage
from gramy.terminal.pages.log import draw_log
from gramy.terminal.pages.page import Desk, Page, draw_actions
from gramy.terminal.pages.table import LARGE_LOG, SMALL_LOG, WIDE, draw_title
from gramy.terminal.scene import Scene
from gramy.terminal.words import Words
from gramy.text import word

BUDGET = 1.0
"""Seconds for the evaluation of one move."""
STEPS = {"left": -1, "right": 1, "up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}


class ReplayPage(Page):
    """A match after `line` lines of its log, as `seat` saw it (None: a spectator)."""

    def __init__(self, desk: Desk, match: Match, seat: int | None = 0, line: int | None = None) -> None:
        super().__init__(desk)
        names = match.names or tuple(word("seat", one, desk.language, ()) for one in range(match.game.players))
        self.match, self.seat = match.named(names), seat
        self.line = len(match.log) if line is None else line
        self._typed = ""
        self._go(0)

    @property
    def words(self) -> Words:
        """The texts of this match."""
        return Words(self.match.game.name, self.match.names, self.desk.language)

    def _go(self, steps: int) -> None:
        """Go some lines further, and show the match as it was then."""
        self.line = max(0, min(len(self.match.log), self.line + steps))
        self._verdict = ""
        then = self.match.at(self.line)
        scene = Scene(
            game=then.game.name,
            names=self.match.names,
            view=then.view(self.seat),
            log=log_rows(then, self.seat),
            variants=then.game.variants,
        )
        self.scene = scene
        self.board = board_for(scene, self.desk.language)

    def press(self, key: str) -> None:
        typed, self._typed = self._typed, ""
        if key.isdigit():
            self._typed = (typed + key)[:4]
        elif key == "enter" and typed:
            self._go(int(typed) - self.line)
        elif key in STEPS:
            self._go(STEPS[key])
        elif key == "a":
            self.desk.run_soon(self._judge())
        elif key == "v":
            seats = [*range(self.match.game.players), None]
            self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
            self._go(0)
        elif key == "r":
            self.desk.open(RulesPage(self.desk, self.words))
        elif key == "l":
            self.desk.toggle_light()
        elif key in ("?", "f1"):
            self.desk.open(KeysPage(self.desk, self.words, self._keys()))
        elif key in ("q", "escape"):
            self.desk.close(self)
            if not getattr(self.desk, "pages", ()):
                self.desk.leave()

    async def _judge(self) -> None:
        """Say what the move just made was worth, from what its player knew then."""
        points = (point for point in decision_points(self.match) if point.line == self.line)
        point = next(points, None)
        if point is None:
            self._verdict = self.words.words("no_decision")
            return
        self._verdict = self.words.web("hint_thinking")
        self.desk.repaint()
        found = await asyncio.to_thread(_evaluated, point)
        if found.line == self.line:
            values = {"chance": found.chance, "best": found.best_chance, "cost": found.cost}
            percents = {name: self.words.percent(value) for name, value in values.items()}
            mark = found.mark or ("small" if found.cost >= 0.01 else "best")
            better = self.board.describe_move(found.best)
            verdict = self.words.web("verdict", mark=mark, move=better, **percents)
            reason = self.board.explanation(found.reason)
            self._verdict = f"{verdict}. {reason}" if reason else verdict

    def click(self, region: str) -> None:
        kind, _, name = region.partition(":")
        if kind == "line":
            self._go(int(name) + 1 - self.line)
        elif kind == "action":
            self.press(name)

    def scroll(self, lines: int) -> None:
        self._go(1 if lines > 0 else -1)

    def _keys(self) -> list[tuple[str, str]]:
        web, words = self.words.web, self.words.words
        return [
            ("←", web("step_back")),
            ("→", web("step_on")),
            ("Home", web("step_first")),
            ("End", web("step_last")),
            ("PgUp PgDn", words("key_ten_steps")),
            ("12 Enter", words("key_jump")),
            ("V", web("point_of_view")),
            ("A", words("key_analyse")),
            ("R", web("rules")),
            ("L", words("key_light")),
            ("Q", words("key_quit")),
        ]

    def draw(self, canvas: Canvas) -> None:
        words = self.words
        of = words.web("step_label", number=self.line, all=len(self.match.log))
        draw_title(canvas, words, self.scene, words.web("replay"))
        log_width = LARGE_LOG if canvas.width >= WIDE else SMALL_LOG
        body = canvas.height - 5
        board_canvas, log = Canvas(canvas.width - log_width - 2, body), Canvas(log_width, body)
        self.board.draw(board_canvas)
        draw_log(log, self.board, 0, log_rows(self.match, self.seat), self.line)
        canvas.paste(board_canvas, 0, 1)
        canvas.paste(log, canvas.width - log_width, 1)
        for row in range(1, body + 1):
            canvas.put(canvas.width - log_width - 2, row, "│", "faint")
        y = body + 1
        canvas.put(1, y, of, "accent")
        who = words.names[self.seat] if self.seat is not None else words.words("spectator")
        canvas.put(24, y, f"{words.web('point_of_view')}: {who}", "")
        if self._typed:
            canvas.put(60, y, words.words("jump_to", number=self._typed), "accent")
        columns = canvas.width - 2
        done = self.line * columns // max(1, len(self.match.log))
        canvas.put(1, y + 1, "━" * done, "accent")
        canvas.put(1 + done, y + 1, "─" * (columns - done), "faint")
        canvas.paragraph(Area(1, y + 2, columns, 1), self.board.result(), "good")
        if self._verdict:  # with its reason it needs the rows of the bar and of the result
            canvas.fill(Area(1, y + 1, columns, 2), "")
            canvas.paragraph(Area(1, y + 1, columns, 2), self._verdict, "good")
        actions = [
            Action("←", "left", words.words("back")),
            Action("→", "right", words.words("forward")),
            Action("Home", "home", words.words("first")),
            Action("End", "end", words.words("last")),
            Action("V", "v", words.web("point_of_view")),
            Action("A", "a", words.web("analyse")),
            Action("?", "?", words.web("keys")),
            Action("Q", "q", words.words("quit")),
        ]
        draw_actions(canvas, canvas.height - 1, actions)


def _evaluated(point: DecisionPoint) -> Decision:
    """Evaluate a decision, without waiting for the compiler."""
    with ahead.without_waiting(point.view.game, time.monotonic()):
        return evaluate_decision(BUDGET, 0, adviser(point.view.game), point)
