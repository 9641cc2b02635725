"""GRA, paragraph by paragraph: docs/rules/gra.md. A hand is written as cards and chosen faces, `14:4,23:2`."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import gramy
from gramy.contract import Outcome
from gramy.errors import BadPosition
from gramy.games.gra.view import Shown, Standing
from gramy.messages import Message
from gramy.options import choices
from tests.games import steps
from tests.games.steps import (
    check_a_position_is_written_as_it_is_read,
    check_every_paragraph_has_its_test,
    refused,
)

SEEDS = st.integers(0, 2**32 - 1)
SWITCHES = ("jokers", "directions", "fewer_cards", "longer_game")


def position(
    *hands, phase="bidding", turn=0, way="left", bid="-", by="-", opened="-",
    sizes=None, active=None, tie=0, ready=None, **options,
):  # fmt: skip
    """Return a game and a position's line; sizes, seats and readiness follow from the hands unless they are given."""
    faces = [[part.split(":") for part in hand.split(",")] if hand != "-" else [] for hand in hands]
    seats = ",".join(str(seat) for seat, hand in enumerate(faces) if hand) if active is None else active
    words = {
        "phase": phase, "turn": turn, "way": way, "bid": bid, "by": by, "opened": opened,
        "sizes": sizes or ",".join(str(len(hand)) for hand in faces), "active": seats, "tie": tie,
        "hands": ";".join(",".join(card for card, _ in hand) or "-" for hand in faces),
        "picks": ";".join(",".join(face for _, face in hand) or "-" for hand in faces),
        "ready": seats if ready is None else ready,
    }  # fmt: skip
    game = gramy.game("gra", players=len(hands), **options)
    return game, " ".join(f"{key}={word}" for key, word in words.items())


def bidding(*hands, **rest):
    """Return a match in which all have chosen and `turn` opens, or answers the bid of the seat `by`."""
    game, line = position(*hands, **rest)
    return gramy.Match(game, position=game.parse_position(line))


def choosing(*hands, **rest):
    """Return a match in which all seats are choosing; the hands are cards only."""
    shown = [",".join(f"{card}:{card[0]}" for card in hand.split(",")) if hand != "-" else "-" for hand in hands]
    return bidding(*shown, **{"phase": "choosing", "ready": "-", **rest})


def event_values(match, move, key):
    """Play a move and return the values of its only event with this key."""
    (event,) = (event for event in match.play(move) if event.key == key)
    return event.values


def board(match, seat=None):
    return match.view(seat).board


def lost_by(loser, *sizes, **options):
    """Return a match just after this seat has lost a round: it checked a true bid of the seat before it."""
    hands = dealt(sizes)
    bidder = (loser - 1) % len(sizes)
    match = bidding(*hands, turn=bidder, **options)
    play(match, "bid 1x6" + (" left" if options.get("directions") and len(sizes) > 2 else ""))
    match.play("check", loser)
    return match


def dealt(sizes):
    """Return hands of these sizes, the highest cards first, with their higher faces chosen: some are sixes."""
    cards = sorted(deck(), key=lambda card: card[::-1])
    hands = [sorted(cards.pop() for _ in range(size)) for size in sizes]
    return [",".join(f"{card}:{card[1]}" for card in hand) or "-" for hand in hands]


def play(match, *moves):
    """Play the moves of the seat to act and return the keys of all events."""
    return steps.play(match, *moves, seat=None)


def random_match(seed, **options):
    """Return a match that deals by itself, with a generator of random moves until it is over; it checks often."""
    match, rng = gramy.match("gra", seed=seed, **options), random.Random(seed)

    def moves():
        while match.outcome is None:
            seat = rng.choice(match.to_act)
            menu = match.moves(seat)
            yield seat, "check" if "check" in menu and rng.random() < 0.5 else rng.choice(menu)

    return match, moves()


# --- components and setup ---------------------------------------------------------------------------------------------


def deck():
    match = gramy.Match(gramy.game("gra"))
    match.play("start", 0)
    return match.game.deal_pool(match.state)[0]


def test_g01_thirty_cards_show_each_value_ten_times():
    assert len(deck()) == 30
    assert Counter("".join(deck())) == dict.fromkeys("123456", 10)


def test_g02_each_pair_of_different_values_is_there_twice():
    """A-G3."""
    pairs = [f"{low}{high}" for low in range(1, 6) for high in range(low + 1, 7)]
    assert Counter(deck()) == dict.fromkeys(pairs, 2)
    rules = gramy.GAMES["gra"]
    assert [rules.format_card(rules.parse_card(pair)) for pair in pairs] == pairs
    assert rules.parse_card("41") is rules.parse_card("11") is rules.parse_card("1") is None


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_g03_anybody_may_start_and_all_begin_with_one_card(starter):
    match = gramy.Match(gramy.game("gra", players=3))
    assert (match.to_act, board(match).phase, board(match).turn) == ((0, 1, 2), "starting", None)
    assert [match.moves(seat) for seat in range(3)] == [("start",)] * 3
    assert match.play("start", starter) == (Message("starts", {"seat": starter}),)
    assert (board(match).sizes, board(match).turn) == ((1, 1, 1), starter)
    assert match.to_act == (gramy.DEALER,)
    for card in ("14", "25", "36"):
        match.play(f"deal {card}")
    for seat, face in enumerate("123"):
        assert refused(match, "start", seat) == Message("already_started", {}, "gra")
        match.play(f"choose {face}", seat)
    assert match.to_act == (starter,)
    assert refused(match, "start", starter) == Message("already_started", {}, "gra")
    assert refused(match, "start", (starter + 1) % 3).key == "not_your_turn"


@pytest.mark.parametrize("move", ["check", "bid 1x1", "bid 1x1 left", "bid 30x6", "choose 4"])
def test_ruling_a_g19_nothing_is_drawn_chosen_or_bid_before_somebody_starts(move):
    match = gramy.Match(gramy.game("gra", players=3, directions=True))
    for seat in range(3):
        assert refused(match, move, seat) == Message("start_first", {}, "gra")
        assert board(match, seat).hand == Shown((), ())
    assert refused(match, "deal 14", gramy.DEALER).key == "no_deal_now"


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_g22_by_lot_the_dealer_draws_who_starts(starter):
    match = gramy.Match(gramy.game("gra", players=3, starter="lot"))
    assert (match.to_act, board(match).phase) == ((gramy.DEALER,), "lot")
    assert match.game.deal_pool(match.state) == (("0", "1", "2"), 1)
    assert refused(match, "start").key == "wait_for_the_deal"
    assert match.play(f"deal first {starter}") == (Message("starts", {"seat": starter}),)
    assert (board(match).sizes, board(match).turn) == ((1, 1, 1), starter)


# --- the round --------------------------------------------------------------------------------------------------------


def test_g04_every_round_deals_from_all_thirty_cards_as_many_as_each_hand_size():
    match = bidding("16:6,26:6", "36:6", "46:6,56:6,56:6", turn=0)
    play(match, "bid 1x6", "check")  # seat 1 loses: two cards now
    deal_pool = []
    while match.to_act == (gramy.DEALER,):
        pool, number = match.game.deal_pool(match.state)
        deal_pool.append((len(pool), number))
        match.play("deal " + " ".join(pool[:number]))
    assert deal_pool == [(30, 2), (28, 2), (26, 3)]
    assert board(match, 0).hand == Shown(("12", "12"), ())


def test_g04_a_card_can_be_dealt_twice_and_not_a_third_time():
    match = gramy.Match(gramy.game("gra", players=3))
    match.play("start", 0)
    for deal in ("deal 14", "deal 14"):
        match.play(deal)
    assert refused(match, "deal 14", gramy.DEALER) == Message("not_to_deal", {"word": "14"}, "")
    match.play("deal 23")
    assert [board(match, seat).hand.cards for seat in range(3)] == [("14",), ("14",), ("23",)]


def test_g05_any_combination_of_faces_may_be_chosen():
    match = choosing("14,23", "56")
    assert match.moves(0) == ("choose 1 2", "choose 4 2", "choose 1 3", "choose 4 3")
    assert refused(match, "choose 4", 0) == Message("choose_every_card", {"cards": 2, "chosen": 1}, "gra")
    assert refused(match, "choose 5 2", 0) == Message("face_not_on_card", {"card": "14", "face": 5}, "gra")
    match.play("choose 4 2", 0)
    assert board(match, 0).hand == Shown(("14", "23"), (4, 2))


def test_ruling_a_g15_a_choice_may_be_changed_until_the_last_player_has_confirmed():
    match = choosing("14,23", "56")
    match.play("choose 4 2", 0)
    assert match.to_act == (1,)
    assert refused(match, "choose 4 2", 0).key == "same_faces"
    assert match.moves(0) == ("choose 1 2", "choose 1 3", "choose 4 3")
    match.play("choose 1 3", 0)
    match.play("choose 6", 1)
    assert match.to_act == (0,)
    assert refused(match, "choose 4 2", 0).key == "faces_locked"
    assert refused(match, "choose 5", 1).key == "not_your_turn"
    assert board(match, 0).hand.faces == (1, 3)


def test_g05_only_chosen_faces_count():
    match = bidding("14:4,24:2", "34:3", turn=0)
    play(match, "bid 2x4")
    assert event_values(match, "check", "revealed")["count"] == 1


def test_g06_the_starter_opens_with_any_bid_of_at_least_one():
    """A-G17, and A-G18: there is nothing to check yet."""
    match = bidding("14:4,23:2", "56:5", turn=1)
    assert set(match.moves(1)) == {f"bid {number}x{value}" for number in (1, 2, 3) for value in range(1, 7)}
    assert refused(match, "check", 1).key == "nothing_to_check"
    assert refused(match, "bid 0x4", 1) == Message("bid_out_of_range", {"most": 3}, "gra")
    assert choosing("14,23", "56").to_act == (0, 1)
    assert refused(choosing("14,23", "56"), "bid 1x4", 0).key == "choose_first"
    assert refused(choosing("14,23", "56"), "check", 0).key == "choose_first"


def test_g07_clockwise_each_player_bids_higher_or_checks_the_bid_just_made():
    match = bidding("14:4", "23:2", "56:5", turn=2)
    play(match, "bid 1x2")
    assert (match.to_act, "check" in match.moves(0)) == ((0,), True)
    play(match, "bid 1x3")
    assert match.to_act == (1,)
    assert refused(match, "check", 2) == Message("not_your_turn", {"to_act": (1,)}, "")
    with pytest.raises(gramy.UnreadableMove):
        match.play("pass")
    assert event_values(match, "check", "checked") == {"seat": 1, "bidder": 0, "number": 1, "value": 3}


@pytest.mark.parametrize("order", ["value_first", "quantity_first"])
def test_g08_what_is_higher_follows_the_option(order):
    """A-G1, over all pairs of bids with four cards in play."""
    bids = list(product(range(1, 5), range(1, 7)))
    for number, value in bids:
        match = bidding("14:4,15:5", "23:2,24:2", turn=1, bid=f"{number}x{value}", by=0, opened=value, bid_order=order)
        higher = {
            "value_first": {(n, v) for n, v in bids if v > value or (v == value and n > number)},
            "quantity_first": {(n, v) for n, v in bids if n > number or (n == number and v > value)},
        }[order]
        assert set(match.moves(1)) == {"check", *(f"bid {n}x{v}" for n, v in higher)}


def test_g08_the_books_examples_beat_three_fours():
    def over(bid, order):
        return refused(bidding("14:4,15:5", "23:2,24:2", turn=1, bid="3x4", by=0, opened=4, bid_order=order), bid, 1)

    value, quantity = "value_first", "quantity_first"
    assert over("bid 4x2", value) == Message("bid_higher_value_first", {"number": 3, "value": 4}, "gra")
    assert over("bid 1x5", quantity) == Message("bid_higher_quantity_first", {"number": 3, "value": 4}, "gra")
    assert over("bid 3x4", value).key == "bid_higher_value_first"
    on_sixes = bidding("14:4,15:5", "23:2,24:2", turn=1, bid="2x6", by=0, opened=4)
    assert refused(on_sixes, "bid 2x6", 1) == Message("bid_more", {"number": 2, "value": 6}, "gra")
    assert on_sixes.moves(1) == ("bid 3x6", "bid 4x6", "check")
    assert over("bid 3x4", quantity).key == "bid_higher_quantity_first"


@pytest.mark.parametrize("order", ["value_first", "quantity_first"])
def test_g09_no_bid_names_more_than_the_cards_in_play(order):
    """A-G2: and nothing is higher than all of them sixes."""
    match = bidding("14:4,23:2", "56:5", turn=0, bid_order=order)
    assert board(match).in_play == 3
    for number in (4, 63, 64, 999):
        assert refused(match, f"bid {number}x1", 0) == Message("bid_out_of_range", {"most": 3}, "gra")
    play(match, "bid 3x6")
    assert match.moves(1) == ("check",)
    assert refused(match, "bid 3x6", 1) == Message("must_check", {"number": 3, "value": 6}, "gra")


@pytest.mark.parametrize(("number", "holds"), [(1, True), (2, True), (3, False)])
def test_g10_a_bid_is_true_with_at_least_as_many_faces(number, holds):
    match = bidding("14:4", "24:4", "35:3", turn=0)
    play(match, f"bid {number}x4")
    facts = match.play("check", 1)
    assert facts[0] == Message("checked", {"seat": 1, "bidder": 0, "number": number, "value": 4}, "gra")
    assert (facts[1].values["count"], facts[1].values["holds"]) == (2, holds)
    assert facts[1].values["hands"] == [Shown(("14",), (4,)), Shown(("24",), (4,)), Shown(("35",), (3,))]
    loser = 1 if holds else 0
    assert facts[2] == Message("round_lost", {"seat": loser, "size": 2}, "gra")
    assert board(match).sizes == ((1, 2, 1) if holds else (2, 1, 1))  # seat 2 is not affected


@pytest.mark.parametrize(("number", "starter", "sizes"), [(2, 0, (1, 2, 1)), (3, 1, (2, 1, 1))])
def test_g11_the_winner_starts_and_the_loser_has_one_card_more(number, starter, sizes):
    """A-G14: one winner, the bidder or the checker."""
    match = bidding("14:4", "24:4", "35:3", turn=0)
    play(match, f"bid {number}x4", "check")
    assert (board(match).turn, board(match).sizes, board(match).bid) == (starter, sizes, None)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_g12_a_sixth_card_ends_the_game_at_once():
    match = lost_by(1, 3, 5, 4)
    assert match.outcome == Outcome((0,), "fewest_cards", {"cards": 3, "loser": 1})
    assert (match.to_act, match.moves(0)) == ((), ())
    assert refused(match, "bid 1x6", 0).key == "match_over"
    assert lost_by(1, 3, 4, 4).outcome is None


def test_g13_the_smallest_hand_size_wins():
    """A-G12: the sizes after the last change; A-G16."""
    match = lost_by(2, 4, 4, 5, 2)
    assert (board(match).sizes, match.outcome.winners) == ((4, 4, 6, 2), (3,))
    assert match.game.rules.ending(match.state) == 3


def test_g14_those_who_share_the_smallest_size_play_on_with_it_until_one_is_left():
    """A-G6, and A-G13: additional rounds, not those so far."""
    hands = dealt((2, 5, 2, 2))
    match = bidding(*hands, turn=0)
    play(match, "bid 1x6")
    facts = match.play("check", 1)
    assert facts[-1] == Message("tie_break", {"seats": [0, 2, 3]}, "gra")
    assert (match.outcome, board(match).tie_break, board(match).active) == (None, True, (0, 2, 3))
    assert (board(match).turn, board(match).in_play) == (0, 6)
    for cards in ("16 26", "12 13", "14 15"):
        match.play(f"deal {cards}")
    for seat, faces in ((0, "6 6"), (2, "1 1"), (3, "1 1")):
        match.play(f"choose {faces}", seat)
    assert refused(match, "check", 1).key == "not_your_turn"  # seat 1 is out
    play(match, "bid 2x6")
    assert match.to_act == (2,)
    assert play(match, "check") == ["checked", "revealed", "round_lost", "eliminated"]
    assert (board(match).sizes, board(match).active, board(match).turn) == ((2, 6, 2, 2), (0, 3), 0)
    for cards in ("16 26", "12 13"):
        match.play(f"deal {cards}")
    for seat, faces in ((0, "1 2"), (3, "1 1")):
        match.play(f"choose {faces}", seat)
    play(match, "bid 1x6")
    assert play(match, "check") == ["checked", "revealed", "round_lost", "eliminated", "tie_break_won"]
    assert match.outcome == Outcome((3,), "tie_break_won", {"cards": 2, "loser": 1})


@pytest.mark.parametrize(
    ("sizes", "starter"),
    [((2, 5, 2, 4), 0), ((4, 5, 2, 2), 2), ((4, 5, 4, 4), 0), ((3, 5, 4, 2, 2), 3), ((4, 5, 5, 3, 3), 3)],
)
def test_ruling_a_g7_the_winner_of_the_last_round_starts_the_tie_break_or_the_next_tied_player(sizes, starter):
    match = lost_by(1, *sizes)  # seat 0 won the round
    assert (board(match).tie_break, board(match).turn) == (True, starter)


def test_ruling_a_g7_the_next_tied_player_is_found_past_the_last_seat():
    match = lost_by(3, 2, 2, 4, 5)  # seat 2 won, and is not tied
    assert board(match).turn == 0


def test_ruling_a_g7_next_is_clockwise_from_the_winner_whichever_way_the_round_went():
    match = lost_by(2, 2, 4, 5, 2)  # seat 1 won; 0 and 3 are tied
    assert board(match).turn == 3
    match = bidding(*dealt((2, 5, 4, 2)), turn=2, directions="on")
    play(match, "bid 1x6 right", "check")  # seat 2 won against seat 1; 0 and 3 are tied
    assert (board(match).active, board(match).turn) == ((0, 3), 3)


@given(SEEDS)
@settings(max_examples=20)
def test_g15_who_reached_six_is_never_tied_and_two_players_never_are(seed):
    match, moves = random_match(seed, players=2 + seed % 2)
    for seat, move in moves:
        match.play(move, seat)
        if board(match).tie_break and match.outcome is None:
            assert match.game.players == 3
            assert all(board(match).sizes[tied] < 6 for tied in board(match).active)


def test_g15_at_the_end_of_a_game_without_a_tie_none_is_shown():
    match = lost_by(1, 3, 5, 4)
    assert not board(match).tie_break


# --- variants ---------------------------------------------------------------------------------------------------------


def counted(*bids, jokers="on", order="quantity_first"):
    """Return how many faces count for the last of these bids; two ones, two fives and a three are chosen."""
    match = bidding("13:1,25:5", "15:5,16:1,34:3", turn=0, jokers=jokers, bid_order=order)
    play(match, *[f"bid {bid}" for bid in bids])
    assert board(match).ones_are_jokers == (jokers == "on" and not bids[0].endswith("x1"))
    return event_values(match, "check", "revealed")["count"]


def test_g16_a_one_counts_as_every_value():
    assert counted("1x5", jokers="off") == 2
    assert counted("1x5") == 4
    assert counted("1x6") == 2
    assert counted("1x3") == 3


def test_g16_a_round_opened_on_ones_has_no_jokers():
    assert counted("1x1") == 2
    assert counted("1x1", "1x5") == 2
    assert counted("1x1", "1x5", "1x6") == 0
    assert counted("1x1", "1x5", order="value_first") == 2


def test_ruling_a_g8_a_later_bid_on_ones_counts_real_ones_and_the_jokers_stay():
    assert counted("1x5", "2x1") == 2
    assert counted("1x5", "2x1", "2x5") == 4


def test_g17_the_opening_bid_says_which_way_the_round_goes():
    """A-G9: with the opening bid, hand known."""
    hands = ("14:4", "23:2", "56:5", "16:1")
    for way, order in (("left", (1, 2, 3, 0)), ("right", (3, 2, 1, 0))):
        match = bidding(*hands, turn=0, directions="on")
        assert refused(match, "bid 1x1", 0) == Message("say_direction", {}, "gra")
        assert match.play(f"bid 1x1 {way}")[0].values == {"seat": 0, "number": 1, "value": 1, "way": way}
        assert board(match).way == way
        seen = [match.to_act[0]]
        for value in (2, 3, 4):
            assert refused(match, f"bid 1x{value} {way}", seen[-1]).key == "no_direction_now"
            assert match.play(f"bid 1x{value}")[0].values["way"] is None
            seen.append(match.to_act[0])
        assert tuple(seen) == order
        assert event_values(match, "check", "checked")["bidder"] == order[2]
        assert board(match).way == "left"  # the next round has not been opened


def test_g17_between_two_players_no_direction_is_asked():
    match = bidding("14:4", "23:2", turn=0, directions="on")
    assert refused(match, "bid 1x1 right", 0).key == "no_direction_now"
    assert "bid 1x1" in match.moves(0)
    longer = bidding("14:4", "-", "23:2", sizes="1,6,1", turn=2, directions="on", longer_game="on")
    play(longer, "bid 1x1")  # two are left of three
    assert longer.to_act == (0,)


def test_g17_without_the_variant_no_direction_is_named():
    match = bidding("14:4", "23:2", "56:5", turn=0)
    assert refused(match, "bid 1x1 left", 0).key == "no_direction_now"
    assert len(match.moves(0)) == 18
    assert len(bidding("14:4", "23:2", "56:5", turn=0, directions="on").moves(0)) == 36


def test_g18_fewer_cards_begins_with_five_and_the_largest_size_wins():
    match = gramy.Match(gramy.game("gra", players=6, fewer_cards="on"))
    match.play("start", 0)
    assert (board(match).sizes, board(match).in_play) == ((5,) * 6, 30)
    match = lost_by(1, 3, 2, 4, fewer_cards="on")
    assert (board(match).sizes, match.outcome) == ((3, 1, 4), None)
    match = lost_by(1, 3, 1, 4, fewer_cards="on")  # A-G11: at once
    assert match.outcome == Outcome((2,), "most_cards", {"cards": 4, "loser": 1})
    tied = lost_by(1, 2, 1, 4, 4, fewer_cards="on")
    assert (board(tied).active, board(tied).turn, board(tied).in_play) == ((2, 3), 2, 8)


def test_ruling_a_g11_with_fewer_cards_nothing_more_is_dealt_after_the_last_card_is_lost():
    match = lost_by(1, 3, 1, fewer_cards="on")
    assert (match.to_act, match.outcome.winners) == ((), (0,))


def test_g18_six_players_use_all_thirty_cards():
    match = gramy.match("gra", seed=1, players=6, fewer_cards="on")
    match.play("start", 0)
    assert Counter(card for seat in range(6) for card in board(match, seat).hand.cards) == Counter(deck())


def test_g19_in_a_longer_game_the_limit_only_puts_out():
    match = lost_by(1, 3, 5, 4, longer_game="on")
    assert (match.outcome, board(match).active, board(match).turn) == (None, (0, 2), 0)
    assert (board(match).tie_break, board(match).in_play) == (False, 7)
    for seat in (0, 2):
        pool, number = match.game.deal_pool(match.state)
        assert match.game.rules.receiver(match.state) == seat
        match.play("deal " + " ".join(pool[:number]))


def test_g19_the_last_one_left_wins():
    match = bidding("16:6", "-", "26:6,36:6,46:6,56:6,56:5", sizes="1,6,5", turn=0, longer_game="on")
    play(match, "bid 1x6")
    keys = play(match, "check")
    assert keys == ["checked", "revealed", "round_lost", "eliminated", "last_one_left"]
    assert match.outcome == Outcome((0,), "last_one_left", {})


@pytest.mark.parametrize("on", list(product([False, True], repeat=4)), ids=lambda on: "".join("01"[x] for x in on))
@pytest.mark.parametrize("order", ["value_first", "quantity_first"])
def test_g20_all_variants_combine(on, order):
    options = dict(zip(SWITCHES, on, strict=True))
    for players in (2, 4):
        match, moves = random_match(players, players=players, bid_order=order, **options)
        for seat, move in moves:
            match.play(move, seat)
            assert match.game.parse_position(match.position) == match.state
        assert len(match.outcome.winners) == 1
        assert len(match.log) <= match.game.rules.bound(match.game.options)
        usual = "most_cards" if options["fewer_cards"] else "fewest_cards"
        assert match.outcome.key in ({"last_one_left"} if options["longer_game"] else {usual, "tie_break_won"})


def test_g20_a_tie_break_uses_jokers_and_directions_and_counts_the_cards_of_the_tied():
    variants = {"jokers": "on", "directions": "on", "bid_order": "quantity_first"}
    hands, out = ("15:1", "-", "25:5", "35:3"), {"sizes": "1,6,1,1", "tie": 1}
    match = bidding(*hands, turn=0, **out, **variants)
    assert board(match).in_play == 3
    play(match, "bid 2x5 right")
    assert match.to_act == (3,)
    assert event_values(match, "check", "revealed")["count"] == 2  # the five and the joker
    opened = bidding(*hands, turn=0, **out, **variants)
    play(opened, "bid 1x1 right", "bid 1x5")
    assert event_values(opened, "check", "revealed")["count"] == 1  # opened on ones


def test_ruling_a_g10_fewer_cards_and_longer_game_make_out_at_zero_and_the_last_one_in_wins():
    match = lost_by(1, 3, 1, 4, fewer_cards="on", longer_game="on")
    assert (match.outcome, board(match).sizes, board(match).active) == (None, (3, 0, 4), (0, 2))
    last = lost_by(1, 3, 1, fewer_cards="on", longer_game="on")
    assert last.outcome == Outcome((0,), "last_one_left", {})


@given(SEEDS)
@settings(max_examples=10)
def test_g21_the_winner_of_a_round_is_never_out_and_starts_the_next(seed):
    """A-G5: only the first tie-break round may be started by another seat."""
    options = {name: bool(seed >> bit & 1) for bit, name in enumerate(SWITCHES)}
    match, moves = random_match(seed, players=3 + seed % 4, **options)
    for seat, move in moves:
        tie_before, bid = board(match).tie_break, board(match).bid
        events = {event.key: event.values for event in match.play(move, seat)}
        if move != "check":
            continue
        winner = bid.bidder if events["revealed"]["holds"] else seat
        assert events["round_lost"]["seat"] == ({seat, bid.bidder} - {winner}).pop()
        if match.outcome is None and (tie_before or not board(match).tie_break):
            assert winner in board(match).active
            assert board(match).turn == winner


def test_ruling_a_g4_two_to_six_play():
    assert choices(gramy.GAMES["gra"].Options) == {
        "players": (2, 3, 4, 5, 6),
        **dict.fromkeys(SWITCHES, (False, True)),
        "bid_order": ("value_first", "quantity_first"),
        "starter": ("agreed", "lot"),
    }
    for players in (1, 7):
        with pytest.raises(gramy.BadOptions):
            gramy.game("gra", players=players)
    assert gramy.game("gra").phrases() == ()


# --- reasons, events, views, positions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        "bid", "bid 3", "bid x4", "bid 3x", "bid 3x7", "bid 3x0", "bid 3x12", "bid 03x4", "bid -1x4", "bid 1000x4",
        "bid ²x4", "bid 3x4 up", "bid 3x4 left right", "bet 3x4", "check 3x4", "choose", "choose 7", "choose 12",
        "choose x", "pass",
    ],
)  # fmt: skip
def test_words_that_are_no_move_are_unreadable(move):
    for match in (choosing("14", "23"), bidding("14:4", "23:2")):
        with pytest.raises(gramy.UnreadableMove) as caught:
            match.play(move, 0)
        assert caught.value.message == Message("unreadable", {"move": move}, "gra")


@pytest.mark.parametrize(
    "match",
    [
        bidding("14:4,23:2", "56:5", turn=0),
        bidding("14:4,23:2", "56:5", "56:5", turn=0, directions="on"),
        bidding("14:4,23:2", "56:5", "56:5", turn=0, way="right", bid="1x2", by=1, opened=2, directions="on"),
        choosing("14,23", "56"),
        choosing("14,23", "56", ready="0"),
    ],
)
def test_reason_is_none_exactly_for_legal_moves(match):
    rules = gramy.GAMES["gra"]
    rows = rules.legal_moves(match.state, 0)
    codes = [row << 6 | bit for row in range(14) for bit in range(5)]
    allowed = [code for code in codes if rules.reason(match.state, 0, code) is None]
    assert allowed == [code for code in codes if rows[code >> 6] >> (code & 63) & 1]
    assert [
        rules.parse_move(match.state, 0, tuple(rules.format_move(match.state, 0, code).split())) for code in allowed
    ] == allowed


def test_a_choice_is_told_without_its_faces_and_hidden_in_the_log():
    match = choosing("14,23", "56")
    assert match.play("choose 4 2", 0) == (Message("chose", {"seat": 0}, "gra"),)
    assert [match.history(seat)[-1].text for seat in (0, 1, None)] == ["choose 4 2", "choose ? ?", "choose ? ?"]


def test_no_move_says_beforehand_what_it_leads_to_since_the_seat_cannot_know():
    for match in (choosing("14,23", "56"), bidding("14:4", "23:2", turn=1, bid="1x4", by=0, opened=4)):
        assert match.moves(1)
        assert match.game.effects(match.state, 1) == match.game.refusals(match.state, 1) == {}


def test_a_seat_sees_its_own_cards_and_of_the_others_only_the_sizes():
    match = choosing("14,23", "56", "12", ready="0", turn=1)
    mine, theirs, spectator = (board(match, seat) for seat in (0, 1, None))
    assert (mine.hand, theirs.hand, spectator.hand) == (Shown(("14", "23"), (1, 2)), Shown(("56",), ()), None)
    assert replace(spectator, hand=theirs.hand) == theirs
    assert (spectator.phase, spectator.turn, spectator.ready, spectator.sizes) == ("choosing", 1, (0,), (2, 1, 1))
    assert spectator.revealed is None
    assert board(gramy.Match(gramy.game("gra"))).turn is None


def test_the_standing_bid_and_at_the_end_all_hands_are_seen_by_all():
    match = bidding("16:6", "26:6,36:6,46:6,56:6,56:5", turn=0)
    play(match, "bid 1x6")
    assert board(match).bid == Standing(1, 6, 0)
    play(match, "check")
    assert (board(match).phase, board(match).bid) == ("over", Standing(1, 6, 0))
    theirs = Shown(("26", "36", "46", "56", "56"), (6, 6, 6, 6, 5))
    assert board(match).revealed == (Shown(("16",), (6,)), theirs)


@pytest.mark.parametrize(
    "line",
    [
        "phase=starting turn=- way=left bid=- by=- opened=- sizes=1,1 active=0,1 tie=0 hands=-;- picks=-;- ready=-",
        "phase=dealing turn=1 way=left bid=- by=- opened=- sizes=2,1 active=0,1 tie=0 hands=-;- picks=-;- ready=-",
        "phase=dealing turn=1 way=left bid=- by=- opened=- sizes=2,1 active=0,1 tie=0 hands=14,14;- "
        "picks=1,1;- ready=-",
        "phase=choosing turn=1 way=left bid=- by=- opened=- sizes=1,1 active=0,1 tie=0 hands=14;14 picks=1;4 ready=1",
        "phase=bidding turn=1 way=left bid=3x4 by=0 opened=4 sizes=2,1 active=0,1 tie=0 hands=14,25;36 "
        "picks=4,2;3 ready=0,1",
        "phase=over turn=0 way=left bid=1x6 by=0 opened=6 sizes=1,6 active=0 tie=1 hands=16;26,36,46,56,56 "
        "picks=6;6,6,6,6,5 ready=0,1",
    ],
)
def test_a_position_is_written_as_it_is_read(line):
    check_a_position_is_written_as_it_is_read("gra", line)


THREE = ("14:4,23:2", "56:5", "12:2")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"phase": "resting"}, "position_value"),
        ({"way": "up"}, "position_value"),
        ({"turn": "3"}, "position_value"),
        ({"sizes": "7,1,1"}, "position_value"),
        ({"sizes": "2,1"}, "position_length"),
        ({"tie": "2"}, "position_value"),
        ({"active": "0,1,3"}, "position_value"),
        ({"active": "1,0,2"}, "position_value"),
        ({"ready": "0,0"}, "position_value"),
        ({"hands": "14,23;56"}, "position_length"),
        ({"hands": "41,23;56;12"}, "position_value"),
        ({"hands": "23,14;56;12"}, "position_value"),
        ({"hands": "12,12;56;12"}, "position_value"),
        ({"picks": "4,2;5"}, "position_length"),
        ({"picks": "4,5;5;2"}, "position_value"),
        ({"picks": "4;5;2"}, "position_value"),
        ({"picks": "4,23;5;2"}, "position_value"),
        ({"ready": "1,2"}, "position_value"),  # then seat 0 would show its lower faces
        ({"bid": "3x4"}, "position_value"),
        ({"bid": "31x4", "by": "2", "opened": "4"}, "position_value"),
        ({"bid": "3x7", "by": "2", "opened": "4"}, "position_value"),
        ({"bid": "3", "by": "2", "opened": "4"}, "position_value"),
        ({"bid": "3x4", "by": "3", "opened": "4"}, "position_value"),
        ({"bid": "3x4", "by": "2", "opened": "0"}, "position_value"),
        ({"phase": "lot"}, "position_unstarted"),
        ({"phase": "starting"}, "position_unstarted"),
        ({"phase": "over"}, "position_turn"),
        ({"phase": "over", "active": "0"}, "position_turn"),
        ({"phase": "over", "active": "0", "turn": "-", "bid": "1x4", "by": "2", "opened": "4"}, "position_turn"),
        ({"turn": "-"}, "position_turn"),
        ({"active": "-"}, "position_turn"),
        ({"active": "0"}, "position_turn"),
        ({"sizes": "0,1,1"}, "position_turn"),
        ({"sizes": "6,1,1"}, "position_turn"),
        ({"sizes": "1,1,1"}, "position_turn"),
        ({"active": "0,1"}, "position_turn"),  # seat 2 holds cards
        ({"phase": "dealing"}, "position_turn"),
        ({"phase": "dealing", "hands": "-;56;12", "picks": "-;5;1", "ready": "-"}, "position_turn"),
        ({"phase": "dealing", "hands": "-;-;-", "picks": "-;-;-"}, "position_turn"),
        ({"phase": "dealing", "hands": "-;-;-", "picks": "-;-;-", "ready": "-", "way": "right"}, "position_turn"),
        ({"phase": "dealing", "hands": "-;-;-", "picks": "-;-;-", "ready": "-", "bid": "1x4", "by": "2", "opened": "4"},
         "position_turn"),
        ({"phase": "choosing"}, "position_turn"),
        ({"phase": "choosing", "ready": "0", "hands": "14,23;-;12", "picks": "4,2;-;1"}, "position_turn"),
        ({"phase": "choosing", "ready": "0", "picks": "4,2;5;1", "way": "right"}, "position_turn"),
        ({"phase": "choosing", "ready": "0", "picks": "4,2;5;1", "bid": "1x4", "by": "2", "opened": "4"},
         "position_turn"),
        ({"ready": "0,1", "picks": "4,2;5;1"}, "position_turn"),
        ({"hands": "14,23;-;12", "picks": "4,2;-;2"}, "position_turn"),
        ({"way": "right"}, "position_turn"),
        ({"bid": "5x4", "by": "2", "opened": "4"}, "position_turn"),
        ({"bid": "3x4", "by": "1", "opened": "4"}, "position_turn"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_are_refused(change, key):
    game, line = position(*THREE)
    words = dict(word.split("=") for word in line.split()) | change
    with pytest.raises(gramy.BadPosition) as caught:
        game.parse_position(" ".join(f"{name}={word}" for name, word in words.items()))
    assert caught.value.message.key == key


def test_a_position_with_a_bidder_who_is_out_is_refused():
    game, line = position("14:4", "-", "12:2", sizes="1,6,1", bid="1x4", by=1, opened=4, longer_game="on")
    with pytest.raises(gramy.BadPosition):
        game.parse_position(line)


def test_a_position_that_is_over_before_anybody_reached_the_end_is_refused():
    """G12: and so there is always a loser to name."""
    rest = {"phase": "over", "active": "0", "ready": "0,1", "bid": "1x6", "by": 0, "opened": 6}
    for sizes in ("1,1", "1,5"):
        game, line = position("16:6", "26:6", sizes=sizes, **rest)
        with pytest.raises(gramy.BadPosition):
            game.parse_position(line)


def test_a_position_that_goes_right_without_the_variant_is_refused():
    """G17: without `directions` every round goes clockwise."""
    game, line = position(*THREE, turn=1, way="right", bid="3x4", by=2, opened=4)
    with pytest.raises(gramy.BadPosition):
        game.parse_position(line)


def test_a_position_before_the_lot_is_written_as_it_is_read():
    line = "phase=lot turn=- way=left bid=- by=- opened=- sizes=1,1 active=0,1 tie=0 hands=-;- picks=-;- ready=-"
    check_a_position_is_written_as_it_is_read("gra", line, starter="lot")
    for starter, other in (("lot", line.replace("lot", "starting")), ("agreed", line)):
        with pytest.raises(gramy.BadPosition):
            gramy.game("gra", starter=starter).parse_position(other)


def test_every_paragraph_and_ruling_of_the_page_has_its_test():
    check_every_paragraph_has_its_test("gra", "G", globals())


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, "sizes=1,1 active=0,1 tie=1"),
        ({"longer_game": "on"}, "sizes=1,1 active=0,1 tie=1"),
        ({"players": "3"}, "sizes=1,1,1 active=0,1 tie=0"),
        ({"players": "3", "longer_game": "on"}, "sizes=1,1,1 active=0,1 tie=0"),
    ],
)
def test_a_tie_is_broken_only_when_somebody_is_out(options: dict[str, str], score: str) -> None:
    """An earlier version read such a position, which cannot be played to its end."""
    seats = int(options.get("players", "2"))
    hands, picks = ";".join(["24", "35", "-"][:seats]), ";".join(["2", "5", "-"][:seats])
    line = f"phase=bidding turn=0 way=left bid=2x6 by=1 opened=3 {score} hands={hands} picks={picks} ready=0,1"
    with pytest.raises(BadPosition):
        gramy.game("gra", **options).parse_position(line)
