"""The analysis of a match: which decisions it has, what they cost, and that no hidden card is used."""

import json
import random
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import gramy
from gramy import bots
from gramy.analysis import Adviser, Analysis, CurvePoint, accuracy, advise, adviser, analyse, classify, decision_points
from gramy.analysis.report import LINES, draw, report_lines, sparkline
from gramy.bots import kernel
from gramy.cli import main
from gramy.contract import View
from gramy.errors import BadOptions
from gramy.matches import Entry, Match
from gramy.messages import to_builtins


class Scale:
    """An adviser that gives the first legal move a chance of 0.9, and each next one less."""

    def __init__(self, step: float = 0.15) -> None:
        self.step = step
        self.requests: list[tuple[View, tuple[Entry, ...]]] = []

    def evaluate(
        self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float
    ) -> Mapping[str, float]:
        self.requests.append((view, history))
        return {move: max(0.0, 0.9 - self.step * place) for place, move in enumerate(view.moves)}


def played(name: str, places: list[int], seed: int = 3, **options: Any) -> Match:
    """Return a match played by the legal moves at these places of the list, then always by the first."""
    match = gramy.match(name, seed=seed, **options)
    for place in places + [0] * 400:
        if not match.to_act:
            break
        moves = match.moves(match.to_act[0])
        match.play(moves[min(place, len(moves) - 1)], match.to_act[0])
    return match


class Bold:
    """An adviser that prefers one move, of a chance of 0.3 or another one, to all others by a difference."""

    def __init__(self, move: str, difference: float, chance: float = 0.3) -> None:
        self.move, self.difference, self.chance = move, difference, chance

    def evaluate(
        self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float
    ) -> Mapping[str, float]:
        return {move: self.chance - (move != self.move) * self.difference for move in view.moves}


def opening_of_twenty_cards(seed: int, jokers: str = "off") -> Match:
    """Return a match of four with five cards each, at its first bid: more than a hundred bids are legal."""
    match = gramy.match("gra", seed=seed, players=4, fewer_cards="on", starter="lot", jokers=jokers)
    rng = random.Random(seed)
    while len(match.to_act) > 1 or match.view(match.to_act[0]).board.phase == "choosing":
        seat = match.to_act[0]
        match.play(bots.bot("gra", "easy").choose(match.view(seat), match.history(seat), rng, 0.0), seat)
    return match


def analysed(match: Match, by: Adviser, seed: int = 1) -> Analysis:
    with ThreadPoolExecutor(1) as pool:
        return analyse(match, 0.01, seed, pool, by=by)


def test_the_cost_of_a_decision_is_its_difference_from_the_best_move() -> None:
    match = played("face-to-face", [0, 1, 2])
    decisions = analysed(match, Scale()).decisions
    assert [round(decision.cost, 3) for decision in decisions[:4]] == [0, 0.15, 0.3, 0]
    assert [decision.mark for decision in decisions[:4]] == ["", "mistake", "blunder", ""]
    assert [decision.reason is not None for decision in decisions[:4]] == [False, True, True, False]
    second = decisions[1]
    assert second.best == match.at(second.line - 1).moves()[0]
    assert second.move == match.log[second.line - 1].text


def test_every_decision_is_evaluated_from_its_own_seat_only() -> None:
    match, by = played("gra", [1, 0, 2, 1], players=3), Scale()
    analysis = analysed(match, by)
    for decision, (view, history) in zip(analysis.decisions, by.requests, strict=True):
        then = match.at(decision.line - 1)
        assert view == then.view(decision.seat)
        assert history == then.history(decision.seat)


def test_undone_moves_and_talk_are_no_decisions() -> None:
    match = gramy.match("quick-easy", seed=2, starter="lot")
    seat = match.to_act[0]
    match.say("red", 1 - seat)
    match.play(match.moves(seat)[0], seat)
    match.undo(seat)
    match.play(match.moves(seat)[1], seat)
    assert [(point.line, point.move) for point in decision_points(match)] == [(len(match.log), match.log[-1].text)]


def test_a_move_in_another_spelling_is_found_among_the_legal_moves() -> None:
    match = gramy.match("gra", seed=1, starter="lot")
    move = match.moves(0)[0]
    match.play(move.replace(" ", "   "), 0)
    assert next(decision_points(match)).move == move


def test_curves_end_with_the_result_and_a_cooperative_game_has_one() -> None:
    duel = analysed(played("face-to-face", []), Scale())
    last = [curve[-1].chance for curve in duel.curves]
    assert sorted(last) == [0, 1]
    assert duel.outcome is not None
    assert last[duel.outcome.winners[0]] == 1
    team = analysed(played("quick-easy", [], players=3), Scale())
    assert team.curves[0] == team.curves[1] == team.curves[2]
    assert len(team.curves[0]) == len(team.decisions) + 1


def test_the_curves_of_two_opponents_add_up_to_1_and_follow_both_estimates() -> None:
    duel = analysed(played("face-to-face", []), Scale())
    first, second = duel.curves
    assert [one.line + other.line for one, other in zip(first, second, strict=True)] == [2 * one.line for one in first]
    assert all(one.chance + other.chance == pytest.approx(1) for one, other in zip(first, second, strict=True))
    opening = duel.decisions[0]
    reply = next(one for one in duel.decisions if one.seat != opening.seat)
    mine, before = duel.curves[opening.seat], [one for one in duel.decisions if one.line < reply.line][-1]
    assert mine[0] == CurvePoint(opening.line, opening.chance)
    after_reply = next(point.chance for point in mine if point.line == reply.line)
    assert after_reply == pytest.approx((before.chance + 1 - reply.chance) / 2)


def test_accuracy_counts_the_marked_decisions() -> None:
    analysis = analysed(played("face-to-face", [0, 1, 2]), Scale())
    assert sum(player.mistakes for player in analysis.accuracy) == 1
    assert sum(player.blunders for player in analysis.accuracy) == 1
    assert sum(player.decisions for player in analysis.accuracy) == len(analysis.decisions)
    assert accuracy([]) == (0, 0, 0, 0)


@pytest.mark.parametrize(("cost", "mark"), [(0, ""), (0.09, ""), (0.1, "mistake"), (0.19, "mistake"), (0.2, "blunder")])
def test_marks_have_their_thresholds(cost: float, mark: str) -> None:
    assert classify(cost) == mark


def test_advice_is_ordered() -> None:
    match = gramy.match("face-to-face", seed=1)
    seat = match.to_act[0]
    advice = advise(match.view(seat), match.history(seat), random.Random(1), 0.01, Scale())
    assert advice.best == match.moves()[0]
    assert advice.chance == 0.9
    assert {move for move, _ in advice.moves} == set(match.moves())
    assert advice.reason is not None


def test_a_claim_has_the_chance_that_it_is_true() -> None:
    match = played("gra", [], seed=4)
    claims = {decision.move: decision.claim for decision in analysed(match, Scale()).decisions}
    assert all((claim is None) == move.startswith(("choose", "start")) for move, claim in claims.items())
    game = gramy.game("gra")
    line = (
        "phase=bidding turn=0 way=left bid=1x5 by=1 opened=5 sizes=1,1 active=0,1 tie=0 hands=15;46 picks=5;4 ready=0,1"
    )
    sure = Match(game, position=game.parse_position(line))
    advice = advise(sure.view(0), sure.history(0), random.Random(1), 0.01, Scale())
    assert advice.claims["check"] == 0
    assert 0 < advice.claims["bid 1x6"] < advice.claims["check"] + 0.5


def test_of_even_moves_one_with_a_likely_claim_is_advised() -> None:
    match = opening_of_twenty_cards(1)
    seat = match.to_act[0]
    bold = match.moves(seat)[-1]
    for difference, chance, likely in ((0.01, 0.3, True), (0.05, 0.3, False), (0.01, 0.06, False), (0.004, 0.06, True)):
        by = Bold(bold, difference, chance)
        advice = advise(match.view(seat), match.history(seat), random.Random(1), 0.01, by)
        assert advice.claims[bold] < 0.01
        assert (advice.best != bold) == likely
        assert advice.claims[advice.best] > 0.9 or not likely
        assert {move for move, _ in advice.moves} == set(match.moves(seat))


@pytest.mark.parametrize("jokers", ["off", "on"])
def test_few_rollouts_never_advise_a_bid_that_is_nearly_surely_false(jokers: str) -> None:
    for seed in range(8):
        match = opening_of_twenty_cards(seed, jokers)
        seat = match.to_act[0]
        with kernel.plain():
            advice = advise(match.view(seat), match.history(seat), random.Random(seed), 0.1)
        assert advice.claims[advice.best] >= 0.5, f"seed {seed}: {advice.best} in {match.moves(seat)}"


def test_the_strongest_bot_advises_and_a_game_without_one_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = Scale()
    monkeypatch.setattr(bots, "LEVELS", {"easy": {"gra": bots.bot("gra", "easy")}, "top": {"gra": scale}})
    assert adviser("gra") is scale
    with pytest.raises(BadOptions):
        adviser("face-to-face")


def test_an_analysis_converts_to_json() -> None:
    analysis = analysed(played("gra", []), Scale())
    assert json.loads(json.dumps(to_builtins(analysis)))["decisions"][0]["line"] == analysis.decisions[0].line


def test_a_long_curve_is_thinned_out_to_its_last_point() -> None:
    curve = [CurvePoint(line, 0.0) for line in range(200)] + [CurvePoint(200, 1.0)]
    assert sparkline(curve) == "▁" * 59 + "█"
    assert sparkline(curve[-3:]) == "▁▁█"
    assert sparkline([]) == ""


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("gramy.analysis.adviser", lambda game: Scale())
    gramy.save(played("face-to-face", [0, 1, 2]), tmp_path / "match.gramy")
    return tmp_path / "match.gramy"


def test_analyse_prints_every_decision_and_writes_files(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    plot, saved = recorded.with_suffix(".svg"), recorded.with_suffix(".json")
    assert main(["analyse", str(recorded), "--save", str(plot), "--save", str(saved), "--language", "pl"]) == 0
    out = capsys.readouterr().out
    assert "lepiej: " in out
    assert sum(line.strip()[-1:] == "." for line in out.splitlines()) == 3  # two reasons, and what the marks mean
    assert "1 gruby błąd" in out
    assert plot.read_bytes().startswith(b"<?xml")
    assert main(["analyse", str(recorded), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(saved.read_text())


def test_analyse_refuses_what_it_cannot_write(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    for path, why in (("curve.gif", "file type"), (str(recorded.parent / "nowhere" / "curve.json"), "no folder")):
        assert main(["analyse", str(recorded), "--save", path]) == 1
        assert why in capsys.readouterr().err


def drawn(match: Match, path: Path) -> str:
    draw(analysed(match, Scale()), path, "en")
    return path.read_text()


def test_the_plot_has_a_line_at_one_half_for_two_players_only(tmp_path: Path) -> None:
    half = "stroke-dasharray: 1.5,2.475"  # the dotted line, in the grey of all plots
    two = drawn(played("gra", [0, 1, 2]), tmp_path / "two.svg")
    three = drawn(played("gra", [0, 1, 2], players=3), tmp_path / "three.svg")
    team = drawn(played("quick-easy", [0, 1, 2], players=2), tmp_path / "team.svg")
    grey = [plot.count(f"{half}; stroke-dashoffset: 0; stroke: #9ca3af") for plot in (two, three, team)]
    assert grey == [1, 0, 0]


@pytest.mark.parametrize("game", ["quick-easy", "gra"])
def test_the_marks_of_a_plot_are_in_the_row_of_their_owner(tmp_path: Path, game: str) -> None:
    match = played(game, [0, 2, 0, 2, 1, 2], players=3)
    marked = [decision for decision in analysed(match, Scale()).decisions if decision.mark]
    plot = drawn(match, tmp_path / "plot.svg")
    below = plot[plot.index('<g id="axes_2">') :]
    assert len({decision.seat for decision in marked}) > 1
    for decision in marked:
        assert f"<!-- seat {decision.seat} -->" in below
        assert f"fill: {LINES[decision.seat].colour}" in below
    signs = [plot.count(f"<!-- {sign} -->") for sign in ("?", "??")]
    assert signs == [sum(decision.mark == mark for decision in marked) for mark in ("mistake", "blunder")]


def test_the_legend_of_a_plot_is_beside_the_curves(tmp_path: Path) -> None:
    plot = ElementTree.fromstring(drawn(played("gra", [], players=3), tmp_path / "three.svg"))
    groups = {group.get("id"): group for group in plot.iter("{http://www.w3.org/2000/svg}g")}
    background = groups["patch_2"].find("{http://www.w3.org/2000/svg}path")
    assert background is not None
    edges = [float(number) for number in re.findall(r"[ML] ([\d.]+) ", background.get("d", ""))]
    lines = groups["legend_1"].iter("{http://www.w3.org/2000/svg}path")
    left = [float(number) for line in lines for number in re.findall(r"[ML] ([\d.]+) ", line.get("d", ""))[:1]]
    assert min(left[:3]) > max(edges)


def test_a_report_of_a_team_has_one_curve() -> None:
    lines = list(report_lines(analysed(played("quick-easy", []), Scale()), "en"))
    assert sum(line.startswith("everybody") for line in lines) == 1
