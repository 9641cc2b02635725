"""The laws that hold for every game under every combination of options, shown by seeded random play.

Every random choice follows from SEED, which stands in each test's name: running that test alone repeats a failure.
A test checks a group of option sets; a failure names all of the group for which the law does not hold.
Each game hides other things, so `INDISTINGUISHABLE` and `RENAMED` have a function for each game that changes only
what a seat has not seen.
"""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy
import pytest
from msgspec.structs import replace

import gramy
from gramy import cards, compiled, encoding, playout, record
from gramy.contract import DEALER, NOBODY, START, Game, State
from gramy.errors import GramyError, IllegalMove, UnreadableMove
from gramy.matches import Entry, Match, ShuffledDealer
from gramy.messages import to_builtins
from gramy.options import format_options
from tests import option_sets
from tests.option_sets import EVERY, each_of, every

SEED = 20_261
WIDTH = 64  # codes to a row
UNWRITTEN = 99  # no number of an observation or of a mask


@cache
def label(game: Game) -> str:
    return f"{option_sets.label(game)} seed={SEED}"


DEFAULTS = [gramy.game(name) for name in gramy.GAMES]
each_game = each_of(EVERY, SEED)


class Step(NamedTuple):
    before: State
    seat: int
    text: str
    after: State


@cache
def walk(game: Game, number: int = 0) -> tuple[Step, ...]:
    """Return a whole match of uniformly random moves in which no seat chooses its faces again."""
    rng = random.Random(f"{SEED} {label(game)} {number}")
    deal = ShuffledDealer(rng)
    state, steps = game.start(), []
    while to_act := game.to_act(state):
        assert len(steps) <= game.rules.bound(game.options), "longer than the bound"
        seat = rng.choice(to_act)
        if seat == DEALER:
            text = game.format_deal(state, deal(game, state))
        else:
            text = game.rules.format_move(state, seat, rng.choice(cards.codes(game.rules.legal_moves(state, seat))))
        after, _ = game.apply(state, seat, text)
        steps.append(Step(state, seat, text, after))
        state = after
    return tuple(steps)


def walks(game: Game) -> Iterator[tuple[Step, ...]]:
    """Return a few matches; more of them with default options."""
    for number in range(10 if game in DEFAULTS else some(game, 1, 4)):
        yield walk(game, number)


def some(game: Game, few: int, many: int) -> int:
    """Return how many samples to take: few where there are many combinations of options."""
    return few if len(every(game.name)) > 20 else many


def states(game: Game, most: int) -> list[State]:
    """Return some states of these matches, always with the first and the last."""
    rng = random.Random(f"{SEED} {label(game)} states")
    passed = [state for steps in walks(game) for state in (steps[0].before, *(step.after for step in steps))]
    return [passed[0], passed[-1], *rng.sample(passed, min(most, len(passed)))]


def codes(game: Game) -> range:
    """Return all codes that a menu of the game can have."""
    return range(WIDTH * len(game.rules.legal_moves(game.start(), 0)))


def written_view(game: Game, state: State, seat: int | None) -> bytes:
    """Return the bytes of a seat's view."""
    return json.dumps(to_builtins(game.view(state, seat)), sort_keys=True).encode()


def standing_at(game: Game, state: State) -> Match:
    return Match(game, position=state)


# --- (a) every match ends ---------------------------------------------------------------------------------------------


@each_game
def test_every_match_ends_within_the_bound(game: Game) -> None:
    for steps in walks(game):
        assert len(steps) <= game.rules.bound(game.options)
        last = steps[-1].after
        assert game.to_act(last) == ()
        assert game.outcome(last) is not None
        assert all(game.outcome(step.before) is None for step in steps)


def is_longest(game: Game) -> bool:
    """With the most players; jokers and directions do not change the number of moves."""
    most = every(game.name)[-1].players
    return game.players == most and not getattr(game.options, "jokers", False) | getattr(
        game.options, "directions", False
    )


@each_of([game for game in EVERY if is_longest(game)], SEED)
def test_the_slowest_play_ends_within_the_bound(game: Game) -> None:
    """Every seat lays as few cards and raises a bid by as little as possible."""
    state, moves = game.start(), 0
    while to_act := game.rules.to_act(state):
        seat = cards.lowest(to_act)
        if seat == DEALER:
            pool, number = game.rules.deal_pool(state)
            picked = cards.from_positions(cards.positions(pool)[:number])
            state = game.rules.deal(state, picked)
        else:
            menu = cards.codes(game.rules.legal_moves(state, seat))
            end = [code for code in menu if code // WIDTH == len(game.rules.legal_moves(state, seat)) - 1]
            lays = [code for code in menu if code not in end]
            slow = lays if len(lays) > 0 and game.name == "gra" else end or lays
            state = game.rules.apply(state, seat, min(slow, key=lambda code: (code % WIDTH, code // WIDTH)))
        moves += 1
        assert moves <= game.rules.bound(game.options)
    assert game.outcome(state) is not None


# --- (b) legal moves --------------------------------------------------------------------------------------------------


@each_game
def test_the_legal_moves_are_exactly_those_without_a_reason_against_them(game: Game) -> None:
    for state in states(game, some(game, 3, 12)):
        for seat in set(game.to_act(state)) - {DEALER}:
            free = [code for code in codes(game) if game.rules.reason(state, seat, code) is None]
            assert free == cards.codes(game.rules.legal_moves(state, seat))
            assert game.moves(state, seat) == tuple(game.rules.format_move(state, seat, code) for code in free)


@each_game
def test_every_legal_move_applies_and_has_an_event(game: Game) -> None:
    for state in states(game, 4):
        for seat in set(game.to_act(state)) - {DEALER}:
            moves = game.moves(state, seat)
            assert moves
            assert len(set(moves)) == len(moves)
            for move in moves:
                assert game.reason(state, seat, move) is None
                after, events = game.apply(state, seat, move)
                assert after != state
                assert all("{" not in gramy.say(event) for event in events)
                assert events


@each_game
def test_a_seat_that_is_not_to_act_may_only_choose_its_faces_again(game: Game) -> None:
    for steps in walks(game):
        for state in (step.after for step in steps):
            others = set(range(game.players)) - set(game.to_act(state))
            for seat in (seat for seat in others if any(game.rules.legal_moves(state, seat))):
                assert all(move.split()[0] in game.rules.SECRET for move in game.moves(state, seat))


# --- (c) an illegal move changes nothing ------------------------------------------------------------------------------

UNREADABLE = (
    *(
        "",
        " ",
        "\t\n",
        "up",
        "down",
        "help-up",
        "up 1",
        "up 60",
        "up 061",
        "up -3",
        "up 23 24",
        "UP 23",
        "up G11",
        "up X3",
    ),
    *(
        "bid",
        "bid 3",
        "bid x",
        "bid 3x",
        "bid x4",
        "bid 3x7",
        "bid 3x0",
        "bid -1x4",
        "bid 3x4 up",
        "bid 3x4 left right",
    ),
    *("bid 03x4", "choose", "choose 7", "choose 0", "choose 12", "choose 4,2", "check 1", "end 2", "pass", "résumé"),
    *("up ٢٣", "up \N{PLAYING CARD ACE OF SPADES}", "up g8", "\x00", "end\x00", "\ud800", "{0}", "{move}", "%s"),
    "up 9999999999999999999999",
)


def vocabulary(game: Game, state: State, seat: int) -> list[str]:
    """Return readable moves of every verb, legal or not."""
    names = [game.rules.format_card(card) for card in range(64) if _is_card(game, card)]
    if game.name == "gra":
        bids = [
            f"bid {number}x{value}{way}"
            for number in range(0, 70, 3)
            for value in range(1, 7)
            for way in ("", " left", " right")
        ]
        faces = [[int(face) for face in game.rules.format_card(card)] for card in cards.positions(state.hands[seat])]
        choosing = ["choose " + " ".join(map(str, some)) for some in itertools.product(*faces)] if faces else []
        return ["start", "check", *bids, *choosing, "choose 1", "choose 6 6 6 6 6 6"]
    verbs = ("up", "down", "help-up", "help-down") if game.name == "face-to-face" else ("up", "down")
    start = () if game.name == "face-to-face" else ("start",)
    return ["end", *start, *(f"{verb} {name}" for verb in verbs for name in names)]


@cache
def _is_card(game: Game, card: int) -> bool:
    try:
        return game.rules.parse_card(game.rules.format_card(card)) in (card, card - 1)
    except IndexError:
        return False


def refused(match: Match, error: type[GramyError], move: str, seat: int | None) -> str:
    """Check that the move raises this very class and changes nothing; return the key of its message."""
    before = repr((match.state, match.log))
    with pytest.raises(error) as caught:
        match.play(move, seat)
    assert type(caught.value) is error, move
    sentence = str(caught.value)
    assert "{" not in sentence or "{" in move
    assert len(sentence) < 400
    assert "\n" not in sentence
    assert repr((match.state, match.log)) == before
    return caught.value.message.key


@each_game
def test_a_move_that_is_not_listed_is_illegal_and_changes_nothing(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} unlisted")
    for state in states(game, some(game, 2, 12)):
        match = standing_at(game, state)
        for seat in range(game.players):
            listed = set(game.moves(state, seat))
            others = [move for move in vocabulary(game, state, seat) if move not in listed]
            for move in rng.sample(others, min(8, len(others))):
                refused(match, IllegalMove, move, seat)


@each_game
def test_the_reason_out_of_turn_names_the_seats_to_act(game: Game) -> None:
    for state in states(game, 12):
        match = standing_at(game, state)
        for seat in set(range(game.players)) - set(match.to_act):
            expected = "not_your_turn"
            if not match.to_act:
                expected = "match_over"
            elif match.to_act == (DEALER,):
                expected = "wait_for_the_deal"
            verb = "check" if game.name == "gra" else "end"
            if not game.moves(state, seat):
                assert refused(match, IllegalMove, verb, seat) == expected


@each_game
def test_text_that_is_no_move_is_unreadable_and_changes_nothing(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} unreadable")
    for state in states(game, 1):
        match = standing_at(game, state)
        for seat in range(game.players):
            may_move = bool(match.moves(seat))
            for move in rng.sample(UNREADABLE, 10):
                refused(match, UnreadableMove if may_move or not move.split() else IllegalMove, move, seat)


@each_game
def test_seats_that_are_not_at_the_table_cannot_move(game: Game) -> None:
    match = standing_at(game, states(game, 1)[-1])
    for seat in (-1, -7, game.players, 7, 64, 10**30):
        if seat != DEALER:
            assert refused(match, IllegalMove, "end", seat) == "no_such_seat"


@each_game
def test_the_dealer_deals_only_from_the_pool_and_only_in_turn(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} deals")
    steps = walk(game)
    for step in (steps[0], *rng.sample(steps, min(some(game, 6, 30), len(steps)))):
        match = standing_at(game, step.before)
        if step.seat != DEALER:
            assert refused(match, IllegalMove, "deal first 0", DEALER) == "no_deal_now"
            assert refused(match, IllegalMove, step.text, DEALER) == "no_deal_now"
            continue
        lead = "deal first" if game.rules.receiver(step.before) == NOBODY else "deal"
        *_, last = named = step.text.removeprefix(lead).split()
        kept = " ".join([lead, *named[:-1]])
        assert refused(match, IllegalMove, kept, DEALER) == "deal_number"
        assert refused(match, IllegalMove, f"{step.text} {last}", DEALER) == "deal_number"
        assert refused(match, IllegalMove, f"{kept} 99", DEALER) == "not_to_deal"
        assert refused(match, IllegalMove, f"{kept} ?", DEALER) == "not_to_deal"
        assert refused(match, UnreadableMove, step.text.replace("deal", "give", 1), DEALER) == "deal_expected"
        assert refused(match, UnreadableMove, "", DEALER) == "empty_move"
        assert refused(match, IllegalMove, step.text, 0) == "only_the_dealer_deals"
        if game.name != "gra" and len(named) > 1:  # a card of GRA exists twice
            assert refused(match, IllegalMove, f"{kept} {named[0]}", DEALER) == "not_to_deal"
        if lead == "deal":
            gone = held(game, step.before)
            if gone and game.name == "quick-easy":
                assert refused(match, IllegalMove, f"{kept} {game.rules.format_card(gone[0])}", DEALER) == "not_to_deal"


def held(game: Game, state: State) -> list[int]:
    """Return all cards in hands."""
    hands = (state.me.hand, state.foe.hand) if game.name == "face-to-face" else state.hands
    return [card for hand in hands for card in cards.positions(hand)]


@each_game
def test_after_the_end_every_move_is_refused(game: Game) -> None:
    match = standing_at(game, walk(game)[-1].after)
    move = "bid 1x1" if game.name == "gra" else "end"
    assert match.moves() == ()
    for seat in range(game.players):
        assert match.moves(seat) == ()
        assert refused(match, IllegalMove, move, seat) == "match_over"
        with pytest.raises(IllegalMove):
            match.undo(seat)
    assert refused(match, IllegalMove, move, None) == "match_over"
    assert refused(match, IllegalMove, "deal first 0", DEALER) == "no_deal_now"


# --- (d) notation -----------------------------------------------------------------------------------------------------


def replayed(game: Game, steps: tuple[Step, ...]) -> Match:
    match = Match(game)
    for step in steps:
        match.play(step.text, step.seat)
        assert match.state == step.after
    return match


@cache
def whole(game: Game) -> Match:
    """Return a whole match, shared by tests, which must not change it."""
    return replayed(game, walk(game))


@each_game
def test_replaying_the_log_gives_the_same_states(game: Game) -> None:
    steps = walk(game)
    match = whole(game)
    for lines in {0, 1, len(steps) // 2}:
        earlier = match.at(lines)
        assert earlier.state == (steps[lines - 1].after if lines else steps[0].before)
        assert earlier.log == match.log[:lines]


@each_game
def test_a_record_that_is_read_and_written_again_is_the_same(game: Game) -> None:
    steps = walk(game)
    for match in (whole(game), replayed(game, steps[: len(steps) // 4]), Match(game)):
        text = record.format(match)
        again = record.parse(text)
        assert record.format(again) == text
        assert (again.state, again.log) == (match.state, match.log)


@each_game
def test_a_record_can_begin_at_any_position(game: Game) -> None:
    steps = walk(game)
    half = len(steps) // 2
    match = Match(game, position=steps[half].before)
    for step in steps[half:]:
        match.play(step.text, step.seat)
    again = record.parse(record.format(match))
    assert (again.origin, again.state, again.log) == (match.origin, match.state, match.log)


@each_game
def test_a_position_that_is_written_and_read_is_the_same_state(game: Game) -> None:
    for steps in walks(game):
        for state in (steps[0].before, *(step.after for step in steps)):
            line = game.format_position(state)
            assert game.parse_position(line) == state, line
            assert "\n" not in line


@each_game
def test_a_move_that_is_written_and_read_is_the_same_code(game: Game) -> None:
    for state in states(game, 20):
        for seat in set(game.to_act(state)) - {DEALER}:
            for code in cards.codes(game.rules.legal_moves(state, seat)):
                text = game.rules.format_move(state, seat, code)
                assert game.rules.parse_move(state, seat, tuple(text.split())) == code
                assert text == " ".join(text.split())


@each_game
def test_a_deal_that_is_written_and_read_is_the_same(game: Game) -> None:
    for step in walk(game):
        if step.seat == DEALER:
            pool, number = game.deal_pool(step.before)
            named = step.text.removeprefix("deal").removeprefix(" first").split()
            assert len(named) == number
            assert set(named) <= set(pool)
            backwards = " ".join([*step.text.split()[: -len(named)], *reversed(named)])
            assert game.apply(step.before, DEALER, backwards)[0] == step.after


# --- (e) cards are conserved ------------------------------------------------------------------------------------------


def conserved_face_to_face(game: Game, steps: tuple[Step, ...]) -> None:
    laid = [0, 0]
    for step in steps:
        _, *words = step.text.split()
        if step.seat != DEALER and words:
            card = 1 << int(words[0])
            assert not laid[step.seat] & card
            laid[step.seat] |= card
        sides = {step.after.seat: step.after.me, 1 - step.after.seat: step.after.foe}
        for seat, side in sides.items():
            parts = (side.hand, side.deck, laid[seat])
            assert sum(cards.count(part) for part in parts) == 58
            assert side.hand | side.deck | laid[seat] == (1 << 60) - (1 << 2)
            assert cards.count(side.hand) <= 6
            assert cards.count(side.up) == cards.count(side.down) == 1


def conserved_quick_easy(game: Game, steps: tuple[Step, ...]) -> None:
    laid = 0
    for step in steps:
        _, *words = step.text.split()
        if step.seat != DEALER and words:
            card = 1 << game.rules.parse_card(words[0])
            assert not laid & card
            laid |= card
        parts = (*step.after.hands, step.after.deck, laid)
        assert sum(cards.count(part) for part in parts) == 50
        assert sum(parts) == (1 << 50) - 1
        assert max(cards.count(hand) for hand in step.after.hands) <= 2
        assert (step.after.up | step.after.down) & ~laid == 0
        assert step.after.hands[game.players :] == (0,) * (6 - game.players)


def conserved_gra(game: Game, steps: tuple[Step, ...]) -> None:
    for state in (step.after for step in steps):
        hands = [hand for hand in state.hands if hand]
        assert sum(hands) == cards.from_positions(
            [card for hand in hands for card in cards.positions(hand)]
        )  # disjoint
        assert sum(hands) < 1 << 30
        names = [game.rules.format_card(card) for hand in hands for card in cards.positions(hand)]
        assert all(names.count(name) <= 2 for name in names)
        if game.outcome(state) is None:
            assert all(
                cards.count(hand) in (0, size) for hand, size in zip(state.hands, state.score.sizes, strict=True)
            )
        assert all(pick < 1 << cards.count(hand) for hand, pick in zip(state.hands, state.picks, strict=True))
        assert state.hands[game.players :] == (0,) * (6 - game.players)


CONSERVED: dict[str, Callable[[Game, tuple[Step, ...]], None]] = {
    "face-to-face": conserved_face_to_face,
    "quick-easy": conserved_quick_easy,
    "gra": conserved_gra,
}


@each_game
def test_no_card_is_lost_or_made(game: Game) -> None:
    for steps in walks(game):
        CONSERVED[game.name](game, steps)


@each_game
def test_numbers_of_a_state_fit_64_bits(game: Game) -> None:
    for state in states(game, 20):
        assert all(-(1 << 63) <= number < 1 << 63 for number in flat(state))
        menu = [row for seat in range(game.players) for row in game.rules.legal_moves(state, seat)]
        assert all(0 <= row < 1 << 63 for row in menu)


def flat(numbers: Any) -> list[int]:
    return [one for part in numbers for one in (flat(part) if isinstance(part, tuple) else [part])]


# --- (f) compiled equals plain ----------------------------------------------------------------------------------------


@each_game
def test_compiled_play_passes_through_the_same_states_as_plain_play(game: Game) -> None:
    slow = playout.specialise(game.rules, playout.fingerprint)
    fast = compiled.compiled(game.rules, playout.fingerprint)
    word = playout.first_word(SEED + EVERY.index(game))
    for matches in (some(game, 1, 3), some(game, 2, 9)):
        assert fast(game.start(), matches, word) == slow(game.start(), matches, word)


@each_of(DEFAULTS, SEED)
def test_compiled_tallies_are_those_of_plain_play(game: Game) -> None:
    slow, fast = playout.specialise(game.rules, playout.play_many), compiled.compiled(game.rules, playout.play_many)
    word = playout.first_word(SEED)
    plainly, quickly = [0] * playout.ENDINGS, numpy.zeros(playout.ENDINGS, numpy.int64)
    assert fast(game.start(), 40, word, quickly) == slow(game.start(), 40, word, plainly)
    assert quickly.tolist() == plainly
    assert sum(plainly) == 40


@each_game
def test_the_ending_of_a_play_out_agrees_with_its_outcome(game: Game) -> None:
    last = walk(game)[-1].after
    outcome, ending = game.outcome(last), game.rules.ending(last)
    assert outcome is not None
    assert 0 <= ending < playout.ENDINGS
    if game.name == "face-to-face":
        assert (ending % 2, ending >= 2) == (outcome.winners[0], outcome.key == "all_laid")
    elif game.name == "quick-easy":
        assert (ending, ending == 50) == (outcome.values["laid"], bool(outcome.winners))
    else:
        assert (ending,) == outcome.winners


# --- (f2) observations and actions as numbers -----------------------------------------------------------------------


def observed(game: Game, state: State, seat: int) -> list[int]:
    """Return the observation of a seat, as plain Python writes it."""
    out = [UNWRITTEN] * encoding.width(game.rules.observation(game.options))
    game.rules.observe(state, seat, out)
    return out


@each_game
def test_every_number_of_an_observation_is_written_and_within_its_limits(game: Game) -> None:
    features = game.rules.observation(game.options)
    assert len({feature.name for feature in features}) == len(features)
    low = [feature.low for feature in features for _ in range(feature.size)]
    high = [feature.high for feature in features for _ in range(feature.size)]
    assert min(low) >= -128
    assert max(high) < UNWRITTEN
    for state in states(game, some(game, 4, 40)):
        for seat in range(game.players):
            numbers = observed(game, state, seat)
            assert all(
                at_least <= number <= at_most for at_least, number, at_most in zip(low, numbers, high, strict=True)
            )
            beside = [UNWRITTEN] * (len(low) + 2)
            game.rules.observe(state, seat, beside, 1)
            assert beside == [UNWRITTEN, *numbers, UNWRITTEN]


@each_game
def test_compiled_observations_and_masks_are_those_of_plain_functions(game: Game) -> None:
    width = encoding.width(game.rules.observation(game.options))
    blocks = encoding.spans(game.rules.actions(game.options))
    actions = encoding.width(game.rules.actions(game.options))
    observe = compiled.compiled(game.rules, game.rules.observe)
    mask = compiled.compiled(game.rules, encoding.write_mask)
    for state in states(game, some(game, 2, 20)):
        for seat in range(game.players):
            numbers = numpy.full(width, UNWRITTEN, numpy.int8)
            observe(state, seat, numbers, 0)
            assert numbers.tolist() == observed(game, state, seat)
            rows = game.rules.legal_moves(state, seat)
            quickly, plainly = numpy.full(actions, UNWRITTEN, numpy.int8), [UNWRITTEN] * actions
            assert mask(rows, blocks, quickly, 0) == encoding.write_mask(rows, blocks, plainly, 0) == actions
            assert quickly.tolist() == plainly


@each_game
def test_actions_number_every_legal_move_once(game: Game) -> None:
    blocks = game.rules.actions(game.options)
    numbered = encoding.action_codes(blocks)
    assert len(set(numbered)) == len(numbered) == encoding.width(blocks)
    assert [encoding.action_of(blocks, code) for code in numbered] == list(range(len(numbered)))
    for state in (step.before for steps in walks(game) for step in steps):
        for seat in range(game.players):
            menu = game.rules.legal_moves(state, seat)
            assert set(cards.codes(menu)) <= set(numbered)
    mask = [UNWRITTEN] * len(numbered)
    encoding.write_mask(menu, encoding.spans(blocks), mask, 0)
    assert mask == [int(cards.contains(menu, code)) for code in numbered]


@each_game
def test_the_winners_as_bits_are_those_of_the_outcome(game: Game) -> None:
    for steps in walks(game):
        assert all(game.rules.winners(step.before) == 0 for step in steps)
        outcome = game.outcome(steps[-1].after)
        assert outcome is not None
        assert cards.positions(game.rules.winners(steps[-1].after)) == outcome.winners


# --- (g) secrecy ------------------------------------------------------------------------------------------------------


def shuffled(rng: random.Random, *parts: int) -> list[int]:
    """Return the same cards, shuffled into parts of the same sizes."""
    pool = [card for part in parts for card in cards.positions(part)]
    rng.shuffle(pool)
    sizes = [cards.count(part) for part in parts]
    return [cards.from_positions([pool.pop() for _ in range(size)]) for size in sizes]


def same_for_seat_face_to_face(state: State, seat: int | None, rng: random.Random) -> State:
    """Hidden: which of the opponent's cards are in hand and which in the deck. A seat knows its own deck: the rest."""
    if seat is None or state.seat != seat:
        hand, deck = shuffled(rng, state.me.hand, state.me.deck)
        state = state._replace(me=state.me._replace(hand=hand, deck=deck))
    if seat is None or state.seat == seat:
        hand, deck = shuffled(rng, state.foe.hand, state.foe.deck)
        state = state._replace(foe=state.foe._replace(hand=hand, deck=deck))
    return state


def same_for_seat_quick_easy(state: State, seat: int | None, rng: random.Random) -> State:
    """Hidden: all cards that are neither laid nor in the seat's hand."""
    others = [one for one in range(6) if one != seat]
    deck, *hands = shuffled(rng, state.deck, *(state.hands[one] for one in others))
    return state._replace(
        deck=deck,
        hands=cards.per_seat(dict(zip(others, hands, strict=True)).get(one, state.hands[one]) for one in range(6)),
    )


def same_for_seat_gra(state: State, seat: int | None, rng: random.Random) -> State:
    """Hidden: all other hands, out of all other cards, and the faces that the other seats have chosen."""
    if state.phase == gramy.games.gra.rules.OVER:
        return state  # everything has been revealed
    others = [one for one in range(6) if one != seat and state.hands[one]]
    pool = [card for card in range(30) if seat is None or not state.hands[seat] >> card & 1]
    rng.shuffle(pool)
    hands, picks = list(state.hands), list(state.picks)
    for one in others:
        size = cards.count(state.hands[one])
        hands[one] = cards.from_positions([pool.pop() for _ in range(size)])
        picks[one] = rng.randrange(1 << size) if state.ready >> one & 1 else 0
    return state._replace(hands=cards.per_seat(hands), picks=cards.per_seat(picks))


INDISTINGUISHABLE: dict[str, Callable[[State, int | None, random.Random], State]] = {
    "face-to-face": same_for_seat_face_to_face,
    "quick-easy": same_for_seat_quick_easy,
    "gra": same_for_seat_gra,
}


def possible(game: Game, state: State) -> State:
    """Return the state as a match reaches it: equal cards in order, and over if its cards leave no move."""
    return game.parse_position(game.format_position(state))


@each_game
def test_states_that_a_seat_cannot_distinguish_give_it_the_same_view(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} indistinguishable")
    compared = 0
    for state in states(game, some(game, 8, 40)):
        for seat in (None, *range(game.players)):
            other = possible(game, INDISTINGUISHABLE[game.name](state, seat, rng))
            if game.outcome(other) != game.outcome(state):
                continue  # the seat sees a difference: in one of them a player was stuck
            assert written_view(game, other, seat) == written_view(game, state, seat)
            if seat is not None:
                assert game.moves(other, seat) == game.moves(state, seat)
                assert observed(game, other, seat) == observed(game, state, seat)
            compared += other != state
    assert compared >= 3


@each_game
def test_an_indistinguishable_state_differs_for_a_seat_that_sees_the_difference(game: Game) -> None:
    """Otherwise the law above would test nothing."""
    rng = random.Random(f"{SEED} {label(game)} difference")
    views, observations = 0, 0
    for state in states(game, some(game, 8, 40)):
        other = possible(game, INDISTINGUISHABLE[game.name](state, None, rng))
        seats = range(game.players)
        views += any(written_view(game, other, seat) != written_view(game, state, seat) for seat in seats)
        observations += any(observed(game, other, seat) != observed(game, state, seat) for seat in seats)
    assert views
    assert observations


def renamed_pile_game(game: Game, log: list[Entry], seat: int | None, rng: random.Random) -> list[Entry]:
    """Deal the cards again that the seat has not seen: those never laid, and never dealt to the seat.

    In Face to Face each player has their own deck, so cards are exchanged within the other player's only.
    """
    own_decks = game.name == "face-to-face"
    whole = [game.rules.format_card(card) for card in range(64) if _is_card(game, card)]
    swaps: dict[int, dict[str, str]] = {}
    for owner in range(game.players):
        mine = [entry for entry in log if not own_decks or owner in (entry.seat, entry.reader)]
        seen = {entry.text.split()[-1] for entry in mine if entry.seat != DEALER}
        known = {
            word
            for entry in log
            if entry.reader == seat and seat is not None and not own_decks
            for word in entry.text.split()[1:]
        }
        hidden = [name for name in whole if name not in seen | known]
        swaps[owner] = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        if not own_decks:
            swaps = dict.fromkeys(range(game.players), swaps[owner])
            break
    return [
        entry._replace(text=" ".join(swaps[entry.reader].get(word, word) for word in entry.text.split()))
        if entry.seat == DEALER and entry.reader not in (None, seat)
        else entry
        for entry in log
    ]


def renamed_gra(game: Game, log: list[Entry], seat: int | None, rng: random.Random) -> list[Entry]:
    """Deal again to the others in the last round, with other faces; earlier rounds have been revealed."""
    checks = [line for line, entry in enumerate(log) if entry.text == "check"]
    begin = checks[-1] + 1 if checks else 1
    kept, renewed = log[:begin], log[begin:]
    pool = [game.rules.format_card(card) for card in range(30)]
    for entry in renewed:
        if entry.seat == DEALER and entry.reader == seat:
            for word in entry.text.split()[1:]:
                pool.remove(word)
    rng.shuffle(pool)
    hands: dict[int, list[str]] = {}
    for entry in renewed:
        words = entry.text.split()
        if entry.seat == DEALER and entry.reader is not None and entry.reader != seat:
            hands[entry.reader] = sorted(pool.pop() for _ in words[1:])
            entry = entry._replace(text=" ".join(["deal", *hands[entry.reader]]))
        elif words[0] == "choose" and entry.seat != seat:
            faces = [rng.choice(name) for name in hands[entry.seat]]
            entry = entry._replace(text=" ".join(["choose", *faces]))
        kept.append(entry)
    return kept


RENAMED = {"face-to-face": renamed_pile_game, "quick-easy": renamed_pile_game, "gra": renamed_gra}


@each_game
def test_matches_that_differ_in_hidden_cards_have_the_same_history_and_view(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} histories")
    steps = walk(game)
    ends = rng.sample(range(2, min(len(steps), 80)), min(12, len(steps) - 2))
    compared = 0
    while ends and compared < some(game, 2, 20):
        match = replayed(game, steps[: ends.pop()])
        for seat in (None, *range(game.players)):
            other = Match(game)
            try:
                for entry in RENAMED[game.name](game, match.log, seat, rng):
                    other.replay(entry)
            except IllegalMove:
                continue  # with these cards somebody was stuck before
            if other.outcome is not None:
                continue
            assert repr(other.history(seat)).encode() == repr(match.history(seat)).encode()
            assert written_view(game, other.state, seat) == written_view(game, match.state, seat)
            assert seat is None or observed(game, other.state, seat) == observed(game, match.state, seat)
            compared += other.log != match.log
    assert compared


@each_game
def test_history_and_view_name_no_card_that_is_not_public_to_a_spectator(game: Game) -> None:
    match = whole(game)
    for entry, read in zip(match.log, match.history(None), strict=True):
        verb, word, *_ = [*entry.text.split(), ""]
        secret = verb in game.rules.SECRET or (verb == "deal" and word != "first")
        assert set(read.text.split()[1:]) == {"?"} if secret else read == entry
    board = game.view(walk(game)[-1].before, None).board
    assert getattr(board, "hand", None) is None
    assert all(half.hand is None for half in getattr(board, "halves", ()))


# --- (h) faces chosen again -------------------------------------------------------------------------------------------


@each_of(every("gra"), SEED)
def test_choosing_again_changes_only_the_seat_s_own_faces(game: Game) -> None:
    rng = random.Random(f"{SEED} {label(game)} again")
    choosers = [
        (step.after, seat)
        for steps in walks(game)
        for step in steps
        for seat in cards.positions(step.after.ready)
        if any(game.rules.legal_moves(step.after, seat)) and seat not in game.to_act(step.after)
    ]
    for state, seat in rng.sample(choosers, min(5, len(choosers))):
        match = standing_at(game, state)
        match.play(rng.choice(game.moves(state, seat)), seat)
        after = match.state
        assert after._replace(picks=state.picks) == state
        assert [one for one in range(6) if after.picks[one] != state.picks[one]] == [seat]
        for one in {None, *range(game.players)} - {seat}:
            assert written_view(game, after, one) == written_view(game, state, one)
        old, new = game.view(state, seat), game.view(after, seat)
        assert new.board.hand.cards == old.board.hand.cards
        assert new.board.hand.faces != old.board.hand.faces
        assert replace(new.board, hand=None) == replace(old.board, hand=None)
        assert replace(new, board=None, moves=()) == replace(old, board=None, moves=())
    assert choosers


# --- (i) who starts ---------------------------------------------------------------------------------------------------

AGREED = [game for game in EVERY if getattr(game.options, "starter", None) == "agreed"]


def by_lot(game: Game) -> Game:
    return gramy.game(game.name, **{**format_options(game.options), "starter": "lot"})


def before_start(game: Game, number: int = 0) -> State:
    """Return the state of a match in which the players agree on who starts."""
    return next(step.before for step in walk(game, number) if step.text == START)


@each_of(AGREED, SEED)
def test_every_seat_may_take_the_start_and_then_it_is_its_turn(game: Game) -> None:
    state = before_start(game)
    assert game.to_act(state) == tuple(range(game.players))
    assert game.view(state, None).board.turn is None
    for seat in range(game.players):
        assert game.moves(state, seat) == (START,)
        after, events = game.apply(state, seat, START)
        assert [(event.key, event.values) for event in events] == [("starts", {"seat": seat})]
        assert game.view(after, None).board.turn == seat
        assert all(START not in game.moves(after, other) for other in range(game.players))


@each_of(AGREED, SEED)
def test_after_the_start_it_does_not_matter_how_the_players_decided(game: Game) -> None:
    """The moves from the start on are the same by lot: once the same seat starts with the same cards."""
    lot, steps = by_lot(game), walk(game)
    taken = next(number for number, step in enumerate(steps) if step.text == START)
    hands = [step.text for step in steps[:taken]]  # one to each seat, from seat 0 on, where hands come first
    starter = steps[taken].seat
    match = Match(lot)
    match.play(f"deal first {starter}", DEALER)
    for text in (*hands[starter:], *hands[:starter]):
        match.play(text, DEALER)
    for step in steps[taken + 1 :]:
        match.play(step.text, step.seat)
        assert lot.format_position(match.state) == game.format_position(step.after)
    assert match.outcome == game.outcome(steps[-1].after)


@each_of(AGREED, SEED)
def test_before_the_start_a_seat_knows_its_own_hand_and_nothing_else(game: Game) -> None:
    """Whatever the others hold, and whoever will take the start, the seat sees the same bytes."""
    rng = random.Random(f"{SEED} {label(game)} before the start")
    state = before_start(game)
    for seat in (None, *range(game.players)):
        for _ in range(3):
            other = INDISTINGUISHABLE[game.name](state, seat, rng)
            assert written_view(game, other, seat) == written_view(game, state, seat)


def test_the_lot_is_the_only_start_of_face_to_face() -> None:
    assert all(step.text != START for game in every("face-to-face") for step in walk(game))
    assert all(walk(game)[0].text.startswith("deal first ") for game in EVERY if game not in AGREED)
