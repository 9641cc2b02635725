"""The page of a running match: title, board, log, prompt and actions; and what a table asks for from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

from gramy.analysis import Advice
from gramy.bots import LEVELS
from gramy.drawing.pen import cut, width
from gramy.messages import Message
from gramy.terminal.boards import board_for
from gramy.terminal.boards.board import Action, GameBoard
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.pages.absence import absence_actions, absence_words, clock_warning, vote_of
from gramy.terminal.pages.dialogs import HandOverPage, KeysPage, ResultPage, RevealPage, RulesPage
from gramy.terminal.pages.log import draw_log
from gramy.terminal.pages.page import Desk, Page, draw_actions
from gramy.terminal.pages.room import draw_room, room_actions
from gramy.terminal.pages.talk import TalkPage
from gramy.terminal.scene import LogRow, Scene, TableSource
from gramy.terminal.words import Words

SMALL_LOG, LARGE_LOG = 27, 40
WIDE = 104
"""The columns from which the log gets more room."""


class TablePage(Page):
    """A table at which the person at the screen plays, or watches."""

    def __init__(
        self, desk: Desk, source: TableSource, replay: Callable[[], None] | None = None, key_guard: float = 0.0
    ) -> None:
        super().__init__(desk)
        self.source, self.replay, self._key_guard = source, replay, key_guard
        self.scene = source.scene
        self.board: GameBoard | None = None
        self._seen = len(self.scene.log)
        self._reveals: list[LogRow] = []
        self._last_reveal: LogRow | None = None
        self._is_result_shown = False
        self._message, self._style = "", "bad"
        self._back = 0
        self._level = next(iter(LEVELS))
        self._show()

    @property
    def words(self) -> Words:
        """The texts of this table."""
        return Words(self.scene.game, self.scene.names, self.desk.language)

    # --- following the table ------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Show the newest scene; open the page that it calls for."""
        before = self.scene
        self.scene = self.source.scene
        if len(self.scene.log) < self._seen:  # a new match
            self._seen, self._is_result_shown, self._last_reveal = 0, False, None
            self.board = None
        self._show()
        fresh = self.scene.log[self._seen :]
        if self.board is not None:
            self._reveals += [row for row in fresh if self.board.draws_reveal(row)]
        self._seen = len(self.scene.log)
        if fresh or before.seat != self.scene.seat:
            self._back = 0
        mine = any(row.seat == self.scene.seat for row in fresh)
        if mine or before.is_to_act != self.scene.is_to_act or (fresh and not self.scene.is_to_act):
            self._message = ""  # it was about the situation before
        self._open_next()
        self.desk.repaint()

    def _show(self) -> None:
        if self.scene.view is None:
            self.board = None
        elif self.board is None:
            self.board = board_for(self.scene, self.desk.language)
        else:
            self.board.show(self.scene)

    def _open_next(self) -> None:
        """Open what has to be seen next: a reveal, the hand-over, the result."""
        if isinstance(self.desk.top, HandOverPage | RevealPage | ResultPage) or self.board is None:
            return
        if self._reveals:
            self._last_reveal = self._reveals.pop(0)
            self.desk.open(RevealPage(self.desk, self.board, self._last_reveal, self._open_next))
        elif self.scene.next_person is not None:
            person = self.scene.next_person
            self.desk.open(HandOverPage(self.desk, self.words, person, self._take_keyboard, self._key_guard))
        elif self.scene.view is not None and self.scene.view.outcome and not self._is_result_shown:
            self._is_result_shown = True
            self.desk.open(ResultPage(self.desk, self.board, self._after_the_end()))

    def _take_keyboard(self) -> None:
        self._message = ""
        self.source.take_keyboard()

    def _after_the_end(self) -> list[tuple[Action, Callable[[], None]]]:
        choices: list[tuple[Action, Callable[[], None]]] = []
        if self.scene.seat is not None or self.scene.next_person is None:
            choices.append((Action("N", "n", self.words.web("rematch")), self._rematch))
        if self.replay is not None:
            choices.append((Action("R", "r", self.words.web("to_replay")), self.replay))
        choices.append((Action("Esc", "escape", self.words.web("show_table")), self._close_result))
        return [*choices, (Action("Q", "q", self.words.words("quit")), self.desk.leave)]

    def _close_result(self) -> None:
        self.desk.close(self.desk.top)

    def _rematch(self) -> None:
        if isinstance(self.desk.top, ResultPage):
            self.desk.close(self.desk.top)
        self.desk.run_soon(self._do(self.source.rematch()))

    # --- keys and clicks ----------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        if key == "q":
            return self.desk.leave()
        if key == "l":
            return self.desk.toggle_light()
        if key in ("pageup", "pagedown"):
            return self.scroll(-8 if key == "pageup" else 8)
        if self.board is None:
            if key == "b":
                self.desk.run_soon(self._do(self.source.start(self._level)))
            elif key in ("left", "right"):
                levels, step = list(LEVELS), 1 if key == "right" else -1
                self._level = levels[(levels.index(self._level) + step) % len(levels)]
            return None
        if any(key == action.name for action in absence_actions(self.words, self.scene)):
            return self._vote(key)
        if key in ("?", "f1"):
            return self.desk.open(KeysPage(self.desk, self.words, self._keys(self.board)))
        move = self.board.press(key)
        if move is not None:
            return self._send(move)
        return self._command(key, self.board)

    def _command(self, key: str, board: GameBoard) -> None:
        """Use a key that all boards share."""
        if key == "u":
            self.desk.run_soon(self._do(self.source.undo()))
        elif key == "h":
            self.desk.run_soon(self._hint(board))
        elif key == "p" and board.is_starting:
            self.desk.run_soon(self._do(self.source.leave_start()))
        elif key == "t" and self.scene.phrases and not self._is_over:
            choice = getattr(board, "phrasebook", None)
            if choice is not None:
                self.desk.open(TalkPage(self.desk, self.words, choice, self._say))
        elif key == "r":
            self.desk.open(RulesPage(self.desk, self.words))
        elif key == "v" and self._last_reveal is not None:
            self.desk.open(RevealPage(self.desk, board, self._last_reveal, self._open_next))
        elif self._is_over and key in ("enter", "n"):
            if key == "n":
                self._rematch()
            else:
                self.desk.open(ResultPage(self.desk, board, self._after_the_end()))

    def click(self, region: str) -> None:
        kind, _, name = region.partition(":")
        if kind == "action":
            keys = {"undo": "u", "end": "e", "start": "s", "pass": "p"}
            return self.press(keys.get(name, name))
        if kind == "line" or self.board is None:
            return None
        move = self.board.click(region)
        if move is not None:
            self._send(move)
        return None

    def scroll(self, lines: int) -> None:
        self._back = max(0, self._back - lines)

    def _send(self, move: str) -> None:
        self._message = ""
        if move:
            self.desk.run_soon(self._do(self.source.play(move)))

    def _vote(self, key: str) -> None:
        assert self.scene.absence is not None
        self.desk.run_soon(self._do(self.source.vote(self.scene.absence.seat, vote_of(self.scene, key))))

    def _say(self, phrase: str) -> None:
        self.desk.run_soon(self._do(self.source.say(phrase)))

    async def _do(self, command: Coroutine[Any, Any, Message | None]) -> None:
        refusal = await command
        if refusal is not None:
            self._message, self._style = self._sentence(refusal), "bad"

    def _sentence(self, message: Message) -> str:
        return self.board.refusal(message) if self.board else self.words.say(message)

    async def _hint(self, board: GameBoard) -> None:
        self._message, self._style = self.words.web("hint_thinking"), "dim"
        self.desk.repaint()
        asked = self.scene.seat, len(self.scene.log)
        advice = await self.source.hint()
        if asked != (self.scene.seat, len(self.scene.log)):  # it is about a turn that is over, or of somebody else
            if self._message == self.words.web("hint_thinking"):
                self._message = ""
            return
        if isinstance(advice, Advice):
            board.hint(advice)
            words = self.words.web(
                "hint_says", move=board.describe_move(advice.best), chance=self.words.percent(advice.chance)
            )
            reason = board.explanation(advice.reason)
            self._message, self._style = f"{words}. {reason}" if reason else words, "good"
        else:
            self._message, self._style = self._sentence(advice), "bad"

    # --- drawing ------------------------------------------------------------------------------------------------------

    @property
    def _is_over(self) -> bool:
        return self.scene.view is not None and self.scene.view.outcome is not None

    def draw(self, canvas: Canvas) -> None:
        draw_title(canvas, self.words, self.scene, self._turn())
        log_width = LARGE_LOG if canvas.width >= WIDE else SMALL_LOG
        body = canvas.height - 5
        board_canvas = Canvas(canvas.width - log_width - 2, body)
        if self.board is None:
            draw_room(board_canvas, self.words, self.scene, self._level)
        else:
            self.board.draw(board_canvas)
            log = Canvas(log_width, body)
            self._back = min(self._back, draw_log(log, self.board, self._back))
            canvas.paste(log, canvas.width - log_width, 1)
        canvas.paste(board_canvas, 0, 1)
        for row in range(1, body + 1):
            canvas.put(canvas.width - log_width - 2, row, "│", "faint")
        self._prompt(canvas, body + 1)
        draw_actions(canvas, canvas.height - 1, self._actions())

    def _turn(self) -> str:
        """Return what the title says about the turn."""
        if self._is_over:
            return self.words.web("prompt_over")
        if self.scene.is_to_act:
            return f"▸ {self.words.web('prompt_you')}"
        if self.scene.thinking:
            return f"{self.words.name(self.scene.thinking[0])} {self.words.web('thinking')}"
        return ""

    def _prompt(self, canvas: Canvas, y: int) -> None:
        mine = self.scene.is_to_act and not self._is_over
        prompt = self.board.prompt() if self.board else ""
        canvas.put(1, y, cut(prompt, canvas.width - 2), "accent" if mine else "")
        words, style = self._message, self._style
        if not words:
            words, style = self._news(), "bad"
        canvas.paragraph(Area(1, y + 1, canvas.width - 2, 2), words, style)

    def _news(self) -> str:
        """Return what the table has to say besides the prompt: what is wrong, little time, somebody who is away."""
        if self.scene.notice is not None:
            return self.words.say(self.scene.notice)
        now = time.monotonic()
        return clock_warning(self.words, self.scene, now) or absence_words(self.words, self.scene, now)

    @property
    def ticks(self) -> bool:
        return self.scene.clock is not None or self.scene.absence is not None

    def _actions(self) -> list[Action]:
        words = self.words
        if self.board is None:
            return [*room_actions(words, self.scene), Action("Q", "q", words.words("quit"))]
        actions = [*absence_actions(words, self.scene), *self.board.actions()]
        if self._is_over:
            actions.append(Action("N", "n", words.web("rematch")))
        if self.scene.hints and self.scene.is_to_act and not self.board.is_starting:
            actions.append(Action("H", "h", words.web("hint")))
        if self.scene.phrases and not self._is_over:
            actions.append(Action("T", "t", words.words("talk")))
        return [*actions, Action("?", "?", words.web("keys")), Action("Q", "q", words.words("quit"))]

    def _keys(self, board: GameBoard) -> list[tuple[str, str]]:
        words = self.words
        common = [
            ("H", words.web("key_hint")),
            ("R", words.web("rules")),
            ("L", words.words("key_light")),
            ("PgUp PgDn", words.words("key_log")),
            ("?", words.web("key_help")),
            ("Q", words.words("key_quit")),
        ]
        return [*board.keys(), *common]


def draw_title(canvas: Canvas, words: Words, scene: Scene, right: str) -> None:
    """Write the first row: the game, the variants in force, and whose turn it is."""
    canvas.fill(Area(0, 0, canvas.width, 1), "bar")
    x = canvas.put(1, 0, words.title, "bar.bold") + 2
    room = canvas.width - x - width(right) - 3
    variants = [variant_words(words, scene, option) for option in scene.variants]
    canvas.put(x, 0, cut(" · ".join(variants), room) if variants and room > 6 else "", "bar.dim")
    canvas.put(canvas.width - width(right) - 1, 0, right, "bar.key")


def variant_words(words: Words, scene: Scene, option: str) -> str:
    """Return a variant in words, with its value unless that is `on`."""
    name = words.web("variant", option=option)
    value = str(scene.view.options[option]) if scene.view else "on"
    return name if value == "on" else f"{name}: {words.web('variant_value', value=value)}"
