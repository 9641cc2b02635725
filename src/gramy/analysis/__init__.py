"""Advice for a player, and a look back at a match: what each decision was worth, and what it cost.

All chances are those of the seat that decides, from what it may know at that moment: no hidden card is ever looked at,
not even when the match is over. They are the estimates of the game's strongest bot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple, Protocol, runtime_checkable

from gramy import bots
from gramy.contract import DEALER, BadOptions, Message, Outcome, View
from gramy.matches import Entry, Match
from gramy.parallel import in_order

MISTAKE, BLUNDER = 0.10, 0.20
"""A decision that gives away this much of the chance to win is marked."""


@runtime_checkable
class Adviser(Protocol):
    """A bot that says what every move is worth."""

    def evaluate(
        self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float
    ) -> Mapping[str, float]:
        """The chance that the seat wins the match (or its team) by each offered move."""


class Advice(NamedTuple):
    """The offered moves with the chance to win by each, the best first; and where a move claims something, the honest
    chance that it is true."""

    moves: tuple[tuple[str, float], ...]
    claims: Mapping[str, float]

    @property
    def best(self) -> str:
        """The move to make."""
        return self.moves[0][0]

    @property
    def chance(self) -> float:
        """The chance to win with the best move."""
        return self.moves[0][1]


class Decision(NamedTuple):
    """One move, looked back at: its line in the log, counted from 1, the chance to win by it and by the best one, what
    it gave away, how that is called, and the chance that what it claims is true (None where it claims nothing)."""

    line: int
    seat: int
    move: str
    chance: float
    best: str
    best_chance: float
    cost: float
    mark: str
    claim: float | None


class Point(NamedTuple):
    """The chance to win after a line of the log."""

    line: int
    chance: float


class Care(NamedTuple):
    """How well a seat decided: its decisions, what they cost on average, how many were marked."""

    decisions: int
    cost: float
    mistakes: int
    blunders: int


class Analysis(NamedTuple):
    """Every decision of a match. Curves and care are by seat; a curve ends in what happened."""

    game: str
    names: tuple[str, ...]
    decisions: tuple[Decision, ...]
    curves: tuple[tuple[Point, ...], ...]
    care: tuple[Care, ...]
    outcome: Outcome | None


def adviser(game: str) -> Adviser:
    """The strongest of the game's bots that gives advice."""
    for level in reversed(bots.LEVELS.values()):
        if isinstance(strongest := level.get(game), Adviser):
            return strongest
    raise BadOptions(Message("no_advice", {"game": game}))


def advise(
    view: View, history: tuple[Entry, ...], rng: random.Random, budget: float, by: Adviser | None = None
) -> Advice:
    """What a player would be told now, from what the seat may know; the view's moves must not be empty."""
    chances = (by or adviser(view.game)).evaluate(view, history, rng, budget)
    claims = bots.CLAIMS[view.game](view, history) if view.game in bots.CLAIMS else {}
    return Advice(tuple(sorted(chances.items(), key=lambda known: (-known[1], known[0]))), claims)


def analyse(
    match: Match,
    budget: float,
    seed: int,
    executor: Executor,
    *,
    by: Adviser | None = None,
    progress: Callable[[int], object] = lambda decisions: None,
) -> Analysis:
    """Every decision of a match that was not taken back, each thought over for `budget` seconds of a reference core."""
    decisions = []
    look = partial(judge, budget, seed, by or adviser(match.game.name))
    for decision in in_order(executor, look, moments(match)):
        decisions.append(decision)
        progress(1)
    return gathered(match, decisions)


def gathered(match: Match, decisions: list[Decision]) -> Analysis:
    """The analysis of a match from what its decisions were worth."""
    seats = range(match.game.players)
    return Analysis(
        match.game.name,
        match.names,
        tuple(decisions),
        tuple(_curve(match, decisions, seat) for seat in seats),
        tuple(careful([decision for decision in decisions if decision.seat == seat]) for seat in seats),
        match.outcome,
    )


class Moment(NamedTuple):
    """Just before a decision: what its seat could know, and what it did."""

    line: int
    move: str
    view: View
    history: tuple[Entry, ...]


def standing(match: Match) -> list[int]:
    """The lines of the decisions that were not taken back, counted from 0."""
    lines: list[int] = []
    for line, entry in enumerate(match.log):
        if entry.text == "undo":
            lines.pop()
        elif not entry.text.startswith("say "):
            lines.append(line)
    return [line for line in lines if match.log[line].seat != DEALER]


def moments(match: Match) -> Iterator[Moment]:
    """The match again, stopping before each decision that stands."""
    again = Match(match.game, None, match.names, match.origin)
    rules, stops = match.game.rules, set(standing(match))
    for line, entry in enumerate(match.log):
        if line in stops:
            code = rules.parse_move(again.state, entry.seat, tuple(entry.text.split()))
            move = rules.format_move(again.state, entry.seat, code)  # as the menu spells it
            yield Moment(line + 1, move, again.view(entry.seat), again.history(entry.seat))
        again.replay(entry)


def judge(budget: float, seed: object, by: Adviser, moment: Moment) -> Decision:
    """What a decision was worth; its luck follows from the seed and its line."""
    line, move, view, history = moment
    advice = advise(view, history, random.Random(f"{seed} {line}"), budget, by)
    chances = dict(advice.moves)
    chance = chances.get(move, advice.moves[-1][1])  # what was not worth weighing is worth no more than the worst
    cost = advice.chance - chance
    best = move if cost == 0 else advice.best
    assert view.seat is not None
    claim = advice.claims.get(move)
    return Decision(line, view.seat, move, chance, best, advice.chance, cost, marked(cost), claim)


def marked(cost: float) -> str:
    """What a decision of this cost is called; empty where it is no mistake."""
    return "blunder" if cost >= BLUNDER else "mistake" if cost >= MISTAKE else ""


def careful(decisions: list[Decision]) -> Care:
    """How well somebody decided."""
    marks = [decision.mark for decision in decisions]
    cost = sum(decision.cost for decision in decisions) / len(decisions) if decisions else 0.0
    return Care(len(decisions), cost, marks.count("mistake"), marks.count("blunder"))


def _curve(match: Match, decisions: list[Decision], seat: int) -> tuple[Point, ...]:
    """The chance of a seat, or of everybody where all win together, after each of its decisions and at the end."""
    alike = match.game.rules.COOPERATIVE
    points = [Point(decision.line, decision.chance) for decision in decisions if alike or decision.seat == seat]
    if match.outcome is not None:
        points.append(Point(len(match.log), float(seat in match.outcome.winners)))
    return tuple(points)
