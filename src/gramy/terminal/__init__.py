"""The terminal: people at one keyboard, line by line, with bots in the other seats.

The loop knows a match only as its seats do: it shows views, reads lines, and plays them by the one door for moves.
What belongs to a game, its board and the telling of its events, is in the file of its name.
"""

import os
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from gramy import games, record
from gramy.bots import bot
from gramy.contract import BadOptions, Event, Game, GramyError, Message, UnreadableMove, View
from gramy.matches import Entry, Match, ShuffledDealer
from gramy.terminal import face_to_face, gra, menu, quick_easy
from gramy.terminal.pen import MARGIN, Block, Pen, cut, own, padded
from gramy.text import clip, family_page, word

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Wipes the screen and what could be scrolled back to."""

THINKING = 0.5
"""Seconds that a bot may think about a move."""

Read = Callable[[str], str]
Write = Callable[[str], None]


def plainly(event: Event, pen: Pen) -> Block:
    """An event as its sentence."""
    return pen.wrapped(pen.say(event))


class Drawing(NamedTuple):
    """How a game looks: its board, its events, and by what a long list of its moves is grouped."""

    draw: Callable[[View, Sequence[Entry], Pen], str]
    tell: Callable[[Event, Pen], Block] = plainly
    group: Callable[[str], str] = menu.verb


DRAWINGS: dict[str, Drawing] = {
    games.face_to_face.NAME: Drawing(face_to_face.draw),
    games.quick_easy.NAME: Drawing(quick_easy.draw),
    games.gra.NAME: Drawing(gra.draw, gra.tell, gra.group),
}


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
) -> Match:
    """Play a match: the first seats are people, the others bots of a level. The match, finished or not.

    Colour is by default what the terminal allows. The end of input and Ctrl-C leave the table, as `quit` does.
    """
    if not 1 <= people <= game.players:
        raise BadOptions(own("people_number", people=people, players=game.players))
    rng = rng or random.Random()
    luck, chance = random.Random(rng.getrandbits(64)), random.Random(rng.getrandbits(64))
    pen = Pen(
        named(game, people, names, language),
        frozenset(range(people, game.players)),
        language,
        allowed() if colour is None else colour,
    )
    match = Match(game, ShuffledDealer(luck), pen.names)
    Sitting(match, people, level, chance, pen, read, write).run()
    return match


def named(game: Game, people: int, names: Sequence[str], language: str) -> tuple[str, ...]:
    """Everybody's name: as given, and for the rest what they are. Too many are left for the match to refuse."""
    pen = Pen((), frozenset(), language)
    given = [cut(clip(" ".join(name.split())), 24) for name in names]
    given += [""] * (game.players - len(given))
    standard = [pen.words("person" if seat < people else "machine", number=seat + 1) for seat in range(len(given))]
    return tuple(name or other for name, other in zip(given, standard, strict=True))


def allowed() -> bool:
    """Whether colour is wanted: on a terminal, unless NO_COLOR says otherwise."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Leave(Exception):
    """Somebody has left the table."""


class Sitting:
    """One match at one keyboard. `looking` is the person in front of the screen, `facts` all that has happened."""

    def __init__(
        self, match: Match, people: int, level: str, chance: random.Random, pen: Pen, read: Read, write: Write
    ) -> None:
        self.match, self.people, self.level, self.chance, self.pen = match, people, level, chance, pen
        self.bot = bot(match.game.name, level)
        self.read, self.write = read, write
        self.drawing = DRAWINGS[match.game.name]
        self.looking: int | None = 0 if people == 1 else None
        self.facts: list[Event] = []
        self.told: dict[int | None, int] = {}  # how many of the facts a person (None: the whole table) has read
        self.numbered: tuple[str, ...] = ()  # the moves of the list that is in sight
        self.kept: tuple[str, int] | None = None  # the file last saved to, and how long the log was then
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._list,
            "help": self._help,
            "say": self._say,
            "log": self._log,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Until the match is over and nobody wants to save it, or somebody leaves."""
        try:
            self._welcome()
            while self.match.to_act:
                self._step()
            self._end()
        except (Leave, EOFError, KeyboardInterrupt) as cause:
            if not isinstance(cause, Leave):
                self.write("")
            self._farewell()

    # --- the course of a match ----------------------------------------------------------------------------------------

    def _welcome(self) -> None:
        first = int(self.match.history(None)[0].text.split()[-1])
        self.facts.append(Message("starts", {"seat": first}))
        if self.pen.machines:
            self._tell(self.pen.words("bots", seats=sorted(self.pen.machines), level=self.level))
        self._tell(self.pen.words("hint"))

    def _step(self) -> None:
        """One move of a bot, or of the person that is asked."""
        to_act = self.match.to_act
        machine = next((seat for seat in to_act if seat in self.pen.machines), None)
        if machine is not None:
            view, history = self.match.view(machine), self.match.history(machine)
            for phrase in self.bot.say(view, history, self.chance):
                self.facts += self.match.say(phrase, machine)
            self.facts += self.match.play(self.bot.choose(view, history, self.chance, THINKING), machine)
            return
        seat = self.looking if self.looking in to_act else to_act[0]
        assert seat is not None
        if seat != self.looking:
            self._hand_over(seat)
        self._show(seat)
        self._ask(seat)

    def _hand_over(self, seat: int) -> None:
        """An empty screen with nothing on it but what everybody knows, until the next person is there."""
        self.looking = None
        if self.told:
            self.write(CLEAR)
        self._news(None)
        typed = self.read("\n" + MARGIN + self.pen.words("hand_over", seat=seat) + " ")
        if typed.strip().casefold() == "quit":
            raise Leave
        self.write(CLEAR)
        self.looking = seat

    def _show(self, seat: int | None) -> None:
        self._news(seat)
        view, history = self.match.view(seat), self.match.history(seat)
        self.write("\n" + self.drawing.draw(view, history, self.pen))
        self.numbered = ()

    def _news(self, reader: int | None) -> None:
        """What has happened since this person last looked. Draws are part of the sentence on what caused them."""
        fresh = self.facts[self.told.get(reader, 0) :]
        self.told[reader] = len(self.facts)
        lines = [line for fact in fresh if fact.key != "dealt" for line in self.drawing.tell(fact, self.pen)]
        if lines:
            self.write("\n" + "\n".join(lines))

    def _ask(self, seat: int) -> None:
        """Read lines until one of them is a move."""
        while True:
            typed = self.read("\n" + MARGIN + self.pen.words("prompt", seat=seat))
            if self._command(typed):
                continue
            move = menu.meant(typed, (*self.match.moves(seat), "undo"), self.numbered)
            refusal = self._try(move, seat)
            if refusal is None:
                return
            self._refuse(refusal)

    def _try(self, move: str, seat: int) -> Message | None:
        """Play the move as it was typed or, if that cannot be read, tidied; why not, None when it was played."""
        unreadable = None
        for form in (move, menu.tidied(move)):
            try:
                self.facts += self.match.undo(seat) if form == "undo" else self.match.play(form, seat)
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
            self._tell(self.pen.words("after_the_end"))
            typed = self.read("\n" + MARGIN + self.pen.words("prompt_at_the_end"))
            if not typed.strip():
                return
            if not self._command(typed):
                self._refuse(Message("match_over"))

    def _farewell(self) -> None:
        if self.kept and self.kept[1] == len(self.match.log):
            self._tell(self.pen.words("left_saved", path=self.kept[0]))
        else:
            self._tell(self.pen.words("left_unsaved"))

    # --- what may be written besides moves ----------------------------------------------------------------------------

    def _command(self, typed: str) -> bool:
        """Whether the line was one of the commands, or nothing at all; then it has been answered."""
        name, _, rest = typed.strip().partition(" ")
        command = self.commands.get(name.casefold())
        if not name:
            self._tell(self.pen.words("hint"))
            return True
        if command is not None:
            command(rest.strip())
        return command is not None

    def _list(self, rest: str) -> None:
        if not self.match.to_act:
            return self._refuse(Message("match_over"))
        self.numbered = self.match.moves(self.looking)
        self._tell(self.pen.words("moves_offered"))
        return self.write("\n".join(menu.listed(self.numbered, self.drawing.group)))

    def _help(self, rest: str) -> None:
        talks = bool(self.match.game.phrases())
        commands = ["moves", "list", "undo", *(["say"] if talks else []), "log", "rules", "save", "quit"]
        pairs = [self.pen.words(f"help_{command}").split(" | ") for command in commands]
        self.write("\n" + "\n".join(f"{MARGIN}{self.pen.paint('bold', padded(key, 14))}{what}" for key, what in pairs))

    def _say(self, phrase: str) -> None:
        phrases = self.match.game.phrases()
        if phrase:
            try:
                facts = self.match.say(" ".join(phrase.casefold().split()), self.looking)
            except GramyError as error:
                return self._refuse(error.message)
            self.facts += facts
            return self._news(self.looking)
        if not phrases:
            return self._tell(self.pen.words("no_talk"))
        self._tell(self.pen.words("phrases"))
        rows = {
            menu.verb(one): [phrase for phrase in phrases if menu.verb(phrase) == menu.verb(one)] for one in phrases
        }
        return self.write("\n".join(line for row in rows.values() for line in self.pen.wrapped(", ".join(row))))

    def _log(self, rest: str) -> None:
        lines = []
        for number, entry in enumerate(self.match.history(self.looking), 1):
            who = cut(word("seat", entry.seat, self.pen.language, self.pen.names), 16)
            lines.append(f"{MARGIN}{number:4}  {padded(who, 16)}  {entry.text}")
        self.write("\n" + "\n".join(lines))

    def _rules(self, rest: str) -> None:
        self.write("\n" + family_page(self.match.game.name, self.pen.language))

    def _save(self, path: str) -> None:
        if not path:
            return self._tell(self.pen.words("save_where"))
        try:
            target = Path(path).expanduser()
            if target.exists() and not _is_record(target):
                return self._refuse(own("save_elsewhere", path=path))
            record.save(self.match, target)
        except (OSError, RuntimeError, ValueError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            return self._refuse(own("save_failed", path=path, why=why))
        self.kept = path, len(self.match.log)
        return self._tell(self.pen.words("saved", path=path))

    def _quit(self, rest: str) -> None:
        raise Leave

    def _tell(self, sentence: str) -> None:
        self.write("\n" + "\n".join(self.pen.wrapped(sentence)))

    def _refuse(self, reason: Message) -> None:
        self.write("\n" + self.pen.paint("bad", "\n".join(self.pen.wrapped(self.pen.say(reason)))))


def _is_record(path: Path) -> bool:
    """Whether saving there replaces nothing but an earlier record."""
    with open(path, "rb") as file:
        return file.read(len(record.FIRST)) == record.FIRST.encode()
