"""The numbers of an observation, on positions whose meaning is plain. The laws test them in random positions."""

import pytest

import gramy
from gramy import cards, encoding
from gramy.contract import Game, State


def seen(game: Game, state: State, seat: int) -> dict[str, list[int]]:
    """Return the observation of a seat, by the names of its features."""
    features = game.rules.observation(game.options)
    out = [0] * encoding.width(features)
    game.rules.observe(state, seat, out)
    return {name: out[at] for name, at in encoding.slices(features).items()}


def set_at(numbers: list[int], first: int = 0) -> list[int]:
    """Return where a plane is 1."""
    return [at + first for at, number in enumerate(numbers) if number]


def legal(game: Game, state: State, seat: int) -> list[str]:
    """Return the texts of the actions that the mask allows."""
    blocks = game.rules.actions(game.options)
    mask = [0] * encoding.width(blocks)
    encoding.write_mask(game.rules.legal_moves(state, seat), encoding.spans(blocks), mask, 0)
    codes = encoding.action_codes(blocks)
    return [game.rules.format_move(state, seat, codes[action]) for action in set_at(mask)]


def test_face_to_face_shows_the_own_cards_and_what_the_opponent_has_left() -> None:
    game = gramy.game("face-to-face", dead_end="loss", last_card_grace=True)
    state = game.parse_position("seat=1 laid=1 helped=1 draw=0 up=23,7 down=42,60 hand=8,13;27,31,50 deck=2~4,59;33~35")
    own, foe = seen(game, state, 1), seen(game, state, 0)
    assert set_at(own["hand"], 2) == [27, 31, 50]
    assert set_at(own["deck"], 2) == [33, 34, 35]
    assert set_at(own["opponent_cards"], 2) == [2, 3, 4, 8, 13, 59]
    assert set_at(own["up_ahead"], 2) == list(range(8, 60))
    assert set_at(own["down_ahead"], 2) == list(range(2, 60))
    assert set_at(own["opponent_up_ahead"], 2) == list(range(24, 60))
    assert set_at(own["opponent_down_ahead"], 2) == list(range(2, 42))
    assert own["tops"] == [7, 60, 23, 42]
    assert foe["tops"] == [23, 42, 7, 60]
    assert (own["in_hand"], own["in_deck"]) == ([3, 2], [3, 4])
    assert (own["turn"], foe["turn"]) == ([1, 0], [0, 1])
    assert [own[name] for name in ("laid", "required", "helped", "draws")] == [[1], [1], [1], [3]]
    assert (own["dead_end"], own["last_card_grace"], own["result"]) == ([1], [1], [0])
    assert legal(game, state, 1) == list(game.moves(state, 1))


@pytest.mark.parametrize(("seat", "result"), [(0, 1), (1, -1)])
def test_face_to_face_shows_who_has_won(seat: int, result: int) -> None:
    game = gramy.game("face-to-face")
    state = game.parse_position("seat=1 laid=0 helped=0 draw=0 up=1,58 down=60,3 hand=8,13;27,31 deck=-;-")
    assert game.outcome(state) is not None
    assert seen(game, state, seat)["result"] == [result]


def test_before_the_start_it_is_nobody_s_turn() -> None:
    for name in gramy.GAMES:
        game = gramy.game(name)
        assert seen(game, game.start(), 0)["turn"] == [0, 0]
        assert seen(game, game.start(), 1) == seen(game, game.start(), 0)


def test_quick_easy_shows_piles_the_own_hand_and_what_nobody_has_laid() -> None:
    game = gramy.game("quick-easy", players=3, pro=True)
    state = game.parse_position("seat=1 laid=0 draw=0 up=G8 down=- hands=R7,S1;B4,G2;Y1 deck=R1~R6")
    own, last = seen(game, state, 1), seen(game, state, 2)
    card = game.rules.parse_card
    assert set_at(own["hand"]) == [card("B4"), card("G2")]
    assert set_at(own["unseen"]) == [*range(7), card("Y1"), card("S1")]
    assert set_at(own["up_top"]) == [card("G8")]
    assert set_at(own["down_top"]) == []
    green = list(range(card("G1"), card("G10") + 1))
    high = [card(f"{letter}{number}") for letter in "RBYS" for number in (9, 10)]
    assert set_at(own["up_takes"]) == sorted(green + high)
    assert own["down_takes"] == [1] * 50
    assert (own["in_hand"], own["turn"]) == ([2, 1, 2], [1, 0, 0])
    assert (last["in_hand"], last["turn"]) == ([1, 2, 2], [0, 0, 1])
    assert [own[name] for name in ("in_deck", "laid", "required", "result", "pro")] == [[6], [0], [1], [0], [1]]
    assert legal(game, state, 1) == list(game.moves(state, 1))


def test_quick_easy_shows_the_same_result_to_all() -> None:
    game = gramy.game("quick-easy")
    won = game.parse_position("seat=1 laid=1 draw=0 up=R8 down=- hands=-;- deck=-")
    lost = game.parse_position("seat=1 laid=0 draw=0 up=R10 down=R1 hands=B2;B10 deck=-")
    assert [seen(game, won, seat)["result"] for seat in (0, 1)] == [[1], [1]]
    assert [seen(game, lost, seat)["result"] for seat in (0, 1)] == [[-1], [-1]]


BIDDING = (
    "phase=bidding turn=2 way=right bid=2x5 by=0 opened=1 sizes=2,1,1 active=0,1,2 tie=0 hands=14,25;25;36 "
    "picks=4,2;5;3 ready=0,1,2"
)


def test_gra_shows_the_own_cards_by_pair_and_the_standing_bid() -> None:
    game = gramy.game("gra", players=3, jokers=True, directions=True)
    state = game.parse_position(BIDDING)
    own, last = seen(game, state, 0), seen(game, state, 2)
    pairs = ["12", "13", "14", "15", "16", "23", "24", "25", "26", "34", "35", "36", "45", "46", "56"]
    assert [pairs[at] for at in set_at(own["hand"])] == ["14", "25"]
    assert (own["low_faces"], own["high_faces"]) == ([1, 2, 0, 0, 0], [4, 5, 0, 0, 0])
    assert (own["chosen_faces"], own["faces"]) == ([4, 2, 0, 0, 0], [0, 1, 0, 1, 0, 0])
    assert (own["bid_value"], own["bid_number"], own["in_play"]) == ([0, 0, 0, 0, 1, 0], [2], [4])
    assert (own["ones_are_jokers"], own["direction"], own["tie_break"]) == ([0], [-1], [0])
    assert own["phase"] == [0, 0, 0, 1, 0, 0]
    assert (own["bidder"], own["turn"], own["active"], own["ready"]) == ([1, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1])
    assert (last["bidder"], last["turn"], last["sizes"]) == ([0, 1, 0], [1, 0, 0], [1, 2, 1])
    options = ("jokers", "directions", "fewer_cards", "longer_game", "quantity_first")
    assert [own[name] for name in options] == [[1], [1], [0], [0], [0]]
    assert legal(game, state, 2) == list(game.moves(state, 2))


def test_gra_hides_which_of_two_equal_cards_a_seat_has() -> None:
    game = gramy.game("gra", players=3, directions=True, jokers=True)
    state, other = game.parse_position(BIDDING), game.parse_position(BIDDING.replace("14,25;25", "14,26;25"))
    assert state.hands[1] != other.hands[1]
    assert seen(game, state, 1) == seen(game, other, 1)


def test_gra_shows_no_faces_before_the_own_choice_and_none_of_the_others() -> None:
    game = gramy.game("gra", fewer_cards=True)
    state = game.parse_position(
        "phase=choosing turn=1 way=left bid=- by=- opened=- sizes=2,2 active=0,1 tie=0 hands=14,14;25,36 "
        "picks=1,4;2,3 ready=0"
    )
    first, second = seen(game, state, 0), seen(game, state, 1)
    assert (first["hand"][2], first["chosen_faces"]) == (2, [1, 4, 0, 0, 0])
    assert (second["chosen_faces"], second["faces"]) == ([0] * 5, [0] * 6)
    assert (second["ready"], second["fewer_cards"]) == ([0, 1], [1])
    assert legal(game, state, 1) == ["choose 2 3", "choose 5 3", "choose 2 6", "choose 5 6"]


def test_gra_shows_who_has_won() -> None:
    game = gramy.game("gra")
    state = game.parse_position(
        "phase=bidding turn=1 way=left bid=6x6 by=0 opened=6 sizes=5,1 active=0,1 tie=0 hands=12,13,14,15,23;16 "
        "picks=1,1,1,1,2;1 ready=0,1"
    )
    after, _ = game.apply(state, 1, "check")
    assert [seen(game, after, seat)["result"] for seat in (0, 1)] == [[-1], [1]]


def test_gra_numbers_openings_to_the_right_only_where_a_direction_is_named() -> None:
    sizes = {
        (players, directions): encoding.width(game.rules.actions(game.options))
        for players in (2, 3, 6)
        for directions in (False, True)
        for game in [gramy.game("gra", players=players, directions=directions)]
    }
    bids = {players: 6 * 5 * players for players in (2, 3, 6)}
    assert sizes == {
        (players, directions): bids[players] * (2 if directions and players > 2 else 1) + 34
        for players, directions in sizes
    }


def test_an_action_has_a_place_and_a_code_of_no_block_has_none() -> None:
    game = gramy.game("face-to-face")
    blocks = game.rules.actions(game.options)
    state = game.parse_position("seat=0 laid=0 helped=0 draw=0 up=1,1 down=60,60 hand=8,13;27,31 deck=2~7;-")
    code = game.rules.parse_move(state, 0, ("down", "13"))
    assert encoding.action_of(blocks, code) == encoding.slices(blocks)["down"].start + 11
    with pytest.raises(ValueError, match="no action has the code 60"):
        encoding.action_of(blocks, 60)


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_the_start_is_an_action_where_the_players_agree_on_it(name: str) -> None:
    agreed, lot = (gramy.game(name, starter=starter) for starter in ("agreed", "lot"))
    *others, start = agreed.rules.actions(agreed.options)
    assert tuple(others) == lot.rules.actions(lot.options)
    match = gramy.match(name, seed=1)
    (code,) = cards.codes(agreed.rules.legal_moves(match.state, 1))
    assert (start.name, encoding.action_codes([start])) == ("start", (code,))
    assert seen(agreed, match.state, 0)["turn"] == [0, 0]
    match.play("start", 1)
    assert [seen(agreed, match.state, seat)["turn"] for seat in (0, 1)] == [[0, 1], [1, 0]]


def test_quick_easy_shows_no_turn_while_the_first_hands_are_dealt() -> None:
    game = gramy.game("quick-easy", players=3)
    assert seen(game, game.start(), 0)["turn"] == [0, 0, 0]
