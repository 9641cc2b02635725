"""The searching bots of Quick & Easy: what they say, infer and choose; compiled and plain kernels agree."""

import random
from array import array

import pytest

import gramy
from gramy import compiled
from gramy.bots import LEVELS, bot
from gramy.bots.kernel import kernel
from gramy.bots.quick_easy import EXPERT, rollouts
from gramy.bots.quick_easy.beliefs import Recognition, beliefs_of, infer
from gramy.bots.quick_easy.evaluation import WEIGHTS, new_evaluator, package_weights
from gramy.bots.quick_easy.features import AT, FEATURES, SIZES, extract, new_extractor
from gramy.bots.quick_easy.partners import LIKE_ME, MODELS, NO_CARD
from gramy.bots.quick_easy.recognition import recognise
from gramy.bots.quick_easy.rollouts import CandidateTurns, RolloutPlan
from gramy.bots.quick_easy.search import move_pairs, whole_turns
from gramy.bots.quick_easy.talk import CARDS, COLOUR, MEANINGS, PILE, PILE_PHRASES, SILENT, announced_set, visible_state
from gramy.cards import code_of, positions
from gramy.contract import Game
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import DECK, UP, State, format_card
from gramy.matches import Match, ShuffledDealer
from gramy.playout import first_word

BASE, PRO = gramy.game("quick-easy"), gramy.game("quick-easy", pro=True)
LINE = "seat=0 laid=0 draw=0 up={up} down={down} hands={hands} deck={deck}"
SEED = 77


def at(game: Game = BASE, **position: str) -> Match:
    words = {"up": "-", "down": "-", "deck": "Y1~Y10"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def phrases(match: Match, seat: int) -> tuple[str, ...]:
    return EXPERT.say(match.view(seat), match.history(seat), random.Random(SEED))


def choice(match: Match, budget: float = 0.005) -> str:
    return EXPERT.choose(match.view(0), match.history(0), random.Random(SEED), budget)


def cards(*words: str) -> int:
    return sum(1 << "RBGYS".index(word[0]) * 10 + int(word[1:]) - 1 for word in words)


def talk(match: Match, seat: int) -> None:
    """Let a seat say all that it has to say."""
    for phrase in phrases(match, seat):
        match.say(phrase, seat)


# --- talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_two_cards_of_one_colour_and_height_are_described_alike(level: str) -> None:
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


def test_in_the_base_game_it_says_nothing_of_piles_because_that_could_reveal_a_number() -> None:
    assert phrases(at(hands="R6,S4;B1,S2", up="R7", down="S3"), 0) == ("red middle", "grey lowish")


def test_in_the_pro_game_it_says_which_pile_it_can_turn_or_follow_closely() -> None:
    assert phrases(at(PRO, hands="R6,G4;B1,S2", up="R7", down="S5"), 0) == ("red", "green", "mine down", "turn up")


def test_a_phrase_about_a_pile_is_repeated_only_when_the_pile_changes_or_the_speaker_lays_a_card() -> None:
    match = at(PRO, hands="R9,B9;R6,B1", up="R7", down="S10")
    talk(match, 1)
    assert [entry.text for entry in match.log] == ["say red", "say blue", "say turn up"]
    assert phrases(match, 1) == ()
    match.play("up R9", 0)
    assert phrases(match, 1) == ("turn up",)


@pytest.mark.parametrize("phrase", PILE_PHRASES)
def test_a_phrase_about_a_pile_is_true_of_cards_that_fit_it(phrase: str) -> None:
    verb, pile = phrase.split()
    for top in range(50):
        for card in positions(announced_set(phrase, top)):
            step = (card % 10 - top % 10) * (1 if pile == "up" else -1)
            assert (card // 10 == top // 10 and step < 0) if verb == "turn" else 1 <= step <= 2


# --- inference --------------------------------------------------------------------------------------------------------


needs_numba = pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")


def inferred(match: Match, seat: int, listener: int = 0) -> list[int]:
    """Return the sets that the cards of a seat are from, to another seat."""
    return infer(match.view(listener), match.history(listener)).cards[seat]


def test_the_silence_of_a_seat_that_never_spoke_is_no_evidence() -> None:
    match = at(PRO, hands="R1,R2;G8,B9", up="R3", down="S9")
    match.play("up R2", 0)
    match.play("end", 0)
    match.play("deal Y1")
    match.play("up G8", 1)
    match.play("end", 1)
    match.play("deal Y2")
    known = infer(match.view(0), match.history(0))
    assert known.cards[1] == [DECK, DECK]
    assert known.styles == [SILENT, SILENT]


def test_a_card_that_turns_a_pile_is_of_its_colour_and_on_the_right_side() -> None:
    match = at(PRO, hands="R1,R9;R6,B1", up="-", down="S10")
    talk(match, 1)
    match.play("up R9", 0)
    talk(match, 1)
    assert inferred(match, 1) == [cards(*(f"R{number}" for number in range(1, 9))), MEANINGS["blue"]]


def test_the_silence_of_a_seat_that_announces_shows_what_it_does_not_hold() -> None:
    match = at(PRO, hands="R3,B9;G4,R9", down="S10")
    for move, drawn in (("up R3", "Y1"), ("up G4", "Y2")):
        talk(match, 1)
        match.play(move)
        match.play("end")
        match.play(f"deal {drawn}")
    match.play("up B9", 0)
    talk(match, 1)
    known = infer(match.view(0), match.history(0))
    assert known.styles[1] == PILE
    close = cards("R5", "R6", "R10", "Y5", "Y6", "Y10")  # to the green four, then to the blue nine
    assert known.cards[1] == [MEANINGS["red"] & ~close, MEANINGS["yellow"] & ~close]


def test_a_seat_that_describes_all_its_cards_holds_two_alike_when_it_names_one() -> None:
    match = at(hands="G8,S9;R1,R7", deck="B1,B2,Y9,Y10")
    talk(match, 1)
    match.play("down S9", 0)
    match.play("end", 0)
    match.play("deal Y9")
    match.play("up R1", 1)
    match.play("up R7", 1)
    match.play("end", 1)
    match.play("deal B1 B2")
    talk(match, 1)
    assert inferred(match, 1) == [MEANINGS["blue low"]] * 2


def test_the_silence_of_a_seat_that_describes_late_is_no_evidence() -> None:
    match = at(hands="G8,S9;R1,R7", deck="B1,B2,Y9,Y10")
    match.play("down S9", 0)
    match.play("end", 0)
    match.play("deal Y9")
    talk(match, 1)
    for move in ("up R1", "up R7", "end"):
        match.play(move, 1)
    match.play("deal B1 B2")
    talk(match, 1)
    assert inferred(match, 1) == [MEANINGS["blue low"], DECK]


def test_false_statements_do_not_break_the_search() -> None:
    match = at(hands="R6,B6;R1,R3", up="S5", down="S7", deck="G1~G5")
    for phrase in ("red high", "blue low", "grey middle", "turn up", "mine down"):
        match.say(phrase, 1)
    assert choice(match) in match.moves()


def hidden_state(match: Match, seat: int = 0) -> State:
    """Return the state as a seat sees it, with all cards that are hidden from it in the deck."""
    state, known = visible_state(match.view(seat)), infer(match.view(seat), match.history(seat))
    return state._replace(deck=DECK & ~(known.laid | state.up | state.down | state.hands[seat]))


def recognised(match: Match, other: int = 1) -> Recognition:
    """Return how another seat plays, to seat 0."""
    return recognise(infer(match.view(0), match.history(0)), hidden_state(match))[other]


@needs_numba
def test_the_kept_card_of_a_silent_player_is_inferred_from_the_card_laid() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")
    known = infer(match.view(0), match.history(0))
    beliefs = beliefs_of(known, hidden_state(match), recognise(known, hidden_state(match)))
    of_me = beliefs.likelihoods[: 50 * len(beliefs.holders)]
    kept = of_me[:50] if any(of_me[:50]) else of_me[50:]
    likely = dict(zip((format_card(card) for card in range(50)), kept, strict=True))
    assert likely["S10"] == 0 or likely["S10"] > likely["Y2"]  # with a yellow two nobody lays the nine
    assert likely["Y10"] > likely["Y2"]
    assert likely["G9"] == 0


@needs_numba
@pytest.mark.parametrize(("before", "kept"), [(("red middle",), "red middle"), (("red",), "red"), ((), "")])
def test_the_kept_card_of_a_player_who_talks_is_inferred_among_those_that_they_described(
    before: tuple[str, ...], kept: str
) -> None:
    match = at(hands="R9,B1;G9,R6", up="S1", down="S10", deck="Y1~Y10,R2~R5,R7,R8,R10,B2~B10")
    lay(match, "down R9", "Y5")
    for phrase in before:
        match.say(phrase, 1)
    lay(match, "up G9", "Y1")
    match.say("yellow", 1)  # of the new card: the other could have been described before
    known = infer(match.view(0), match.history(0))
    meant = MEANINGS[kept] if kept else DECK
    assert known.kept == [DECK, meant]
    beliefs = beliefs_of(known, hidden_state(match), recognise(known, hidden_state(match)))
    slot = list(beliefs.candidates).index(meant)
    likelihoods = beliefs.likelihoods[50 * slot : 50 * (slot + 1)]
    assert any(likelihoods)
    assert not any(likelihoods[card] for card in range(50) if not meant >> card & 1)
    assert not any(beliefs.likelihoods[50 * (1 - slot) : 50 * (2 - slot)])  # nothing is inferred of the new card


@needs_numba
def test_a_card_kept_through_two_turns_is_inferred_from_both() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")
    lay(match, "down R5", "R7")
    lay(match, "down R6", "R8")
    known = infer(match.view(0), match.history(0))
    ten, two = (CARDS[card] for card in ("Y10", "Y2"))
    of_both = recognise(known, hidden_state(match))[1].kept[LIKE_ME]
    of_one = recognise(known._replace(turns=known.turns[-1:]), hidden_state(match))[1].kept[LIKE_ME]
    assert of_one[ten] < of_one[two]
    assert of_both[ten] > of_both[two]  # with a two this player would not have laid the nine before
    lay(match, "down R7", "R10")
    match.play("down R8", 1)
    match.play("down S2", 1)
    match.play("end", 1)
    assert recognised(match).kept == ()  # both cards are laid, so nothing was kept


def test_a_new_card_is_not_inferred_from_earlier_turns() -> None:
    match = at(hands="R9,B1;G9,S2", up="S1", down="S10", deck="Y1~Y10,R2~R8,R10,B2~B10")
    match.say("grey low", 1)
    lay(match, "down R9", "R5")
    lay(match, "up G9", "R6")  # the grey card is kept, as all know; nothing is known of the new one
    known = infer(match.view(0), match.history(0))
    assert known.cards[1] == [MEANINGS["grey low"], DECK]
    hidden = hidden_state(match)
    beliefs = beliefs_of(known, hidden, recognise(known, hidden))
    assert list(beliefs.candidates) == [MEANINGS["grey low"], DECK]
    for model in range(MODELS):
        assert not any(beliefs.likelihoods[100 * model + 50 : 100 * model + 100])


def lay(match: Match, move: str, drawn: str) -> None:
    """Play a turn of one card, and the draw."""
    match.play(move)
    match.play("end")
    match.play(f"deal {drawn}")


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_every_way_to_finish_a_turn_is_listed_once() -> None:
    turns = whole_turns(visible_state(at(hands="R6,R7;-", up="S5", down="B8").view(0)))
    assert len(turns) == 4 + 6  # a card on a pile; both on one, in either order, or one on each
    assert sorted(len(turn.orders) for turn in turns) == [1] * 8 + [2] * 2


def test_an_expert_wins_at_once() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    while match.to_act:
        match.play(choice(match), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)


def test_an_expert_leaves_the_colour_that_the_next_can_turn() -> None:
    match = at(hands="R9,B9;R1,R2", up="S8", down="S9", deck="G1~G5")
    for seat in (0, 1):
        talk(match, seat)
    assert choice(match) == "up R9"


def test_the_same_seed_and_budget_find_the_same_move_and_chances() -> None:
    match = Match(gramy.game("quick-easy", players=4, starter="lot"), ShuffledDealer(random.Random(SEED)))
    (seat,) = match.to_act
    answers = [EXPERT.evaluate(match.view(seat), match.history(seat), random.Random(SEED), 0.01) for _ in range(2)]
    assert answers[0] == answers[1]
    assert set(answers[0]) == set(match.moves())
    assert all(0 <= chance <= 1 for chance in answers[0].values())


def test_a_turn_that_wins_at_once_has_a_chance_of_one() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    chances = EXPERT.evaluate(match.view(0), (), random.Random(SEED), 0.01)
    assert chances["up R6"] == 1
    assert chances["up R7"] == chances["down R7"] == chances["down R6"] == 1


# --- kernels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [BASE, PRO], ids=["base", "pro"])
def test_plain_and_compiled_roll_outs_agree(game: Game) -> None:
    if not compiled.available():
        pytest.skip("Numba is not installed")
    match = Match(game, ShuffledDealer(random.Random(SEED)))
    match.play("start", 0)
    (seat,) = match.to_act
    view, state = match.view(seat), visible_state(match.view(seat))
    evaluator, pairs = new_evaluator(package_weights(game is PRO)), move_pairs(whole_turns(state))
    results = []
    for roll_out_turns in (rollouts.roll_out_turns, kernel(RULES, rollouts.roll_out_turns)):
        sums, beliefs = array("d", [0.0, 0.0]), beliefs_of(infer(view, match.history(seat)), state)
        beliefs.styles[:] = array("q", [PILE if game is PRO else COLOUR] * 6)
        beliefs.posterior[:] = array("q", [1] * MODELS * 6)  # every model plays in some of the deals
        candidates, batch = CandidateTurns(pairs, array("q", [0, 1]), sums), RolloutPlan(8, first_word(SEED), 2)
        roll_out_turns(state, view.board.in_deck, candidates, batch, beliefs, evaluator)
        results.append(list(sums))
    assert results[0] == pytest.approx(results[1], rel=1e-9)


@needs_numba
def test_plain_and_compiled_likelihoods_agree() -> None:
    laid = 1 << CARDS["G9"]
    before = State(0, 1 << CARDS["R9"], (0, laid, 0, 0, 0, 0), DECK & ~(laid | 1 << CARDS["R9"]), 1, 0, 0, 0, 2, 0, 0)
    kept = cards("Y2", "Y9", "R1", "S5", "G8")
    results = []
    for turn_likelihoods in (rollouts.turn_likelihoods, kernel(RULES, rollouts.turn_likelihoods)):
        into, evaluator = array("d", [0.0] * 50 * MODELS), new_evaluator(package_weights(pro=False))
        known, holders, sets = array("q", [DECK] * 50), array("q", [0, 0]), array("q", [MEANINGS["red low"], DECK])
        move = code_of(UP, CARDS["G9"])
        turn_likelihoods(before, move, NO_CARD, kept, holders, sets, known, evaluator, into)
        results.append(list(into))
    assert results[0] == pytest.approx(results[1], rel=1e-9)
    assert all(len(set(results[0][50 * model : 50 * (model + 1)])) > 1 for model in range(MODELS))


@pytest.mark.parametrize("talking", [False, True], ids=["silent", "talk"])
def test_the_prior_does_not_depend_on_the_sampled_deal(talking: bool) -> None:
    match = Match(gramy.game("quick-easy", players=3, starter="lot"), ShuffledDealer(random.Random(SEED)))
    for seat in range(3) if talking else ():
        talk(match, seat)
    (seat,) = match.to_act
    view, state = match.view(seat), visible_state(match.view(seat))
    pairs, evaluator = move_pairs(whole_turns(state)), new_evaluator(package_weights(pro=False))
    hidden = state._replace(deck=DECK & ~(state.up | state.down | state.hands[seat]))
    priors = []
    for word in (first_word(SEED), first_word(SEED + 1)):
        beliefs, into = beliefs_of(infer(view, match.history(seat)), hidden), array("d", [0.0] * (len(pairs) // 2))
        rollouts.prior_values(hidden, view.board.in_deck, pairs, word, beliefs, evaluator, into)
        priors.append(list(into))
    assert priors[0] == priors[1]
    assert len(set(priors[0])) > 1
    assert all(0 < chance < 1 for chance in priors[0])


@pytest.mark.parametrize("pro", [False, True], ids=["base", "pro"])
def test_every_feature_has_a_name_and_a_place(pro: bool) -> None:
    assert [at for at, size in zip(AT, SIZES, strict=True) if size < 1] == []
    assert list(AT) == sorted(AT)
    assert AT[-1] + SIZES[-1] == FEATURES
    assert len(package_weights(pro)) == WEIGHTS


def test_features_of_a_position_mean_what_their_names_say() -> None:
    state = at(hands="R6,B6;R1", up="S5", down="S7", deck="G1~G5").state
    known, extractor = array("q", [DECK] * 50), new_extractor()
    known[CARDS["R1"]] = MEANINGS["red low"]
    extract(state, known, extractor)
    named = {name: extractor.features[at : at + size] for name, at, size in zip(AT._fields, AT, SIZES, strict=True)}
    assert list(named["gap"]) == pytest.approx([0.2])  # from the five to the seven
    assert list(named["deck_size"]) == pytest.approx([0.1])
    assert list(named["deck_empty"]) == [0.0]
    assert list(named["same_colour"]) == [1.0]
    assert [number for number, hot in enumerate(named["top_up"]) if hot] == [5]
    assert [rank for rank, hot in enumerate(named["top_down"]) if hot] == [6]
    assert sum(named["own_hand"]) == 2
    assert sum(named["next_hand"]) == 1


def test_a_seat_that_has_laid_both_cards_of_its_turn_is_advised() -> None:
    """It kept a card in its turn before, and has none left now."""
    match = gramy.match("quick-easy", seed=3, players=2, starter="lot")
    rng, advised = random.Random(3), 0
    while match.outcome is None and advised < 3:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        assert set(EXPERT.evaluate(view, history, rng, 0.001)) == set(view.moves)
        advised += view.moves == ("end",)
        match.play(max(view.moves, key=lambda move: move != "end"), seat)
    assert advised
