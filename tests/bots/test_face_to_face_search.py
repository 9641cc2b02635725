"""The searching bots of Face to Face: legal whole turns, equal results compiled and plain, and states that hold no more
than the seat knows.
"""

import random
from collections.abc import Iterator
from copy import copy

import pytest

import gramy
from gramy import compiled, playout
from gramy.bots import bot
from gramy.bots.face_to_face import EXPERT, HARD, MC
from gramy.bots.face_to_face.endgame import sure_win
from gramy.bots.face_to_face.evaluation import SIZE, Accumulators
from gramy.bots.face_to_face.features import AT, ROWS, SIZES
from gramy.bots.face_to_face.heuristic import go_cost, turn_plans
from gramy.bots.face_to_face.positions import best_positions, network, new_workspace, run_rollouts
from gramy.bots.face_to_face.rollouts import WHOLE_TURN, RollOuts, roll_out_candidates
from gramy.bots.face_to_face.search import MonteCarloBot, all_turns, first_moves, known_state, planned_turn
from gramy.bots.face_to_face.turn_start import turn_start
from gramy.bots.face_to_face.turns import (
    FIELDS,
    GO,
    GO_PROMISING,
    GREEDY,
    NETWORK,
    NETWORK_PROMISING,
    Workspace,
    read_position,
)
from gramy.contract import NOBODY
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face import rules as face_to_face
from gramy.games.face_to_face.rules import State
from gramy.matches import Match

GAME = gramy.game("face-to-face")
SEED = 90_125
SMALL = 0.005


def moments(number: int, **options: str) -> Iterator[Match]:
    """Yield matches between medium bots at random moments."""
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
    return known_state(match.view(seat), match.history(seat))


def tops(state: State) -> tuple[int, ...]:
    return state.me.up, state.me.down, state.me.hand, state.foe.up, state.foe.down


def test_the_other_players_cards_are_known_but_not_which_of_them_they_hold() -> None:
    for match in moments(20):
        state, truth = known(match), match.state
        assert state.me == truth.me
        assert state.foe.hand | state.foe.deck == truth.foe.hand | truth.foe.deck
        assert state.foe.hand.bit_count() == truth.foe.hand.bit_count()


@pytest.mark.parametrize("options", [{}, {"dead_end": "loss"}, {"last_card_grace": "on"}])
@pytest.mark.parametrize("policy", [NETWORK, NETWORK_PROMISING, GO_PROMISING])
def test_the_best_positions_are_distinct_and_legal_turns_lead_to_them(policy: int, options: dict[str, str]) -> None:
    for match in moments(5, **options):
        state = known(match)
        found, _ = best_positions(state, 2000, policy)
        left = [tops(read_position(state, found, k)) for k in range(len(found) // FIELDS)]
        assert left
        assert len(left) == len(set(left))
        assert set(left) <= {tops(plan.left) for plan in turn_plans(state)}


def test_first_moves_lead_to_a_position() -> None:
    for match in moments(10):
        state = known(match)
        found, _ = best_positions(state, 10, NETWORK)
        for k in range(len(found) // FIELDS):
            left = read_position(state, found, k)
            assert first_moves(state, left)
            at = state
            while tops(at) != tops(left):
                at = face_to_face.apply(at, at.seat, first_moves(at, left)[-1])


@pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")
@pytest.mark.parametrize(
    ("policy", "horizon"), [(NETWORK, 1), (NETWORK, 2), (NETWORK_PROMISING, 2), (GO_PROMISING, 1000)]
)
def test_plain_and_compiled_roll_outs_agree(policy: int, horizon: int) -> None:
    state = known(next(moments(1)))
    words, found = [playout.first_word(SEED + k) for k in range(2)], best_positions(state, 3, policy)[0]
    workspace, candidates = new_workspace(1), [0, 1, WHOLE_TURN]
    *buffers, accumulators = workspace
    lists = Workspace(*(buffer.tolist() for buffer in buffers), Accumulators(*(sums.tolist() for sums in accumulators)))
    replies = [policy, GREEDY]
    rollouts = RollOuts(found, candidates, words, replies, [0.0, 0.0, 0.0])
    playout.specialise(RULES, roll_out_candidates)(state, rollouts, horizon, policy, lists)
    compiled_sums = run_rollouts(state, found, candidates, words, replies, horizon, policy, workspace)
    assert rollouts.sums == pytest.approx(compiled_sums, abs=1e-12)
    assert len(network(compiled=True)) == SIZE


def test_every_feature_has_a_name_and_a_place() -> None:
    assert list(AT) == sorted(AT)
    assert AT[-1] + SIZES[-1] == ROWS
    assert min(SIZES) == 1


def test_the_best_of_all_turns_is_at_least_as_good_as_the_best_promising_one() -> None:
    better = 0
    for state in map(known, moments(40)):
        _, (best,) = best_positions(state, 1, NETWORK)
        _, (promising,) = best_positions(state, 1, NETWORK_PROMISING)
        assert best >= promising
        better += best > promising
    assert better


@pytest.mark.parametrize("player", [HARD, EXPERT, MC])
def test_a_searching_bot_lays_its_last_cards_and_wins(player: MonteCarloBot) -> None:
    line = "seat=0 laid=0 helped=0 draw=0 up=30,1 down=35,60 hand=40,44,48,52;2,3,4,5,6,7 deck=-;8~13"
    match = Match(GAME, position=GAME.parse_position(line))
    rng = random.Random(SEED)
    while match.outcome is None:
        match.play(player.choose(match.view(0), match.history(0), rng, SMALL), 0)
    assert match.outcome.winners == (0,)


def test_the_state_in_which_a_turn_began_follows_from_the_history() -> None:
    rng, match, begun, cards = random.Random(SEED), gramy.match("face-to-face", seed=SEED), None, 0
    while match.outcome is None:
        seat, state = match.to_act[0], known(match)
        begun = begun if state.laid else state
        assert turn_start(state, match.history(seat)) == begun
        cards += state.laid > 0
        match.play(bot(GAME.name, "go").choose(match.view(seat), match.history(seat), rng, 1.0), seat)
    assert cards > 40


def test_a_turn_that_began_before_the_history_is_not_reconstructed() -> None:
    line = "seat=0 laid=0 helped=0 draw=0 up=30,1 down=35,60 hand=40,44,48,52;2,3,4,5,6,7 deck=2~9;8~13"
    match = Match(GAME, position=GAME.parse_position(line))
    match.play("up 40", 0)
    assert turn_start(known(match), match.history(0)) == known(match)


def turn_of_expert(match: Match, rng: random.Random) -> list[str]:
    """Return the moves by which the expert finishes a turn, without any plan in its memory."""
    match, seat, moves = copy(match), match.to_act[0], [""]
    while match.outcome is None and moves[-1] != "end":
        planned_turn.cache_clear()
        moves.append(EXPERT.choose(match.view(seat), match.history(seat), rng, SMALL))
        match.play(moves[-1], seat)
    return moves


def test_the_expert_keeps_to_the_turn_that_it_planned() -> None:
    """Each card is chosen with other random numbers, and all of them belong to one plan."""
    begun = [match for match in map(copy, moments(12)) if known(match).laid == 0]
    assert begun
    for match in begun:
        planned = turn_of_expert(match, random.Random(SEED))
        assert all(turn_of_expert(match, random.Random(SEED + other)) == planned for other in range(1, 4))


def test_a_person_who_has_laid_another_card_gets_a_move_from_there() -> None:
    for match in moments(4):
        seat = match.to_act[0]
        for move in match.view(seat).moves:
            other = copy(match)
            other.play(move, seat)
            if other.to_act == (seat,) and other.outcome is None and move != "end":
                view = other.view(seat)
                assert EXPERT.choose(view, other.history(seat), random.Random(SEED), SMALL) in view.moves


def test_every_legal_move_is_evaluated_and_a_dead_end_is_lost() -> None:
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


def test_the_expert_evaluates_every_legal_move_and_its_choice_is_among_the_best() -> None:
    for match in moments(4):
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        chances = EXPERT.evaluate(view, history, random.Random(SEED), SMALL)
        assert set(chances) == set(view.moves)
        assert all(0 <= chance <= 1 for chance in chances.values())
        assert EXPERT.evaluate(view, history, random.Random(SEED), SMALL) == chances
        chosen = EXPERT.choose(view, history, random.Random(SEED), SMALL)
        assert chances[chosen] >= max(chances.values()) - 0.2


def test_go_plays_a_turn_with_the_lowest_cost() -> None:
    for match in moments(12):
        state, seat = known(match), match.to_act[0]
        least = min(go_cost(plan.left) for plan in turn_plans(state))
        found, values = best_positions(state, 1, GO)
        assert go_cost(read_position(state, found, 0)) == least
        assert values == [-least] or least < -900
        move = bot(GAME.name, "go").choose(match.view(seat), match.history(seat), random.Random(SEED), 1.0)
        after = GAME.apply(state, seat, move)[0]
        assert move == "end" or least == min(go_cost(plan.left) for plan in turn_plans(after))


def position(**words: str) -> State:
    line = "seat=0 laid=0 helped=0 draw=0 up={up} down={down} hand={hand} deck={deck}"
    return GAME.parse_position(line.format(**words))


def certain(state: State) -> State | None:
    return sure_win(state, all_turns)


def test_the_expert_finds_the_one_turn_that_lays_every_card() -> None:
    """30 goes ten back from the 40 before anything else is laid there, and only the 9 can be given."""
    line = "seat=0 laid=0 helped=0 draw=0 up=40,10 down=3,60 hand=9,30,31,33,35,58;2,3,4,5,6,7 deck=-;8~39"
    match, rng = Match(GAME, position=GAME.parse_position(line)), random.Random(SEED)
    while match.outcome is None and match.to_act == (0,):
        match.play(EXPERT.choose(match.view(0), match.history(0), rng, SMALL), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_with_both_decks_empty_the_endgame_is_solved() -> None:
    """The other player has two cards left and wins with them at their next turn."""
    lost = position(up="50,10", down="5,60", hand="51,52,20;11,12", deck="-;-")
    assert certain(lost) is None
    won = position(up="50,50", down="5,5", hand="51,52,53,54;20,21", deck="-;-")
    assert certain(won) is not None


def wins(state: State) -> bool:
    """Return whether the player to move wins, with empty decks, by trying every move."""
    if state.winner != NOBODY:
        return bool(state.winner == state.seat)
    for move in GAME.moves(state, state.seat):
        after = GAME.apply(state, state.seat, move)[0]
        if wins(after) == (after.seat == state.seat):
            return True
    return False


def test_endgames_are_solved_as_by_trying_every_move() -> None:
    rng, seen = random.Random(SEED), set()
    for _ in range(60):
        tops = [rng.randrange(2, 60) for _ in range(4)]
        hands = [rng.sample(range(2, 60), rng.randrange(2, 5)) for _ in range(2)]
        words = {"hand": ";".join(",".join(map(str, sorted(hand))) for hand in hands), "deck": "-;-"}
        state = position(up=f"{tops[0]},{tops[1]}", down=f"{tops[2]},{tops[3]}", **words)
        if state.winner == NOBODY and face_to_face.able(state):
            solved = certain(state) is not None
            assert solved == wins(state)
            seen.add(solved)
    assert seen == {False, True}
