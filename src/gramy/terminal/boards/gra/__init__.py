"""GRA in the application: the players' numbers of cards, the bids, the hand with both faces, and the bid picker."""

from __future__ import annotations

from gramy.contract import START
from gramy.drawing.pen import width
from gramy.messages import Event, Message
from gramy.terminal.boards.gra import reveal
from gramy.terminal.boards.gra.bids import parse_bids, values
from gramy.terminal.boards.gra.choices import CHECK, GraChoices
from gramy.terminal.canvas import HEAVY, LIGHT, Area, Canvas, wrap
from gramy.terminal.scene import LogRow

VALUES = range(1, 7)


class GraBoard(GraChoices):
    """The texts and the picture of the board."""

    # --- texts --------------------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        view, board = self.scene.view, self._board
        if view is None or view.outcome:
            return self.result()
        if board.phase == "choosing":
            if self.scene.is_to_act:
                return self.words.board("board_prompt_choose")
            names = ", ".join(self.words.names[seat] for seat in view.to_act if seat < len(self.words.names))
            ready = view.seat is not None and view.seat in board.ready
            return self.words.board("board_prompt_chosen" if ready else "board_prompt_choosing", names=names)
        if board.phase == "starting":
            return self.words.board("board_start_prompt" if view.moves else "board_start_wait")
        if board.phase != "bidding" or board.turn is None:
            return self.words.board("board_prompt_dealing")
        bid = self._bid_words(board.bid.number, board.bid.value) if board.bid else ""
        if board.turn != view.seat:
            name = self.words.names[board.turn]
            return self.words.board("board_prompt_wait" if bid else "board_prompt_wait_open", name=name, bid=bid)
        if not bid:
            return self.words.board("board_prompt_open")
        return self.words.board("board_prompt_must_check" if len(view.moves) == 1 else "board_prompt_answer", bid=bid)

    def keys(self) -> list[tuple[str, str]]:
        board = self.words.board
        return [
            ("1 – 5", board("board_key_turn")),
            ("↑ ↓", board("board_key_number")),
            ("← →", board("board_key_value")),
            ("D", board("board_key_direction")),
            ("Enter", board("board_key_confirm")),
            ("C", board("board_key_check")),
            ("S", board("board_key_start")),
        ]

    def describe_move(self, move: str) -> str:
        bids = parse_bids([move])
        if bids:
            return self._bid_label(bids[0])
        verb, _, rest = move.partition(" ")
        if verb == START:
            return self.words.board("board_move_start")
        if verb == CHECK:
            return self.words.board("board_check")
        return self.words.board("board_move_choose", faces=rest.replace(" ", ", "))

    def in_words(self, event: Event) -> Message:
        if event.key.startswith("why_"):
            written = {name: parse_bids([f"bid {value}"]) for name, value in event.values.items()}
            words = {name: self._bid_words(bids[0].number, bids[0].value) for name, bids in written.items() if bids}
            return Message(event.key, {**event.values, **words}, event.game)
        if event.key not in ("bid", "checked", "revealed"):
            return event
        bid = self._bid_words(event.values["number"], event.values["value"])
        return self.board_message(f"board_event_{event.key}", **event.values, bid=bid)

    def draws_reveal(self, row: LogRow) -> bool:
        return reveal.revealed(row) is not None

    def draw_reveal(self, row: LogRow, canvas: Canvas) -> None:
        shown = reveal.revealed(row)
        assert shown is not None
        reveal.draw(row, canvas, self.words, self._bid_words(shown["number"], shown["value"]))

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        view, board = self.scene.view, self._board
        assert view is not None
        players = len(board.sizes)
        gap = 1 if canvas.height >= 30 else 0
        y = max(0, (canvas.height - players - 12 - 4 * gap) // 2)
        self._seats(canvas, y)
        y += players + gap
        self._facts(canvas, y)
        y += 2 + gap
        self._ladder(canvas, y)
        y += 2 + gap
        if view.outcome:
            self._all_hands(canvas, y)
        elif board.hand and board.hand.cards:
            self._hand(canvas, y)
            if self._bids or CHECK in view.moves:
                self._picker(canvas, y + 6 + gap)
            elif board.hand.faces:
                self._holding(canvas, y + 6 + gap)

    def _left(self, canvas: Canvas) -> int:
        return max(1, (canvas.width - 50) // 2)

    def _seats(self, canvas: Canvas, y: int) -> None:
        view, board = self.scene.view, self._board
        assert view is not None
        places = 5 if view.options["fewer_cards"] == "on" else 6
        for seat, size in enumerate(board.sizes):
            after = self.draw_seat(canvas, self._left(canvas), y + seat, seat, 18)
            x = canvas.put(after, y + seat, "▮" * size, "")
            canvas.put(x, y + seat, "▯" * (places - size), "faint")
            state, style = self._state(seat)
            canvas.put(after + places + 2, y + seat, state, style)

    def _state(self, seat: int) -> tuple[str, str]:
        """Return what a seat is doing, and the style."""
        view, board = self.scene.view, self._board
        assert view is not None
        if view.outcome:
            won = seat in view.outcome.winners
            return (self.words.board("board_state_winner"), "good") if won else ("", "")
        if seat not in board.active:
            return self.words.board("board_state_out"), "faint"
        if board.phase == "choosing":
            ready = seat in board.ready
            return self.words.board(
                "board_state_ready" if ready else "board_state_choosing"
            ), "good" if ready else "dim"
        if board.bid and board.bid.bidder == seat:
            return f"{board.bid.number}×{board.bid.value}", "accent"
        if board.phase == "bidding" and seat in view.to_act:
            return self.words.board("board_state_turn"), "dim"
        return "", ""

    def _facts(self, canvas: Canvas, y: int) -> None:
        view, board = self.scene.view, self._board
        assert view is not None
        facts = [self.words.board("board_in_play", cards=board.in_play)]
        if view.options["jokers"] == "on":
            facts.append(self.words.board("board_jokers" if board.ones_are_jokers else "board_no_jokers"))
        if view.options["directions"] == "on" and board.bid and len(board.active) > 2:
            facts.append(self.words.words("goes_left" if board.way == "left" else "goes_right"))
        if board.tie_break:
            facts.append(self.words.board("board_tie"))
        canvas.centre(0, y, canvas.width, " · ".join(facts), "dim")

    def _ladder(self, canvas: Canvas, y: int) -> None:
        """Write the bids of the round, the standing one last; as many as there is room for."""
        if self._board.bid is None:
            return
        rungs: list[str] = []
        for row in reversed(self.scene.log):
            for event in row.events:
                if event.key == "bid":
                    name = self.words.name(event.values["seat"], 10)
                    rungs.insert(0, f"{name} {event.values['number']}×{event.values['value']}")
            if rungs and any(event.key == "checked" for event in row.events):
                break
        while len(" → ".join(rungs)) > canvas.width - 6 and len(rungs) > 1:
            rungs = ["…", *rungs[2 if rungs[0] == "…" else 1 :]]
        standing = self._board.bid
        last = rungs.pop() if rungs else f"{standing.number}×{standing.value}"
        lead = " → ".join(rungs) + (" → " if rungs else "")
        x = canvas.put((canvas.width - len(lead) - len(last)) // 2, y, lead, "dim")
        canvas.put(x, y, last, "accent")

    def _hand(self, canvas: Canvas, y: int) -> None:
        """Draw the cards: the face that counts above, the other one below."""
        hand = self._board.hand
        assert hand is not None
        left = (canvas.width - 9 * len(hand.cards) + 2) // 2
        wanted = (self.hinted or "").split()[1:] if (self.hinted or "").startswith("choose ") else []
        for at, card in enumerate(hand.cards):
            up = self.faces[at]
            down = int(card[1]) if int(card[0]) == up else int(card[0])
            chosen = self._choosing and at == self._cursor
            area = Area(left + 9 * at, y, 7, 5)
            canvas.box(area, "card.cursor" if chosen else "card.frame", HEAVY if chosen else LIGHT, "card")
            joker = up == 1 and self._board.ones_are_jokers
            canvas.centre(area.x + 1, y + 1, 5, f"▸{up}◂" if not joker else f"★{up}★", "card")
            canvas.centre(area.x + 1, y + 2, 5, "╌╌╌", "card.off")
            canvas.centre(area.x + 1, y + 3, 5, str(down), "card.off")
            if self._choosing:
                label = f"{at + 1}" if not wanted else f"{at + 1} ★{wanted[at]}"
                canvas.centre(area.x, y + 5, 7, label, "accent" if wanted else "dim")
            canvas.region(f"card:{at}", area)

    def _picker(self, canvas: Canvas, y: int) -> None:
        bid = self.bid
        if bid is None:
            canvas.centre(0, y, canvas.width, self.words.board("board_only_check"), "accent")
            return
        left = max(1, (canvas.width - 48) // 2)
        label = self.words.board("board_how_many")
        x = canvas.put(left, y, f"{label} ", "dim")
        for sign, key in (("−", "down"), (f" {bid.number} ", ""), ("+", "up")):
            area = Area(x, y, len(sign) + 2, 1)
            x = canvas.put(x, y, f" {sign} ", "card" if key else "accent")
            if key:
                canvas.region(f"step:{key}", area)
        x = canvas.put(x + 1, y, " × ", "dim")
        legal = values(self._bids)
        for value in VALUES:
            style = "card.picked" if value == bid.value else "card" if value in legal else "card.dead"
            if value in legal:
                canvas.region(f"value:{value}", Area(x, y, 3, 1))
            x = canvas.put(x, y, f"[{value}]" if value == bid.value else f" {value} ", style) + 1
        if bid.way:
            words = f" D {self.words.board(f'board_way_{bid.way}')} "
            canvas.region("step:d", Area(left, y + 1, width(words), 1))
            canvas.put(left, y + 1, words, "card")
        held = self._held(bid.value)
        words = self.words.board("board_hold", held=held) if held else self.words.board("board_hold_none")
        if bid.number > self._most(bid.value):
            words = self.words.board("board_impossible")
        claim = self.advice.claims.get(bid.move) if self.advice else None
        if claim is not None:
            words += " " + self.words.board("board_holds_with", chance=self.words.percent(claim))
        indent = 14 if bid.way else 0
        canvas.paragraph(Area(left + indent, y + 1, canvas.width - left - indent - 1, 2), words, "dim")

    def _holding(self, canvas: Canvas, y: int) -> None:
        """Write what the person holds, while others bid."""
        counts = "  ".join(f"{value}: {self._held(value)}" for value in VALUES)
        canvas.centre(0, y, canvas.width, f"{self.words.board('board_you_hold')}   {counts}", "dim")

    def _all_hands(self, canvas: Canvas, y: int) -> None:
        """Write the open hands of the last round, when the match is over."""
        board = self._board
        if board.revealed is None:
            return
        canvas.centre(0, y, canvas.width, wrap(self.words.board("board_all_hands"), canvas.width)[0], "bold")
        left = self._left(canvas)
        for seat, hand in enumerate(board.revealed):
            canvas.put(left + 2, y + 1 + seat, self.words.name(seat, 14), "")
            canvas.put(left + 18, y + 1 + seat, " ".join(map(str, hand.faces)), "bold")
