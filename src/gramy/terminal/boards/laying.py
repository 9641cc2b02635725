"""Boards on which cards of the hand are laid on piles: choosing a card, then a pile, by keys or the mouse."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from gramy.analysis import Advice
from gramy.contract import START
from gramy.messages import Message
from gramy.terminal.boards.board import USED, Action, GameBoard
from gramy.terminal.canvas import HEAVY, LIGHT, Area, Canvas, Frame
from gramy.terminal.scene import Scene

END = "end"


class Prospect(NamedTuple):
    """What laying the picked card on a pile would do, or why it is refused: a style, a short sign and words."""

    style: str
    sign: str
    words: str

    @property
    def text(self) -> str:
        """The sign and the words."""
        return f"{self.sign} {self.words}".strip()


class LayingBoard(GameBoard):
    """A hand, and piles in the order of their number keys, in rows of two."""

    PILES: tuple[str, ...] = ()

    def __init__(self, scene: Scene, language: str) -> None:
        self._cursor = 0
        self._pile = 0
        self._picked: str | None = None
        super().__init__(scene, language)

    def show(self, scene: Scene) -> None:
        super().show(scene)
        hand = self.hand()
        self._cursor = min(self._cursor, max(len(hand) - 1, 0))
        if self._picked not in hand or not scene.is_to_act:
            self._picked = None

    def hint(self, advice: Advice) -> None:
        """Show advice; the cursor goes to its card, so that a number key does not lay another one."""
        super().hint(advice)
        card = advice.best.rpartition(" ")[2]
        if card in self.hand():
            self._picked, self._cursor = None, list(self.hand()).index(card)

    @abstractmethod
    def hand(self) -> Sequence[str]:
        """Return the cards of the person's hand, as moves name them; empty when it is not shown."""

    @abstractmethod
    def effect(self, move: str) -> Prospect | None:
        """Return what a legal move does; None if it is not legal."""

    @property
    def card(self) -> str:
        """The card under the cursor."""
        return self.hand()[self._cursor]

    # --- choosing -----------------------------------------------------------------------------------------------------

    def press(self, key: str) -> str | None:
        hand = self.hand()
        if key == "s" and self.is_starting:
            return START
        if key == "e":
            return END
        if not hand or self.is_starting:
            return None
        if key.isdigit() and 1 <= int(key) <= len(self.PILES):
            return f"{self.PILES[int(key) - 1]} {self.card}"
        if key == "escape" and self._picked:
            self._picked = None
            return USED
        if key in ("enter", "space"):
            return self._enter()
        if key in ("left", "right", "up", "down"):
            return self._move_cursor(key)
        return None

    def _enter(self) -> str:
        if self._picked:
            return f"{self.PILES[self._pile]} {self._picked}"
        self._pick(self.card)
        return USED

    def _pick(self, card: str) -> None:
        """Pick a card up; the pile that a hint proposes, or the first one that takes the card, is chosen."""
        self._picked, self._cursor = card, list(self.hand()).index(card)
        moves = [f"{pile} {card}" for pile in self.PILES]
        fitting = [at for at, move in enumerate(moves) if self.effect(move)]
        if self.hinted in moves:
            fitting.insert(0, moves.index(self.hinted))
        self._pile = fitting[0] if fitting else 0

    def _move_cursor(self, key: str) -> str | None:
        if self._picked:
            self._pile = self._neighbour(key)
            return USED
        if key not in ("left", "right"):
            return None
        self._cursor = (self._cursor + (1 if key == "right" else -1)) % len(self.hand())
        return USED

    def _neighbour(self, key: str) -> int:
        """Return the pile beside the chosen one; piles stand in rows of two, the last row in front."""
        row, column = divmod(self._pile, 2)
        rows = len(self.PILES) // 2
        if key in ("left", "right"):
            column = 1 - column
        else:
            row = (row + 1) % rows
        return row * 2 + column

    def click(self, region: str) -> str | None:
        kind, _, name = region.partition(":")
        if kind == "card":
            if self._picked == name:
                self._picked = None
            else:
                self._pick(name)
            return USED
        if kind == "pile":
            card = self._picked
            return f"{name} {card}" if card else USED
        return None

    # --- texts --------------------------------------------------------------------------------------------------------

    def actions(self) -> list[Action]:
        view = self.scene.view
        if view is None or view.seat is None or view.outcome:
            return []
        if self.is_starting:
            return self.start_actions()
        undo = Action("U", "undo", self.words.board("board_undo"), view.undoable)
        return [undo, Action("E", END, self._end_label(), END in view.moves)]

    def _end_label(self) -> str:
        """Return what ending the turn is called, with what follows from it."""
        label = self.words.board("board_end")
        draws = self.scene.effects.get(END, {}).get("draws")
        if draws is None:
            return label
        return (
            f"{label} ({self.words.board('board_draw', draws=draws) if draws else self.words.board('board_draw_none')})"
        )

    def prospect(self, pile: str) -> Prospect | None:
        """Return what the picked card would do on a pile."""
        if not self._picked or not self.scene.is_to_act or self.is_starting:
            return None
        move = f"{pile} {self._picked}"
        if effect := self.effect(move):
            return effect
        why = self.scene.refusals.get(move)
        if why is None:
            return None
        short = f"board_why_{why.key}"
        words = self.words.board(short, **why.values) if self.words.has(short) else self.refusal(why)
        return Prospect("pile.refused", "✗", words)

    def keys(self) -> list[tuple[str, str]]:
        return [
            ("← →", self.words.web("key_choose")),
            ("Enter", self.words.web("key_pick")),
            (f"1 – {len(self.PILES)}", self.words.web("key_pile")),
            ("E", self.words.web("key_end")),
            ("U", self.words.web("key_undo")),
        ]

    def turn_prompt(self, more: str, none: str) -> str:
        """Return the prompt once the turn may end: lay more cards, or only end it."""
        view = self.scene.view
        return self.words.board(more if view is not None and len(view.moves) > 1 else none)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def is_dead(self, card: str) -> bool:
        """Return whether a card of the hand fits nowhere now."""
        view = self.scene.view
        if view is None or not self.scene.is_to_act or self.is_starting:
            return False
        return not any(f"{pile} {card}" in view.moves for pile in self.PILES)

    def draw_hand(self, canvas: Canvas, y: int, card_width: int, card_height: int) -> None:
        """Draw the hand in the middle; the picked card stands one row higher."""
        hand = self.hand()
        gap = 2 if card_width > 7 else 1
        x = (canvas.width - len(hand) * (card_width + gap) + gap) // 2
        for at, card in enumerate(hand):
            picked = card == self._picked
            area = Area(x + at * (card_width + gap), y if picked else y + 1, card_width, card_height)
            chosen = picked or (at == self._cursor and self.scene.is_to_act and not self.is_starting)
            self.draw_card(canvas, area, card, chosen, picked)
            canvas.region(f"card:{card}", Area(area.x, y, card_width, card_height + 1))
            hinted = self.hinted is not None and self.hinted.endswith(f" {card}")
            marks = self.fitting_marks(card)
            canvas.centre(area.x, y + card_height + 1, card_width, f"★{marks}" if hinted else marks, "accent")

    def fitting_marks(self, card: str) -> str:
        """Return the numbers of the piles that take a card."""
        moves = self.scene.view.moves if self.scene.view and self.scene.is_to_act else ()
        return " ".join(str(at) for at, pile in enumerate(self.PILES, 1) if f"{pile} {card}" in moves)

    @abstractmethod
    def draw_card(self, canvas: Canvas, area: Area, card: str, chosen: bool, picked: bool) -> None:
        """Draw a card of the hand."""

    def pile_frame(self, pile: str, prospect: Prospect | None) -> tuple[str, Frame]:
        """Return the style and the lines of a pile's frame."""
        hinted = self.hinted is not None and self.hinted.startswith(f"{pile} ")
        chosen = self._picked is not None and self.PILES[self._pile] == pile
        style = prospect.style if prospect else "accent" if hinted and not self._picked else "card.frame"
        return style, HEAVY if chosen else LIGHT

    def draw_prospect(self, canvas: Canvas, area: Area, prospect: Prospect | None) -> None:
        """Write under a pile what laying the picked card there would do."""
        if prospect:
            canvas.centre(area.x, area.y, area.width, prospect.text, prospect.style)

    def wait_prompt(self) -> str:
        """Return the prompt while somebody else is to act."""
        seat = self.waiting_seat()
        return self.words.board("board_dealing") if seat is None else self.words.board("board_wait", seat=seat)

    def undone(self, message: Message) -> tuple[str, str]:
        """Return the pile and the card of a move that was taken back; empty for other messages."""
        pile, _, card = str(message.values["move"]).partition(" ") if message.key == "undone" else ("", "", "")
        return pile, card
