"""Write the lessons of the browser client: `python -m tests.lessons.write`, or `make lessons`.

A lesson is a scripted match (`scripts.py`). This module plays it by the rules and stores a moment after each line, as
the learner's seat sees it. The client shows the moments and needs neither a server nor the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gramy
from gramy import text
from gramy.contract import DEALER
from gramy.matches import Entry, Match, as_read
from gramy.messages import to_builtins
from gramy.options import format_options
from gramy.text.typography import bind
from tests.lessons.scripts import LEARNER, LESSONS, TEACHER, Lesson, Step

FOLDER = Path(gramy.__file__).parent / "web" / "static" / "lessons"


def lesson_file(lesson: Lesson) -> str:
    """Return a lesson as JSON for the client, with one line for each moment, so that diffs stay readable."""
    game = gramy.game(lesson.game, players=2)
    keys = [step.say for step in lesson.steps]
    about = {
        "game": lesson.game,
        "options": format_options(game.options),
        "teacher": TEACHER,
        "phrases": list(game.phrases()),
        "words": {language: _sentences(keys, language) for language in text.LANGUAGES},
    }
    moments = ",\n".join(_line(moment) for moment in _moments(lesson))
    return f'{{"about": {_line(about)},\n"moments": [\n{moments}\n]}}\n'


def _sentences(keys: Sequence[str], language: str) -> dict[str, str]:
    catalogue = text.catalogue("lesson", language)
    return {key: bind(catalogue[key], language) for key in keys}


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _moments(lesson: Lesson) -> Iterator[dict[str, Any]]:
    """Yield every moment of a lesson: those with a sentence, and those after a line of the dealer or the teacher."""
    game = gramy.game(lesson.game, players=2)
    position = game.parse_position(lesson.position) if lesson.position else None
    match = Match(game, None, ("", TEACHER), position)
    for line in lesson.deal:
        _play(match, line)
    seen = 0
    for step in lesson.steps:
        yield _moment(match, seen, step)
        seen = len(match.log)
        lines = (f"{LEARNER} {step.move}", *step.then) if step.move else step.then
        for at, line in enumerate(lines):
            _play(match, line)
            if at < len(lines) - 1:
                yield _moment(match, seen, None)
                seen = len(match.log)


def _play(match: Match, line: str) -> None:
    who, _, move = line.partition(" ")
    match.replay(Entry(DEALER if who == "dealer" else int(who), move))


def _moment(match: Match, seen: int, step: Step | None) -> dict[str, Any]:
    moment = {
        "say": step.say if step else None,
        "move": (step.move or None) if step else None,
        "lines": len(match.log),
        "view": to_builtins(match.view(LEARNER)),
        "log": {"from": seen, "lines": _lines(match, seen)},
    }
    if step and step.move:
        moment["effects"] = to_builtins(match.game.effects(match.state, LEARNER))
        moment["refusals"] = to_builtins(match.game.refusals(match.state, LEARNER))
    return moment


def _lines(match: Match, seen: int) -> list[dict[str, Any]]:
    return [
        {"seat": entry.seat, "move": as_read(entry, LEARNER).text, "events": to_builtins(events)}
        for entry, events in zip(match.log[seen:], match.events_by_line[seen:], strict=True)
    ]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in LESSONS:
        path = FOLDER / f"{one.game}.json"
        path.write_text(lesson_file(one), encoding="utf-8")
        print(f"{path.stat().st_size / 1000:6.1f} kB  {path.name}")
