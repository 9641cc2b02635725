"""Mixed teams and the matrix of cross-play: who sits where, what the figures are, and the plot."""

import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

import gramy
from gramy import bots
from gramy.arena import Comparison, Entrant, MatchResult, arrange, compare, parse_entrant, parse_team
from gramy.arena.crossplay import CrossPlay, arrange_pairs, default_entrants
from gramy.arena.crossplay_report import WRITERS, column_signs, report_lines, save, summary
from gramy.arena.deals import play_match
from gramy.arena.entrant import load_bot
from gramy.arena.figures import difference, win_share
from gramy.arena.seating import MOST_ORDERS, seat_orders
from gramy.cli import main
from gramy.errors import BadOptions, GramyError

COOPERATIVE = [name for name, rules in gramy.GAMES.items() if rules.COOPERATIVE]
COMPETITIVE = [name for name, rules in gramy.GAMES.items() if not rules.COOPERATIVE]


def entrants(*specs: str) -> list[Entrant]:
    return [parse_entrant(spec) for spec in specs]


def test_there_is_a_cooperative_game_to_test_with() -> None:
    assert COOPERATIVE
    assert COMPETITIVE


# --- teams ------------------------------------------------------------------------------------------------------------


def test_a_team_plays_in_every_order_of_its_seats() -> None:
    game = gramy.game(COOPERATIVE[0])
    setting = arrange(game, [], teams=[parse_team("easy,medium,random")])
    assert setting.game.players == 3
    assert sorted(setting.seatings) == [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    assert setting.names == ("easy,medium,random",)


def test_the_last_bot_of_a_team_takes_the_remaining_seats_and_equal_orders_are_played_once() -> None:
    setting = arrange(gramy.game(COOPERATIVE[0], players=4), [], teams=[parse_team("easy,medium")], players=4)
    assert sorted(setting.seatings) == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


def test_a_team_with_very_many_orders_plays_rotations_in_which_each_bot_sits_once_in_each_seat() -> None:
    assert len(seat_orders((0, 1, 2, 3))) == MOST_ORDERS
    orders = seat_orders((0, 1, 2, 3, 4))
    assert len(orders) == 5
    assert all(sorted(seat) == [0, 1, 2, 3, 4] for seat in zip(*orders, strict=True))


def test_a_bot_alone_is_a_team_of_its_own_beside_mixed_teams() -> None:
    setting = arrange(gramy.game(COOPERATIVE[0]), entrants("medium"), teams=[parse_team("medium,random")])
    assert setting.names == ("medium", "medium,random")
    assert setting.seatings == ((0, 0), (0, 1), (1, 0))
    assert [setting.parts(who) for who in (0, 1)] == [1, 2]


@pytest.mark.parametrize("team", ["easy,nobody", "easy,", ",", "easy;easy"])
def test_a_misspelt_team_is_refused(team: str) -> None:
    with pytest.raises(GramyError):
        arrange(gramy.game(COOPERATIVE[0]), [], teams=[parse_team(team)])


def test_a_team_that_is_too_large_is_refused() -> None:
    game = gramy.game(COOPERATIVE[0], players=2)
    with pytest.raises(BadOptions, match="3 does not fit at a table of 2"):
        arrange(game, [], teams=[parse_team("easy,easy,medium")], players=2)


@pytest.mark.parametrize("game", COMPETITIVE)
def test_bots_that_compete_form_no_teams(game: str) -> None:
    with pytest.raises(BadOptions, match="no co-operative game"):
        arrange(gramy.game(game), [], teams=[parse_team("easy,medium")])
    with pytest.raises(BadOptions, match="no co-operative game"):
        arrange_pairs(gramy.game(game), entrants("easy", "medium"))


@pytest.mark.parametrize("name", COOPERATIVE)
def test_mixed_teams_play_the_same_deals(name: str) -> None:
    setting = arrange(gramy.game(name), entrants("medium"), seed=4, teams=[parse_team("medium,random")])
    with ThreadPoolExecutor(1) as pool:
        comparison = compare(setting, 3, pool)
    alone, mixed = comparison.standings
    assert (alone.matches, mixed.matches) == (3, 6)
    assert isinstance(alone.wins, Fraction)
    first = [entry.text for entry in play_match(setting, 2, (0, 0)).log if entry.text.startswith("deal ")][:3]
    assert [entry.text for entry in play_match(setting, 2, (1, 0)).log if entry.text.startswith("deal ")][:3] == first


def test_the_command_compares_teams(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", COOPERATIVE[0], "easy", "--team", "easy,random", "--deals", "2", "--processes", "1"]
    assert main([*arguments, "--json"]) == 0
    standings = json.loads(capsys.readouterr().out)["standings"]
    assert [(one["name"], one["matches"]) for one in standings] == [("easy", 2), ("easy,random", 4)]
    assert all(isinstance(one["wins"], int) for one in standings)


# --- styles of talk ---------------------------------------------------------------------------------------------------


def said(name: str, spec: str, **options: object) -> list[str]:
    """Return what a team of this bot says in one deal."""
    setting = arrange(gramy.game(name, **options), entrants(spec))
    log = play_match(setting, 0, setting.seatings[0]).log
    return [entry.text for entry in log if entry.text.startswith("say ")]


@pytest.mark.parametrize("name", [name for name in gramy.GAMES if bots.styles(name)])
@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_silent_bot_says_nothing_and_a_vague_one_less_than_a_literal_one(name: str, level: str) -> None:
    silent, vague, literal = (said(name, f"{level}+{style}") for style in ("silent", "vague", "literal"))
    assert silent == []
    assert vague
    assert max(len(phrase.split()) for phrase in vague) < max(len(phrase.split()) for phrase in literal)


def test_in_the_pro_game_a_literal_bot_talks_of_piles_and_a_vague_one_of_colours_only() -> None:
    vague, literal = (said("quick-easy", f"medium+{style}", pro=True) for style in ("vague", "literal"))
    assert all(len(phrase.split()) == 2 for phrase in vague)
    assert any(phrase.startswith(("say mine ", "say turn ")) for phrase in literal)


def test_a_style_changes_what_is_said_and_not_who_plays(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def choose(view, history, rng, budget):\n    return view.moves[0]\n")
    styled = parse_entrant(f"{path}+literal:20ms")
    assert (styled.name, styled.style, styled.budget) == ("mine+literal:20ms", "literal", 0.02)
    match = gramy.match("quick-easy", seed=1, starter="lot")
    seat, bot = match.to_act[0], load_bot("quick-easy", styled)
    assert bot.choose(match.view(seat), match.history(seat), random.Random(0), 1) == match.moves()[0]
    assert len(bot.say(match.view(seat), match.history(seat), random.Random(0))) in (1, 2)


@pytest.mark.parametrize(
    ("game", "spec", "why"),
    [("quick-easy", "easy+loud", "silent, vague, literal"), ("gra", "easy+silent", "allow no talk")],
)
def test_a_style_that_a_game_does_not_have_is_refused(game: str, spec: str, why: str) -> None:
    with pytest.raises(BadOptions, match=why):
        load_bot(game, parse_entrant(spec))


# --- the matrix -------------------------------------------------------------------------------------------------------

SKILL = {"easy": 0.5, "medium": 0.9, "random": 0.1}


def made_up(players: int, deals: int = 200) -> CrossPlay:
    """Return a matrix in which a team wins as often as its weakest bot does."""
    game = gramy.game(COOPERATIVE[0], players=players)
    setting = arrange_pairs(game, entrants(*SKILL))
    rng = random.Random(3)
    results = []
    for deal in range(deals):
        luck = rng.random()
        for seating in setting.seatings:
            won = luck < min(SKILL[setting.entrants[who].name] for who in seating)
            results.append(MatchResult(deal, seating, tuple(range(players)) if won else (), "x", 1))
    return CrossPlay(Comparison(setting, tuple(results)))


def test_with_two_players_the_matrix_is_symmetric_and_its_diagonal_is_self_play() -> None:
    crossplay = made_up(2)
    assert len(crossplay.comparison.setting.seatings) == 3 * 1 + 3 * 2
    for one in range(3):
        for other in range(3):
            assert crossplay.cells[one, other] == crossplay.cells[other, one]
        assert crossplay.summaries[one].self_play == crossplay.cells[one, one]


def test_with_more_players_one_bot_of_the_row_joins_a_team_of_the_column() -> None:
    setting = made_up(3, 1).comparison.setting
    assert set(setting.teams) >= {(0, 1, 1), (0, 0, 1), (0, 2, 2), (1, 1, 2)}
    assert all(setting.parts(who) == (1 if len(set(team)) == 1 else 3) for who, team in enumerate(setting.teams))


def test_the_figures_are_means_over_the_same_deals() -> None:
    crossplay = made_up(2)
    easy = crossplay.summaries[0]
    own, with_medium, with_random = (crossplay.scores[0, other] for other in (0, 1, 2))
    mixed: Sequence[float] = [(one + other) / 2 for one, other in zip(with_medium, with_random, strict=True)]
    assert easy.cross_play == win_share(mixed, 4)
    assert easy.gap == difference(own, mixed)
    assert easy.cross_play.low < easy.cross_play.mean < easy.cross_play.high
    assert easy.worst == 2
    assert easy.worst_share == crossplay.cells[0, 2]
    assert 0.4 < easy.self_play.mean < 0.6
    assert easy.gap.mean == pytest.approx(easy.self_play.mean - easy.cross_play.mean)


def test_by_default_all_levels_references_and_styles_play() -> None:
    for name in COOPERATIVE:
        names = [one.name for one in default_entrants(gramy.game(name), 0.01)]
        assert set(names) >= {"easy", "medium", "hard", "expert", "random"}
        assert {f"expert+{style}" for style in bots.styles(name)} <= set(names)


def test_the_report_is_sorted_and_names_the_worst_partner() -> None:
    lines = list(report_lines(made_up(2), "en"))
    rows = [line for line in lines if line.startswith((" A  ", " B  ", " C  "))]
    assert [row.split()[1] for row in rows] == ["medium", "easy", "random"] * 2
    assert "worst: C" in rows[3]
    assert column_signs(28)[24:] == ["Y", "Z", "A1", "B1"]


@pytest.mark.parametrize("language", ["en", "pl", "de"])
@pytest.mark.parametrize("suffix", WRITERS)
def test_the_matrix_is_written_in_every_format(tmp_path: Path, suffix: str, language: str) -> None:
    crossplay, path = made_up(3, 5), tmp_path / f"matrix{suffix}"
    save(crossplay, path, language)
    assert path.stat().st_size > 300
    if suffix == ".json":
        saved = json.loads(path.read_text())
        assert len(saved.pop("matches")) == len(crossplay.comparison.results)
        assert saved == json.loads(json.dumps(summary(crossplay)))
        assert saved["cells"][0][2]["mean"] == crossplay.cells[0, 2].mean


def test_the_plot_has_a_number_in_every_cell_and_all_names(tmp_path: Path) -> None:
    crossplay, path = made_up(2), tmp_path / "matrix.svg"
    save(crossplay, path)
    drawn = path.read_text()
    for name in crossplay.names:
        assert f"<!-- {name} -->" in drawn
    for cell in crossplay.cells.values():
        assert f"<!-- {100 * cell.mean:.0f} -->" in drawn
        assert f"<!-- {100 * cell.low:.0f}–{100 * cell.high:.0f} -->" in drawn
    save(crossplay, path)
    assert path.read_text() == drawn


def test_the_command_prints_the_matrix_with_a_bot_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def choose(view, history, rng, budget):\n    return view.moves[-1]\n")
    arguments = ["crossplay", COOPERATIVE[0], "easy", "easy+silent", "--bot", str(path), "--deals", "2"]
    assert main([*arguments, "--processes", "1"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("mine", "easy+silent"))
    assert main([*arguments, "--processes", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["bots"] == ["mine", "easy", "easy+silent"]
    assert [len(row) for row in found["cells"]] == [3, 3, 3]


def test_one_bot_alone_has_no_partners(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crossplay", COOPERATIVE[0], "easy"]) == 1
    assert "at least two bots" in capsys.readouterr().err
