"""What the person at a table of GRA has chosen and can do: turned faces, and the bid in the picker."""

from __future__ import annotations

from gramy.contract import START
from gramy.games.gra import Board
from gramy.terminal.boards.board import USED, Action, GameBoard
from gramy.terminal.boards.gra.bids import Bid, nearest, numbers, parse_bids, stepped, values
from gramy.terminal.scene import Scene

CHECK = "check"


class GraChoices(GameBoard):
    """`faces` are the faces that the person has turned up; `_picked` is the bid in the picker."""

    def __init__(self, scene: Scene, language: str) -> None:
        self._deal: object = None
        self.faces: list[int] = []
        self._cursor = 0
        self._picked: Bid | None = None
        super().__init__(scene, language)

    @property
    def _board(self) -> Board:
        assert self.scene.view is not None
        board: Board = self.scene.view.board
        return board

    def show(self, scene: Scene) -> None:
        super().show(scene)
        if scene.view is None:
            return
        hand = self._board.hand
        checks = sum(event.key == "checked" for row in scene.log for event in row.events)
        deal = scene.seat, checks, hand.cards if hand else ()
        if deal != self._deal:
            self._deal, self._cursor, self._picked = deal, 0, None
            self.faces = [int(card[0]) for card in deal[2]]
        if hand and hand.faces:
            self.faces = list(hand.faces)
        if not parse_bids(scene.view.moves):
            self._picked = None

    # --- what can be done ---------------------------------------------------------------------------------------------

    @property
    def _choosing(self) -> bool:
        view = self.scene.view
        return view is not None and any(move.startswith("choose ") for move in view.moves)

    @property
    def _bids(self) -> list[Bid]:
        return parse_bids(self.scene.view.moves if self.scene.view else ())

    def _held(self, value: int) -> int:
        """Return how many cards of the hand count as a value."""
        hand, jokers = self._board.hand, self._board.ones_are_jokers
        return sum(face == value or (jokers and face == 1) for face in (hand.faces if hand else ()))

    def _most(self, value: int) -> int:
        """Return the highest number of a value that can be true."""
        own = len(self._board.hand.cards) if self._board.hand else 0
        return self._held(value) + self._board.in_play - own

    @property
    def bid(self) -> Bid | None:
        """The bid in the picker, None when no bid is legal."""
        hinted = parse_bids([self.hinted or ""])
        return nearest(self._bids, self._picked or (hinted[0] if hinted else None), self._held, self._most)

    @property
    def _choice(self) -> str:
        return "choose " + " ".join(map(str, self.faces))

    def press(self, key: str) -> str | None:
        view = self.scene.view
        if view is None or view.outcome:
            return None
        if key == "s" and self.is_starting:
            return START
        if self._choosing:
            return self._press_choosing(key)
        if key == "c" and view.moves:
            return CHECK
        bid = self.bid
        if bid is None:
            return None
        if key in ("up", "down", "left", "right"):
            self._picked = stepped(self._bids, bid, key)
            return USED
        if key == "d" and bid.way:
            self._picked = bid._replace(way="right" if bid.way == "left" else "left")
            return USED
        if key.isdigit() and int(key) in values(self._bids):
            value = int(key)
            number = min(numbers(self._bids, value), key=lambda one: abs(one - bid.number))
            self._picked = bid._replace(number=number, value=value)
            return USED
        return bid.move if key == "enter" else None

    def _press_choosing(self, key: str) -> str | None:
        cards = len(self.faces)
        if key.isdigit() and 1 <= int(key) <= cards:
            self._turn(int(key) - 1)
        elif key in ("left", "right"):
            self._cursor = (self._cursor + (1 if key == "right" else -1)) % cards
        elif key in ("space", "up", "down"):
            self._turn(self._cursor)
        elif key == "enter":
            return self._choice
        else:
            return None
        return USED

    def _turn(self, at: int) -> None:
        hand = self._board.hand
        assert hand is not None
        first, second = (int(face) for face in hand.cards[at])
        self.faces[at] = second if self.faces[at] == first else first
        self._cursor = at

    def click(self, region: str) -> str | None:
        kind, _, name = region.partition(":")
        if kind == "card" and self._choosing:
            self._turn(int(name))
            return USED
        if kind == "value":
            return self.press(name)
        if kind == "step":
            return self.press(name)
        return None

    def actions(self) -> list[Action]:
        view = self.scene.view
        if view is None or view.seat is None or view.outcome:
            return []
        if self.is_starting:
            return self.start_actions()
        if self._choosing:
            ready = view.seat in self._board.ready
            changed = self._choice in view.moves
            label = "board_confirm_change" if ready and changed else "board_confirmed" if ready else "board_confirm"
            return [Action("Enter", "enter", self.words.board(label), changed)]
        if not self.scene.is_to_act:
            return []
        bid = self.bid
        actions = [Action("Enter", "enter", self._bid_label(bid))] if bid else []
        if CHECK in view.moves:
            actions.append(Action("C", "c", self.words.board("board_check")))
        return actions

    def _bid_label(self, bid: Bid) -> str:
        key = f"board_bid_{bid.way}" if bid.way else "board_bid"
        return self.words.board(key, bid=self._bid_words(bid.number, bid.value))

    def _bid_words(self, number: int, value: int) -> str:
        """Return a bid in words: three fours."""
        counted = self.words.board("board_number", number=str(number))
        return self.words.board(f"board_faces_{value}", number=number, words=counted)
