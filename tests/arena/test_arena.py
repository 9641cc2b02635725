"""Comparisons: the seating, the same results from the same seed, and errors that name the broken bot."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import gramy
from gramy.arena import BotFailed, Comparison, Entrant, Sprt, arrange, compare, parse_entrant
from gramy.arena.alternating import seated_alternately
from gramy.arena.deals import DuplicateDealer, play_match
from gramy.arena.mistakes import measure_accuracy
from gramy.arena.workers import workers
from gramy.cli import main
from gramy.contract import View
from gramy.errors import BadOptions, GramyError
from gramy.matches import Match

ALWAYS_FIRST = """
def choose(view, history, rng, budget):
    return view.moves[0]
"""


def bots(*specs: str) -> list[Entrant]:
    return [parse_entrant(spec) for spec in specs]


def compared(name: str, *specs: str, deals: int = 3, seed: int = 1, **options: object) -> Comparison:
    game = gramy.game(name, **options)
    players = game.players if "players" in options else None
    with ThreadPoolExecutor(1) as pool:
        return compare(arrange(game, bots(*specs), seed, players=players), deals, pool)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("easy", Entrant("easy", "easy", 1.0)),
        ("expert:50ms", Entrant("expert:50ms", "expert", 0.05)),
        ("hard:1.5s", Entrant("hard:1.5s", "hard", 1.5)),
        ("hard:2m", Entrant("hard:2m", "hard", 120.0)),
    ],
)
def test_a_bot_is_given_with_its_budget(spec: str, expected: Entrant) -> None:
    assert parse_entrant(spec) == expected


@pytest.mark.parametrize("spec", ["", "expert:", "expert:5", "expert:-1s", "expert:1s:2s", ":1s"])
def test_a_misspelt_bot_is_refused(spec: str) -> None:
    with pytest.raises(GramyError):
        arrange(gramy.game("gra"), bots(spec))


def test_two_bots_play_in_both_seats() -> None:
    assert arrange(gramy.game("face-to-face"), bots("easy", "go")).seatings == ((0, 1), (1, 0))


def test_every_pair_of_more_bots_than_seats_plays() -> None:
    seatings = arrange(gramy.game("face-to-face"), bots("easy", "go", "g2")).seatings
    assert sorted(seatings) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_a_table_is_rotated_and_equal_bots_are_one_entrant() -> None:
    setting = arrange(gramy.game("gra"), bots("medium", "naive", "naive"))
    assert [who.name for who in setting.entrants] == ["medium", "naive"]
    assert setting.seatings == ((0, 1, 1), (1, 1, 0), (1, 0, 1))
    assert setting.game.players == 3


def test_the_last_bot_takes_the_remaining_seats() -> None:
    game = gramy.game("gra", players=4)
    assert arrange(game, bots("medium", "naive"), players=4).seatings[0] == (0, 1, 1, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_bots_seated_alternately_have_every_seat_equally_often(players: int) -> None:
    setting = seated_alternately(arrange(gramy.game("gra"), bots("medium", "naive"), players=players))
    for seat in range(players):
        assert 2 * sum(seating[seat] == 0 for seating in setting.seatings) == len(setting.seatings)
    for seating in setting.seatings:
        neighbours = zip(seating, seating[1:] + seating[:1], strict=True)
        assert sum(one == other for one, other in neighbours) == players % 2


@pytest.mark.parametrize(
    ("game", "specs"), [("gra", ["medium"]), ("gra", ["easy", "medium", "naive"]), ("quick-easy", ["easy", "medium"])]
)
def test_only_two_rivals_can_sit_alternately(game: str, specs: list[str]) -> None:
    with pytest.raises(BadOptions, match="two different bots"):
        seated_alternately(arrange(gramy.game(game), bots(*specs), players=3))


def test_the_command_seats_two_bots_alternately(capsys: pytest.CaptureFixture[str]) -> None:
    main(["arena", "gra", "naive", "random", "players=4", "--alternate", "--deals", "1", "--processes", "1"])
    assert "1 deal, 2 matches" in capsys.readouterr().out


def test_in_a_cooperative_game_a_bot_plays_all_seats() -> None:
    game = gramy.game("quick-easy", players=3)
    assert arrange(game, bots("easy", "greedy"), players=3).seatings == ((0, 0, 0), (1, 1, 1))


def test_shares_of_wins_add_up_to_one_except_in_a_cooperative_game() -> None:
    standings = compared("gra", "naive", "random", deals=10).standings
    assert sum(standing.wins for standing in standings) == 20
    assert standings[0].share.mean + standings[1].share.mean == pytest.approx(1)
    team, lone = compared("quick-easy", "medium", "random", deals=4, players=4).standings
    assert team.share.mean > lone.share.mean == 0
    assert team.fair == 0


def test_a_deal_has_the_same_cards_for_all_bots() -> None:
    game = gramy.game("face-to-face")
    drawn = []
    for spec in ("easy", "random"):
        setting = arrange(game, bots(spec), seed=5)
        log = play_match(setting, 2, (0, 0)).log
        deals = [entry for entry in log if entry.text.startswith("deal ") and entry.reader is not None]
        drawn.append(
            [[card for deal in deals if deal.reader == seat for card in deal.text.split()[1:]] for seat in (0, 1)]
        )
    for ones, others in zip(*drawn, strict=True):
        shared = min(len(ones), len(others))
        assert shared > 10
        assert set(ones[:6]) == set(others[:6])
        assert len(set(ones[:shared]) & set(others[:shared])) >= shared - 6  # draws are sorted, and of other sizes


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
@pytest.mark.parametrize("limit", [None, 60.0])
def test_the_bot_that_wants_the_start_most_takes_it(tmp_path: Path, name: str, limit: float | None) -> None:
    for keen in (0, 1):
        text = f"{ALWAYS_FIRST}\ndef eagerness(view, history, rng):\n    return {keen}\n"
        (tmp_path / f"keen{keen}.py").write_text(text)
    entrants = bots(*(str(tmp_path / f"keen{keen}.py") for keen in (0, 1)))
    setting = arrange(gramy.game(name, players=2, starter="agreed"), entrants, players=2)._replace(limit=limit)
    for seating in ((0, 1), (1, 0)):
        log = play_match(setting, 0, seating).log
        assert next(entry.seat for entry in log if entry.text == "start") == seating.index(1)


def test_of_equally_eager_bots_the_deal_picks_the_one_who_starts(tmp_path: Path) -> None:
    text = f"{ALWAYS_FIRST}\ndef eagerness(view, history, rng):\n    return 0.5\n"
    entrants = [Entrant(name, f"{name}.py", 1.0, text) for name in ("one", "other")]
    setting = arrange(gramy.game("gra", players=2, starter="agreed"), entrants, seed=3)
    starters = []
    for deal in range(6):
        logs = [play_match(setting, deal, seating).log for seating in ((0, 1), (1, 0))]
        first = {next(entry.seat for entry in log if entry.text == "start") for log in logs}
        assert len(first) == 1
        starters += first
    assert set(starters) == {0, 1}


@pytest.mark.parametrize("limit", [None, 60.0])
@pytest.mark.parametrize("keen", ["float('nan')", "float('inf')", "-float('inf')"])
def test_a_bot_whose_eagerness_is_no_number_is_named(keen: str, limit: float | None) -> None:
    text = f"{ALWAYS_FIRST}\ndef eagerness(view, history, rng):\n    return {keen}\n"
    entrants = [Entrant("broken", "broken.py", 1.0, text), Entrant("random", "random", 1.0)]
    setting = arrange(gramy.game("gra", players=2, starter="agreed"), entrants)._replace(limit=limit)
    with pytest.raises(BotFailed, match=r"The bot broken failed in deal 0: .*eagerness returned .*not a number"):
        play_match(setting, 0, (0, 1))


@pytest.mark.parametrize(("keen", "nearest"), [("7", "1"), ("-7", "0")])
def test_eagerness_out_of_range_counts_as_the_nearest_that_is_in_range(keen: str, nearest: str) -> None:
    texts = [f"{ALWAYS_FIRST}\ndef eagerness(view, history, rng):\n    return {value}\n" for value in (keen, nearest)]
    entrants = [Entrant(name, f"{name}.py", 1.0, text) for name, text in zip(("one", "other"), texts, strict=True)]
    setting = arrange(gramy.game("gra", players=2, starter="agreed"), entrants, seed=3)
    logs = [play_match(setting, deal, (0, 1)).log for deal in range(6)]
    assert {next(entry.seat for entry in log if entry.text == "start") for log in logs} == {0, 1}


def test_cards_that_return_to_the_deck_are_shuffled_again() -> None:
    match = Match(gramy.game("gra", fewer_cards=True), DuplicateDealer("x"))
    first = [entry.text for entry in match.log]
    while match.to_act and len(match.log) < 60:
        seat = match.to_act[0]
        match.play(match.moves(seat)[-1], seat)
    deals = [entry.text for entry in match.log if entry.reader == 0 and entry.text.startswith("deal ")]
    assert len(deals) > 2
    assert len(set(deals)) == len(deals)
    assert [entry.text for entry in Match(match.game, DuplicateDealer("x")).log] == first


def test_results_depend_only_on_the_seed_not_on_the_executor() -> None:
    setting = arrange(gramy.game("gra"), bots("naive", "random"), seed=7)
    with ThreadPoolExecutor(3) as threads:
        expected = compare(setting, 4, threads)
    with workers(processes=2) as processes:
        assert compare(setting, 4, processes) == expected
    other = setting._replace(seed=8)
    with ThreadPoolExecutor(1) as threads:
        assert compare(other, 4, threads).results != expected.results


def test_early_stopping_does_not_depend_on_the_executor() -> None:
    setting, test = arrange(gramy.game("gra"), bots("naive", "random"), seed=2), Sprt(0.5, 0.7)
    stopped = []
    for threads in (1, 4):
        with ThreadPoolExecutor(threads) as pool:
            stopped.append(compare(setting, 500, pool, test=test))
    assert stopped[0] == stopped[1]
    assert stopped[0].accepted == 0.7
    assert stopped[0].deals < 100


def test_mistakes_are_counted_for_each_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramy.arena.mistakes.adviser", lambda game: FirstIsBest())
    setting = arrange(
        gramy.game("gra"), [Entrant("first", "first.py", 1.0, ALWAYS_FIRST), parse_entrant("random")], seed=3
    )
    with ThreadPoolExecutor(2) as pool:
        first, random = measure_accuracy(setting, 2, pool)
    assert (first.mistakes, first.blunders, first.cost) == (0, 0, 0)
    assert random.blunders > random.decisions / 3
    assert random.cost == pytest.approx(random.blunders / random.decisions)


class FirstIsBest:
    """An adviser that gives the first legal move a chance of 1, and the others 0."""

    def evaluate(self, view: View, *_: object) -> dict[str, float]:
        return {move: float(move == view.moves[0]) for move in view.moves}


def test_a_bot_from_a_file_plays(tmp_path: Path) -> None:
    path = tmp_path / "first.py"
    path.write_text(ALWAYS_FIRST)
    comparison = compared("face-to-face", f"{path}:1s", "random")
    assert [standing.name for standing in comparison.standings] == ["first:1s", "random"]


BROKEN = {
    "move": ("def choose(*_): return 'sing'", "The bot broken made a mistake in deal 0: “sing”"),
    "no move": ("def choose(*_): return 'undo'", "The bot broken made a mistake in deal 0: “undo”"),
    "error": ("def choose(*_): return 1 / 0", "The bot broken failed in deal 0: ZeroDivisionError"),
}


@pytest.mark.parametrize(("source", "sentence"), BROKEN.values(), ids=BROKEN)
def test_the_error_names_the_broken_bot(tmp_path: Path, source: str, sentence: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(BotFailed) as failed:
        compared("face-to-face", "easy", str(path))
    assert str(failed.value).startswith(sentence)


@pytest.mark.parametrize("source", ["", "choose = 3", "import nothing_like_it", "def"])
def test_a_file_without_a_bot_is_refused(tmp_path: Path, source: str) -> None:
    path = tmp_path / "none.py"
    path.write_text(source)
    with pytest.raises(BadOptions):
        compared("gra", "easy", str(path))
