"""What `gramy arena` and `gramy crossplay` share: the run of a comparison that keeps its work.

Everything that can be wrong is checked before the first deal. Each deal is stored as soon as it is played: in a journal
and, if asked, as records. An interrupted run can be resumed, with the same results as without the interruption.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tqdm import tqdm

from gramy import bots, compiled
from gramy.arena import Comparison, Interrupted, MatchResult, Setting, Sprt, compare
from gramy.arena import journal as journals
from gramy.arena.entrant import load_bot, parse_time
from gramy.arena.journal import Journal
from gramy.arena.mistakes import measure_accuracy
from gramy.arena.report import words
from gramy.arena.workers import workers
from gramy.arguments import add_json, new_folder, whole_number, writing
from gramy.errors import BadOptions
from gramy.messages import Message

ESTIMATE_AFTER, ESTIMATE_FROM = 5.0, 60.0
"""Seconds after which the whole time is estimated, and how long the rest must take to be worth a line."""


def add_run_arguments(command: argparse.ArgumentParser, deals: int, files: str) -> None:
    """Add the arguments of a run: how many deals, where they are played, and what is kept."""
    command.add_argument(
        "--deals", type=whole_number(1, 10**7), default=deals, help=f"number of deals (default {deals})"
    )
    command.add_argument("--seed", type=whole_number(0), default=0, help="seed of the deals (default 0)")
    command.add_argument("--no-talk", action="store_true", help="play without talk")
    help = "time for a move, such as 5s; a bot that takes longer loses the match (default: no limit)"
    command.add_argument("--limit", metavar="TIME", help=help)
    command.add_argument(
        "--processes", type=whole_number(1, 1024), help="number of processes (default: one for each processor)"
    )
    help = "address of a Dask cluster that plays the deals, such as tcp://host:8786"
    command.add_argument("--cluster", default="", metavar="ADDRESS", help=help)
    command.add_argument("--save", action="append", default=[], metavar="FILE", help=files)
    command.add_argument("--records", metavar="FOLDER", help="save every match as a record in a new folder")
    help = "file for the results of each deal, to go on from (default: one in the cache, deleted at the end)"
    command.add_argument("--journal", metavar="FILE", help=help)
    command.add_argument("--resume", action="store_true", help="go on from the journal of an interrupted run")
    add_json(command)


def read_limit(args: argparse.Namespace) -> float | None:
    """Return the limit for a move in seconds, None for no limit; raises BadOptions."""
    return None if args.limit is None else read_time(args.limit)


def read_time(word: str) -> float:
    """Return a time such as 5s in seconds; raises BadOptions."""
    found = parse_time(word)
    if not found:
        raise BadOptions(Message("time_form", {"word": word}, "arena"))
    return found


def run(
    args: argparse.Namespace,
    setting: Setting,
    finish: Callable[[Comparison], object],
    *,
    test: Sprt | None = None,
    mistakes: int = 0,
) -> None:
    """Play the deals, call `finish` with the comparison, and then delete the journal unless the user has named it.

    After an interrupt `finish` gets the deals that were played; then this raises KeyboardInterrupt.
    """
    with _opened(args, setting) as journal:
        keep = _keeper(args, setting, journal)
        try:
            comparison = _play(args, setting, journal, keep, test, mistakes)
        except Interrupted as stopped:
            if stopped.comparison.deals:
                finish(stopped.comparison)
                _note(words("go_on", args.language, deals=stopped.comparison.deals, all=args.deals))
                _note("  " + shlex.join(["gramy", *(word for word in args.typed if word != "--resume"), "--resume"]))
            else:
                _note(words("nothing_yet", args.language))
            raise
        finish(comparison)
    if not args.journal:
        journal.delete()


@contextmanager
def _opened(args: argparse.Namespace, setting: Setting) -> Iterator[Journal]:
    """Open the journal: a new one, or that of an interrupted run."""
    left = [] if args.journal else journals.interrupted(setting)
    if args.resume:
        path = Path(args.journal) if args.journal else left[0] if left else journals.default_path(setting)
        journal = journals.resume(path, setting)
        _note(words("resumed", args.language, deals=len(journal.known), all=args.deals))
    elif args.journal:
        journal = journals.create(Path(args.journal), setting)
    else:
        journal = journals.create_default(setting)
        if left:
            _note(words("leftover", args.language))
    try:
        with closing(journal):
            yield journal
    finally:
        if not args.journal and not journal.written and not journal.known:
            journal.delete()


def _keeper(args: argparse.Namespace, setting: Setting, journal: Journal) -> Callable[[tuple[MatchResult, ...]], None]:
    """Return a function that stores the results of a deal: first the records, then the line of the journal."""
    if not args.records:
        return journal.append
    folder = Path(args.records)
    if not journal.known:
        new_folder(args.records)
    elif not all(
        record_path(folder, deal, place).is_file()
        for deal in range(len(journal.known))
        for place in range(len(setting.seatings))
    ):
        raise BadOptions(Message("records_missing", {"path": args.records}, "arena"))

    def keep(deal: tuple[MatchResult, ...]) -> None:
        for place, result in enumerate(deal):
            path = record_path(folder, result.deal, place)
            with writing(path):
                path.write_text(result.record, "utf-8", newline="\n")
        journal.append(deal)

    return keep


def record_path(folder: Path, deal: int, place: int) -> Path:
    """Return the file of a match: the number of its deal, and that of its seating, both from 0."""
    return folder / f"deal-{deal:06}-{place:02}.gramy"


def _play(
    args: argparse.Namespace,
    setting: Setting,
    journal: Journal,
    keep: Callable[[tuple[MatchResult, ...]], None],
    test: Sprt | None,
    mistakes: int,
) -> Comparison:
    known = journal.known[: args.deals]
    with (
        tqdm(total=args.deals, initial=len(known), unit=" deals", disable=None, leave=False, smoothing=0) as bar,
        workers(args.processes, args.cluster) as pool,
    ):
        if compiled.available() and args.processes != 1 and not args.cluster:
            bar.set_description("preparing")
            built_in = [load_bot(setting.game.name, one) for one in setting.entrants if not one.source]
            bots.prepare(setting.game, built_in)  # before many processes compile the same code at once
            bar.set_description("")
        progress = _Progress(args, len(known), bar)
        comparison = compare(
            setting, args.deals, pool, test=test, progress=progress, known=known, keep=keep, records=bool(args.records)
        )
        if mistakes:
            deals = min(mistakes, comparison.deals)
            bar.set_description("looking for mistakes")
            bar.reset(deals)
            try:
                comparison = comparison._replace(accuracy=measure_accuracy(setting, deals, pool, bar.update))
            except KeyboardInterrupt:
                raise Interrupted(comparison) from None
    return comparison


class _Progress:
    """Moves the progress bar, and says once how long the run will take, if that is long."""

    def __init__(self, args: argparse.Namespace, known: int, bar: tqdm[Any]) -> None:
        self._args, self._known, self._bar = args, known, bar
        self._done, self._began, self._said = 0, time.monotonic(), False

    def __call__(self, deals: int) -> None:
        self._done += deals
        played = self._done - self._known
        if played <= 0:
            return
        self._bar.update(deals)
        seconds = time.monotonic() - self._began
        rest = seconds / played * (self._args.deals - self._done)
        if not self._said and seconds >= ESTIMATE_AFTER:
            self._said = True
            if rest >= ESTIMATE_FROM:
                whole = format_time(seconds + rest)
                line = words("estimate", self._args.language, deals=self._args.deals - self._known, time=whole)
                self._bar.write(line, file=sys.stderr)


def format_time(seconds: float) -> str:
    """Return a time for people: 40 s, 12 min, or 3 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _note(line: str) -> None:
    print(line, file=sys.stderr)
