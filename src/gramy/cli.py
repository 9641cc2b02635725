"""The command line: what can be asked for, and the answers as text or JSON.

Exit codes: 0 done, 1 something given was wrong (one sentence on stderr says what), 2 the command itself was misspelt,
130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NoReturn

from tqdm import tqdm

import gramy
from gramy import compiled, record, text
from gramy.analysis import command as looking_back
from gramy.arena import command as competing
from gramy.bots import LEVELS
from gramy.contract import DEALER, BadOptions, BadRecord, Game, Message, choices, format_options, plain, word
from gramy.fair import first_unfair
from gramy.loadtest import command as loading
from gramy.matches import Match, as_read
from gramy.simulation import Tally, compile_ahead, simulate
from gramy.web import command as serving


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        asked.run(asked)
    except gramy.GramyError as error:
        print(f"gramy: {text.say(error.message, getattr(asked, 'language', 'en'))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("gramy: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return 0
    return 0


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


class Command(Parser):
    """Takes its words and flags in any order: a flag may stand between two words."""

    _mixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        if self._mixed:  # asked by the one below, which takes flags and words apart
            return super().parse_known_args(args, namespace)
        self._mixed = True
        return self.parse_known_intermixed_args(args, namespace)


def _parser() -> Parser:
    parser = Parser(prog="gramy", description="Card games: play, simulate, compete, replay, analyse, read the rules.")
    parser.add_argument("--version", action="version", version=f"gramy {gramy.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command", parser_class=Command)

    command = _command(commands, "serve", serving.run, "open tables in the browser, for yourself or for everybody")
    serving.add_arguments(command, _number)

    command = _command(commands, "play", _play, "play at this keyboard, alone or several in turn")
    _add_game(command, optional=True)
    command.add_argument("--people", type=_number(1, 6), default=1, help="how many people sit here (default 1)")
    command.add_argument("--name", action="append", default=[], help="a player's name; repeat it for the next seat")
    command.add_argument("--level", default="easy", help=f"of the bots in the other seats: {', '.join(LEVELS)}")
    command.add_argument("--seed", type=_number(0), help="deal the same cards again")
    _add_language(command)

    command = _command(commands, "simulate", _simulate, "play many matches at random, at compiled speed")
    _add_game(command)
    command.add_argument("--games", type=_number(1, 10**9), default=100_000, help="how many (default 100000)")
    command.add_argument("--seed", type=_number(0), default=0, help="the same seed, the same matches (default 0)")
    command.add_argument("--plain", action="store_true", help="without the compiler: same result, far slower")
    command.add_argument("--json", action="store_true", help="the answer as JSON")
    _add_language(command)

    command = _command(commands, "arena", competing.run, "let bots compete in the same deals, in every seat")
    competing.add_arguments(command, _number)
    _add_language(command)

    command = _command(commands, "load", loading.run, "play at many tables of a server at once, to see how it bears it")
    loading.add_arguments(command, _number)
    _add_language(command)

    command = _command(commands, "replay", _replay, "tell a recorded match, line by line")
    command.add_argument("record", help="a file that a match was saved to")
    command.add_argument("--seat", type=_number(0, 5), help="as this seat saw it (default: everything)")
    command.add_argument("--json", action="store_true", help="the answer as JSON")
    _add_language(command)

    command = _command(commands, "verify", _verify, "deal a recorded match again, to see that its cards were fair")
    command.add_argument("record", help="a file that a table's match was saved to")
    command.add_argument("--commitment", help="what the table showed before the first card")
    _add_language(command)

    command = _command(commands, "analyse", looking_back.run, "what every move of a recorded match was worth")
    looking_back.add_arguments(command, _number)
    _add_language(command)

    command = _command(commands, "rules", _rules, "the rules of a game, or the games and their options")
    command.add_argument("game", nargs="?", help="one of: " + ", ".join(gramy.GAMES))
    command.add_argument("--json", action="store_true", help="the answer as JSON")
    return parser


def _command(commands: Any, name: str, run: Any, help: str) -> Command:
    command: Command = commands.add_parser(name, help=help, description=help.capitalize() + ".")
    command.set_defaults(run=run)
    return command


def _add_game(command: Parser, optional: bool = False) -> None:
    command.add_argument("game", nargs="?" if optional else None, help="one of: " + ", ".join(gramy.GAMES))
    command.add_argument("options", nargs="*", metavar="option=value", help="for example players=3; see `gramy rules`")


def _add_language(command: Parser) -> None:
    command.add_argument("--language", choices=text.LANGUAGES, default="en", help="default: en")


def _number(least: int, most: int | None = None) -> Any:
    """A whole number in a range, for argparse, which turns the error into a sentence."""

    def read(word: str) -> int:
        limits = f"{least} or more" if most is None else f"from {least} to {most}"
        if not (word.isascii() and word.isdigit()) or len(word) > 18 or not least <= int(word) <= (most or int(word)):
            raise argparse.ArgumentTypeError(f"“{text.clip(word)}” is not a whole number {limits}")
        return int(word)

    return read


def _game(asked: argparse.Namespace) -> Game:
    options = {}
    for option in asked.options:
        name, equals, value = option.partition("=")
        if not equals:
            raise BadOptions(Message("option_form", {"word": option}))
        options[name] = value
    return gramy.game(asked.game, **options)


def _play(asked: argparse.Namespace) -> None:
    from gramy.terminal import play

    asked.game = asked.game or next(iter(gramy.GAMES))
    game = _game(asked)
    rng = random.Random(asked.seed)
    play(game, min(asked.people, game.players), rng, asked.name, asked.language, asked.level)


def _simulate(asked: argparse.Namespace) -> None:
    game = _game(asked)
    fast = not asked.plain and compiled.available()
    with tqdm(total=asked.games, unit=" matches", disable=None, leave=False) as bar:
        if fast:
            bar.set_description("compiling, once")
            compile_ahead(game)
            bar.set_description("")
        began = time.perf_counter()
        tally = simulate(game, asked.games, asked.seed, plain=asked.plain, progress=bar.update)
    seconds = time.perf_counter() - began
    if asked.json:
        answer = {"game": game.name, "options": format_options(game.options), "seed": asked.seed, "compiled": fast}
        print(json.dumps({**answer, **tally._asdict(), "seconds": round(seconds, 3)}))
        return
    print(f"{game.name}  {' '.join(f'{name}={value}' for name, value in format_options(game.options).items())}")
    speed = f"{tally.games / seconds:,.0f} matches/s {'compiled' if fast else 'in plain Python'}"
    print(f"{tally.games:,} random matches, {tally.moves / tally.games:.1f} moves each, {speed}\n")
    print("\n".join(_endings(tally, game, asked.language)))


def _endings(tally: Tally, game: Game, language: str) -> Iterator[str]:
    """A line for each ending: its share with a 95% interval, and a bar."""
    most = max(tally.endings.values())
    told = [text.say(Message("ending", {"ending": str(ending)}, game.name), language) for ending in tally.endings]
    for sentence, times in zip(told, tally.endings.values(), strict=True):
        share = times / tally.games
        margin = 1.96 * sqrt(share * (1 - share) / tally.games)
        yield f"{share:7.2%} ± {margin:.2%}  {sentence:{max(map(len, told))}}  {'▇' * round(24 * times / most)}"


def _replay(asked: argparse.Namespace) -> None:
    match = gramy.load(asked.record)
    if asked.seat is not None:
        match.view(asked.seat)  # says which seats there are
    told = list(_told(match, asked.seat))
    if asked.json:
        head = {"game": match.game.name, "options": format_options(match.game.options), "names": match.names}
        print(json.dumps(plain({**head, "log": told, "end": _last(match, asked.seat), "outcome": match.outcome})))
        return
    title = text.find("title", match.game.name, asked.language)
    print(f"{title}: {', '.join(match.names)}\n" if match.names else f"{title}\n")
    for line in told:
        who = text.word("seat", line["seat"], asked.language, match.names)
        facts = " ".join(text.say(fact, asked.language, match.names) for fact in line["events"])
        print(f"{line['number']:4}  {who:12.12} {line['move']:28}  {facts}")
    if asked.seat is None:
        print(f"\n{match.position}")


def _verify(asked: argparse.Namespace) -> None:
    """Say that all cards follow from the seed and the players' words; any doubt is an error."""
    match, deal = record.parse_checkable(record.read(asked.record))
    if deal is None or match.origin != match.game.start():  # cards that lay there already came from no seed
        raise BadRecord(0, Message("not_checkable"))
    if asked.commitment not in (None, deal.commitment):
        raise BadRecord(
            0, Message("other_commitment", {"found": deal.commitment[:16], "expected": asked.commitment[:16]})
        )
    if (line := first_unfair(match, deal)) is not None:
        raise BadRecord(0, Message("unfair", {"line": line + 1}))
    deals = sum(entry.seat == DEALER for entry in match.log)
    print(text.say(Message("fair", {"deals": deals}), asked.language))
    print(f"SHA-256: {deal.commitment}")


def _last(match: Match, seat: int | None) -> Any:
    """The end of a replay: everything, or as one seat saw it."""
    return match.position if seat is None else match.view(seat)


def _told(match: Match, seat: int | None) -> Iterator[dict[str, Any]]:
    """Each line of a match with what followed from it."""
    for number, (entry, events) in enumerate(zip(match.log, match.events_by_line, strict=True), 1):
        shown = entry if seat is None else as_read(entry, seat)
        yield {"number": number, "seat": entry.seat, "move": shown.text, "events": events}


def _rules(asked: argparse.Namespace) -> None:
    if asked.game is None:
        known = {name: plain(choices(rules.Options)) for name, rules in gramy.GAMES.items()}
        if asked.json:
            print(json.dumps(known))
            return
        for name, options in known.items():
            print(f"{name:14} {text.find('title', name, 'en')}")
            for option, values in options.items():
                print(f"{'':14} {option}: {', '.join(map(word, values))}")
        return
    name = gramy.game(asked.game).name
    page = text.rules_page(name)
    print(json.dumps({"game": name, "page": page}) if asked.json else page)
