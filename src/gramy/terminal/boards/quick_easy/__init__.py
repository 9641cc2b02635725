"""The Game: Quick & Easy in the application: two common piles, the partners with what they have said, and the hand."""

from __future__ import annotations

from collections.abc import Sequence

from gramy.drawing.pen import cut
from gramy.games.quick_easy import Board
from gramy.games.quick_easy.rules import COLOURS, LETTERS
from gramy.messages import Event, Message
from gramy.terminal.boards.board import cards_back
from gramy.terminal.boards.laying import END, LayingBoard, Prospect
from gramy.terminal.boards.quick_easy.talk import SIGNS, Phrasebook, standing_phrases
from gramy.terminal.canvas import DASHED, HEAVY, LIGHT, Area, Canvas

ALL = 50
GRADES = ((3, "so_close"), (10, "nearly"), (25, "half_way"))
"""The headline of a loss, by how many cards were missing at most."""


class QuickEasyBoard(LayingBoard):
    """Two piles in the middle; partners above, the person's hand below."""

    PILES = ("up", "down")

    @property
    def _board(self) -> Board:
        assert self.scene.view is not None
        board: Board = self.scene.view.board
        return board

    def hand(self) -> Sequence[str]:
        return self._board.hand or ()

    def effect(self, move: str) -> Prospect | None:
        found = self.scene.effects.get(move)
        if found is None or "steps" not in found:
            return None
        if found["turns"]:
            return Prospect("pile.trick", f"−{-found['steps']}", self.words.board("board_turns"))
        if found["steps"]:
            words = self.words.board("board_costs", steps=found["steps"])
            return Prospect("pile.legal", f"+{found['steps']}", words)
        return Prospect("pile.legal", "✓", self.words.board("board_opens"))

    @property
    def phrasebook(self) -> Phrasebook:
        """What may be said at this table."""
        return Phrasebook(
            self.scene.phrases, self.words, tuple(self.hand()), {"up": self._board.up, "down": self._board.down}
        )

    # --- texts --------------------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        view = self.scene.view
        if view is None or view.outcome:
            return self.result()
        if self.is_starting:
            return self.words.board("board_start_prompt")
        if not self.scene.is_to_act:
            return self.words.board("board_start_wait") if len(view.to_act) > 1 else self.wait_prompt()
        if self._picked:
            return self.words.board("board_choose")
        if END not in view.moves:
            return self.words.board("board_lay_pro" if view.options["pro"] == "on" else "board_lay")
        return self.turn_prompt("board_more_or_end", "board_end_now")

    def headline(self) -> str:
        view = self.scene.view
        assert view is not None
        outcome = view.outcome
        if outcome is None or outcome.winners or outcome.key == "abandoned":
            return self.words.web("won_together") if outcome and outcome.winners else super().headline()
        missing = ALL - int(outcome.values.get("laid", 0))
        grade = next((grade for most, grade in GRADES if missing <= most), "far_off")
        return self.words.board("board_result", grade=grade)

    def keys(self) -> list[tuple[str, str]]:
        return [
            *super().keys(),
            ("S", self.words.board("board_key_start")),
            ("T", self.words.board("board_talk")),
        ]

    def card_words(self, card: str, key: str = "board_card") -> str:
        """Return a card in words: G8 is “green 8”."""
        return self.words.board(key, colour=colour_of(card), number=int(card[1:]))

    def describe_move(self, move: str) -> str:
        pile, _, card = move.partition(" ")
        return self.words.board(f"board_move_{pile}", card=self.card_words(card) if card else "")

    def in_words(self, event: Event) -> Message:
        pile, card = self.undone(event)
        if card:
            words = self.card_words(card, "board_card_laid")
            return self.board_message(f"board_undone_{pile}", seat=event.values["seat"], card=words)
        values = dict(event.values)
        if isinstance(values.get("kept"), str):
            values["kept"] = self.card_words(values["kept"], "board_card_laid")
        if isinstance(values.get("card"), str):
            values["card"] = self.card_words(values["card"], "board_card_laid" if event.key == "laid" else "board_card")
        if isinstance(values.get("top"), str):
            values["top"] = self.card_words(values["top"], "board_card_laid")
        return Message(event.key, values, event.game)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        big = canvas.width >= 64 and canvas.height >= 30
        pile_height, card_height, gap = (7, 6, 1) if big else (5, 4, 0)
        players = len(self._board.in_hand)
        y = max(0, (canvas.height - players - pile_height - card_height - 6 - 3 * gap) // 2)
        self._seats(canvas, y)
        y += players + 1 + gap
        self._piles(canvas, y, pile_height)
        y += pile_height + 2 + gap
        if self.hand():
            self.draw_hand(canvas, y, 15 if big else 13, card_height)

    def _seats(self, canvas: Canvas, y: int) -> None:
        said = standing_phrases(self.scene.log)
        left = max(1, (canvas.width - 60) // 2)
        for seat, cards in enumerate(self._board.in_hand):
            after = self.draw_seat(canvas, left, y + seat, seat, 16)
            canvas.put(after, y + seat, cards_back(cards), "")
            x = after + 4
            for phrase in said.get(seat, ()):
                words, style = self.phrasebook.short(phrase)
                if x + len(words) < canvas.width - 1:
                    x = canvas.put(x, y + seat, words, style) + 2

    def _piles(self, canvas: Canvas, y: int, height: int) -> None:
        width = min(24, (canvas.width - 14) // 2)
        left = (canvas.width - 2 * width - 12) // 2
        self._pile_box(canvas, Area(left, y, width, height), "up", self._board.up)
        self._pile_box(canvas, Area(left + width + 12, y, width, height), "down", self._board.down)
        rest = self._board.in_deck + sum(self._board.in_hand)
        middle = y + height // 2 - 1
        canvas.centre(left + width, middle, 12, f"{ALL - rest}/{ALL}", "bold")
        canvas.centre(left + width, middle + 1, 12, meter(ALL - rest, ALL, 8), "dim")
        canvas.centre(left + width, middle + 2, 12, self.words.words("deck_short", number=self._board.in_deck), "dim")

    def _pile_box(self, canvas: Canvas, area: Area, name: str, card: str | None) -> None:
        prospect = self.prospect(name)
        style, frame = self.pile_frame(name, prospect)
        colour = colour_of(card) if card else ""
        canvas.box(area, style, DASHED if not card and frame is LIGHT else frame, colour or "shade.dim")
        label = f" {self.PILES.index(name) + 1} {SIGNS[name]} {self.words.board(f'board_{name}')} "
        label = label if len(label) <= area.width - 2 else label.rstrip()
        canvas.put(area.x + 1, area.y, cut(label, area.width - 2), style if prospect else "dim")
        if card:
            self._face(canvas, Area(area.x + 1, area.y + 1, area.width - 2, area.height - 2), card)
        else:
            canvas.centre(area.x + 1, area.y + area.height // 2, area.width - 2, SIGNS[name], "shade.dim")
        canvas.region(f"pile:{name}", Area(area.x, area.y, area.width, area.height + 1))
        self.draw_prospect(canvas, Area(area.x - 2, area.y + area.height, area.width + 4, 1), prospect)

    def _face(self, canvas: Canvas, inside: Area, card: str) -> None:
        """Write the number and the symbol in the middle, and the word of the colour below."""
        colour = colour_of(card)
        middle = inside.y + (inside.height - 1) // 2
        canvas.centre(inside.x, middle, inside.width, f"{SIGNS[colour]} {card[1:]} {SIGNS[colour]}", colour)
        canvas.centre(inside.x, middle + 1, inside.width, self.words.words(colour), colour)

    def draw_card(self, canvas: Canvas, area: Area, card: str, chosen: bool, picked: bool) -> None:
        frame = "card.cursor" if chosen else "card.dead.frame" if self.is_dead(card) else "card.frame"
        canvas.box(area, frame, HEAVY if chosen else LIGHT, colour_of(card))
        self._face(canvas, Area(area.x + 1, area.y + 1, area.width - 2, area.height - 2), card)


def colour_of(card: str) -> str:
    """Return the colour of a card: G8 is green."""
    return COLOURS[LETTERS.index(card[0])]


def meter(done: int, of: int, columns: int) -> str:
    """Return a bar that is full to the share that is done."""
    full = done * columns // of
    return "━" * full + "╌" * (columns - full)
