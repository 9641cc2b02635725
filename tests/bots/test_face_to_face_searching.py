"""What searching players of Face to Face rest on: whole turns from the rules, the same numbers compiled and plain, and
tables that hold no more than the seat knows.
"""

import random
from collections.abc import Iterator

import pytest

import gramy
from gramy import compiled, playout
from gramy.bots import bot
from gramy.bots.face_to_face import EXPERT, HARD, MC
from gramy.bots.face_to_face.endgame import sure_table
from gramy.bots.face_to_face.plain import plans, with_help
from gramy.bots.face_to_face.searching import (
    Searcher,
    best_tables,
    known_table,
    network,
    new_desk,
    openings,
    tried,
    turns_of,
)
from gramy.bots.face_to_face.turns import FIELDS, GREEDY, NETWORK, OPEN, UNDECIDED, Desk, noted_table, trials
from gramy.bots.face_to_face.value import SIZE, Sums
from gramy.contract import NOBODY
from gramy.games.face_to_face import rules as face_to_face
from gramy.games.face_to_face.rules import State
from gramy.matches import Match

GAME = gramy.game("face-to-face")
SEED = 90_125
SMALL = 0.005


def moments(number: int, **options: str) -> Iterator[Match]:
    """Moments of matches between medium bots."""
    rng, match = random.Random(f"{SEED} {options}"), gramy.match("face-to-face", seed=SEED, **options)
    for _ in range(number):
        for _ in range(rng.randrange(1, 9)):
            if match.outcome is not None:
                match = gramy.match("face-to-face", seed=rng.randrange(1000), **options)
            seat = match.to_act[0]
            match.play(bot(GAME.name, "medium").choose(match.view(seat), match.history(seat), rng, 1.0), seat)
        if match.outcome is None:
            yield match


def known(match: Match) -> State:
    seat = match.to_act[0]
    return known_table(match.view(seat), match.history(seat))


def tops(state: State) -> tuple[int, ...]:
    return state.me.up, state.me.down, state.me.hand, state.foe.up, state.foe.down


def test_the_other_cards_are_known_but_not_which_of_them_are_held() -> None:
    for match in moments(20):
        state, truth = known(match), match.state
        assert state.me == truth.me
        assert state.foe.hand | state.foe.deck == truth.foe.hand | truth.foe.deck
        assert state.foe.hand.bit_count() == truth.foe.hand.bit_count()


@pytest.mark.parametrize("options", [{}, {"dead_end": "loss"}, {"last_card_grace": "on"}])
@pytest.mark.parametrize("mind", [NETWORK, GREEDY])
def test_the_best_tables_are_distinct_and_all_can_be_left_by_a_legal_turn(mind: int, options: dict[str, str]) -> None:
    for match in moments(5, **options):
        state = known(match)
        tables, _ = best_tables(state, 2000, mind)
        found = [tops(noted_table(state, tables, k)) for k in range(len(tables) // FIELDS)]
        assert found
        assert len(found) == len(set(found))
        assert set(found) <= {tops(plan.left) for plan in plans(state)}


def test_a_table_is_led_to_by_its_openings() -> None:
    for match in moments(10):
        state = known(match)
        tables, _ = best_tables(state, 10, NETWORK)
        for k in range(len(tables) // FIELDS):
            left = noted_table(state, tables, k)
            assert openings(state, left)
            at = state
            while tops(at) != tops(left):
                at = face_to_face.apply(at, at.seat, openings(at, left)[-1])


@pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")
@pytest.mark.parametrize(("mind", "ahead"), [(NETWORK, 1), (NETWORK, 2), (GREEDY, 1000)])
def test_plain_and_compiled_trials_come_to_the_same(mind: int, ahead: int) -> None:
    state = known(next(moments(1)))
    words, tables = [playout.first_word(SEED + k) for k in range(2)], best_tables(state, 3, mind)[0]
    desk = new_desk(1)
    unseen, sums = state.foe.hand | state.foe.deck, [0.0, 0.0, 0.0]
    *notes, kept = desk
    lists = Desk(*(note.tolist() for note in notes), Sums(*(sums.tolist() for sums in kept)))
    numbers = tables, [0, 1, UNDECIDED], words
    plain = playout.specialise(face_to_face, trials)
    plain(state, unseen, *numbers, 1, ahead, mind, list(map(int, network())), lists, sums)
    fast = tried(state, *numbers, ahead, mind, desk)
    assert sums == pytest.approx(fast, abs=1e-12)
    assert len(network()) == SIZE


@pytest.mark.parametrize("player", [HARD, EXPERT, MC])
def test_a_searcher_lays_its_last_cards_and_wins(player: Searcher) -> None:
    line = "seat=0 laid=0 helped=0 draw=0 up=30,1 down=35,60 hand=40,44,48,52;2,3,4,5,6,7 deck=-;8~13"
    match = Match(GAME, position=GAME.parse_position(line))
    rng = random.Random(SEED)
    while match.outcome is None:
        match.play(player.choose(match.view(0), match.history(0), rng, SMALL), 0)
    assert match.outcome.winners == (0,)


def test_every_way_to_go_on_is_weighed_and_a_dead_end_is_lost() -> None:
    """By the option `loss` a first card that leaves no second one may be laid: after the 34 nothing takes the 33."""
    game = gramy.game("face-to-face", dead_end="loss")
    line = "seat=0 laid=0 helped=0 draw=0 up=30,1 down=12,60 hand=33,34;2,3,4,5,6,7 deck=2~7;8~13"
    match = Match(game, position=game.parse_position(line))
    chances = EXPERT.evaluate(match.view(0), match.history(0), random.Random(SEED), SMALL)
    assert set(chances) == {"up 33", "up 34"}
    assert chances["up 34"] == 0 < chances["up 33"]
    match.play("up 33", 0)
    match.play("up 34", 0)
    assert set(EXPERT.evaluate(match.view(0), match.history(0), random.Random(SEED), SMALL)) == {"end"}


def test_the_expert_weighs_every_offered_move_and_its_choice_is_among_the_best() -> None:
    for match in moments(4):
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        chances = EXPERT.evaluate(view, history, random.Random(SEED), SMALL)
        assert set(chances) == set(view.moves)
        assert all(0 <= chance <= 1 for chance in chances.values())
        assert EXPERT.evaluate(view, history, random.Random(SEED), SMALL) == chances
        chosen = EXPERT.choose(view, history, random.Random(SEED), SMALL)
        assert chances[chosen] >= max(chances.values()) - 0.2


def test_go_plays_one_of_the_cheapest_of_all_plans() -> None:
    for match in moments(12):
        state, seat = known(match), match.to_act[0]
        least = min(with_help(plan.left) for plan in plans(state))
        tables, worths = best_tables(state, 1, OPEN)
        assert with_help(noted_table(state, tables, 0)) == least
        assert worths == [-least] or least < -900
        move = bot(GAME.name, "go").choose(match.view(seat), match.history(seat), random.Random(SEED), 1.0)
        after = GAME.apply(state, seat, move)[0]
        assert move == "end" or least == min(with_help(plan.left) for plan in plans(after))


def position(**words: str) -> State:
    line = "seat=0 laid=0 helped=0 draw=0 up={up} down={down} hand={hand} deck={deck}"
    return GAME.parse_position(line.format(**words))


def certain(state: State) -> State | None:
    return sure_table(state, turns_of)


def test_the_expert_wins_at_once_by_the_one_order_and_the_one_gift_that_lays_everything() -> None:
    """30 goes ten back from the 40 before anything else is laid there, and only the 9 can be given."""
    line = "seat=0 laid=0 helped=0 draw=0 up=40,10 down=3,60 hand=9,30,31,33,35,58;2,3,4,5,6,7 deck=-;8~39"
    match, rng = Match(GAME, position=GAME.parse_position(line)), random.Random(SEED)
    while match.outcome is None and match.to_act == (0,):
        match.play(EXPERT.choose(match.view(0), match.history(0), rng, SMALL), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_with_both_decks_empty_the_hands_are_looked_through_to_the_end() -> None:
    """The other has two cards left and can lay both, unless his turn never comes."""
    lost = position(up="50,10", down="5,60", hand="51,52,20;11,12", deck="-;-")
    assert certain(lost) is None
    won = position(up="50,50", down="5,5", hand="51,52,53,54;20,21", deck="-;-")
    assert certain(won) is not None


def outcomes(state: State) -> bool:
    """Whether who has the turn wins with open hands and empty decks, by trying every move."""
    if state.winner != NOBODY:
        return bool(state.winner == state.seat)
    for move in GAME.moves(state, state.seat):
        after = GAME.apply(state, state.seat, move)[0]
        if outcomes(after) == (after.seat == state.seat):
            return True
    return False


def test_open_endgames_are_solved_as_by_trying_every_move() -> None:
    rng, seen = random.Random(SEED), set()
    for _ in range(60):
        tops = [rng.randrange(2, 60) for _ in range(4)]
        hands = [rng.sample(range(2, 60), rng.randrange(2, 5)) for _ in range(2)]
        words = {"hand": ";".join(",".join(map(str, sorted(hand))) for hand in hands), "deck": "-;-"}
        state = position(up=f"{tops[0]},{tops[1]}", down=f"{tops[2]},{tops[3]}", **words)
        if state.winner == NOBODY and face_to_face.able(state):
            solved = certain(state) is not None
            assert solved == outcomes(state)
            seen.add(solved)
    assert seen == {False, True}
