"""What thinking players of Quick & Easy say, hear, suspect, and choose; that both worlds think alike."""

import random
from array import array
from collections.abc import Sequence
from math import log

import pytest

import gramy
from gramy import compiled
from gramy.bots import LEVELS, bot
from gramy.bots.kernel import kernel
from gramy.bots.quick_easy import EXPERT, practice, team
from gramy.bots.quick_easy.judgement import FEATURES, HIDDEN, WEIGHTS, Judge, chance, judge
from gramy.bots.quick_easy.listening import listened
from gramy.bots.quick_easy.talk import BAND, CARDS, COLOUR, MEANINGS, PILE, SILENT, WISHES, table, wanted
from gramy.bots.quick_easy.thinker import guessed, suspected, turns
from gramy.cards import code_of, positions, replace_at
from gramy.contract import Game
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DECK, UP, Options, State, deal, format_card, start
from gramy.matches import Match, ShuffledDealer
from gramy.playout import first_word

BASE, PRO = gramy.game("quick-easy"), gramy.game("quick-easy", pro=True)
LINE = "seat=0 laid=0 draw=0 up={up} down={down} hands={hands} deck={deck}"
SEED = 77


def at(game: Game = BASE, **position: str) -> Match:
    words = {"up": "-", "down": "-", "deck": "Y1~Y10"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def said(match: Match, seat: int) -> tuple[str, ...]:
    return EXPERT.say(match.view(seat), match.history(seat), random.Random(SEED))


def chosen(match: Match, budget: float = 0.005) -> str:
    return EXPERT.choose(match.view(0), match.history(0), random.Random(SEED), budget)


def cards(*words: str) -> int:
    return sum(1 << "RBGYS".index(word[0]) * 10 + int(word[1:]) - 1 for word in words)


def talked(match: Match, seat: int) -> None:
    for phrase in said(match, seat):
        match.say(phrase, seat)


# --- talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_two_cards_of_one_colour_and_height_are_said_alike(level: str) -> None:
    rng = random.Random(f"{SEED} {level}")
    player = bot(BASE.name, level)
    for _ in range(20):
        *hand, up = rng.sample(range(50), 5)
        words = [format_card(card) for card in hand]
        twin = [format_card(hand[0] ^ 1 if hand[0] ^ 1 not in (*hand, up) else hand[0]), *words[1:]]
        phrases = [
            player.say(match.view(0), match.history(0), rng)
            for match in (
                at(hands=f"{one[0]},{one[1]};{one[2]},{one[3]}", up=format_card(up), deck="-") for one in (words, twin)
            )
        ]
        assert sorted(phrases[0]) == sorted(phrases[1])


def test_in_the_base_game_no_pile_is_spoken_of_because_a_number_could_follow() -> None:
    assert said(at(hands="R6,S4;B1,S2", up="R7", down="S3"), 0) == ("red middle", "grey lowish")


def test_in_the_pro_game_it_says_which_pile_it_can_turn_or_follow_closely() -> None:
    assert said(at(PRO, hands="R6,G4;B1,S2", up="R7", down="S5"), 0) == ("red", "green", "mine down", "turn up")


def test_a_wish_is_said_again_only_when_the_pile_changes_or_the_speaker_has_laid() -> None:
    match = at(PRO, hands="R9,B9;R6,B1", up="R7", down="S10")
    talked(match, 1)
    assert [entry.text for entry in match.log] == ["say red", "say blue", "say turn up"]
    assert said(match, 1) == ()
    match.play("up R9", 0)
    assert said(match, 1) == ("turn up",)


@pytest.mark.parametrize("wish", WISHES)
def test_a_wish_is_true_of_cards_that_fit_the_pile(wish: str) -> None:
    verb, pile = wish.split()
    for top in range(50):
        for card in positions(wanted(wish, top)):
            step = (card % 10 - top % 10) * (1 if pile == "up" else -1)
            assert (card // 10 == top // 10 and step < 0) if verb == "turn" else 1 <= step <= 2


# --- listening --------------------------------------------------------------------------------------------------------


def heard(match: Match, seat: int, listener: int = 0) -> list[int]:
    return listened(match.view(listener), match.history(listener)).cards[seat]


def test_of_a_seat_that_never_spoke_silence_tells_nothing() -> None:
    match = at(PRO, hands="R1,R2;G8,B9", up="R3", down="S9")
    match.play("up R2", 0)
    match.play("end", 0)
    match.play("deal Y1")
    match.play("up G8", 1)
    match.play("end", 1)
    match.play("deal Y2")
    known = listened(match.view(0), match.history(0))
    assert known.cards[1] == [DECK, DECK]
    assert known.manners == [SILENT, SILENT]


def test_a_card_that_turns_a_pile_is_of_its_colour_and_on_the_right_side() -> None:
    match = at(PRO, hands="R1,R9;R6,B1", up="-", down="S10")
    talked(match, 1)
    match.play("up R9", 0)
    talked(match, 1)
    assert heard(match, 1) == [cards(*(f"R{number}" for number in range(1, 9))), MEANINGS["blue"]]


def test_the_silence_of_one_who_announces_tells_what_he_lacks() -> None:
    match = at(PRO, hands="R3,B9;G4,R9", down="S10")
    for move, drawn in (("up R3", "Y1"), ("up G4", "Y2")):
        talked(match, 1)
        match.play(move)
        match.play("end")
        match.play(f"deal {drawn}")
    match.play("up B9", 0)
    talked(match, 1)
    known = listened(match.view(0), match.history(0))
    assert known.manners[1] == PILE
    close = cards("R5", "R6", "R10", "Y5", "Y6", "Y10")  # to the green four, then to the blue nine
    assert known.cards[1] == [MEANINGS["red"] & ~close, MEANINGS["yellow"] & ~close]


def test_one_who_describes_all_he_lays_holds_two_alike_when_he_names_one() -> None:
    match = at(hands="G8,S9;R1,R7", deck="B1,B2,Y9,Y10")
    talked(match, 1)
    match.play("down S9", 0)
    match.play("end", 0)
    match.play("deal Y9")
    match.play("up R1", 1)
    match.play("up R7", 1)
    match.play("end", 1)
    match.play("deal B1 B2")
    talked(match, 1)
    assert heard(match, 1) == [MEANINGS["blue low"]] * 2


def test_one_who_describes_late_is_not_taken_at_his_silence() -> None:
    match = at(hands="G8,S9;R1,R7", deck="B1,B2,Y9,Y10")
    match.play("down S9", 0)
    match.play("end", 0)
    match.play("deal Y9")
    talked(match, 1)
    for move in ("up R1", "up R7", "end"):
        match.play(move, 1)
    match.play("deal B1 B2")
    talked(match, 1)
    assert heard(match, 1) == [MEANINGS["blue low"], DECK]


def test_a_person_who_is_mistaken_confuses_nobody() -> None:
    match = at(hands="R6,B6;R1,R3", up="S5", down="S7", deck="G1~G5")
    for phrase in ("red high", "blue low", "grey middle", "turn up", "mine down"):
        match.say(phrase, 1)
    assert chosen(match) in match.moves()


def test_what_a_silent_player_kept_is_suspected_from_what_he_laid() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")
    view, state = match.view(0), table(match.view(0))
    known = listened(view, match.history(0))
    hidden = state._replace(deck=DECK & ~(known.laid | state.up | state.down | state.hands[0]))
    guess = guessed(known, hidden)
    kept = guess.likely[:50] if any(guess.likely[:50]) else guess.likely[50:]
    likely = dict(zip((format_card(card) for card in range(50)), kept, strict=True))
    assert likely["S10"] > likely["Y2"]  # with a yellow two nobody climbs to the nine
    assert likely["G9"] == 0


def test_what_a_silent_player_kept_through_two_turns_is_suspected_from_both() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")
    lay(match, "down R5", "R7")
    lay(match, "down R6", "R8")
    turns = listened(match.view(0), match.history(0)).pasts[1]
    ten, two = (CARDS[card] for card in ("S10", "Y2"))
    of_one, of_both = (suspected(part, 1, 2, pro=0) for part in (turns[1:], turns))
    assert of_one[ten] < of_one[two]
    assert of_both[ten] > of_both[two]  # but with a two he would not have climbed to the nine before
    lay(match, "down R7", "R10")
    match.play("down R8", 1)
    match.play("down S2", 1)
    assert listened(match.view(0), match.history(0)).pasts[1] == ()  # nothing is left of what he kept


def test_what_was_kept_is_not_suspected_of_a_new_card() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    match.say("grey low", 1)
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")  # he kept the grey one, as all know; of the new one nothing is known
    known = listened(match.view(0), match.history(0))
    assert known.cards[1] == [MEANINGS["grey low"], DECK]
    state = table(match.view(0))
    hidden = state._replace(deck=DECK & ~(known.laid | state.up | state.down | state.hands[0]))
    assert not any(guessed(known, hidden).likely)


def lay(match: Match, move: str, drawn: str) -> None:
    match.play(move)
    match.play("end")
    match.play(f"deal {drawn}")


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_every_way_to_finish_a_turn_is_tried_once() -> None:
    ways = turns(table(at(hands="R6,R7;-", up="S5", down="B8").view(0)))
    assert len(ways) == 4 + 6  # a card on a pile; both on one, in either order, or one on each
    assert sorted(len(way.orders) for way in ways) == [1] * 8 + [2] * 2


def test_an_expert_wins_at_once() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    while match.to_act:
        match.play(chosen(match), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)


def test_an_expert_leaves_the_colour_that_the_next_can_turn() -> None:
    match = at(hands="R9,B9;R1,R2", up="S8", down="S9", deck="G1~G5")
    for seat in (0, 1):
        talked(match, seat)
    assert chosen(match) == "up R9"


def test_the_same_seed_and_budget_find_the_same_move_and_chances() -> None:
    match = Match(gramy.game("quick-easy", players=4), ShuffledDealer(random.Random(SEED)))
    (seat,) = match.to_act
    answers = [EXPERT.evaluate(match.view(seat), match.history(seat), random.Random(SEED), 0.01) for _ in range(2)]
    assert answers[0] == answers[1]
    assert set(answers[0]) == set(match.moves())
    assert all(0 <= chance <= 1 for chance in answers[0].values())


def test_to_win_at_once_is_a_certainty() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    chances = EXPERT.evaluate(match.view(0), (), random.Random(SEED), 0.01)
    assert chances["up R6"] == 1
    assert chances["up R7"] == chances["down R7"] == chances["down R6"] == 1


# --- both worlds, and practice ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [BASE, PRO], ids=["base", "pro"])
def test_plain_and_compiled_think_alike(game: Game) -> None:
    if not compiled.available():
        pytest.skip("without Numba there is one world")
    match = Match(game, ShuffledDealer(random.Random(SEED)))
    (seat,) = match.to_act
    view, state = match.view(seat), table(match.view(seat))
    mind = judge(pro=game is PRO)
    plans = array("q", [code for way in turns(state) for code in (*way.orders[0], team.NO)[:2]])
    sums = []
    for tried in (team.tried, kernel(RULES, team.tried)):
        found = array("d", [0.0, 0.0])
        guess = guessed(listened(view, match.history(seat)), state)
        guess.manners[:] = array("q", [PILE if game is PRO else COLOUR] * 6)
        tried(state, plans, array("q", [0, 1]), 3, first_word(SEED), 2, view.board.in_deck, guess, mind, found)
        sums.append(list(found))
    assert sums[0] == pytest.approx(sums[1], rel=1e-9)


def test_plain_and_compiled_suspect_alike() -> None:
    laid = 1 << CARDS["G9"]
    before = State(0, 1 << CARDS["R9"], (0, laid, 0, 0, 0, 0), DECK & ~(laid | 1 << CARDS["R9"]), 1, 0, 0, 0, 2, 0)
    found = []
    for shares in (team.shares, kernel(RULES, team.shares)):
        into = array("d", [0.0] * 50)
        shares(before, code_of(UP, CARDS["G9"]), array("q", [DECK] * 50), judge(pro=False), into)
        found.append(list(into))
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert len(set(found[0])) > 10


@pytest.mark.parametrize("talk", [False, True], ids=["silent", "talk"])
def test_what_judgement_says_beforehand_is_the_same_in_every_deal_that_may_be(talk: bool) -> None:
    match = Match(gramy.game("quick-easy", players=3), ShuffledDealer(random.Random(SEED)))
    for seat in range(3) if talk else ():
        talked(match, seat)
    (seat,) = match.to_act
    view, state = match.view(seat), table(match.view(seat))
    plans = array("q", [code for way in turns(state) for code in (*way.orders[0], team.NO)[:2]])
    hidden = state._replace(deck=DECK & ~(state.up | state.down | state.hands[seat]))
    said = []
    for word in (first_word(SEED), first_word(SEED + 1)):
        guess, into = guessed(listened(view, match.history(seat)), hidden), array("d", [0.0] * (len(plans) // 2))
        team.weighed(hidden, plans, view.board.in_deck, word, guess, judge(pro=False), into)
        said.append(list(into))
    assert said[0] == said[1]
    assert len(set(said[0])) > 1
    assert all(0 < chance < 1 for chance in said[0])


def test_a_lesson_moves_every_weight_towards_the_better_judgement() -> None:
    rng = random.Random(SEED)
    mind, pupil = judge(pro=False), practice.pupil()
    mind = mind._replace(weights=array("d", [rng.uniform(-0.3, 0.3) for _ in range(WEIGHTS)]))
    pupil.seen[:FEATURES] = array("d", [rng.random() for _ in range(FEATURES)])
    practice.learn(mind, pupil, 0, 1.0)

    def miss(weights: Sequence[float]) -> float:
        hidden = [
            weights[FEATURES * HIDDEN + unit]
            + sum(weights[feature * HIDDEN + unit] * pupil.seen[feature] for feature in range(FEATURES))
            for unit in range(HIDDEN)
        ]
        outputs = weights[(FEATURES + 1) * HIDDEN : WEIGHTS - 1]
        total = weights[WEIGHTS - 1] + sum(max(0.0, some) * out for some, out in zip(hidden, outputs, strict=True))
        return -log(chance(total))

    for weight in rng.sample(range(WEIGHTS), 20):
        nudged = array("d", mind.weights)
        nudged[weight] += 1e-6
        slope = (miss(nudged) - miss(array("d", mind.weights))) / 1e-6
        assert pupil.slope[weight] == pytest.approx(slope, abs=1e-4)


def test_who_looks_ahead_in_practice_goes_by_what_he_knows() -> None:
    rng = random.Random(SEED)
    guess, mind = practice.open_deal(BAND), judge(pro=False)
    guess.order[:] = array("q", rng.sample(range(50), 50))
    state, _ = team.served(deal(start(Options(players=3)), 1), guess, 0)
    before = [list(guess.known), list(guess.order)]
    turn = practice.foreseen(state, guess.known, mind, practice.glance(BAND), draws=2, word=first_word(SEED))
    assert [list(guess.known), list(guess.order)] == before
    assert turn[:2] in offered_turns(state, mind)
    # Other cards of the same height in the others' hands change nothing.
    swapped = state
    for seat in (1, 2):
        for card in positions(state.hands[seat]):
            twin = 1 << (card ^ 1)
            if state.deck & twin:
                hands = replace_at(swapped.hands, seat, swapped.hands[seat] ^ (twin | 1 << card))
                swapped = swapped._replace(hands=hands, deck=swapped.deck ^ (twin | 1 << card))
                guess.known[card ^ 1] = guess.known[card]
    assert swapped != state
    again = practice.foreseen(swapped, guess.known, mind, practice.glance(BAND), draws=2, word=first_word(SEED))
    assert again == turn


def test_who_looks_ahead_in_practice_does_not_leave_the_next_player_stuck() -> None:
    guess, mind = practice.open_deal(BAND), judge(pro=False)
    state = at(hands="R1,G9;B2,Y2", up="S5", down="S3", deck="-").state  # after the one nobody lays a two
    for card in positions(state.hands[1]):
        guess.known[card] = team.told(BAND, card)
    room = practice.glance(BAND)
    first, second, _ = practice.foreseen(state, guess.known, mind, room, draws=1, word=first_word(SEED))
    assert [format_move(state, 0, code) for code in (first, second)] == ["up G9", "end"]


def offered_turns(state: State, mind: Judge) -> set[tuple[int, int]]:
    number = team.ways(state, mind.turns)
    return {(mind.turns[2 * way], mind.turns[2 * way + 1]) for way in range(number)}
