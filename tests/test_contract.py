"""The contract: options, errors, views and what every game shares."""

import copy
import json
import pickle
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Literal

import pytest

import gramy
from gramy.assembly import assemble
from gramy.contract import DEALER, State
from gramy.errors import (
    BadOptions,
    BadPosition,
    BadRecord,
    GramyError,
    IllegalMove,
    MoveError,
    UnknownGame,
    UnreadableMove,
)
from gramy.messages import Message, to_builtins
from gramy.options import choices, combinations, format_options, parse_options, split_options

# --- options ----------------------------------------------------------------------------------------------------------


def test_a_game_is_made_from_its_name_and_options() -> None:
    game = gramy.game("gra", players=3, jokers=True)
    assert (game.name, game.players, game.options.jokers) == ("gra", 3, True)
    assert game == gramy.game("gra", players=3, jokers=True)
    assert game != gramy.game("gra", players=3)


def test_options_may_be_texts_or_values() -> None:
    assert gramy.game("gra", players="3", jokers="on", bid_order="quantity_first") == gramy.game(
        "gra", players=3, jokers=True, bid_order="quantity_first"
    )


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_formatted_options_parse_to_the_same_options(name: str) -> None:
    rules = gramy.GAMES[name]
    words = format_options(rules.Options())
    assert parse_options(rules, words) == rules.Options()
    assert list(words) == [item.name for item in fields(rules.Options)]
    assert all(isinstance(word, str) for word in words.values())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cards": 3}, "gra has no option “cards”; its options are: players, jokers,"),
        ({"players": 1}, "The option players cannot be “1”; choose one of: 2, 3, 4, 5, 6."),
        ({"players": 7}, "cannot be “7”"),
        ({"players": -2}, "cannot be “-2”"),
        ({"players": True}, "cannot be “on”"),
        ({"players": 2.0}, "cannot be “2.0”"),
        ({"players": None}, "cannot be “None”"),
        ({"jokers": 1}, "The option jokers cannot be “1”; choose one of: off, on."),
        ({"jokers": "yes"}, "cannot be “yes”"),
        ({"bid_order": "highest"}, "choose one of: value_first, quantity_first."),
        ({"players": [2]}, r"cannot be “\[2\]”"),
    ],
)
def test_an_unknown_option_is_refused_with_the_known_ones(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadOptions, match=sentence):
        gramy.game("gra", **options)


@pytest.mark.parametrize("name", ["chess", "", "GRA", "face_to_face", "x" * 10_000_000, "\x00", "{known}", "\ud800"])
def test_an_unknown_game_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownGame, match="choose one of: face-to-face, quick-easy, gra") as caught:
        gramy.game(name)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_choices_are_read_from_types() -> None:
    @dataclass(frozen=True)
    class Options:
        players: Literal[2, 3] = 2
        fast: bool = False

    assert choices(Options) == {"players": (2, 3), "fast": (False, True)}


def test_an_option_of_another_type_is_a_mistake_in_the_rules() -> None:
    @dataclass(frozen=True)
    class Options:
        players: int = 2

    with pytest.raises(TypeError, match="a bool or a Literal"):
        choices(Options)


def test_every_game_has_the_expected_number_of_combinations() -> None:
    numbers = {}
    for name, rules in gramy.GAMES.items():
        numbers[name] = 1
        for values in choices(rules.Options).values():
            numbers[name] *= len(values)
    assert numbers == {"face-to-face": 4, "quick-easy": 16, "gra": 320}


def test_combinations_are_all_options_that_a_game_can_have() -> None:
    for name, rules in gramy.GAMES.items():
        every = combinations(rules.Options)
        assert len(set(every)) == len(every) == {"face-to-face": 4, "quick-easy": 16, "gra": 320}[name]
        assert rules.Options() in every


def test_options_are_split_at_the_equals_sign() -> None:
    assert split_options(["players=3", "pro=on", "odd=a=b"]) == {"players": "3", "pro": "on", "odd": "a=b"}
    with pytest.raises(BadOptions, match="“players” is not an option; write options as name=value"):
        split_options(["pro=on", "players"])


# --- errors -----------------------------------------------------------------------------------------------------------


def errors() -> list[GramyError]:
    """Return one error of each class, raised by the library."""
    found: list[GramyError] = []
    match = gramy.match("face-to-face", seed=1)
    for wrong in (
        lambda: gramy.game("chess"),
        lambda: gramy.game("gra", players=9),
        lambda: match.game.parse_position("seat=0"),
        lambda: gramy.load("no such file"),
        lambda: gramy.record.parse("gramy record 1\nnonsense"),
        lambda: match.play("nonsense"),
        lambda: match.play("end"),
    ):
        with pytest.raises(GramyError) as caught:
            wrong()
        found.append(caught.value)
    return found


def test_errors_are_a_small_tree() -> None:
    kinds = [type(error) for error in errors()]
    assert kinds == [UnknownGame, BadOptions, BadPosition, BadRecord, BadRecord, UnreadableMove, IllegalMove]
    assert issubclass(UnreadableMove, MoveError)
    assert issubclass(IllegalMove, MoveError)
    assert all(issubclass(kind, GramyError) for kind in kinds)


@pytest.mark.parametrize("error", errors(), ids=lambda error: type(error).__name__)
def test_an_error_is_one_english_sentence(error: GramyError) -> None:
    sentence = str(error)
    assert "{" not in sentence
    assert "\n" not in sentence
    assert sentence[0].isupper() or sentence[0] in "“0123456789"
    assert sentence.endswith((".", "…"))


@pytest.mark.parametrize("error", errors(), ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: GramyError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.message == error.message
    assert str(again) == str(error)
    if isinstance(error, BadRecord):
        assert (again.line, again.cause) == (error.line, error.cause)


def test_a_damaged_record_names_its_line_or_the_whole_file() -> None:
    cause = Message("record_result_missing")
    assert BadRecord(7, cause).message == Message("record_line", {"line": 7, "cause": cause})
    assert BadRecord(0, cause).message == cause


# --- moves as text ----------------------------------------------------------------------------------------------------


@pytest.fixture
def state() -> State:
    """Return a state of Face to Face: the turn of seat 0, which can lay 5, 9, 30 ... on its rising pile."""
    match = gramy.Match(gramy.game("face-to-face"))
    for deal in ("deal first 0", "deal 5 9 30 33 47 50", "deal 2 3 4 57 58 59"):
        match.play(deal)
    return match.state


def test_a_reason_is_none_exactly_when_the_move_applies(state: State) -> None:
    game = gramy.game("face-to-face")
    assert game.reason(state, 0, "up 5") is None
    assert game.reason(state, 0, "up 6").key == "not_in_hand"
    assert game.reason(state, 0, "up").key == "unreadable"
    assert game.reason(state, 1, "up 2").key == "not_your_turn"
    assert game.reason(state, 0, "").key == "empty_move"


def test_the_dealer_has_a_pool_and_no_list_of_moves() -> None:
    game = gramy.game("face-to-face")
    start = game.start()
    assert game.deal_pool(start) == (("0", "1"), 1)
    assert game.moves(start, DEALER) == ()
    state, events = game.apply(start, DEALER, "deal first 1")
    assert events == (Message("starts", {"seat": 1}),)
    pool, number = game.deal_pool(state)
    assert (len(pool), number, pool[0]) == (58, 6, "2")
    assert game.format_deal(state, 0b11111100) == "deal 2 3 4 5 6 7"
    assert game.format_deal(start, 0b10) == "deal first 1"


def test_a_deal_that_ends_the_match_has_an_event_for_it() -> None:
    game = gramy.game("quick-easy")
    line = "seat=0 laid=1 draw=1 up=R10 down=S1 hands=R9;B5,B6 deck=G5"
    after, events = game.apply(game.parse_position(line), DEALER, "deal G5")
    assert [event.key for event in events] == ["dealt", "stuck"]
    assert game.outcome(after).winners == ()


def test_effects_and_refusals_cover_every_move_a_player_may_try(state: State) -> None:
    game = gramy.game("face-to-face")
    effects, refusals = game.effects(state, 0), game.refusals(state, 0)
    assert set(effects) == set(game.moves(state, 0))
    assert effects["up 5"] == {"steps": 4, "helps": False}
    assert refusals["end"].key == "lay_two"
    assert refusals["help-up 5"].key == "nothing_to_improve"
    assert not set(effects) & set(refusals)
    assert game.effects(state, 1) == game.refusals(state, 1) == game.refusals(state, DEALER) == {}


def test_where_nothing_can_be_foretold_there_are_no_effects() -> None:
    match = gramy.match("gra", seed=1)
    assert match.game.effects(match.state, 0) == {}
    assert match.game.refusals(match.state, 0) == {}


# --- views ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_a_view_can_be_written_as_json(name: str) -> None:
    match = gramy.match(name, seed=1)
    for seat in (None, *range(match.game.players)):
        view = match.view(seat)
        assert (view.game, view.seat, view.to_act) == (name, seat, match.to_act)
        assert view.options == format_options(match.game.options)
        assert view.moves == (() if seat is None else match.moves(seat))
        said = to_builtins(view)
        assert json.loads(json.dumps(said)) == said


def test_a_spectator_sees_no_hand_and_moves_nothing() -> None:
    view = gramy.match("quick-easy", seed=1).view(None)
    assert (view.board.hand, view.moves, view.undoable) == (None, (), False)


def test_to_builtins_converts_at_every_depth() -> None:
    value = Message("key", {"a": (1, Message("b")), "c": [None, True]})
    assert to_builtins(value) == {
        "key": "key",
        "values": {"a": [1, {"key": "b", "values": {}, "game": ""}], "c": [None, True]},
        "game": "",
    }
    assert to_builtins(b"bytes") == b"bytes"


# --- assembling a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_rules_and_games_survive_pickling_and_copying(name: str) -> None:
    game = gramy.game(name)
    for again in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert again == game
        assert again.rules is game.rules


def test_a_game_whose_modules_lack_a_name_of_the_contract_cannot_be_assembled() -> None:
    from gramy.games.gra import notation, observation, rules, view

    incomplete = ModuleType("gramy.games.gra.view")
    incomplete.board = view.board
    with pytest.raises(TypeError, match=r"gramy.games.gra.view has no `effects`, which .*GameView requires"):
        assemble(rules, notation, incomplete, observation)


def test_a_game_prints_as_the_call_that_makes_it() -> None:
    game = gramy.game("gra", players=3, jokers=True)
    assert repr(game).startswith("gramy.game('gra', players=3, jokers=True, ")
    assert eval(repr(game)) == game
    assert repr(game.rules) == "<rules of gra>"


def test_variants_are_the_options_that_differ_from_the_defaults() -> None:
    assert gramy.game("gra", players=5).variants == ()
    assert gramy.game("gra", players=3, jokers=True, bid_order="quantity_first").variants == ("jokers", "bid_order")
