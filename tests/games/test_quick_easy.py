"""Quick & Easy, paragraph by paragraph: docs/rules/quick-easy.md. Seat 0 is on turn unless a test says otherwise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gramy
from gramy.contract import Outcome
from gramy.games.quick_easy.rules import band
from gramy.games.quick_easy.view import Board
from gramy.messages import Message
from gramy.options import choices
from tests.games.steps import (
    check_a_changed_position_is_refused,
    check_a_position_is_written_as_it_is_read,
    check_every_paragraph_has_its_test,
    play,
    random_match,
    refused,
)

COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "S": "grey"}
CARDS = [f"{letter}{number}" for letter in COLOURS for number in range(1, 11)]
SEEDS = st.integers(0, 2**32 - 1)


def table(*hands, up="-", down="-", deck="-", seat=0, laid=0, draw=0, **options):
    """Return a match from a position: the hands seat by seat, the tops and the deck."""
    game = gramy.game("quick-easy", players=len(hands), **options)
    line = f"seat={seat} laid={laid} draw={draw} up={up} down={down} hands={';'.join(hands)} deck={deck}"
    return gramy.Match(game, position=game.parse_position(line))


def dealt(players, **options):
    """Return a match in which everybody has a first hand, and nobody has started."""
    match = gramy.Match(gramy.game("quick-easy", players=players, **options))
    for seat in range(players):
        match.play(f"deal R{seat + 1} B{seat + 1}")
    return match


def board(match, seat=None):
    return match.view(seat).board


def takers(pile, top):
    """Return all cards that a pile takes; the other pile is empty, so that every hand can be laid."""
    others = [card for card in CARDS if card != top]
    return {card for card in others if f"{pile} {card}" in table(card, "-", **{pile: top}).moves(0)}


# --- components and setup ---------------------------------------------------------------------------------------------


def test_q01_there_are_fifty_cards_one_to_ten_in_five_colours():
    match = gramy.Match(gramy.game("quick-easy"))
    assert match.game.deal_pool(match.state) == (tuple(CARDS), 2)
    rules = gramy.GAMES["quick-easy"]
    assert [rules.format_card(rules.parse_card(card)) for card in CARDS] == CARDS
    assert rules.parse_card("R11") is rules.parse_card("R0") is rules.parse_card("X1") is None


def test_q02_two_piles_belong_to_everybody():
    match = table("R5,B9", "R8,B2", deck="G1~G10")
    play(match, "up R5", "end")
    match.play("deal G1")
    assert match.moves(1) == ("up R8", "down R8", "down B2")
    play(match, "up R8", seat=1)
    assert (board(match).up, board(match).down) == ("R8", None)


@pytest.mark.parametrize(("players", "deck"), [(2, 46), (3, 44), (4, 42), (5, 40)])
def test_q03_two_cards_each_and_the_rest_is_the_deck_and_play_goes_clockwise(players, deck):
    match = dealt(players)
    assert (board(match).in_hand, board(match).in_deck) == ((2,) * players, deck)
    match.play("start", players - 1)
    assert (board(match).up, board(match).down, match.to_act) == (None, None, (players - 1,))
    play(match, f"up {board(match, players - 1).hand[0]}", "end", seat=players - 1)
    match.play("deal G1")
    assert match.to_act == (0,)


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_q03_everybody_has_a_hand_and_may_talk_and_the_first_to_take_the_start_begins(starter):
    match = dealt(3)
    assert (match.to_act, board(match).turn, board(match).draws) == ((0, 1, 2), None, 0)
    for seat in range(3):
        assert match.moves(seat) == ("start",)
        assert board(match, seat).hand == (f"R{seat + 1}", f"B{seat + 1}")
        match.say("red low", seat)
    assert match.play("start", starter) == (Message("starts", {"seat": starter}),)
    assert (match.to_act, board(match).turn) == ((starter,), starter)
    assert refused(match, "start", starter) == Message("already_started", {}, "quick-easy")
    assert refused(match, "start", (starter + 1) % 3).key == "not_your_turn"


def test_q03_nobody_lays_a_card_before_somebody_starts():
    match = dealt(2)
    for move in ("up R1", "down B1", "up S10", "end"):
        assert refused(match, move) == Message("start_first", {}, "quick-easy")
    tried = ("up R1", "up B1", "down R1", "down B1", "end")
    assert match.game.refusals(match.state, 0) == dict.fromkeys(tried, Message("start_first", {}, "quick-easy"))
    assert match.game.effects(match.state, 0) == {"start": {}}
    with pytest.raises(gramy.IllegalMove):
        match.undo(0)


def test_ruling_a_q10_the_start_is_not_given_back():
    match = dealt(2)
    match.play("start", 1)
    assert match.view(1).undoable is False
    with pytest.raises(gramy.IllegalMove):
        match.undo(1)


# --- laying cards -----------------------------------------------------------------------------------------------------


def test_q04_an_empty_pile_takes_any_card():
    """A-Q1: a 1 may open the rising pile and a 10 the falling one, or the other way round."""
    for card in CARDS:
        assert table(card, "-").moves(0) == (f"up {card}", f"down {card}")


def test_q05_the_rising_pile_takes_higher_numbers_or_the_same_colour():
    higher = {card for card in CARDS if int(card[1:]) > 6}
    red = {card for card in CARDS if card[0] == "R"}
    assert takers("up", "R6") == (higher | red) - {"R6"}
    assert takers("up", "R10") == red - {"R10"}
    assert refused(table("B5,R5", "-", up="R10"), "up B5").key == "only_colour"
    wrong = refused(table("B5,R5", "-", up="R6"), "up B5")
    assert wrong == Message("too_low", {"card": "B5", "top": "R6", "number": 6, "colour": "red"}, "quick-easy")


def test_q06_the_falling_pile_takes_lower_numbers_or_the_same_colour():
    yellow = {card for card in CARDS if card[0] == "Y"}
    ones_and_twos = {card for card in CARDS if card[1:] in ("1", "2")}
    assert takers("down", "Y3") == (ones_and_twos | yellow) - {"Y3"}
    assert takers("down", "Y1") == yellow - {"Y1"}
    assert refused(table("G4,R5", "-", down="Y1"), "down G4").key == "only_colour"
    wrong = refused(table("G4,R5", "-", down="Y3"), "down G4")
    assert wrong == Message("too_high", {"card": "G4", "top": "Y3", "number": 3, "colour": "yellow"}, "quick-easy")


def test_q06_only_the_colour_of_the_top_card_counts():
    match = table("G2,R8", "-", down="R4")
    play(match, "down G2")
    assert refused(match, "down R8").key == "too_high"  # the red 4 is covered


def test_q07_the_same_number_in_another_colour_does_not_fit():
    """A-Q2: rising and falling are strict."""
    for card in ("B6", "G6", "Y6", "S6"):
        assert refused(table(f"{card},R1", "-", up="R6"), f"up {card}").key == "too_low"
        assert refused(table(f"{card},R1", "-", down="R6"), f"down {card}").key == "too_high"


# --- the turn ---------------------------------------------------------------------------------------------------------


def test_q08_one_or_two_cards_on_one_pile_or_on_both():
    """A-Q6: how many is not announced; after the first card one may end or go on."""
    for second in ("up R7", "down R7"):
        match = table("R5,R7", "B1,B2", deck="G1~G10")
        assert refused(match, "end") == Message("lay_one", {}, "quick-easy")
        play(match, "up R5")
        assert match.moves(0) == ("up R7", "down R7", "end")
        play(match, second)
        assert match.moves(0) == ("end",)


def test_q08_a_third_card_is_refused():
    two_laid = table("R5,R7", "B1").state._replace(laid=2)  # no hand has three cards, so this cannot be written
    assert refused(gramy.Match(gramy.game("quick-easy"), position=two_laid), "up R7").key == "two_cards_laid"


@pytest.mark.parametrize(("cards", "drawn"), [(1, 1), (2, 2)])
def test_q09_then_the_hand_is_filled_to_two(cards, drawn):
    match = table("R5,R7", "B1,B2", deck="G1~G3")
    play(match, *["up R5", "up R7"][:cards])
    assert board(match).draws == drawn
    play(match, "end")
    assert match.to_act == (gramy.DEALER,)
    assert match.game.deal_pool(match.state) == (("G1", "G2", "G3"), drawn)
    assert refused(match, "end").key == "wait_for_the_deal"
    match.play("deal " + " ".join(["G1", "G3"][:drawn]))
    assert (board(match).in_hand, board(match).in_deck, match.to_act) == ((2, 2), 3 - drawn, (1,))


def test_ruling_a_q5_the_last_card_of_the_deck_is_taken():
    match = table("G5,Y7", "B1,B2", up="R3", down="B8", deck="S1")
    play(match, "up G5", "up Y7", "end")
    assert match.game.deal_pool(match.state) == (("S1",), 1)
    match.play("deal S1")
    assert (board(match).in_hand, board(match).in_deck) == ((1, 2), 0)


def test_q09a_of_each_pile_only_the_top_is_in_sight():
    match = table("B4,G2", "B1,B2", down="R7", deck="S1~S5")
    play(match, "down B4", "down G2")
    assert (board(match).up, board(match).down) == (None, "G2")
    assert "R7" not in repr(match.view(1)) + match.position


def test_q10_either_card_of_a_turn_may_turn_a_pile():
    """A-Q7: the second card of a turn may turn back the pile on which the first one was laid."""
    match = table("G9,G1", "B1,B2", up="R3", deck="S1~S5")
    play(match, "up G9", "up G1")
    assert board(match).up == "G1"
    first = table("R1,B4", "B1,B2", up="R3", deck="S1~S5")
    play(first, "up R1", "up B4")
    assert board(first).up == "B4"


def test_q8_every_board_says_how_many_cards_the_player_to_act_must_still_lay():
    match = table("G9,G1", "B1,B2", up="R3", deck="S1~S5")
    assert [board(match, seat).required for seat in (None, 0, 1)] == [1, 1, 1]
    play(match, "up G9")
    assert [board(match, seat).required for seat in (None, 0, 1)] == [0, 0, 0]
    play(match, "end")
    assert board(match, 0).required == 0  # the draw comes first
    match.play("deal S1")
    assert (match.to_act, board(match, 0).required) == ((1,), 1)
    assert board(gramy.Match(gramy.game("quick-easy")), 0).required == 0


def test_q10_a_turn_ends_by_end_alone_and_cards_come_back_until_then():
    match = table("G9,G1", "B1,B2", up="R3", deck="S1~S5")
    start = match.position
    play(match, "up G9", "up G1")
    assert match.to_act == (0,)
    assert match.view(0).undoable
    assert [match.undo(0)[0].key for _ in range(2)] == ["undone", "undone"]
    assert match.position == start
    assert not match.view(0).undoable


# --- the end ----------------------------------------------------------------------------------------------------------


def test_q11_without_a_deck_play_goes_on_with_at_least_one_card_a_turn():
    match = table("R5,R7", "B6,B9")
    play(match, "up R5", "end")
    assert match.to_act == (1,)
    assert refused(match, "end", seat=1).key == "lay_one"
    play(match, "up B6", "end", seat=1)
    assert (match.to_act, board(match).in_hand) == ((0,), (1, 1))


@pytest.mark.parametrize("pro", ["off", "on"])
def test_q12_everybody_has_won_when_the_fiftieth_card_lies(pro):
    match = table("R5", "-", "-", up="R4", pro=pro)
    assert play(match, "up R5") == ["laid", "all_laid"]
    assert match.outcome == Outcome((0, 1, 2), "all_laid", {"laid": 50})
    assert match.to_act == ()
    assert not match.view(0).undoable
    assert match.game.rules.ending(match.state) == 50


@pytest.mark.parametrize("pro", ["off", "on"])
def test_q12_after_the_win_no_move_is_legal(pro):
    match = table("R5", "-", up="R4", pro=pro)
    play(match, "up R5")
    assert [match.moves(seat) for seat in (0, 1)] == [(), ()]
    assert match.view(0).moves == ()


def test_q13_everybody_has_lost_when_no_card_on_turn_fits():
    match = table("R2", "G5,Y7", up="R9", down="B2", laid=1)
    assert play(match, "end") == ["ended", "stuck"]
    assert match.outcome == Outcome((), "stuck", {"seat": 1, "laid": 47})
    assert (match.to_act, match.moves(1)) == ((), ())
    assert refused(match, "up G5", seat=1).key == "match_over"


def test_q13_a_draw_can_leave_the_next_player_without_a_card_that_fits():
    match = table("R2", "G5,Y7", up="R9", down="B2", laid=1, draw=1, deck="S1")
    assert [event.key for event in match.play("deal S1")] == ["dealt", "stuck"]
    assert match.outcome == Outcome((), "stuck", {"seat": 1, "laid": 46})


def test_ruling_a_q4_one_card_that_fits_is_enough_and_the_second_is_not_asked_for():
    match = table("G5,Y10", "R8", up="R9", down="B2")
    assert (match.outcome, match.moves(0)) == (None, ("up Y10",))
    play(match, "up Y10")
    assert (match.outcome, match.moves(0)) == (None, ("end",))
    play(match, "end")
    assert match.outcome.key == "stuck"  # only now, when seat 1 is on turn


def test_q14_a_player_with_an_empty_hand_is_skipped():
    """A-Q3: that is no loss, and the others carry on, whichever seat it is."""
    match = table("R5,R6", "-", "-", "R7", up="R4")
    assert play(match, "up R5", "end") == ["laid", "ended"]
    assert match.to_act == (3,)
    alone = table("R5,R6", "-", "-", up="R4")
    play(alone, "up R5", "end")
    assert alone.to_act == (0,)


def test_q15_the_result_is_the_number_of_cards_laid():
    match = table("G5,Y7", "R2", "S1,S2", up="R9", down="B2", deck="G6~G9")
    assert match.outcome.values["laid"] == 50 - 4 - 2 - 1 - 2
    assert match.game.rules.ending(match.state) == 41


# --- talking ----------------------------------------------------------------------------------------------------------


def test_q16_talk_is_set_phrases_of_colours_heights_and_piles():
    phrases = gramy.game("quick-easy").phrases()
    colours = {f"{colour}{height}" for colour in COLOURS.values() for height in ("", " low", " middle", " high")}
    assert {*colours, "mine up", "mine down", "turn up", "turn down", "red lowish", "red highish"} <= set(phrases)
    assert len(phrases) == 5 + 5 * 5 + 4
    match = table("R5,R7", "B1,B2", deck="G1~G3")
    before = match.position
    assert match.say("red middle", 1) == (Message("said", {"seat": 1, "phrase": "red middle"}, "quick-easy"),)
    assert match.position == before
    for exact in ("red 5", "R5", "red five", "twice the top"):
        assert refused_talk(match, exact) == "no_such_phrase"
    play(match, "up R5", "up R7", "end")
    match.play("deal G1 G2")


def refused_talk(match, phrase):
    with pytest.raises(gramy.IllegalMove) as caught:
        match.say(phrase, 0)
    return caught.value.message.key


def test_q16_a_height_covers_two_numbers_so_that_none_follows_exactly():
    heights = [band(gramy.GAMES["quick-easy"].parse_card(card)) for card in CARDS]
    assert heights[:10] == ["low"] * 2 + ["lowish"] * 2 + ["middle"] * 2 + ["highish"] * 2 + ["high"] * 2
    assert heights == heights[:10] * 5


# --- the professional game --------------------------------------------------------------------------------------------


def test_q17_in_pro_exactly_one_card_is_laid():
    match = table("B4,G2", "B1,B2", down="R7", deck="S1~S5", pro="on")
    assert refused(match, "end").key == "lay_one"
    play(match, "down B4")
    assert match.moves(0) == ("end",)
    assert refused(match, "down G2") == Message("one_card_in_pro", {}, "quick-easy")


def test_q18_in_pro_nothing_is_said_about_heights():
    """A-Q8: colours may be named at any time."""
    assert gramy.game("quick-easy", pro="on").phrases() == (
        *COLOURS.values(), "mine up", "mine down", "turn up", "turn down",
    )  # fmt: skip
    match = table("B4,G2", "B1,B2", pro="on")
    assert [match.say(phrase, 0)[0].key for phrase in ("blue", "turn up")] == ["said", "said"]
    assert refused_talk(match, "blue low") == "no_such_phrase"


def test_q19_in_pro_all_else_stays():
    match = table("B4,G2", "-", "R9,S8", down="R7", deck="S1", pro="on")
    play(match, "down B4", "end")
    assert match.game.deal_pool(match.state) == (("S1",), 1)
    match.play("deal S1")  # seat 1 holds nothing and is skipped
    assert (board(match).in_hand, match.to_act) == ((2, 0, 2), (2,))
    stuck = table("R2", "G5,Y7", up="R9", down="B2", laid=1, pro="on")
    play(stuck, "end")
    assert stuck.outcome.key == "stuck"


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_q20_by_lot_the_dealer_draws_who_starts_before_the_deal(starter):
    match = gramy.Match(gramy.game("quick-easy", players=3, starter="lot"))
    assert (match.to_act, board(match).turn) == ((gramy.DEALER,), None)
    assert match.game.deal_pool(match.state) == (("0", "1", "2"), 1)
    assert match.play(f"deal first {starter}") == (Message("starts", {"seat": starter}),)
    receivers = []
    while match.to_act == (gramy.DEALER,):
        receivers.append(board(match).turn)
        assert refused(match, "start").key == "wait_for_the_deal"
        match.play(f"deal R{len(receivers)} B{len(receivers)}")
    assert receivers == [(starter + step) % 3 for step in range(3)]
    assert match.to_act == (starter,)
    assert refused(match, "start", starter) == Message("already_started", {}, "quick-easy")


def test_ruling_a_q9_two_to_five_play():
    allowed = choices(gramy.GAMES["quick-easy"].Options)
    assert allowed == {"players": (2, 3, 4, 5), "pro": (False, True), "starter": ("agreed", "lot")}
    for players in (1, 6):
        with pytest.raises(gramy.BadOptions):
            gramy.game("quick-easy", players=players)


# --- whole matches ----------------------------------------------------------------------------------------------------


@given(SEEDS)
@settings(max_examples=30)
def test_every_match_ends_within_its_bound_and_every_position_is_written_and_read_back(seed):
    starter = ("agreed", "lot")[seed // 12 % 2]
    match, moves = random_match("quick-easy", seed, players=2 + seed % 4, pro=seed % 3 == 0, starter=starter)
    for move in moves:
        match.play(move)
        assert match.game.parse_position(match.position) == match.state
    assert len(match.log) <= match.game.rules.bound(match.game.options)


# --- reasons, events, views, positions --------------------------------------------------------------------------------


def test_every_refusal_of_a_card_says_which_rule():
    match = table("R5,R7", "B1,B2", deck="G1~G3")
    assert refused(match, "up G1") == Message("not_in_hand", {"card": "G1"}, "quick-easy")
    assert refused(match, "up B1", seat=1).key == "not_your_turn"


@pytest.mark.parametrize(
    "move", ["up", "up R11", "up R0", "up r5", "up 5R", "up R5 R7", "help-up R5", "end R5", "pass"]
)
def test_words_that_are_no_move_are_unreadable(move):
    match = table("R5,R7", "B1,B2")
    with pytest.raises(gramy.UnreadableMove) as caught:
        match.play(move, 0)
    assert caught.value.message == Message("unreadable", {"move": move}, "quick-easy")


@pytest.mark.parametrize("pro", ["off", "on"])
def test_reason_is_none_exactly_for_legal_moves(pro):
    rules = gramy.GAMES["quick-easy"]
    for laid in (0, 1):
        match = table("R5,B9" if not laid else "R5", "B1,B2", up="R6", down="B7", laid=laid, deck="G1~G3", pro=pro)
        moves = [*(f"{pile} {card}" for pile in ("up", "down") for card in CARDS), "end"]
        codes = {move: rules.parse_move(match.state, 0, tuple(move.split())) for move in moves}
        allowed = {move for move, code in codes.items() if rules.reason(match.state, 0, code) is None}
        assert allowed == set(match.moves(0))
        assert {move: rules.format_move(match.state, 0, code) for move, code in codes.items()} == {m: m for m in moves}


def test_a_card_laid_is_told_with_the_card_below_and_whether_it_turned_the_pile():
    laid = []
    for up, down, move in [("-", "-", "up R5"), ("R3", "-", "up R5"), ("R7", "-", "up R5"), ("-", "R2", "down R5")]:
        match = table("R5,B9", "B1,B2", up=up, down=down, deck="G1~G3")
        (event,) = match.play(move, 0)
        laid.append((event.values["card"], event.values["on"], event.values["top"], event.values["trick"]))
    assert laid == [
        ("R5", "up", None, False),
        ("R5", "up", "R3", False),
        ("R5", "up", "R7", True),
        ("R5", "down", "R2", True),
    ]
    assert match.play("end", 0) == (Message("ended", {"seat": 0, "laid": 1, "draws": 1}, "quick-easy"),)
    assert match.play("deal G2") == (Message("dealt", {"seat": 0, "number": 1}, ""),)


def test_each_move_says_beforehand_how_far_it_goes_or_why_it_may_not_be_made():
    match = table("R5,B9", "B1", up="R7", laid=0)
    assert match.game.effects(match.state, 0) == {
        "up R5": {"steps": -2, "turns": True},
        "up B9": {"steps": 2, "turns": False},
        "down R5": {"steps": 0, "turns": False},
        "down B9": {"steps": 0, "turns": False},
    }
    match = table("B9", "B1", up="S10", down="B4", deck="G1", laid=1)
    assert match.game.effects(match.state, 0) == {"down B9": {"steps": -5, "turns": True}, "end": {"draws": 1}}
    refusals = {move: why.key for move, why in match.game.refusals(match.state, 0).items()}
    assert refusals == {"up B9": "only_colour"}
    assert match.game.effects(match.state, 1) == match.game.refusals(match.state, 1) == {}


def test_what_the_dealer_may_not_do_is_nothing_to_tell():
    match = table("R5", "B1,B2", up="R4", laid=1, draw=1, deck="G1~G3")
    assert match.to_act == (gramy.DEALER,)
    assert match.game.refusals(match.state, gramy.DEALER) == {}


def test_a_seat_sees_its_own_hand_and_of_the_others_only_the_number_of_cards():
    match = table("R5,B9", "B1", "-", up="R6", deck="G1~G3", laid=0)
    assert board(match, 0) == Board(0, "R6", None, ("R5", "B9"), (2, 1, 0), 3, 0, 1, 0)
    assert board(match, 1) == Board(0, "R6", None, ("B1",), (2, 1, 0), 3, 0, 1, 0)
    assert board(match, None) == Board(0, "R6", None, None, (2, 1, 0), 3, 0, 1, 0)
    fresh = board(gramy.Match(gramy.game("quick-easy")))
    assert (fresh.turn, fresh.in_deck, fresh.draws) == (None, 50, 0)


@pytest.mark.parametrize(
    "line",
    [
        "seat=1 laid=0 draw=0 up=G8 down=- hands=R7,S1;B4,G2 deck=R1~R6",
        "seat=0 laid=2 draw=1 up=G8 down=G1 hands=-;B4,G2 deck=R1",
        "seat=0 laid=1 draw=0 up=G8 down=G1 hands=-;- deck=-",
    ],
)
def test_a_position_is_written_as_it_is_read(line):
    check_a_position_is_written_as_it_is_read("quick-easy", line)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"seat=0": "seat=0 seat=0"}, "position_twice"),
        ({"seat=0": "place=0"}, "position_word"),
        ({"laid=0": ""}, "position_missing"),
        ({"seat=0": "seat=2"}, "position_value"),
        ({"laid=0": "laid=3"}, "position_value"),
        ({"draw=0": "draw=3"}, "position_value"),
        ({"up=-": "up=R11"}, "position_value"),
        ({"up=-": "up=S9,S10"}, "position_value"),
        ({"down=-": "down=S9,S10"}, "position_value"),
        ({"hands=R5,R7;B1,B2": "hands=R5,R7"}, "position_length"),
        ({"deck=G1~G3": "deck=G3~G1"}, "position_value"),
        ({"deck=G1~G3": "deck=B1"}, "position_card_twice"),
        ({"up=-": "up=G1"}, "position_card_twice"),
        ({"hands=R5,R7;": "hands=R5~R7;"}, "position_hand"),
        ({"seat=0": "seat=-"}, "position_unstarted"),
        ({"draw=0": "draw=2"}, "position_unstarted"),
        ({"laid=0": "laid=1"}, "position_turn"),
        ({"laid=0": "laid=1", "hands=R5,R7;": "hands=R5;", "draw=0": "draw=2"}, "position_turn"),
        ({"hands=R5,R7;": "hands=-;"}, "position_turn"),
    ],
)
def test_positions_that_cannot_be_are_refused(change, key):
    line = "seat=0 laid=0 draw=0 up=- down=- hands=R5,R7;B1,B2 deck=G1~G3"
    check_a_changed_position_is_refused("quick-easy", line, change, key)


BEFORE = "seat=- laid=0 draw=0 up=- down=- hands=R1,B1;R2,B2 deck=R3~R10,B3~S10"
DEALING = "seat=1 laid=0 draw=2 up=- down=- hands=R1,B1;- deck=R2~R10,B2~S10"


@pytest.mark.parametrize("seat_and_draw", ["seat=- laid=0 draw=0", "seat=1 laid=0 draw=2"])
def test_a_position_before_the_deal_by_lot_is_written_as_it_is_read(seat_and_draw):
    line = f"{seat_and_draw} up=- down=- hands=-;- deck=R1~S10"
    check_a_position_is_written_as_it_is_read("quick-easy", line, starter="lot")
    with pytest.raises(gramy.BadPosition):
        gramy.game("quick-easy").parse_position(line)


@pytest.mark.parametrize("line", [BEFORE, DEALING, "seat=0 laid=0 draw=2 up=- down=- hands=-;- deck=R1~S10"])
def test_a_position_before_the_start_is_written_as_it_is_read(line):
    check_a_position_is_written_as_it_is_read("quick-easy", line)
    with pytest.raises(gramy.BadPosition):
        gramy.game("quick-easy", starter="lot", players=2).parse_position(BEFORE)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (BEFORE, {"laid=0": "laid=1"}),
        (BEFORE, {"draw=0": "draw=2"}),
        (BEFORE, {"up=-": "up=S10", "~S10": "~S9"}),
        (BEFORE, {"R2,B2": "R2"}),
        (BEFORE, {"R2,B2": "R2", "B3~S10": "B2~S10"}),
        (BEFORE, {"R3~R10": "R4~R10"}),
        (DEALING, {"seat=1": "seat=0"}),
        (DEALING, {"draw=2": "draw=1"}),
        (DEALING, {"up=-": "up=S10", "~S10": "~S9"}),
        (DEALING, {"R1,B1;-": "-;-", "R2~R10,B2~S10": "R1~S10"}),
    ],
)
def test_a_position_before_the_start_that_no_match_reaches_is_refused(line, change):
    check_a_changed_position_is_refused("quick-easy", line, change, "position_unstarted")


def test_in_pro_a_position_has_at_most_one_card_laid():
    with pytest.raises(gramy.BadPosition):
        table("-", "B1,B2", up="R5", down="R7", laid=2, deck="G1", pro="on")


def test_every_paragraph_and_ruling_of_the_page_has_its_test():
    check_every_paragraph_has_its_test("quick-easy", "Q", globals())
