"""Advice to a player, and the analysis of a match: the chance to win after each decision, and what a mistake cost.

The game's strongest bot estimates all chances, from what the deciding seat knows at that point. The reasons why a move
is advised follow from the same (`gramy.bots.reasons`). No hidden card is used, not even after the match.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from functools import partial
from statistics import fmean
from typing import NamedTuple, Protocol, runtime_checkable

from gramy import bots
from gramy.bots.reasons import EVEN, Recommendation, by_figures
from gramy.contract import DEALER, Outcome, View
from gramy.errors import BadOptions
from gramy.matches import Entry, Match
from gramy.messages import Message, Reason
from gramy.parallel import in_order

MISTAKE, BLUNDER = 0.10, 0.20
"""A decision that loses this much of the chance to win is a mistake or a blunder."""


UNLIKELY = 0.5
"""A claim whose chance is below UNLIKELY is not advised if another move is as good and claims something more likely."""

SMALL_SHARE = 0.1
"""A move is as good as another one if it loses less than EVEN of the chance to win, and less than this share of it."""


@runtime_checkable
class Adviser(Protocol):
    """A bot that estimates the value of every legal move."""

    def evaluate(
        self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float
    ) -> Mapping[str, float]:
        """Return the chance that the seat, or its team, wins the match after each legal move."""


class Advice(NamedTuple):
    """The legal moves with the chance to win after each, the advised one first, then by chance.

    `claims` gives, for moves that claim something, the chance that the claim is true. `reason` says why the first move
    is advised; it is None in the answer of a server that sends none.
    """

    moves: tuple[tuple[str, float], ...]
    claims: Mapping[str, float]
    reason: Reason | None = None

    @property
    def best(self) -> str:
        """The advised move: the one with the best chance, or one as good that claims something more likely."""
        return self.moves[0][0]

    @property
    def chance(self) -> float:
        """The chance to win after the advised move."""
        return self.moves[0][1]


class Decision(NamedTuple):
    """The evaluation of one move.

    `line` is its line in the log, counted from 1. `cost` is the chance to win that it lost against the best move;
    `mark` is "mistake", "blunder" or empty. `claim` is the chance that its claim is true, None if it claims nothing.
    `reason` says of a marked decision why the best move is better; it is None for any other.
    """

    line: int
    seat: int
    move: str
    chance: float
    best: str
    best_chance: float
    cost: float
    mark: str
    claim: float | None
    reason: Reason | None


class CurvePoint(NamedTuple):
    """The chance to win after a line of the log."""

    line: int
    chance: float


class Accuracy(NamedTuple):
    """How well a player decided: the number of decisions, their mean cost, and the marked ones."""

    decisions: int
    cost: float
    mistakes: int
    blunders: int


class Analysis(NamedTuple):
    """Every decision of a match, and for each seat its curve and its accuracy.

    A curve ends with the result, 0 or 1. The curves of two opponents add up to 1.
    """

    game: str
    names: tuple[str, ...]
    decisions: tuple[Decision, ...]
    curves: tuple[tuple[CurvePoint, ...], ...]
    accuracy: tuple[Accuracy, ...]
    outcome: Outcome | None


def adviser(game: str) -> Adviser:
    """Return the game's strongest bot that can estimate moves; raises BadOptions if there is none."""
    for level in reversed(bots.LEVELS.values()):
        if isinstance(strongest := level.get(game), Adviser):
            return strongest
    raise BadOptions(Message("no_advice", {"game": game}))


def advise(
    view: View, history: tuple[Entry, ...], rng: random.Random, budget: float, by: Adviser | None = None
) -> Advice:
    """Return advice for the seat of a view, which must have a legal move."""
    chances = (by or adviser(view.game)).evaluate(view, history, rng, budget)
    claims = bots.CLAIMS[view.game](view, history) if view.game in bots.CLAIMS else {}
    moves = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    advised = _more_likely_claim(moves, claims)
    others = [item for item in moves if item != advised]
    compared = Recommendation(view, history, advised[0], _next_best(advised, others), False, chances, claims)
    return Advice((advised, *others), claims, explain(compared))


def _next_best(advised: tuple[str, float], others: list[tuple[str, float]]) -> str | None:
    """Return the move to compare with: the best of the others, if it is not worse, else the best that is.

    Moves of exactly the same chance mostly begin the same turn in another order.
    """
    worse = [item for item in others if item[1] < advised[1]]
    better = [item for item in others[:1] if item[1] > advised[1]]
    return next((move for move, _ in (*better, *worse, *others)), None)


def explain(advised: Recommendation) -> Reason:
    """Return why a move is advised; by its figures alone in a game that lists no reasons."""
    return bots.REASONS.get(advised.view.game, by_figures)(advised)


def _more_likely_claim(moves: list[tuple[str, float]], claims: Mapping[str, float]) -> tuple[str, float]:
    """Return the first move; if its claim is unlikely, the most likely claim of all moves that are as good.

    An estimate that takes the others to believe a bluff can be wrong about them, and people see how likely a claim is.
    """
    best, chance = moves[0]
    if claims.get(best, 1.0) >= UNLIKELY:
        return moves[0]
    least = chance - min(EVEN, SMALL_SHARE * chance)
    even = [item for item in moves if item[1] >= least and item[0] in claims]
    return max(even, key=lambda item: (claims[item[0]], item[1]))


def analyse(
    match: Match,
    budget: float,
    seed: int,
    executor: Executor,
    *,
    by: Adviser | None = None,
    progress: Callable[[int], object] = lambda decisions: None,
) -> Analysis:
    """Evaluate every decision of a match that was not undone, each for `budget` seconds of a reference core."""
    decisions = []
    evaluate = partial(evaluate_decision, budget, seed, by or adviser(match.game.name))
    for decision in in_order(executor, evaluate, decision_points(match)):
        decisions.append(decision)
        progress(1)
    return summarise(match, decisions)


def summarise(match: Match, decisions: list[Decision]) -> Analysis:
    """Return the analysis of a match from its evaluated decisions."""
    seats = range(match.game.players)
    return Analysis(
        match.game.name,
        match.names,
        tuple(decisions),
        tuple(_curve(match, decisions, seat) for seat in seats),
        tuple(accuracy([decision for decision in decisions if decision.seat == seat]) for seat in seats),
        match.outcome,
    )


class DecisionPoint(NamedTuple):
    """A decision with what its seat knew just before it."""

    line: int
    move: str
    view: View
    history: tuple[Entry, ...]


def decision_lines(match: Match) -> list[int]:
    """Return the lines of the log with a player's move that was not undone, counted from 0."""
    lines: list[int] = []
    for line, entry in enumerate(match.log):
        if entry.text == "undo":
            lines.pop()
        elif not entry.text.startswith("say "):
            lines.append(line)
    return [line for line in lines if match.log[line].seat != DEALER]


def decision_points(match: Match) -> Iterator[DecisionPoint]:
    """Replay a match and yield the point before each decision that was not undone."""
    again = Match(match.game, None, match.names, match.origin)
    rules, stops = match.game.rules, set(decision_lines(match))
    for line, entry in enumerate(match.log):
        if line in stops:
            code = rules.parse_move(again.state, entry.seat, tuple(entry.text.split()))
            move = rules.format_move(again.state, entry.seat, code)  # the spelling of the legal moves
            yield DecisionPoint(line + 1, move, again.view(entry.seat), again.history(entry.seat))
        again.replay(entry)


def evaluate_decision(budget: float, seed: object, by: Adviser, point: DecisionPoint) -> Decision:
    """Evaluate one decision. The adviser's random generator depends only on the seed and the line."""
    line, move, view, history = point
    advice = advise(view, history, random.Random(f"{seed} {line}"), budget, by)
    chances = dict(advice.moves)
    chance = chances.get(move, advice.moves[-1][1])  # a move without an estimate counts as the worst
    cost = max(0.0, advice.chance - chance)
    best = move if cost == 0 else advice.best
    assert view.seat is not None
    claim, mark = advice.claims.get(move), classify(cost)
    reason = explain(Recommendation(view, history, best, move, True, chances, advice.claims)) if mark else None
    return Decision(line, view.seat, move, chance, best, advice.chance, cost, mark, claim, reason)


def classify(cost: float) -> str:
    """Return "blunder", "mistake" or nothing for a decision of this cost."""
    return "blunder" if cost >= BLUNDER else "mistake" if cost >= MISTAKE else ""


def accuracy(decisions: list[Decision]) -> Accuracy:
    """Return how well these decisions were made."""
    marks = [decision.mark for decision in decisions]
    cost = sum(decision.cost for decision in decisions) / len(decisions) if decisions else 0.0
    return Accuracy(len(decisions), cost, marks.count("mistake"), marks.count("blunder"))


def _curve(match: Match, decisions: list[Decision], seat: int) -> tuple[CurvePoint, ...]:
    """Return the chance of a seat after each of its decisions and at the end; of the team in a co-operative game.

    Two opponents estimate their chances from different cards, so the estimates need not add up to 1. Their curves do:
    after every decision each is the mean of the own last estimate and of what the other's last estimate leaves.
    """
    if match.game.rules.COOPERATIVE or match.game.players != 2:
        together = match.game.rules.COOPERATIVE
        points = [CurvePoint(one.line, one.chance) for one in decisions if together or one.seat == seat]
    else:
        points, last = [], dict[int, float]()
        for one in decisions:
            last[one.seat] = one.chance if one.seat == seat else 1 - one.chance
            points.append(CurvePoint(one.line, fmean(last.values())))
    if match.outcome is not None:
        points.append(CurvePoint(len(match.log), float(seat in match.outcome.winners)))
    return tuple(points)
