"""The Game: Face to Face in the application: two halves that face each other, and the hand."""

from __future__ import annotations

from gramy.games.face_to_face import Board
from gramy.games.face_to_face.view import Half
from gramy.messages import Event, Message
from gramy.terminal.boards.board import cards_back
from gramy.terminal.boards.laying import END, LayingBoard, Prospect
from gramy.terminal.canvas import HEAVY, LIGHT, Area, Canvas

ALL = 58
FIRST, LAST = 1, 60
SIGNS = {"up": "▲", "down": "▼", "help-up": "△", "help-down": "▽"}


class FaceToFaceBoard(LayingBoard):
    """Two halves: the opponent's above, the person's own below."""

    PILES = ("up", "down", "help-up", "help-down")

    @property
    def _board(self) -> Board:
        assert self.scene.view is not None
        board: Board = self.scene.view.board
        return board

    @property
    def _near(self) -> int:
        """The seat in front; a spectator sees seat 0 there."""
        return self.scene.seat or 0

    def hand(self) -> list[str]:
        cards = self._board.halves[self._near].hand if self.scene.seat is not None else None
        return [str(card) for card in cards or ()]

    def effect(self, move: str) -> Prospect | None:
        found = self.scene.effects.get(move)
        if found is None or "steps" not in found:
            return None
        if found["helps"]:
            return Prospect("pile.help", "♥", self.words.board("board_helps", seat=1 - self._near))
        steps = found["steps"]
        if steps < 0:
            return Prospect("pile.trick", f"−{-steps}", self.words.board("board_back", steps=-steps))
        return Prospect("pile.legal", f"+{steps}", self.words.board("board_costs", steps=steps))

    # --- texts --------------------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        view = self.scene.view
        if view is None or view.outcome:
            return self.result()
        if not self.scene.is_to_act:
            return self.wait_prompt()
        if self._picked:
            return self.words.board("board_choose", card=self._picked)
        if END not in view.moves:
            return self.words.board("board_lay", missing=self._board.required)
        return self.turn_prompt("board_more_or_end", "board_end_now")

    def describe_move(self, move: str) -> str:
        pile, _, card = move.partition(" ")
        return self.words.board(f"board_move_{pile.replace('-', '_')}", card=card)

    def in_words(self, event: Event) -> Message:
        pile, card = self.undone(event)
        if not card:
            return event
        return self.board_message(f"board_undone_{pile.replace('-', '_')}", seat=event.values["seat"], card=card)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        big = canvas.width >= 64 and canvas.height >= 30
        pile_height, card_width, card_height, gap = (5, 9, 5, 1) if big else (3, 7, 3, 0)
        far, near = 1 - self._near, self._near
        y = max(0, (canvas.height - 2 * pile_height - card_height - 7 - 3 * gap) // 2)
        self._head(canvas, y, far)
        self._piles(canvas, y + 1, far, pile_height)
        y += 2 + pile_height + gap
        self._piles(canvas, y, near, pile_height)
        self._head(canvas, y + pile_height + 1, near)
        y += pile_height + 3 + gap
        if self.hand():
            self.draw_hand(canvas, y - 1, card_width, card_height)
        self._pips(canvas, y + card_height + 1 + gap)

    def _head(self, canvas: Canvas, y: int, seat: int) -> None:
        half = self._board.halves[seat]
        x = self._left(canvas)
        after = self.draw_seat(canvas, x, y, seat, 16)
        canvas.put(after, y, cards_back(half.in_hand), "")
        facts = f"{self.words.words('deck_short', number=half.in_deck)}  {ALL - half.in_hand - half.in_deck}/{ALL}"
        canvas.put(after + 8, y, facts, "dim")

    @staticmethod
    def _left(canvas: Canvas) -> int:
        return max(1, (canvas.width - 2 * FaceToFaceBoard._pile_width(canvas) - 2) // 2)

    @staticmethod
    def _pile_width(canvas: Canvas) -> int:
        return min(30, (canvas.width - 4) // 2)

    def _piles(self, canvas: Canvas, y: int, seat: int, height: int) -> None:
        half = self._board.halves[seat]
        names = ("up", "down") if seat == self._near else ("help-up", "help-down")
        width = self._pile_width(canvas)
        for at, name in enumerate(names):
            area = Area(self._left(canvas) + at * (width + 2), y, width, height)
            self._pile_box(canvas, area, name, half)

    def _pile_box(self, canvas: Canvas, area: Area, name: str, half: Half) -> None:
        top = half.up if name.endswith("up") else half.down
        prospect = self.prospect(name)
        style, frame = self.pile_frame(name, prospect)
        dim = prospect is not None and prospect.style == "pile.refused"
        canvas.box(area, style, frame, "shade.dim" if dim else "shade")
        label = f" {self.PILES.index(name) + 1} {SIGNS[name]} "
        canvas.put(area.x + 2, area.y, label, style if prospect else "dim")
        bounds = f"{FIRST}–{LAST - 1}" if name.endswith("up") else f"{LAST}–{FIRST + 1}"
        canvas.put(area.x + area.width - 8, area.y, f" {bounds} ", "dim")
        middle = area.y + area.height // 2
        canvas.centre(area.x + 1, middle, area.width - 2, f" {top} ", "card.dead" if dim else "card")
        used = (top - FIRST if name.endswith("up") else LAST - top) * (area.width - 2) // (LAST - FIRST)
        canvas.put(area.x + 1, area.y + area.height - 1, "━" * used, style)
        canvas.region(f"pile:{name}", Area(area.x, area.y, area.width, area.height + 1))
        self.draw_prospect(canvas, Area(area.x, area.y + area.height, area.width, 1), prospect)

    def draw_card(self, canvas: Canvas, area: Area, card: str, chosen: bool, picked: bool) -> None:
        dead = self.is_dead(card)
        frame = "card.cursor" if chosen else "card.dead.frame" if dead else "card.frame"
        inside = "card.picked" if picked else "card.dead" if dead else "card"
        canvas.box(area, frame, HEAVY if chosen else LIGHT, inside)
        canvas.centre(area.x + 1, area.y + area.height // 2, area.width - 2, card, inside)

    def _pips(self, canvas: Canvas, y: int) -> None:
        """Draw the cards laid in this turn and those still owed."""
        if not self.scene.is_to_act:
            return
        laid, owed = self._board.laid, self._board.required
        words = "● " * laid + "○ " * owed
        if owed:
            words += self.words.board("board_owe", missing=owed)
        canvas.centre(0, y, canvas.width, words, "dim")
