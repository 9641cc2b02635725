"""Reasons for advice: each detector finds what it is for and nothing else, in words, without hidden cards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

import gramy
from gramy import bots, games
from gramy.analysis import explain
from gramy.bots.reasons import Recommendation, by_figures, shown_chance
from gramy.drawing.pen import width
from gramy.matches import Entry
from gramy.messages import Message
from gramy.terminal.boards import board_for
from gramy.terminal.scene import Scene
from gramy.text import LANGUAGES, say
from tests.catalogues import read
from tests.test_laws import INDISTINGUISHABLE, possible

SEED = 20_262
TWO_ROWS = 2 * 76
"""Columns for a hint on the smallest screen, with some room for the breaks of its two lines."""


class Case(NamedTuple):
    """A position, the advised move and the other one, and the values of the reason, None if another one is given."""

    key: str
    position: str
    move: str
    instead: str
    values: Mapping[str, Any] | None
    history: tuple[Entry, ...] = ()
    chances: Mapping[str, float] = {}
    made: bool = False
    options: Mapping[str, str] = {}


def duel(hand: str, up: int = 20, down: int = 50, laid: int = 0, helped: int = 0, deck: str = "2~9") -> str:
    """Return a position of Face to Face in which the other piles show 30 and 40."""
    return f"seat=0 laid={laid} helped={helped} draw=0 up={up},30 down={down},40 hand={hand};55,56 deck={deck};57,58"


def team(hand: str, up: str = "G5", down: str = "R8", laid: int = 0, deck: str = "R1~R3") -> str:
    """Return a position of Quick & Easy."""
    return f"seat=0 laid={laid} draw=0 up={up} down={down} hands={hand};Y1,Y2 deck={deck}"


def bidding(own: str, face: int, bid: str, others: str = "36") -> str:
    """Return a position of GRA with one own card; the other player has made the bid, or nobody has."""
    cards = others.split(",")
    by, opened = ("-", "-") if bid == "-" else ("1", bid[-1])
    return (
        f"phase=bidding turn=0 way=left bid={bid} by={by} opened={opened} sizes=1,{len(cards)} active=0,1 tie=0 "
        f"hands={own};{others} picks={face};{','.join(card[0] for card in cards)} ready=0,1"
    )


def choosing(own: str) -> str:
    """Return a position of GRA in which nobody has chosen faces yet."""
    cards = own.split(",")
    lower = ",".join(card[0] for card in cards)
    return (
        f"phase=choosing turn=0 way=left bid=- by=- opened=- sizes={len(cards)},1 active=0,1 tie=0 "
        f"hands={own};36 picks={lower};3 ready=-"
    )


FACE_TO_FACE = [
    Case("why_wins", duel("30", laid=1, deck="-"), "up 30", "down 30", {}),
    Case("why_wins", duel("30", laid=1, deck="2"), "up 30", "down 30", None),
    Case("why_trick", duel("23,35", up=33), "up 23", "up 35", {"pile": "up", "card": 23, "top": 33}),
    Case("why_trick", duel("23,35", up=33), "up 35", "up 23", None),
    Case("why_prepares_trick", duel("23,33,47"), "up 33", "down 47", {"card": 33, "back": 23}),
    Case("why_prepares_trick", duel("24,33,47"), "up 33", "down 47", None),
    Case("why_help_refills", duel("27,45,46", laid=2), "help-up 27", "end", {"steps": 3, "draws": 4}),
    Case("why_help_refills", duel("27,45,46,47,48", laid=1), "help-up 27", "up 27", None),
    Case("why_help_spares", duel("27,44,45,46,47", down=60, laid=1), "help-up 27", "up 27", {"steps": 3, "least": 7}),
    Case("why_help_spares", duel("22,27,45,46,47", down=60, laid=1), "help-up 27", "up 27", None),
    Case("why_keeps_pair", duel("23,29,33,47,48,49", down=60), "up 29", "up 23", {"low": 23, "high": 33}),
    Case("why_keeps_pair", duel("23,29,34,47,48,49", down=60), "up 29", "up 23", None),
    Case(  # the same turn gives one card of the pair away
        "why_keeps_pair", duel("23,27,33,47,48,49", down=60), "up 27", "up 33", None, chances={"help-up 23": 0.6}
    ),
    Case("why_refills_anyway", duel("24,45,46", laid=2, helped=1), "up 24", "end", {"steps": 4}),
    Case("why_refills_anyway", duel("24,45,46", laid=2), "up 24", "end", None),
    Case("why_no_help", duel("27,45", laid=2), "end", "help-up 27", {"card": 27, "steps": 3}),
    Case("why_no_help", duel("27,45", laid=2), "end", "help-up 27", None, chances={"help-up 27": 0.59}),
    Case("why_helps_less", duel("21,22,27,45,46", laid=1), "help-up 27", "help-up 22", {"steps": 3, "other": 8}),
    Case("why_helps_less", duel("21,22,27,45,46", laid=1), "help-up 22", "help-up 27", None),
    Case(
        "why_cheapest_turn",
        duel("22,24,36,39,43,45"),
        *("up 22", "down 45"),
        {"first": 22, "last": 24, "steps": 4, "other": 7},
    ),
    Case("why_cheapest_turn", duel("22,24,36,39,43,45"), "down 45", "up 22", None),
    Case("why_cheapest_turn", duel("22,24,36,39,43,45"), "up 22", "down 45", None, chances={"help-up 24": 0.6}),
    Case("why_other_pile", duel("21,33", laid=1), "up 33", "down 33", {"card": 33, "steps": 13, "other": 17}),
    Case("why_other_pile", duel("21,33", laid=1), "up 33", "up 21", None),
    Case("why_cheaper", duel("22,31", laid=1), "up 22", "up 31", {"steps": 2, "card": 31, "other": 11}),
    Case("why_cheaper", duel("22,31", laid=1), "up 31", "up 22", None),
    Case("why_cheapest", duel("22,31", laid=2), "up 22", "end", {"steps": 2, "other": 11}),
    Case("why_cheapest", duel("22,31", laid=2), "up 31", "end", None),
    Case("why_ends", duel("23,31", laid=2), "end", "up 23", {"steps": 3}),
    Case("why_ends", duel("22,31", laid=2), "end", "up 22", None),
    Case("why_ends", duel("22,31", up=32, laid=2), "end", "up 22", None),
]

ASKED = (Entry(1, "say mine up"),)
QUICK_EASY = [
    Case("why_wins", "seat=0 laid=0 draw=0 up=G5 down=R8 hands=B7;- deck=-", "up B7", "down B7", {}),
    Case("why_wins", team("B7", laid=1), "up B7", "down B7", None),
    Case("why_leaves_pile", team("R7,S9"), "down R7", "up S9", {"seat": 1, "pile": "up"}, ASKED),
    Case("why_leaves_pile", team("R7,S9"), "down R7", "up S9", None),
    Case("why_leaves_pile", team("R7,S9"), "up R7", "up S9", None, ASKED),
    Case("why_turns", team("G2,S6"), "up G2", "up S6", {"pile": "up", "steps": 3}),
    Case("why_turns", team("G2,S6"), "up S6", "up G2", None),
    Case("why_prepares_turn", team("B8,B6"), "up B8", "up B6", {"kept": "B6"}),
    Case("why_prepares_turn", team("B8,B6"), "up B8", "up B6", None, options={"pro": "on"}),
    Case("why_prepares_turn", team("B8,S6"), "up B8", "up S6", None),
    *(
        Case("why_partner_turns", team("B8,S9"), "up B8", "up S9", values, (Entry(1, f"say {words}"),))
        for words, values in (("blue low", {"seat": 1, "colour": "blue"}), ("blue high", None), ("blue", None))
    ),
    Case("why_exact", team("S6,B9"), "up S6", "up B9", {"top": "G5"}),
    Case("why_exact", team("S6,B9"), "up B9", "up S6", None),
    Case("why_keeps_near", team("B7,S9"), "up S9", "up B7", {"kept": "B7", "pile": "down"}),
    Case("why_keeps_near", team("B7,S9", down="R10"), "up S9", "up B7", None),
    Case("why_keeps_turn", team("B7,S9", down="B4"), "up S9", "up B7", {"kept": "B7", "pile": "down"}),
    Case("why_keeps_turn", team("B7,S9", down="R4"), "up S9", "up B7", None),
    *(
        Case("why_partner_fits", team("B8,S9"), "up B8", "up S9", values, (Entry(1, f"say {words}"),))
        for words, values in (("blue", {"seat": 1, "colour": "blue"}), ("red", None))
    ),
    Case("why_costs", team("B7,S9", down="R6"), "up B7", "up S9", {"steps": 2, "other": 4}),
    Case("why_costs", team("B7,S9", down="R6"), "up S9", "up B7", None),
    Case("why_costs_least", team("B7", down="S10", laid=1), "up B7", "end", {"steps": 2, "other": 3}),
    Case("why_costs_least", team("B7", down="S10", laid=1), "down B7", "end", None),
    Case("why_another", team("B7", down="R6", laid=1), "up B7", "end", {"steps": 2}),
    Case("why_another", team("B9", down="R6", laid=1), "up B9", "end", None),
    Case("why_ends", team("B9", down="R6", laid=1), "end", "up B9", {"steps": 4}),
    Case("why_ends", team("B7", down="R6", laid=1), "end", "up B7", None),
    Case("why_ends", team("G2", down="B1", laid=1), "end", "up G2", None),
]

FIVE = (Entry(1, "bid 1x5"),)
MANY = "36,36,46,46,56"
GRA = [
    Case("why_faces_together", choosing("14,24"), "choose 4 4", "choose 1 2", {"number": 2, "value": 4}),
    Case("why_faces_together", choosing("14,24"), "choose 1 2", "choose 4 4", None),
    Case("why_faces_joker", choosing("14"), "choose 1", "choose 4", {}, options={"jokers": "on"}),
    Case("why_faces_joker", choosing("14"), "choose 1", "choose 4", None),
    Case("why_faces_high", choosing("14"), "choose 4", "choose 1", {"value": 4}),
    Case("why_faces_high", choosing("14"), "choose 1", "choose 4", None),
    Case(
        "why_check_certain", bidding("36", 6, "2x5", "46"), "check", "bid 1x6", {"bid": "2x5"}, (Entry(1, "bid 2x5"),)
    ),
    Case("why_check_certain", bidding("36", 6, "1x5", "46"), "check", "bid 1x6", None, FIVE),
    Case(
        "why_check_unlikely",
        bidding("12", 1, "1x5"),
        *("check", "bid 1x6"),
        {"bid": "1x5", "chance": 0.34, "second": 0.17},
        FIVE,
    ),
    Case("why_check_unlikely", bidding("16", 6, "1x5"), "check", "bid 1x6", None, FIVE),
    Case(
        "why_check_no_raise",
        bidding("12", 1, "1x6"),
        *("check", "bid 2x6"),
        {"bid": "1x6", "chance": 0.34},
        (Entry(1, "bid 1x6"),),
    ),
    Case("why_check_no_raise", bidding("12", 1, "1x5"), "check", "bid 1x6", None, FIVE),
    Case("why_other_impossible", bidding("12", 1, "1x5"), "check", "bid 2x6", {"other": "2x6"}, FIVE, made=True),
    Case("why_other_impossible", bidding("12", 1, "1x5"), "check", "bid 1x6", None, FIVE, made=True),
    Case("why_other_impossible", bidding("12", 1, "1x5"), "check", "bid 2x6", None, FIVE),
    Case(
        "why_check_wins_more",
        bidding("16", 6, "1x5"),
        *("check", "bid 1x6"),
        {"bid": "1x5", "chance": 0.34, "second": 0.5},
        FIVE,
    ),
    Case("why_check_wins_more", bidding("16", 6, "1x5"), "check", "bid 1x6", None, FIVE, {"bid 2x5": 0.59}),
    Case("why_bid_certain", bidding("16", 6, "1x5"), "bid 1x6", "check", {"bid": "1x6"}, FIVE),
    Case("why_bid_certain", bidding("16", 1, "1x5"), "bid 1x6", "check", None, FIVE),
    Case(
        "why_bid_standing_true",
        bidding("15", 5, "1x5"),
        *("bid 1x6", "check"),
        {"standing": "1x5", "bid": "1x6", "chance": 0.17},
        FIVE,
    ),
    Case("why_bid_standing_true", bidding("15", 1, "1x5"), "bid 1x6", "check", None, FIVE),
    Case(
        "why_bid_not_check",
        bidding("12", 1, "1x5", MANY),
        *("bid 1x6", "check"),
        {"bid": "1x6", "chance": 0.62, "standing": "1x5", "second": 0.1},
        FIVE,
    ),
    Case("why_bid_not_check", bidding("12", 1, "1x5", MANY), "bid 1x6", "bid 2x5", None, FIVE, made=True),
    Case(
        "why_bid_likelier",
        bidding("12", 1, "-", MANY),
        *("bid 1x6", "bid 2x6"),
        {"bid": "1x6", "chance": 0.62, "other": "2x6", "second": 0.2},
    ),
    Case("why_bid_likelier", bidding("12", 1, "-", MANY), "bid 2x6", "bid 1x6", None),
    Case(
        "why_bid_hard_to_raise",
        bidding("12", 1, "-", MANY),
        *("bid 1x6", "bid 1x5"),
        {"bid": "1x6", "chance": 0.62, "second": 0.2},
    ),
    Case("why_bid_hard_to_raise", bidding("12", 1, "-", MANY), "bid 1x5", "bid 1x6", None),
    Case("why_bid_bluff", bidding("12", 1, "1x5"), "bid 1x6", "check", {"chance": 0.17, "second": 0.5}, FIVE),
    Case("why_bid_bluff", bidding("12", 1, "1x5"), "bid 1x6", "check", None, FIVE, {"check": 0.59}),
    Case("why_bid_figures", bidding("12", 1, "-"), "bid 1x6", "bid 1x5", {"bid": "1x6", "chance": 0.17}),
    Case("why_bid_figures", bidding("12", 1, "1x5"), "check", "bid 1x6", None, FIVE),
]

CASES = {"face-to-face": FACE_TO_FACE, "quick-easy": QUICK_EASY, "gra": GRA}
EACH = [(game, case) for game, cases in CASES.items() for case in cases]
STARTS = {"quick-easy": "why_start", "gra": "why_start"}


def recommendation(name: str, case: Case) -> Recommendation:
    """Return a case as the evaluation would: the advised move at 60%, the others at 50%."""
    game = games.game(name, case.options)
    view = game.view(game.parse_position(case.position), 0)
    assert {case.move, case.instead} <= set(view.moves), view.moves
    chances = dict.fromkeys(view.moves, 0.5) | case.chances | {case.move: 0.6}
    claims = bots.CLAIMS[name](view, case.history) if name in bots.CLAIMS and view.board.phase == "bidding" else {}
    return Recommendation(view, case.history, case.move, case.instead, case.made, chances, claims)


@pytest.mark.parametrize(("game", "case"), EACH, ids=[f"{case.key} {case.values}" for _, case in EACH])
def test_a_detector_has_a_reason_where_its_condition_holds_and_only_there(game: str, case: Case) -> None:
    reason = explain(recommendation(game, case))
    if case.values is None:
        assert reason.key != case.key
    else:
        assert reason == Message(case.key, case.values, game)


@pytest.mark.parametrize("game", CASES)
def test_every_reason_of_a_catalogue_has_a_position_with_it_and_one_without(game: str) -> None:
    keys = {key for key in read(game, "en") if key.startswith("why_")} - {STARTS.get(game)}
    for found in (True, False):
        assert {case.key for case in CASES[game] if (case.values is not None) == found} == keys


@pytest.mark.parametrize(("game", "key"), STARTS.items())
def test_taking_the_start_has_a_reason(game: str, key: str) -> None:
    match = gramy.match(game, seed=1)
    advised = Recommendation(match.view(0), match.history(0), "start", None, False, {"start": 0.4}, {})
    assert explain(advised).key == key


@pytest.mark.parametrize(
    ("chance", "second", "made", "key"),
    [
        (0.6, 0.5, False, "why_next_best"),
        (0.6, 0.59, False, "why_all_even"),
        (0.6, 0.61, False, "why_all_even"),
        (0.6, 0.5, True, "why_more_than_made"),
    ],
)
def test_without_a_detector_the_figures_are_the_reason(chance: float, second: float, made: bool, key: str) -> None:
    match = gramy.match("face-to-face", seed=1)
    view = match.view(match.to_act[0])
    move, instead, *_ = view.moves
    advised = Recommendation(view, (), move, instead, made, {move: chance, instead: second}, {})
    figures = {} if key == "why_all_even" else {"chance": chance, "second": second}
    assert by_figures(advised) == Message(key, figures)
    assert by_figures(advised._replace(instead=None)) == Message("why_only_move")


def test_the_reason_counts_the_moves_that_are_about_as_good() -> None:
    match = gramy.match("face-to-face", seed=1)
    view = match.view(match.to_act[0])
    move, second, third, fourth, *_ = view.moves
    chances = {move: 0.6, second: 0.59, third: 0.61, fourth: 0.3}
    assert by_figures(Recommendation(view, (), move, second, False, chances, {})) == Message("why_even", {"number": 2})


@pytest.mark.parametrize(
    ("chance", "shown"), [(0.0, 0.0), (0.001, 0.01), (0.384, 0.38), (0.999, 0.99), (1.0, 1.0), (1 - 1e-12, 1.0)]
)
def test_only_what_is_certain_is_shown_as_certain(chance: float, shown: float) -> None:
    assert shown_chance(chance) == shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_is_a_sentence_without_codes_that_fits_the_smallest_screen_with_its_hint(language: str) -> None:
    for name, case in EACH:
        if case.values is None:
            continue
        advised = recommendation(name, case)
        board = board_for(Scene(game=name, names=("Katarzyna", "Maximilian"), view=advised.view), language)
        sentence = board.explanation(Message(case.key, case.values, name))
        hint = board.words.web("hint_says", move=board.describe_move(case.move), chance=board.words.percent(0.6))
        assert sentence[-1] == "."
        assert not {"x", "{"} & {letter for word in sentence.split() if word[0].isdigit() for letter in word}, sentence
        assert not any(card in sentence for card in ("B6", "B7", "G5")), sentence
        assert width(f"{hint}. {sentence}") <= TWO_ROWS, f"{hint}. {sentence}"
        assert say(Message(case.key, case.values, name), language)


@pytest.mark.parametrize("game", CASES)
def test_positions_that_a_seat_cannot_tell_apart_give_it_the_same_reason(game: str) -> None:
    rng = random.Random(f"{SEED} {game}")
    compared = 0
    for seed in range(5):
        match = gramy.match(game, seed=seed, **({} if game == "face-to-face" else {"players": 3, "starter": "lot"}))
        while match.to_act:
            seat = match.to_act[0]
            other = possible(match.game, INDISTINGUISHABLE[game](match.state, seat, rng))
            view, history = match.view(seat), match.history(seat)
            if len(view.moves) > 1 and match.game.outcome(other) is None:
                chances = {move: rng.random() for move in view.moves}
                best, second = sorted(chances, key=lambda move: -chances[move])[:2]
                reasons = []
                for seen in (view, match.game.view(other, seat)):
                    claims = bots.CLAIMS[game](seen, history) if "check" in seen.moves else {}
                    if game == "gra" and seen.board.phase == "bidding" and not claims:
                        claims = bots.CLAIMS[game](seen, history)
                    reasons.append(explain(Recommendation(seen, history, best, second, False, chances, claims)))
                assert reasons[0] == reasons[1], f"{SEED} {game} {seed}"
                compared += other != match.state
            match.play(rng.choice(view.moves), seat)
    assert compared > 10
