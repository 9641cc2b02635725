"""Face to Face, paragraph by paragraph: docs/rules/face-to-face.md. Seat 0 is "I", seat 1 the opponent."""

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gramy
from gramy.cards import code_of
from gramy.contract import Outcome
from gramy.games.face_to_face.view import Half
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

PILES = ("up", "down", "help-up", "help-down")
NUMBERS = range(2, 60)
SEEDS = st.integers(0, 2**32 - 1)


def duel(
    hand, *, deck="46~48", up=1, down=60, foe_up=1, foe_down=60, foe_hand="2,3", foe_deck="4~9",
    seat=0, laid=0, helped=0, draw=0, **options,
):  # fmt: skip
    """Return a match from a position: my hand and tops, and the opponent's."""
    game = gramy.game("face-to-face", **options)
    line = f"seat={seat} laid={laid} helped={helped} draw={draw} up={up},{foe_up} down={down},{foe_down}"
    return gramy.Match(game, position=game.parse_position(f"{line} hand={hand};{foe_hand} deck={deck};{foe_deck}"))


def half(match, seat):
    return match.view(None).board.halves[seat]


def takers(pile, **tops):
    """Return all numbers that a pile takes, whatever comes after: with two cards already laid."""
    return {
        card for card in NUMBERS if f"{pile} {card}" in duel(card, deck=2 if card > 2 else 3, laid=2, **tops).moves(0)
    }


# --- components and setup ---------------------------------------------------------------------------------------------


def test_f01_a_set_is_the_numbers_2_to_59_and_the_row_cards_1_and_60():
    match = gramy.Match(gramy.game("face-to-face"))
    match.play("deal first 0")
    words, number = match.game.deal_pool(match.state)
    assert (words, number) == (tuple(str(card) for card in NUMBERS), 6)
    assert [(half(match, seat).up, half(match, seat).down) for seat in (0, 1)] == [(1, 60), (1, 60)]


def test_f02_each_player_lays_on_piles_of_their_own():
    match = duel("5,50", deck="-", foe_hand="20,40")
    play(match, "up 5", "down 50")
    assert (half(match, 0).up, half(match, 0).down) == (5, 50)
    assert (half(match, 1).up, half(match, 1).down) == (1, 60)


def test_f03_each_player_takes_six_of_their_own_58():
    match = gramy.Match(gramy.game("face-to-face"))
    match.play("deal first 0")
    match.play("deal 2 3 4 5 6 7")
    assert refused(match, "deal 2 3 4 5 6", gramy.DEALER).key == "deal_number"
    match.play("deal 2 3 4 5 6 7")  # the same numbers: it is another deck
    assert [(half(match, seat).in_hand, half(match, seat).in_deck) for seat in (0, 1)] == [(6, 52), (6, 52)]
    assert match.view(1).board.halves[1].hand == (2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("first", [0, 1])
def test_f04_lots_decide_who_starts_and_then_the_players_alternate(first):
    match = gramy.Match(gramy.game("face-to-face"))
    assert match.game.deal_pool(match.state) == (("0", "1"), 1)
    for deal in (f"deal first {first}", "deal 2 3 4 5 6 7", "deal 2 3 4 5 6 7"):
        match.play(deal)
    assert match.to_act == (first,)
    assert half(match, 0) == half(match, 1) == Half(1, 60, None, 6, 52)
    play(match, "up 2", "up 3", "end", seat=first)
    match.play("deal 58 59")
    assert match.to_act == (1 - first,)


# --- laying cards -----------------------------------------------------------------------------------------------------


def test_f05_own_rising_pile_takes_higher_cards_or_ten_back():
    assert takers("up", up=44) == {34, *range(45, 60)}
    assert takers("up", up=8) == set(range(9, 60))
    assert refused(duel("5,50,51", up=8), "up 5") == Message("too_low_no_trick", {"card": 5, "top": 8}, "face-to-face")
    assert refused(duel("43,50,51", up=44), "up 43") == Message(
        "too_low", {"card": 43, "top": 44, "back": 34}, "face-to-face"
    )


def test_f06_own_falling_pile_takes_lower_cards_or_ten_back():
    assert takers("down", down=21) == {31, *range(2, 21)}
    assert takers("down", down=55) == set(range(2, 55))
    wrong = refused(duel("57,10,11", down=55), "down 57")
    assert wrong == Message("too_high_no_trick", {"card": 57, "top": 55}, "face-to-face")
    wrong = refused(duel("22,10,11", down=21), "down 22")
    assert wrong == Message("too_high", {"card": 22, "top": 21, "back": 31}, "face-to-face")


def test_f07_opponents_rising_pile_takes_any_lower_card():
    assert takers("help-up", foe_up=29) == set(range(2, 29))
    wrong = refused(duel("12,39,40", foe_up=29), "help-up 39")
    assert (wrong.key, wrong.values["top"]) == ("must_improve_up", 29)


def test_f08_opponents_falling_pile_takes_any_higher_card():
    assert takers("help-down", foe_down=40) == set(range(41, 60))
    wrong = refused(duel("30,39,41", foe_down=40), "help-down 30")
    assert (wrong.key, wrong.values["top"]) == ("must_improve_down", 40)


def test_f09_an_equal_number_fits_nowhere():
    """A-F7: the opponent helped with their 12, and my own 12 cannot follow it."""
    match = duel("12,20,21", up=30, seat=1, foe_hand="12,40,41", foe_deck="-")
    play(match, "help-up 12", "up 40", "end", seat=1)
    assert half(match, 0).up == 12
    assert refused(match, "up 12").key == "too_low"
    for number in range(3, 60):  # 2 is the lowest top of a falling pile, 59 the highest of a rising one
        tops = {"up": number, "down": number, "foe_up": number, "foe_down": number}
        assert duel(number, deck=2, laid=2, **tops).moves(0) == ("end",)


def test_f10_the_step_back_may_be_used_again_and_again_on_both_piles():
    match = duel("25,15,18,28,35,45", up=20, down=35)
    play(match, "up 25", "up 15", "up 28", "up 18", "down 45", "down 35")
    assert (half(match, 0).up, half(match, 0).down) == (18, 35)


def test_ruling_a_f6_the_step_back_counts_from_a_card_that_the_opponent_laid():
    match = duel("10,40", up=50, seat=1, foe_hand="20,58,59", foe_deck="-")
    play(match, "help-up 20", "up 59", "end", seat=1)
    play(match, "up 10")
    assert half(match, 0).up == 10


def test_f11_an_untouched_pile_cannot_be_helped():
    """A-F14: nothing is lower than 1 or higher than 60, so the first turn of a match stays at home."""
    assert takers("help-up", foe_up=1) == takers("help-down", foe_down=60) == set()
    assert refused(duel("2,59"), "help-up 2") == Message("nothing_to_improve", {}, "face-to-face")
    assert refused(duel("2,59"), "help-down 59").key == "nothing_to_improve"
    opening = gramy.match("face-to-face", seed=1)
    assert {move.split()[0] for move in opening.moves()} == {"up", "down"}


# --- the turn ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", ["46~48", "-"])
def test_f12_two_cards_must_be_laid_also_with_an_empty_deck_and_six_may_be(deck):
    match = duel("10,11,12,13,14,15", deck=deck)
    assert refused(match, "end") == Message("lay_two", {"missing": 2}, "face-to-face")
    play(match, "up 10")
    assert refused(match, "end") == Message("lay_two", {"missing": 1}, "face-to-face")
    play(match, "up 11")
    assert "end" in match.moves()
    play(match, "up 12", "up 13", "up 14", "up 15")
    assert half(match, 0).in_hand == 0


def test_f13_one_card_a_turn_goes_to_the_opponent_on_either_pile():
    for helping in ("help-up 12", "help-down 50"):
        match = duel("12,13,45,50", foe_up=29, foe_down=40)
        play(match, helping)
        assert refused(match, "help-up 13").key == refused(match, "help-down 45").key == "one_help_per_turn"
        refusals = match.game.refusals(match.state, 0)
        assert {why.key for move, why in refusals.items() if move.startswith("help")} == {"one_help_per_turn"}
        assert {move.split()[0] for move in match.moves()} == {"up", "down"}


def test_ruling_a_f13_another_card_may_go_to_the_opponent_in_the_next_turn():
    match = duel("12,13,14,15", deck="-", foe_up=29, foe_hand="40,41,42,43", foe_deck="-")
    play(match, "help-up 15", "up 12", "end")
    play(match, "up 40", "up 41", "end", seat=1)
    assert "help-up 14" in match.moves(0)


def test_f14_a_turn_puts_a_card_on_an_own_pile():
    """A-F4: two cards that could both help and neither be laid at home are no turn: the player is stuck."""
    stuck = duel("20,30", up=58, down=3, foe_up=50, foe_down=10)
    assert stuck.outcome == Outcome((1,), "stuck", {"seat": 0})
    match = duel("2,20,30", up=58, down=3, foe_up=50, foe_down=10)  # the 2 fits at home
    assert match.moves(0) == ("down 2", "help-up 20", "help-up 30", "help-down 20", "help-down 30")
    play(match, "help-up 20")
    assert match.moves(0) == ("down 2",)


def test_f15_the_card_for_the_opponent_may_come_first_last_or_between():
    """A-F3: its place in the sequence changes nothing."""
    ends = set()
    for order in permutations(["up 5", "down 50", "help-up 9"]):
        match = duel("5,9,50", foe_up=20)
        play(match, *order)
        ends.add(match.position)
    assert len(ends) == 1


def test_f16_after_two_cards_one_may_stop_or_go_on():
    """A-F11: nobody is obliged to lay a third."""
    match = duel("10,20,30,40")
    assert "end" not in match.moves()
    play(match, "up 10", "up 20")
    assert match.moves() == ("up 30", "up 40", "down 30", "down 40", "end")
    play(match, "up 30")
    assert match.moves() == ("up 40", "down 40", "end")


def test_f17_a_turn_ends_by_end_alone_and_cards_come_back_until_then():
    match = duel("10,20")
    start = match.position
    play(match, "up 10", "up 20")
    assert match.moves() == ("end",)  # the hand is empty, and still it is my turn
    assert match.view(0).undoable
    assert [match.undo(0)[0].key for _ in range(2)] == ["undone", "undone"]
    assert match.position == start
    assert refused_undo(match) == "nothing_to_undo"
    play(match, "up 10", "up 20", "end")
    assert refused_undo(match) == "nothing_to_undo"  # the draw comes first


def test_f17_a_win_and_a_loss_are_final():
    won = duel("10,20", deck="-")
    play(won, "up 10", "up 20")
    lost = duel("55,58", up=50, down=5, dead_end="loss")
    play(lost, "up 58")
    for match in (won, lost):
        assert not match.view(0).undoable
        assert refused_undo(match) == "nothing_to_undo"


def refused_undo(match):
    with pytest.raises(gramy.IllegalMove) as caught:
        match.undo(0)
    return caught.value.message.key


# --- drawing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laid", [2, 3, 4, 5, 6])
def test_f18_after_an_own_turn_two_cards_are_drawn(laid):
    match = duel("10,11,12,13,14,15")
    play(match, *[f"up {10 + card}" for card in range(laid)])
    assert match.view(0).board.draws == 2
    play(match, "end")
    assert match.to_act == (gramy.DEALER,)
    assert match.game.deal_pool(match.state) == (("46", "47", "48"), 2)
    match.play("deal 46 47")
    assert (half(match, 0).in_hand, half(match, 0).in_deck) == (8 - laid, 1)


@pytest.mark.parametrize("at_home", [1, 2, 3, 4, 5])
def test_f19_after_a_help_the_hand_is_filled_to_six(at_home):
    match = duel("10,11,12,13,14,15", deck="20~29", foe_up=30)
    play(match, "help-up 15", *[f"up {10 + card}" for card in range(at_home)], "end")
    drawn = at_home + 1
    assert match.game.deal_pool(match.state)[1] == drawn
    match.play("deal " + " ".join(str(20 + card) for card in range(drawn)))
    assert (half(match, 0).in_hand, half(match, 0).in_deck) == (6, 10 - drawn)


def test_f20_with_an_empty_deck_nothing_is_drawn_and_play_goes_on():
    match = duel("10,11,12", deck="-")
    play(match, "up 10", "up 11", "end")
    assert match.to_act == (1,)
    assert half(match, 0).in_hand == 1


def test_ruling_a_f5_the_last_cards_of_the_deck_are_taken():
    match = duel("10,11,12", deck="50")
    play(match, "up 10", "up 11", "end")
    assert match.game.deal_pool(match.state)[1] == 1
    match = duel("10,11,12", deck="50,51", foe_up=30)
    play(match, "help-up 10", "up 11", "up 12", "end")
    assert match.game.deal_pool(match.state)[1] == 2


def test_ruling_a_f12_drawing_fewer_or_more_is_refused():
    match = duel("10,11,12", laid=2, draw=2)
    assert refused(match, "deal 46", gramy.DEALER) == Message("deal_number", {"expected": 2, "dealt": 1}, "")
    assert refused(match, "deal 46 47 48", gramy.DEALER).key == "deal_number"
    assert refused(match, "up 10").key == "wait_for_the_deal"
    match.play("deal 46 48")
    assert match.view(0).board.halves[0].hand == (10, 11, 12, 46, 48)


@given(SEEDS)
@settings(max_examples=30)
def test_f21_a_hand_has_at_most_six_cards_and_two_while_the_deck_lasts(seed):
    match, moves = random_match("face-to-face", seed)
    for move in moves:
        mine = half(match, match.to_act[0])
        assert mine.in_hand <= 6
        if match.view(None).board.laid == 0:
            assert mine.in_hand >= (2 if mine.in_deck else 1)
        match.play(move)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_f22_the_58th_card_wins_in_mid_turn_without_a_draw():
    """A-F10: the last turn has two cards as any other."""
    match = duel("15,45", up=40, down=20, deck="-")
    play(match, "up 45")
    assert match.outcome is None
    assert play(match, "down 15") == ["laid", "all_laid"]
    assert match.outcome == Outcome((0,), "all_laid", {})
    assert (match.to_act, match.moves(0), match.moves(1)) == ((), (), ())
    assert refused(match, "end").key == "match_over"
    assert match.game.rules.ending(match.state) == 2  # seat 0, by its last card


def test_ruling_a_f8_a_last_card_that_goes_to_the_opponent_counts():
    match = duel("12,45", up=40, down=20, deck="-", foe_up=30)
    assert play(match, "up 45", "help-up 12") == ["laid", "laid", "all_laid"]
    assert match.outcome.winners == (0,)


def test_ruling_a_f15_an_empty_hand_with_cards_in_the_deck_is_no_win():
    match = duel("15,45", up=40, down=20, deck="46~48")
    play(match, "up 45", "down 15")
    assert (match.outcome, match.moves()) == (None, ("end",))
    play(match, "end")
    match.play("deal 46 47")
    assert (half(match, 0).in_hand, half(match, 0).in_deck) == (2, 1)


def test_f23_who_cannot_lay_two_cards_at_the_start_of_a_turn_has_lost():
    match = duel("20,30,41", up=58, down=3, seat=1, laid=2, foe_deck="-")
    assert play(match, "end", seat=1) == ["ended", "stuck"]
    assert match.outcome == Outcome((1,), "stuck", {"seat": 0})
    assert match.game.rules.ending(match.state) == 1  # seat 1, not by its last card
    one_fits = duel("20,30,59", up=58, down=3)  # the 59 does, and then nothing
    assert one_fits.outcome == Outcome((1,), "stuck", {"seat": 0})
    helped = duel("2,41", up=58, down=3, deck="-", foe_down=20)  # 2 at home, 41 as a help
    assert helped.outcome is None


def test_f23_a_draw_can_leave_the_next_player_without_a_turn():
    match = duel("20,30,41", up=58, down=3, seat=1, laid=2, draw=2)
    assert [event.key for event in match.play("deal 4 5")] == ["dealt", "stuck"]
    assert match.outcome == Outcome((1,), "stuck", {"seat": 0})


def test_ruling_a_f2_a_single_last_card_loses():
    """It is tested at the start of that player's turn: a stuck opponent loses first."""
    match = duel("8,9,40", up=7, deck="-")
    play(match, "up 8", "up 9", "end")
    assert match.outcome is None
    play(match, "up 2", "up 3", "end", seat=1)
    match.play("deal 4 5")
    assert match.outcome == Outcome((1,), "stuck", {"seat": 0})
    first = duel("8,9,40", up=7, deck="-", foe_up=59, foe_down=2)
    play(first, "up 8", "up 9", "end")
    assert first.outcome == Outcome((0,), "stuck", {"seat": 1})


def test_ruling_a_f2_with_grace_a_single_last_card_may_be_laid_at_home():
    match = duel("8", up=50, down=10, deck="-", foe_up=30, last_card_grace="on")
    assert match.moves(0) == ("down 8",)
    assert refused(match, "help-up 8").key == "last_card_at_home"
    assert refused(match, "up 8").key == "too_low"
    assert refused(match, "end") == Message("lay_two", {"missing": 1}, "face-to-face")
    play(match, "down 8")
    assert match.outcome == Outcome((0,), "all_laid", {})


def test_f12_every_board_says_how_many_cards_the_player_to_act_must_still_lay():
    match = duel("10,11,12,13", deck="46~48")
    required = []
    for move in ("up 10", "up 11", "up 12", "end"):
        required.append([match.view(seat).board.required for seat in (None, 0, 1)])
        match.play(move, 0)
    assert required == [[2] * 3, [1] * 3, [0] * 3, [0] * 3]
    assert match.view(0).board.required == 0  # the draw comes first
    match.play("deal 46 47")
    assert (match.to_act, match.view(0).board.required) == ((1,), 2)
    assert duel("8", up=50, down=10, deck="-", last_card_grace="on").view(1).board.required == 1
    assert duel("30", up=50, down=10, deck="-").view(0).board.required == 0  # it is over
    assert gramy.Match(gramy.game("face-to-face")).view(0).board.required == 0


def test_ruling_a_f2_grace_does_not_help_a_card_that_fits_on_neither_pile():
    assert duel("30", up=50, down=10, deck="-", foe_up=40, last_card_grace="on").outcome.key == "stuck"
    assert duel("8", up=50, down=10, deck="50", last_card_grace="on").outcome.key == "stuck"  # not the very last
    two = duel("55,58", up=50, down=5, deck="-", last_card_grace="on")
    assert refused(two, "up 58").key == "leaves_no_second_card"  # two cards are a turn as any other


def test_f24_the_other_player_wins_during_my_turn_only_because_i_am_stuck():
    """A-F9: cards leave a hand on its owner's turn only."""
    match = duel("10,11", foe_up=30, foe_hand="40", foe_deck="-")
    play(match, "help-up 10", "up 11")
    assert (match.outcome, half(match, 1).in_hand) == (None, 1)
    assert refused(match, "up 40", seat=1) == Message("not_your_turn", {"to_act": (0,)}, "")


@given(SEEDS)
@settings(max_examples=30)
def test_f25_there_is_one_winner_after_at_most_29_turns_each(seed):
    match, moves = random_match("face-to-face", seed, last_card_grace=seed % 2 == 0)
    ends = [0, 0]
    for move in moves:
        ends[match.to_act[0]] += move == "end"
        match.play(move)
    assert max(ends) <= 29
    assert len(match.outcome.winners) == 1
    assert len(match.log) <= match.game.rules.bound(match.game.options)


def test_f26_the_options_are_our_two_rulings():
    assert choices(gramy.GAMES["face-to-face"].Options) == {
        "players": (2,),
        "dead_end": ("reject", "loss"),
        "last_card_grace": (False, True),
    }
    with pytest.raises(gramy.BadOptions):
        gramy.game("face-to-face", fire="on")
    assert gramy.game("face-to-face").phrases() == ()


def test_ruling_a_f1_a_first_card_that_leaves_no_second_is_refused():
    """C5, with its own example: 55 is refused, while 41 and then 31 or 55 is fine."""
    match = duel("31,41,55", up=40, down=12)
    assert refused(match, "up 55") == Message("leaves_no_second_card", {"card": 55}, "face-to-face")
    assert match.moves(0) == ("up 41",)
    play(match, "up 41")
    assert match.moves(0) == ("up 31", "up 55")


def test_ruling_a_f1_with_dead_end_loss_such_a_card_loses():
    match = duel("31,41,55", up=40, down=12, dead_end="loss")
    assert match.moves(0) == ("up 41", "up 55")
    assert play(match, "up 55") == ["laid", "dead_end"]
    assert match.outcome == Outcome((1,), "dead_end", {"seat": 0})
    fine = duel("31,41,55", up=40, down=12, dead_end="loss")
    play(fine, "up 41")
    assert fine.outcome is None
    assert duel("20,30,41", up=58, down=3, dead_end="loss").outcome.key == "stuck"  # no turn at all


# --- the closed form --------------------------------------------------------------------------------------------------


def fits(pile, card, tops):
    """F5 to F8, word for word; tops are those of `up`, `down`, `help-up` and `help-down`."""
    top = tops[pile]
    return {
        "up": card > top or card == top - 10,
        "down": card < top or card == top + 10,
        "help-up": card < top,
        "help-down": card > top,
    }[pile]


def turns(hand, tops):
    """All turns of two cards (C3, C4): each fits when it is laid, and at most one is a help (F13, F14)."""
    for first in PILES:
        for card in hand:
            if not fits(first, card, tops):
                continue
            after = {**tops, first: card}
            for second in PILES:
                helps = first.startswith("help") + second.startswith("help")
                for other in hand - {card}:
                    if helps < 2 and fits(second, other, after):
                        yield (f"{first} {card}", f"{second} {other}")


@given(
    hand=st.sets(st.integers(2, 59), min_size=1, max_size=6),
    up=st.integers(1, 59) | st.integers(45, 59),
    down=st.integers(2, 60) | st.integers(2, 15),
    foe_up=st.integers(1, 59) | st.just(1),
    foe_down=st.integers(2, 60) | st.just(60),
)
@settings(max_examples=1000)
@example(hand={24, 34}, up=33, down=2, foe_up=1, foe_down=60)  # 34 and then 24, not the other way round
@example(hand={20, 30}, up=58, down=3, foe_up=50, foe_down=10)  # both could help, neither fits at home
def test_c5_legal_first_cards_are_those_of_a_search_over_all_turns(hand, up, down, foe_up, foe_down):
    line = ",".join(str(card) for card in sorted(hand))
    deck = ",".join(str(card) for card in sorted({2, 3, 4, 5, 6, 7, 8} - hand))
    match = duel(line, up=up, down=down, foe_up=foe_up, foe_down=foe_down, deck=deck)
    found = set(turns(hand, {"up": up, "down": down, "help-up": foe_up, "help-down": foe_down}))
    assert set(match.moves(0)) == {first for first, _ in found}
    assert (match.outcome is None) == bool(found)
    for first in match.moves(0):
        after = duel(line, up=up, down=down, foe_up=foe_up, foe_down=foe_down, deck=deck)
        play(after, first)
        assert set(after.moves(0)) == {second for one, second in found if one == first}


# --- reasons, events, views, positions --------------------------------------------------------------------------------


def test_every_refusal_of_a_card_says_which_rule():
    match = duel("12,13,45", foe_up=20)
    assert refused(match, "up 14") == Message("not_in_hand", {"card": 14}, "face-to-face")
    assert refused(match, "up 12", seat=1).key == "not_your_turn"
    assert refused(match, "up 12", seat=2).key == "no_such_seat"
    assert refused(match, "deal 46", seat=0).key == "only_the_dealer_deals"
    assert refused(match, "deal 46", gramy.DEALER).key == "no_deal_now"


@pytest.mark.parametrize(
    "move", ["up", "up 1", "up 60", "up 012", "up 02", "up x", "up ²", "up 12 13", "left 12", "end 12", "pass", "UP 12"]
)
def test_words_that_are_no_move_are_unreadable(move):
    match = duel("12,13")
    with pytest.raises(gramy.UnreadableMove) as caught:
        match.play(move, 0)
    assert caught.value.message == Message("unreadable", {"move": move}, "face-to-face")


def test_reason_is_none_exactly_for_legal_moves():
    rules = gramy.GAMES["face-to-face"]
    for match in (duel("12,31,45", up=40, down=12, foe_up=30), duel("12,45", laid=2, helped=1, up=40)):
        moves = [*(f"{pile} {card}" for pile in PILES for card in NUMBERS), "end"]
        codes = {move: rules.parse_move(match.state, 0, tuple(move.split())) for move in moves}
        allowed = {move for move, code in codes.items() if rules.reason(match.state, 0, code) is None}
        assert allowed == set(match.moves(0))
        assert {move: rules.format_move(match.state, 0, code) for move, code in codes.items()} == {m: m for m in moves}
    assert codes["end"] == code_of(4, 0)


def test_a_card_laid_is_told_with_the_card_below_and_whether_it_was_a_step_back():
    match = duel("25,15,45,12", up=20, down=35, foe_up=29)
    events = [match.play(move, 0)[0].values for move in ("up 25", "up 15", "down 45", "help-up 12")]
    assert [(fact["on"], fact["card"], fact["top"], fact["trick"]) for fact in events] == [
        ("up", 25, 20, False),
        ("up", 15, 25, True),
        ("down", 45, 35, True),
        ("help-up", 12, 29, False),
    ]
    assert match.play("end", 0) == (Message("ended", {"seat": 0, "laid": 4, "draws": 3}, "face-to-face"),)
    assert match.play("deal 46 47 48") == (Message("dealt", {"seat": 0, "number": 3}, ""),)


def test_each_move_says_beforehand_how_far_it_goes_or_why_it_may_not_be_made():
    match = duel("12,45", up=22, down=35, foe_up=29, foe_down=50, laid=2)
    assert match.game.effects(match.state, 0) == {
        "up 12": {"steps": -10, "helps": False},
        "up 45": {"steps": 23, "helps": False},
        "down 12": {"steps": 23, "helps": False},
        "down 45": {"steps": -10, "helps": False},
        "help-up 12": {"steps": -17, "helps": True},
        "end": {"draws": 2},
    }
    refusals = {move: why.key for move, why in match.game.refusals(match.state, 0).items()}
    assert refusals == {
        "help-up 45": "must_improve_up",
        "help-down 12": "must_improve_down",
        "help-down 45": "must_improve_down",
    }
    assert match.game.effects(match.state, 1) == match.game.refusals(match.state, 1) == {}


def test_a_seat_sees_its_own_hand_and_of_the_other_only_the_number_of_cards():
    match = duel("12,13", up=5, down=50, foe_hand="2,3,4", foe_deck="5~9", foe_up=7, laid=1)
    mine, theirs, spectator = (match.view(seat).board for seat in (0, 1, None))
    assert mine.halves == (Half(5, 50, (12, 13), 2, 3), Half(7, 60, None, 3, 5))
    assert theirs.halves == (Half(5, 50, None, 2, 3), Half(7, 60, (2, 3, 4), 3, 5))
    assert spectator.halves == (Half(5, 50, None, 2, 3), Half(7, 60, None, 3, 5))
    assert (mine.turn, mine.laid, mine.helped, mine.draws) == (0, 1, False, 2)
    assert gramy.Match(gramy.game("face-to-face")).view(None).board.turn is None


@pytest.mark.parametrize(
    "line",
    [
        "seat=- laid=0 helped=0 draw=0 up=1,1 down=60,60 hand=-;- deck=2~59;2~59",
        "seat=1 laid=0 helped=0 draw=6 up=1,1 down=60,60 hand=-;- deck=2~59;2~59",
        "seat=1 laid=0 helped=0 draw=6 up=1,1 down=60,60 hand=2~7;- deck=8~59;2~59",
        "seat=0 laid=2 helped=1 draw=4 up=23,1 down=42,60 hand=8,13;27,31 deck=2~7;-",
        "seat=1 laid=2 helped=0 draw=0 up=23,1 down=42,60 hand=8,13;27,31 deck=2~7;-",
        "seat=0 laid=2 helped=0 draw=0 up=23,1 down=42,60 hand=-;27,31 deck=-;-",
    ],
)
def test_a_position_is_written_as_it_is_read(line):
    check_a_position_is_written_as_it_is_read("face-to-face", line)


@given(SEEDS)
@settings(max_examples=10)
def test_every_position_of_a_match_is_written_and_read_back(seed):
    match, moves = random_match("face-to-face", seed, dead_end=("reject", "loss")[seed % 2])
    for move in moves:
        match.play(move)
        assert match.game.parse_position(match.position) == match.state


def test_a_position_tells_whether_the_match_is_over():
    assert duel("-", deck="-", laid=2).outcome == Outcome((0,), "all_laid", {})
    assert duel("55", up=58, down=5, laid=1, dead_end="loss").outcome == Outcome((1,), "dead_end", {"seat": 0})
    assert duel("20,30", up=58, down=3).outcome.key == "stuck"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"seat=0": "seat"}, "position_word"),
        ({"seat=0": "chair=0"}, "position_word"),
        ({"seat=0": "seat=0 seat=0"}, "position_twice"),
        ({"laid=0": ""}, "position_missing"),
        ({"seat=0": "seat=2"}, "position_value"),
        ({"laid=0": "laid=7"}, "position_value"),
        ({"helped=0": "helped=x"}, "position_value"),
        ({"draw=0": "draw=1000"}, "position_value"),
        ({"up=1,1": "up=60,1"}, "position_value"),
        ({"down=60,60": "down=1,60"}, "position_value"),
        ({"up=1,1": "up=1"}, "position_length"),
        ({"hand=12,13;2,3": "hand=12,13"}, "position_length"),
        ({"hand=12,13;": "hand=1,13;"}, "position_value"),
        ({"hand=12,13;": "hand=12,12;"}, "position_value"),
        ({"hand=12,13;": "hand=13~12;"}, "position_value"),
        ({"hand=12,13;": "hand=;"}, "position_value"),
        ({"deck=46~48;": "deck=13,46;"}, "position_card_twice"),
        ({"hand=12,13;": "hand=12~18;"}, "position_hand"),
        ({"seat=0": "seat=-"}, "position_unstarted"),
        ({"helped=0": "helped=1"}, "position_turn"),
        ({"draw=0": "draw=2"}, "position_turn"),
        ({"laid=0": "laid=2", "draw=0": "draw=3"}, "position_turn"),
        ({"hand=12,13;": "hand=-;"}, "position_turn"),
    ],
)
def test_positions_that_cannot_be_are_refused(change, key):
    line = "seat=0 laid=0 helped=0 draw=0 up=1,1 down=60,60 hand=12,13;2,3 deck=46~48;4~9"
    check_a_changed_position_is_refused("face-to-face", line, change, key)


def test_a_position_in_which_the_other_player_has_nothing_left_is_refused():
    """That player had won before this turn could begin (F22)."""
    with pytest.raises(gramy.BadPosition):
        duel("12,13", foe_hand="-", foe_deck="-")


def test_every_paragraph_and_ruling_of_the_page_has_its_test():
    check_every_paragraph_has_its_test("face-to-face", "F", globals())
