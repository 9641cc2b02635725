"""Play in a terminal: people share one keyboard, and bots play the other seats.

The loop shows views, reads lines and plays them as moves; it uses nothing of a match that its seats may not know.
`gramy.drawing` has the boards.
"""

import contextlib
import os
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gramy.bots import ahead, bot
from gramy.contract import Game
from gramy.drawing import DRAWINGS, verb
from gramy.drawing.pen import MARGIN, Pen, cut, padded, terminal_message
from gramy.errors import BadOptions, GramyError, UnreadableMove
from gramy.matches import Match, ShuffledDealer
from gramy.messages import Event, Message
from gramy.terminal import menu
from gramy.terminal.editing import forget_lines, line_editing
from gramy.terminal.files import HISTORY, data_folder, is_record, save_failed, write_private
from gramy.terminal.local import advice_for, bot_move, start_by_keenest
from gramy.terminal.names import player_names
from gramy.text import family_page, word

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""The escape sequence that clears the screen and what could be scrolled back to."""

Read = Callable[[str], str]
Write = Callable[[str], None]


def play(
    game: Game,
    people: int = 1,
    rng: random.Random | None = None,
    names: Sequence[str] = (),
    language: str = "en",
    level: str = "easy",
    *,
    read: Read = input,
    write: Write = print,
    colour: bool | None = None,
    match: Match | None = None,
    file: Path | None = None,
) -> Match:
    """Play a match, with people in the first seats and bots of a level in the others, and return it, finished or not.

    A given match is continued. With a file, the match is saved there after every turn.

    Colour is used by default if the terminal allows it. The end of input and Ctrl-C leave the table, as `quit` does.
    """
    if not 1 <= people <= game.players:
        raise BadOptions(terminal_message("people_number", people=people, players=game.players))
    rng = rng or random.Random()
    deal_rng, bot_rng = random.Random(rng.getrandbits(64)), random.Random(rng.getrandbits(64))
    pen = Pen(
        player_names(game, people, names, language),
        frozenset(range(people, game.players)),
        language,
        colour_allowed() if colour is None else colour,
    )
    dealer = ShuffledDealer(deal_rng)
    match = match.named(pen.names).dealt_by(dealer) if match else Match(game, dealer, pen.names)
    at_table = TerminalMatch(match, people, level, bot_rng, pen, read, write, file)
    with ahead.compiling([game.name]) if pen.bots and level in ahead.SEARCHING else contextlib.nullcontext():
        history = data_folder(os.environ) / HISTORY if people == 1 else None  # one person's lines are no other's
        edited = read is input and sys.stdin.isatty()
        with line_editing(at_table.completions, history) if edited else contextlib.nullcontext():
            at_table.run()
    return match


def colour_allowed() -> bool:
    """Return whether to use colour: on a terminal, unless the environment variable NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class LeftTable(Exception):
    """A player has left the table."""


class TerminalMatch:
    """One match at one keyboard. `looking` is the seat of the person at the screen, `events` is what has happened."""

    def __init__(
        self,
        match: Match,
        people: int,
        level: str,
        bot_rng: random.Random,
        pen: Pen,
        read: Read,
        write: Write,
        file: Path | None = None,
    ) -> None:
        self.file = file
        self.match, self.people, self.level, self.bot_rng, self.pen = match, people, level, bot_rng, pen
        self.bot = bot(match.game.name, level)
        self.read, self.write = read, write
        self.drawing = DRAWINGS[match.game.name]
        self.looking: int | None = 0 if people == 1 else None
        self.events: list[Event] = []
        self.seen: dict[int | None, int] = {}  # how many events each person (None: the whole table) has been shown
        self.numbered: tuple[str, ...] = ()  # the moves of the list on the screen
        self.saved: tuple[str, int] | None = None  # the file last saved to, and the length of the log then
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._list,
            "help": self._help,
            "hint": self._hint,
            "say": self._say,
            "log": self._log,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the match is over and its last prompt is left, or until a player leaves."""
        try:
            self._welcome()
            self._save_by_itself()
            while self.match.to_act:
                self._step()
                self._save_by_itself()
            self._end()
        except (LeftTable, EOFError, KeyboardInterrupt) as cause:
            if not isinstance(cause, LeftTable):
                self.write("")
            self._farewell()

    # --- the course of a match ----------------------------------------------------------------------------------------

    def _welcome(self) -> None:
        self.events += [event for events in self.match.events_by_line for event in events if event.key == "starts"]
        if self.pen.bots:
            self._print(self.pen.words("bots", seats=sorted(self.pen.bots), level=self.level))
        self._print(self.pen.words("hint"))

    def _step(self) -> None:
        """Make one move of a bot, or ask a person for one."""
        if self.match.agreeing:
            return self._agree()
        to_act = self.match.to_act
        bot_seat = next((seat for seat in to_act if seat in self.pen.bots), None)
        if bot_seat is not None:
            view, history = self.match.view(bot_seat), self.match.history(bot_seat)
            for phrase in self.bot.say(view, history, self.bot_rng):
                self.events += self.match.say(phrase, bot_seat)
            self.events += self.match.play(bot_move(self.bot, view, history, self.bot_rng), bot_seat)
            return
        seat = self.looking if self.looking in to_act else to_act[0]
        assert seat is not None
        if seat != self.looking:
            self._hand_over(seat)
        self._show(seat)
        self._ask(seat)

    def _agree(self) -> None:
        """Ask each person whether they take the start; if nobody does, the keenest bot starts."""
        for bot_seat in sorted(self.pen.bots):
            for phrase in self.bot.say(self.match.view(bot_seat), self.match.history(bot_seat), self.bot_rng):
                self.events += self.match.say(phrase, bot_seat)
        for seat in (seat for seat in self.match.to_act if seat not in self.pen.bots):
            if seat != self.looking:
                self._hand_over(seat)
            self._show(seat)
            self._print(self.pen.words("who_starts"))
            if self._ask(seat, may_pass=True):
                return
        if self.pen.bots:
            self.events += start_by_keenest(self.match, self.bot, self.pen.bots, self.bot_rng)

    def _hand_over(self, seat: int) -> None:
        """Clear the screen, show only what everybody knows, and wait for the next person."""
        self.looking = None
        forget_lines()
        if self.seen:
            self.write(CLEAR)
        self._show_events(None)
        typed = self.read("\n" + MARGIN + self.pen.words("hand_over", seat=seat) + " ")
        if typed.strip().casefold() == "quit":
            raise LeftTable
        self.write(CLEAR)
        self.looking = seat

    def _show(self, seat: int | None) -> None:
        self._show_events(seat)
        view, history = self.match.view(seat), self.match.history(seat)
        self.write("\n" + self.drawing.draw(view, history, self.pen))
        self.numbered = ()

    def _show_events(self, reader: int | None) -> None:
        """Show what has happened since this person last looked.

        A draw is not shown by itself: the sentence on the move that caused it says so.
        """
        fresh = self.events[self.seen.get(reader, 0) :]
        self.seen[reader] = len(self.events)
        lines = [line for event in fresh if event.key != "dealt" for line in self.drawing.describe(event, self.pen)]
        if lines:
            self.write("\n" + "\n".join(lines))

    def _ask(self, seat: int, may_pass: bool = False) -> bool:
        """Read lines until one of them is a legal move, and play it. Return False for an empty line that passes."""
        while True:
            typed = self.read("\n" + MARGIN + self.pen.words("prompt", seat=seat))
            if may_pass and not typed.strip():
                return False
            if self._command(typed):
                continue
            line = menu.understood(typed, self.pen.language)
            found = menu.find_moves(line, (*self.match.moves(seat), "undo"), self.numbered)
            if len(found) > 1:
                moves = [self.pen.typed(move) for move in found]
                self._refuse(terminal_message("fits_several", typed=typed.strip(), moves=moves))
                continue
            refusal = self._try(found[0], seat)
            if refusal is None:
                return True
            self._refuse(refusal)

    def _try(self, move: str, seat: int) -> Message | None:
        """Play a move as typed or, if it is unreadable, normalised. Return None if it was played, else the reason."""
        unreadable = None
        for form in (move, menu.normalised(move)):
            try:
                self.events += self.match.undo(seat) if form == "undo" else self.match.play(form, seat)
                return None
            except UnreadableMove as error:
                unreadable = unreadable or error.message
            except GramyError as error:
                return error.message
        return unreadable

    def _end(self) -> None:
        self.looking = 0 if self.people == 1 else None
        if self.looking is None:
            self.write(CLEAR)
        self._show(self.looking)
        while True:
            self._print(self.pen.words("after_the_end"))
            typed = self.read("\n" + MARGIN + self.pen.words("prompt_at_the_end"))
            if not typed.strip():
                return
            if not self._command(typed):
                self._refuse(Message("match_over"))

    def _save_by_itself(self) -> None:
        """Save the match in the file that was named at the start; a failure is shown and does not stop the match."""
        if self.file is None:
            return
        try:
            write_private(self.file, self.match)
            self.saved = str(self.file), len(self.match.log)
        except GramyError as error:
            self._refuse(error.message)

    def _farewell(self) -> None:
        self._save_by_itself()  # a turn that was left has moves too
        if self.saved and self.saved[1] == len(self.match.log):
            self._print(self.pen.words("left_saved", path=self.saved[0]))
        else:
            self._print(self.pen.words("left_unsaved"))

    # --- commands -----------------------------------------------------------------------------------------------------

    def _command(self, typed: str) -> bool:
        """Run the line if it is a command, or print a hint if it is empty; return whether it was either."""
        name, _, rest = typed.strip().partition(" ")
        command = self.commands.get(menu.understood(name, self.pen.language).casefold())
        if not name:
            self._print(self.pen.words("hint"))
            return True
        if command is not None:
            command(rest.strip())
        return command is not None

    def _list(self, rest: str) -> None:
        if not self.match.to_act:
            return self._refuse(Message("match_over"))
        self.numbered = self.match.moves(self.looking)
        self._print(self.pen.words("moves_offered"))
        return self.write(
            "\n".join(menu.list_moves([self.pen.typed(move) for move in self.numbered], self.drawing.group))
        )

    def _help(self, rest: str) -> None:
        talks = bool(self.match.game.phrases())
        commands = ["moves", "list", "undo", "hint", *(["say"] if talks else []), "log", "rules", "save", "quit"]
        pairs = [self.pen.words(f"help_{command}").split(" | ") for command in commands]
        self.write("\n" + "\n".join(f"{MARGIN}{self.pen.paint('bold', padded(key, 14))}{what}" for key, what in pairs))

    def completions(self) -> list[str]:
        """Return everything that can be typed now: the legal moves, and the commands."""
        moves = self.match.moves(self.looking) if self.looking is not None and self.match.to_act else ()
        return [self.pen.typed(words) for words in (*moves, "undo", *self.commands)]

    def _hint(self, rest: str) -> None:
        """Print the best move, its chance and the reason, unless people play against each other."""
        rules = self.match.game.rules
        if self.looking is None or self.match.agreeing or (self.people > 1 and not rules.COOPERATIVE):
            return self._refuse(Message("no_hints_now"))
        view, history = self.match.view(self.looking), self.match.history(self.looking)
        if self.looking not in view.to_act:
            return self._refuse(Message("no_hints_now"))
        advice = advice_for(view, history, self.bot_rng)
        assert advice.reason is not None
        words = self.pen.words("hint_says", move=self.pen.typed(advice.best), chance=advice.chance)
        return self._print(f"{words} {self.pen.say(advice.reason)}")

    def _say(self, phrase: str) -> None:
        phrases = self.match.game.phrases()
        if phrase:
            try:
                spoken = menu.understood(phrase, self.pen.language).casefold()
                events = self.match.say(spoken, self.looking)
            except GramyError as error:
                return self._refuse(error.message)
            self.events += events
            return self._show_events(self.looking)
        if not phrases:
            return self._print(self.pen.words("no_talk"))
        self._print(self.pen.words("phrases"))
        rows = {verb(one): [phrase for phrase in phrases if verb(phrase) == verb(one)] for one in phrases}
        return self.write(
            "\n".join(line for row in rows.values() for line in self.pen.wrapped(", ".join(map(self.pen.typed, row))))
        )

    def _log(self, rest: str) -> None:
        lines = []
        for number, entry in enumerate(self.match.history(self.looking), 1):
            who = cut(word("seat", entry.seat, self.pen.language, self.pen.names), 16)
            lines.append(f"{MARGIN}{number:4}  {padded(who, 16)}  {self.pen.typed(entry.text)}")
        self.write("\n" + "\n".join(lines))

    def _rules(self, rest: str) -> None:
        self.write("\n" + family_page(self.match.game.name, self.pen.language))

    def _save(self, path: str) -> None:
        if not path:
            return self._print(self.pen.words("save_where"))
        try:
            target = Path(path).expanduser()
            if target.exists() and not is_record(target):
                return self._refuse(terminal_message("save_elsewhere", path=path))
            write_private(target, self.match)
        except GramyError as error:
            return self._refuse(error.message)
        except (OSError, RuntimeError, ValueError) as error:
            return self._refuse(save_failed(Path(path), error).message)
        self.saved = path, len(self.match.log)
        return self._print(self.pen.words("saved", path=path))

    def _quit(self, rest: str) -> None:
        raise LeftTable

    def _print(self, sentence: str) -> None:
        self.write("\n" + "\n".join(self.pen.wrapped(sentence)))

    def _refuse(self, reason: Message) -> None:
        self.write("\n" + self.pen.paint("bad", "\n".join(self.pen.wrapped(self.pen.say(reason)))))
