"""Match: which moves are legal, what the log holds, what can be undone, and what each seat may read."""

import copy
import random
from collections.abc import Callable
from contextlib import suppress

import pytest

import gramy
from gramy.contract import DEALER, Game, Outcome
from gramy.errors import IllegalMove, UnreadableMove
from gramy.matches import Entry, Match, ShuffledDealer, as_read
from gramy.messages import Message

DEALT = ("deal first 0", "deal 5 9 30 33 47 50", "deal 2 3 4 57 58 59")


def by_hand(game: Game, *deals: str) -> Match:
    """Return a match without a dealer, after these deals."""
    match = Match(game)
    for deal in deals:
        match.play(deal, DEALER)
    return match


@pytest.fixture
def duel() -> Match:
    return by_hand(gramy.game("face-to-face"), *DEALT)


@pytest.fixture
def table() -> Match:
    """Return a match of Quick & Easy for three, dealt by hand: seat 1 starts."""
    return by_hand(
        gramy.game("quick-easy", players=3, starter="lot"), "deal first 1", "deal R1 R2", "deal B5 B6", "deal G9 G10"
    )


def frozen(match: Match) -> str:
    return repr((match.state, match.log, match.events_by_line, match.history(None), match.to_act))


def refused(match: Match, move: str, seat: int | None = None) -> str:
    """Check that the move is illegal and changes nothing; return the key of the reason."""
    return refusal(match, lambda: match.play(move, seat))


def undo_refused(match: Match, seat: int | None = None) -> str:
    return refusal(match, lambda: match.undo(seat))


def talk_refused(match: Match, phrase: str, seat: int | None = None) -> str:
    return refusal(match, lambda: match.say(phrase, seat))


def refusal(match: Match, act: Callable[[], object]) -> str:
    before = frozen(match)
    with pytest.raises(IllegalMove) as caught:
        act()
    assert frozen(match) == before
    return caught.value.message.key


# --- dealing ----------------------------------------------------------------------------------------------------------


def test_with_a_dealer_a_match_deals_by_itself() -> None:
    match = gramy.match("face-to-face", seed=1)
    assert [entry.text.split()[0] for entry in match.log] == ["deal"] * 3
    assert match.to_act != (DEALER,)
    assert len(match.events_by_line) == len(match.log)


def test_the_same_seed_deals_the_same_cards_and_another_seed_others() -> None:
    logs = [gramy.match("gra", seed=seed, players=4, starter="lot").log for seed in (1, 1, 2)]
    assert logs[0] == logs[1]
    assert logs[0] != logs[2]


def test_a_move_returns_its_events_and_those_of_the_deal() -> None:
    match = Match(gramy.game("face-to-face"), ShuffledDealer(random.Random(3)))
    seat = match.to_act[0]
    for _ in range(2):
        (fact,) = match.play(match.moves()[0])
        assert fact.key == "laid"
    assert [fact.key for fact in match.play("end")] == ["ended", "dealt"]
    assert match.to_act == (1 - seat,)


def test_without_a_dealer_deals_are_played_like_any_move() -> None:
    match = Match(gramy.game("face-to-face"))
    assert match.to_act == (DEALER,)
    assert match.moves() == ()
    assert [fact.key for fact in match.play(DEALT[0])] == ["starts"]
    for deal in DEALT[1:]:
        assert [fact.key for fact in match.play(deal)] == ["dealt"]
    assert match.to_act == (0,)


@pytest.mark.parametrize(
    ("deal", "key"),
    [
        ("deal 5 9 30 33 47", "deal_number"),
        ("deal", "deal_number"),
        ("deal 5 9 30 33 47 50 51", "deal_number"),
        ("deal 5 9 30 33 47 47", "not_to_deal"),
        ("deal 5 9 30 33 47 60", "not_to_deal"),
        ("deal 5 9 30 33 47 G8", "not_to_deal"),
        ("deal 5 9 30 33 47 050", "not_to_deal"),
        ("deal first 1", "deal_number"),
    ],
)
def test_a_wrong_deal_is_refused(deal: str, key: str) -> None:
    match = by_hand(gramy.game("face-to-face"), DEALT[0])
    assert refused(match, deal, DEALER) == key


@pytest.mark.parametrize("deal", ["deal first", "deal first 2", "deal first 0 1", "deal first x"])
def test_a_wrong_lot_is_refused(deal: str) -> None:
    assert refused(Match(gramy.game("face-to-face")), deal, DEALER) in ("deal_number", "not_to_deal")


@pytest.mark.parametrize("deal", ["deal 5 9 30 33 47 50", "first 0", "deal last 0", "draw"])
def test_a_deal_in_other_words_is_unreadable(deal: str) -> None:
    match = Match(gramy.game("face-to-face"))
    with pytest.raises(UnreadableMove) as caught:
        match.play(deal, DEALER)
    assert caught.value.message.key == "deal_expected"
    assert match.log == []


def test_cards_that_have_left_the_deck_cannot_be_dealt(table: Match) -> None:
    table.play("up R1")
    table.play("end")
    assert refused(table, "deal R1", DEALER) == "not_to_deal"
    assert refused(table, "deal B5", DEALER) == "not_to_deal"
    table.play("deal S1", DEALER)
    assert table.to_act == (2,)


def test_of_two_equal_cards_each_can_be_dealt_once() -> None:
    game = gramy.game("gra", players=3, starter="lot")
    match = by_hand(game, "deal first 0", "deal 14", "deal 14")
    assert refused(match, "deal 14", DEALER) == "not_to_deal"
    match.play("deal 15", DEALER)
    assert match.to_act == (0, 1, 2)


def test_the_dealer_and_the_players_act_only_in_turn(duel: Match) -> None:
    assert refused(duel, "deal 6 7", DEALER) == "no_deal_now"
    assert refused(duel, "deal 6 7", 0) == "only_the_dealer_deals"
    for move in ("up 5", "up 9", "end"):
        duel.play(move)
    assert refused(duel, "up 30", 0) == "wait_for_the_deal"
    assert refused(duel, "down 59", 1) == "wait_for_the_deal"


# --- whose move -------------------------------------------------------------------------------------------------------


def test_without_a_seat_the_seat_to_act_plays(duel: Match) -> None:
    duel.play("up 5")
    assert duel.log[-1] == Entry(0, "up 5")
    assert duel.moves() == duel.moves(0)
    assert duel.moves(1) == ()


def test_where_several_seats_are_to_act_the_seat_must_be_named() -> None:
    match = gramy.match("gra", seed=1, players=3, starter="lot")
    assert match.to_act == (0, 1, 2)
    move = match.moves(1)[0]
    assert refused(match, move) == "which_seat"
    with pytest.raises(IllegalMove, match="say which one moves"):
        match.moves()
    match.play(move, 1)
    assert match.to_act == (0, 2)


def test_out_of_turn_is_refused_and_says_whose_turn_it_is(duel: Match) -> None:
    assert refused(duel, "down 59", 1) == "not_your_turn"
    with pytest.raises(IllegalMove, match="waiting for seat 0"):
        duel.play("down 59", 1)


@pytest.mark.parametrize("seat", [-1, -2, 2, 5, 7, 1000, -(10**20)])
@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_there_are_no_other_seats(name: str, seat: int) -> None:
    match = gramy.match(name, seed=1)
    assert refused(match, "end", seat) == "no_such_seat"
    with pytest.raises(IllegalMove, match="There is no seat"):
        match.view(seat)


@pytest.mark.parametrize("seat", [-1, -2, 2, 5, 7, 1000, -(10**20)])
@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_a_seat_that_is_not_there_has_no_moves(name: str, seat: int) -> None:
    for match in (Match(gramy.game(name)), gramy.match(name, seed=1)):
        with suppress(IllegalMove):
            assert match.moves(seat) == ()


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_before_the_first_deal_no_seat_has_moves(name: str) -> None:
    lot = {} if name == "face-to-face" else {"starter": "lot"}
    match = Match(gramy.game(name, **lot))
    assert [match.moves(seat) for seat in range(match.game.players)] == [()] * match.game.players
    assert refused(match, "end", 0) == "wait_for_the_deal"
    assert undo_refused(match, 0) == "nothing_to_undo"


def test_spaces_do_not_matter_and_are_not_logged(duel: Match) -> None:
    duel.play("  up \t 5\n")
    assert duel.log[-1].text == "up 5"


ODD = {
    "ten megabytes": "up " + "9" * 10_000_000,
    "a million words": "up " * 1_000_000,
    "control characters": "up \x1b[2J\x07",
    "a null": "end\x00",
    "emoji": "up \N{JIGSAW PUZZLE PIECE}",
    "a lone surrogate": "up \ud800",
    "right to left": "up \u202e5",
    "braces": "up {card} {0} {",
    "percent": "%s %d",
    "nothing": "",
    "blank": "\u2003\u00a0",
}


@pytest.mark.parametrize("name", list(gramy.GAMES))
@pytest.mark.parametrize("move", ODD.values(), ids=ODD)
def test_odd_text_gets_a_short_clean_sentence(name: str, move: str) -> None:
    match = gramy.match(name, seed=1)
    before = frozen(match)
    with pytest.raises(UnreadableMove) as caught:
        match.play(move, match.to_act[0])
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
    assert frozen(match) == before
    str(caught.value).encode("utf-8")


# --- the end ----------------------------------------------------------------------------------------------------------


def test_after_the_end_every_action_is_refused() -> None:
    game = gramy.game("face-to-face")
    line = "seat=0 laid=1 helped=0 draw=0 up=20,1 down=30,60 hand=21;5,6 deck=-;-"
    match = Match(game, position=game.parse_position(line))
    assert [fact.key for fact in match.play("up 21")] == ["laid", "all_laid"]
    assert match.outcome == Outcome((0,), "all_laid", {})
    assert match.to_act == match.moves() == match.moves(0) == ()
    for move in ("end", "up 5"):
        assert refused(match, move) == "match_over"
    assert undo_refused(match) == talk_refused(match, "red") == "match_over"
    assert refused(match, "up 5", 1) == "match_over"
    assert talk_refused(match, "red", 1) == "match_over"
    assert undo_refused(match, 0) == "nothing_to_undo"
    assert refused(match, "deal 5", DEALER) == "no_deal_now"


def test_a_match_can_begin_at_a_position(duel: Match) -> None:
    again = Match(duel.game, position=duel.game.parse_position(duel.position))
    assert again.state == duel.state
    assert again.origin == duel.state
    assert again.log == []


def test_names_are_for_every_seat_or_for_none() -> None:
    game = gramy.game("face-to-face")
    assert Match(game).names == ()
    assert Match(game, names=iter(["Ada", "Bo"])).names == ("Ada", "Bo")
    for names in (["Ada"], ["Ada", "Bo", "Cy"]):
        with pytest.raises(IllegalMove) as caught:
            Match(game, names=names)
        assert caught.value.message == Message("names_number", {"players": 2, "names": len(names)}, "")


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_move_is_taken_back_exactly(duel: Match) -> None:
    before, history = duel.state, duel.history(None)
    duel.play("up 5")
    after = duel.state
    duel.play("up 9")
    (fact,) = duel.undo()
    assert (fact.key, fact.values) == ("undone", {"seat": 0, "move": "up 9"})
    assert duel.state == after
    duel.undo()
    assert duel.state == before
    assert duel.history(None) == history


def test_the_log_keeps_both_lines_and_the_history_neither(duel: Match) -> None:
    duel.play("up 5")
    duel.undo(0)
    duel.play("up 9")
    assert [entry.text for entry in duel.log[3:]] == ["up 5", "undo", "up 9"]
    assert [entry.text for entry in duel.history(0)[3:]] == ["up 9"]
    assert len(duel.events_by_line) == len(duel.log)


def test_nothing_is_taken_back_before_a_card_is_laid(duel: Match) -> None:
    assert undo_refused(duel) == "nothing_to_undo"
    duel.play("up 5")
    duel.undo()
    assert undo_refused(duel) == "nothing_to_undo"


def test_only_the_mover_takes_back(duel: Match) -> None:
    duel.play("up 5")
    for seat in (1, DEALER, -1, 7):
        assert undo_refused(duel, seat) == "nothing_to_undo"


def test_after_the_end_of_a_turn_and_after_the_deal_nothing_is_taken_back(duel: Match) -> None:
    for move in ("up 5", "up 9", "end"):
        duel.play(move)
    for seat in (None, 0, 1, DEALER):
        assert undo_refused(duel, seat) == "nothing_to_undo"
    duel.play("deal 6 7", DEALER)
    for seat in (None, 0, 1, DEALER):
        assert undo_refused(duel, seat) == "nothing_to_undo"


def test_where_nothing_is_drawn_the_end_of_a_turn_stands_all_the_same() -> None:
    game = gramy.game("quick-easy")
    line = "seat=0 laid=0 draw=0 up=R1 down=S10 hands=R2,R3;R4,R5 deck=-"
    match = Match(game, position=game.parse_position(line))
    match.play("up R2")
    match.play("end")
    assert match.to_act == (1,)
    for seat in (0, 1):
        assert undo_refused(match, seat) == "nothing_to_undo"


def test_talk_does_not_stand_between_a_move_and_taking_it_back(table: Match) -> None:
    before = table.state
    table.play("up R1")
    table.say("red low", 0)
    table.undo()
    assert table.state == before
    assert [entry.text for entry in table.history(0)[4:]] == ["say red low"]


def test_in_gra_nothing_is_taken_back() -> None:
    match = gramy.match("gra", seed=2)
    for seat in (0, 1):
        match.play(match.moves(seat)[0], seat)
        assert undo_refused(match, seat) == "nothing_to_undo"
    match.play(match.moves()[0])
    for seat in (0, 1):
        assert undo_refused(match, seat) == "nothing_to_undo"


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_a_view_says_undoable_exactly_when_undo_works(name: str) -> None:
    rng = random.Random(4)
    match = Match(gramy.game(name), ShuffledDealer(rng))
    while match.to_act:
        for seat in range(match.game.players):
            if match.view(seat).undoable:
                assert match.copy().undo(seat)[0].key == "undone"
            else:
                assert undo_refused(match, seat) == "nothing_to_undo"
        seat = rng.choice(match.to_act)
        match.play(rng.choice(match.moves(seat)), seat)


def test_in_a_match_that_begins_in_mid_turn_view_and_undo_agree() -> None:
    game = gramy.game("quick-easy")
    line = "seat=0 laid=1 draw=0 up=R1 down=- hands=R3;R4,R5 deck=G1~G10"
    match = Match(game, position=game.parse_position(line))
    assert undo_refused(match, 0) == "nothing_to_undo"
    assert not match.view(0).undoable


# --- talking ----------------------------------------------------------------------------------------------------------


def test_anybody_may_talk_at_any_time_and_it_changes_nothing_but_the_log(table: Match) -> None:
    state = table.state
    (fact,) = table.say("red low", 2)
    assert fact == Message("said", {"seat": 2, "phrase": "red low"}, "quick-easy")
    table.say("mine up")
    assert [(entry.seat, entry.text) for entry in table.log[4:]] == [(2, "say red low"), (1, "say mine up")]
    assert table.history(None)[-2:] == tuple(table.log[-2:])
    assert table.state == state


@pytest.mark.parametrize(
    "phrase", ["", "R1", "red 1", "hello", "red lowest", "RED", "1", "red low blue", "x" * 10_000_000]
)
def test_other_phrases_may_not_be_said(table: Match, phrase: str) -> None:
    assert talk_refused(table, phrase, 1) == "no_such_phrase"
    with pytest.raises(IllegalMove) as caught:
        table.say(phrase, 1)
    assert len(str(caught.value)) < 200


def test_every_phrase_of_a_game_can_be_said_and_has_its_sentence(table: Match) -> None:
    phrases = table.game.phrases()
    assert len(set(phrases)) == len(phrases) == 5 + 25 + 4
    sentences = {gramy.say(table.say(phrase, 0)[0]) for phrase in phrases}
    assert len(sentences) == len(phrases)
    assert not any(digit in sentence for sentence in sentences for digit in "123456789")


def test_the_pro_game_has_no_heights() -> None:
    match = gramy.match("quick-easy", seed=1, pro=True)
    assert len(match.game.phrases()) == 5 + 4
    assert match.say("red", 1)
    assert talk_refused(match, "red low", 1) == "no_such_phrase"


@pytest.mark.parametrize("name", ["face-to-face", "gra"])
def test_games_without_talk_have_no_phrases(name: str) -> None:
    match = gramy.match(name, seed=1)
    assert match.game.phrases() == ()
    assert talk_refused(match, "red", 0) == "no_such_phrase"


@pytest.mark.parametrize("seat", [DEALER, -1, 3, 99])
def test_only_players_talk(table: Match, seat: int) -> None:
    assert talk_refused(table, "red", seat) == "no_such_phrase"


# --- replaying, copying and reading the log ---------------------------------------------------------------------------


def test_at_returns_the_match_after_a_number_of_lines(table: Match) -> None:
    states = [table.state]
    for line in ("up R1", "say red", "undo", "down R2", "end", "deal S1"):
        table.replay(Entry(table.to_act[0], line))
        states.append(table.state)
    for lines, state in enumerate(states, 4):
        earlier = table.at(lines)
        assert (earlier.state, earlier.log, earlier.events_by_line) == (
            state,
            table.log[:lines],
            table.events_by_line[:lines],
        )
        assert earlier.names == table.names
    assert table.at(0).to_act == (DEALER,)
    assert table.at(1000).state == table.state


def test_a_replayed_match_goes_on_with_its_dealer(duel: Match) -> None:
    for move in ("up 5", "up 9", "end"):
        duel.play(move)
    again = Match.replayed(duel.game, duel.log, ShuffledDealer(random.Random(1)), ("Ada", "Bo"))
    assert again.names == ("Ada", "Bo")
    assert again.log[: len(duel.log)] == duel.log
    assert again.log[-1].text.startswith("deal ")
    assert again.to_act == (1,)


@pytest.mark.parametrize("copied", [Match.copy, copy.copy, copy.deepcopy])
def test_a_copy_is_independent_of_the_match(duel: Match, copied: Callable[[Match], Match]) -> None:
    duel.play("up 5")
    before, other = frozen(duel), copied(duel)
    assert frozen(other) == before
    other.undo()
    other.play("up 9")
    assert frozen(duel) == before
    assert other.log == [*duel.log, Entry(0, "undo"), Entry(0, "up 9")]
    other = copied(duel)
    duel.play("up 9")
    assert frozen(other) == before


@pytest.mark.parametrize("copied", [Match.copy, copy.copy, copy.deepcopy])
def test_a_copy_is_dealt_the_same_cards_and_uses_up_none_of_the_match(copied: Callable[[Match], Match]) -> None:
    copied_from, untouched = (gramy.match("quick-easy", seed=5) for _ in range(2))
    for match in (copied_from, untouched):
        match.play("start", 1)
        match.play(match.moves()[0])
    other = copied(copied_from)
    for match in (other, copied_from, untouched):
        match.play("end")
    assert other.log == copied_from.log == untouched.log


def test_a_match_with_the_random_generator_of_the_system_can_be_copied() -> None:
    match = Match(gramy.game("quick-easy"), ShuffledDealer(random.SystemRandom()))
    match.play("start", 0)
    match.play(match.moves()[0])
    before, other = frozen(match), match.copy()
    assert [event.key for event in other.play("end")][:2] == ["ended", "dealt"]
    assert len(other.log) == len(match.log) + 2
    assert frozen(match) == before


@pytest.mark.parametrize(("picked", "key"), [(0b1, "deal_number"), (0b111 << 20, "deal_number"), (0b11, "not_to_deal")])
def test_a_dealer_that_picks_the_wrong_cards_is_refused(picked: int, key: str) -> None:
    game = gramy.game("face-to-face")
    line = "seat=0 laid=2 helped=0 draw=2 up=9,1 down=60,60 hand=30,33,47,50;2~4,57~59 deck=20~29;5~56"
    match = Match(game, position=game.parse_position(line))
    assert refusal(match, lambda: match.game.deal(match.state, picked)) == key
    with pytest.raises(IllegalMove):
        match.dealt_by(lambda game, state: picked)


@pytest.mark.parametrize("move", ["undo", "say red", "say", "deal 5"])
def test_only_moves_of_the_game_are_played(table: Match, move: str) -> None:
    table.play("up R1")
    before = frozen(table)
    with pytest.raises((UnreadableMove, IllegalMove)):
        table.play(move, 1)
    assert frozen(table) == before


def test_replay_plays_moves_talk_undo_and_deals(table: Match) -> None:
    lines = [Entry(1, "up R1"), Entry(0, "say  red   low"), Entry(1, "undo"), Entry(1, "up R2"), Entry(1, "end")]
    keys = [event.key for line in [*lines, Entry(DEALER, "deal S1")] for event in table.replay(line)]
    assert keys == ["laid", "said", "undone", "laid", "ended", "dealt"]
    assert [entry.text for entry in table.log[4:]] == ["up R1", "say red low", "undo", "up R2", "end", "deal S1"]


def test_deals_are_read_by_their_receiver_only(table: Match) -> None:
    assert table.log[0].reader is None
    assert [entry.reader for entry in table.log[1:]] == [1, 2, 0]
    assert [entry.text for entry in table.history(1)] == ["deal first 1", "deal R1 R2", "deal ? ?", "deal ? ?"]
    assert [entry.text for entry in table.history(None)] == ["deal first 1", *["deal ? ?"] * 3]


def test_choices_are_read_by_the_chooser_only() -> None:
    match = by_hand(gramy.game("gra", starter="lot"), "deal first 0", "deal 14", "deal 25")
    match.play("choose 4", 0)
    match.play("choose 1", 0)
    match.play("choose 5", 1)
    assert [entry.text for entry in match.history(0)[3:]] == ["choose 4", "choose 1", "choose ?"]
    assert [entry.text for entry in match.history(None)[3:]] == ["choose ?"] * 3
    match.play("bid 1x4")
    assert match.history(None)[-1] == Entry(0, "bid 1x4")


def test_a_line_for_one_reader_keeps_its_verb_and_its_length() -> None:
    entry = Entry(DEALER, "deal 5 9", 1)
    assert as_read(entry, 1) is entry
    assert as_read(entry, 0) == as_read(entry, None) == Entry(DEALER, "deal ? ?", 1)
    assert as_read(Entry(0, "up 5"), None) == Entry(0, "up 5")


def test_followed_by_returns_a_longer_match_and_changes_nothing() -> None:
    whole = gramy.match("quick-easy", seed=3)
    whole.play("start", 1)
    for _ in range(8):
        whole.play(whole.moves()[0])
    begun = whole.at(5)
    before = list(begun.log)
    ahead = begun.followed_by(whole.log[5:])
    assert ahead.log == whole.log
    assert ahead.state == whole.state
    assert ahead.events_by_line == whole.events_by_line
    assert begun.log == before


def test_another_dealer_continues_from_the_next_deal() -> None:
    whole = gramy.match("quick-easy", seed=3)
    stopped = whole.at(1)
    assert stopped.to_act == (DEALER,)
    ahead = stopped.dealt_by(ShuffledDealer(random.Random(4)))
    assert ahead.to_act != (DEALER,)
    assert stopped.to_act == (DEALER,)
    assert len(stopped.log) == 1


def test_a_match_under_other_names_is_the_same_match() -> None:
    match = Match(gramy.game("gra", starter="lot"), ShuffledDealer(random.Random(1)), ["Ada", "Bo"])
    other = match.named(["", "Bo"])
    assert (match.names, other.names) == (("Ada", "Bo"), ("", "Bo"))
    assert (other.log, other.state) == (match.log, match.state)
    other.play(other.moves(0)[0], 0)
    assert len(match.log) == len(other.log) - 1


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_players_agree_on_who_starts_until_one_of_them_starts(name: str) -> None:
    match = gramy.match(name, seed=1, players=3)
    assert match.agreeing
    match.play("start", seat=2)
    assert not match.agreeing
    assert not gramy.match(name, seed=1, players=3, starter="lot").agreeing
