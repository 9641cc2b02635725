"""Laws of every bot in every game: legal moves, legal phrases, and no dependence on hidden cards. The order of the
levels is shown with wide margins. All matches follow from SEED.
"""

import random
from collections.abc import Iterator, Sequence

import pytest

import gramy
from gramy import bots
from gramy.bots import LEVELS, REFERENCES, Bot, bot
from gramy.contract import Game
from gramy.errors import BadOptions, IllegalMove, UnknownGame
from gramy.matches import Match, ShuffledDealer
from tests.option_sets import EVERY, each_of, every, label
from tests.test_laws import RENAMED

SEED = 4_261
BUDGET = 0.01


each_game = each_of(EVERY, SEED)


def all_bots(game: str) -> dict[str, Bot]:
    return {name: bots[game] for name, bots in (LEVELS | REFERENCES).items() if game in bots}


def play(game: Game, seated: Sequence[Bot], seed: int) -> Match:
    """Play a match of these bots, which may speak before every move."""
    rng = random.Random(f"{SEED} {label(game)} {seed}")
    match = Match(game, ShuffledDealer(rng))
    while match.to_act:
        for seat, player in enumerate(seated if game.phrases() else ()):
            for phrase in player.say(match.view(seat), match.history(seat), rng):
                match.say(phrase, seat)
        seat = match.to_act[0]
        match.play(seated[seat].choose(match.view(seat), match.history(seat), rng, BUDGET), seat)
    return match


def moments(game: Game, number: int) -> Iterator[Match]:
    """Yield a match of random moves and phrases at `number` random moments of its first fifty moves."""
    rng = random.Random(f"{SEED} {label(game)} moments")
    match = Match(game, ShuffledDealer(rng))
    stops = rng.sample(range(50), number)
    for at in range(50):
        if not match.to_act:
            match = Match(game, ShuffledDealer(rng))
        if at in stops:
            yield match
        seat = rng.choice(match.to_act)
        match.play(rng.choice(match.moves(seat)), seat)
        if game.phrases() and match.to_act and rng.random() < 0.3:
            match.say(rng.choice(game.phrases()), rng.randrange(game.players))


def other_deal(match: Match, seat: int, rng: random.Random) -> Match | None:
    """Return a match with other hidden cards that looks the same to the seat; None if it is not legal."""
    other = Match(match.game)
    try:
        for entry in RENAMED[match.game.name](match.game, match.log, seat, rng):
            other.replay(entry)
    except IllegalMove:
        return None  # with these cards a player would have been stuck
    return other if other.log != match.log and other.outcome is None else None


# --- laws -------------------------------------------------------------------------------------------------------------


@each_game
def test_a_bot_makes_legal_moves_and_says_legal_phrases(game: Game) -> None:
    for match in moments(game, 2):
        for seat in match.to_act:
            view, history = match.view(seat), match.history(seat)
            for name, player in all_bots(game.name).items():
                assert player.choose(view, history, random.Random(SEED), BUDGET) in view.moves, name
        for seat in range(game.players):
            for name, player in all_bots(game.name).items():
                said = player.say(match.view(seat), match.history(seat), random.Random(SEED))
                assert set(said) <= set(game.phrases()), name


@pytest.mark.parametrize(("name", "level"), [(name, level) for level, players in LEVELS.items() for name in players])
def test_a_whole_table_of_one_level_plays_to_the_end(name: str, level: str) -> None:
    for game in random.Random(SEED).sample(every(name), 3):
        match = play(game, [bot(name, level)] * game.players, 1)
        assert match.outcome is not None
        seats = range(game.players)
        assert all(
            bot(name, level).say(match.view(seat), match.history(seat), random.Random(1)) == () for seat in seats
        )


@pytest.mark.parametrize("name", gramy.GAMES)
def test_hidden_cards_change_neither_a_move_nor_a_phrase(name: str) -> None:
    rng = random.Random(f"{SEED} secrecy")
    compared = 0
    for game in rng.sample(every(name), 4):
        for match in moments(game, 12):
            for seat in match.to_act:
                twin = other_deal(match, seat, rng)
                if twin is None:
                    continue
                compared += 1
                assert twin.view(seat) == match.view(seat)
                assert twin.history(seat) == match.history(seat)
                for player in all_bots(name).values():
                    answers = [
                        (
                            player.choose(one.view(seat), one.history(seat), random.Random(SEED), BUDGET),
                            player.say(one.view(seat), one.history(seat), random.Random(SEED)),
                        )
                        for one in (match, twin)
                    ]
                    assert answers[0] == answers[1]
    assert compared > 10


# --- levels -----------------------------------------------------------------------------------------------------------


def wins(game: Game, player: Bot, others: Bot, matches: int) -> int:
    """Return how many matches a bot wins against others, from every seat in turn with the same deals."""
    won = 0
    for number in range(matches):
        seat = number % game.players
        seated = [others] * game.players
        seated[seat] = player
        outcome = play(game, seated, number // game.players).outcome
        won += outcome is not None and seat in outcome.winners
    return won


def laid(game: Game, player: Bot, matches: int) -> float:
    """Return how many cards a team of one bot lays on average."""
    ends = (play(game, [player] * game.players, number) for number in range(matches))
    return sum(game.rules.ending(match.state) for match in ends) / matches


@pytest.mark.parametrize("name", ["face-to-face", "gra"])
def test_each_level_beats_the_one_below(name: str) -> None:
    game = gramy.game(name)
    assert wins(game, bot(name, "easy"), bot(name, "random"), 20) >= 18
    matches, needed = (80, 44) if name == "gra" else (20, 12)  # chance decides more in GRA
    assert wins(game, bot(name, "medium"), bot(name, "easy"), matches) >= needed


@pytest.mark.parametrize("players", [2, 4])
def test_each_level_brings_a_team_further_than_the_one_below(players: int) -> None:
    game = gramy.game("quick-easy", players=players)
    chance, easy, medium = (laid(game, bot(game.name, level), 12) for level in ("random", "easy", "medium"))
    assert chance + 8 < easy
    assert easy + 5 < medium


def test_there_are_four_levels() -> None:
    assert list(LEVELS) == ["easy", "medium", "hard", "expert"]
    assert all(set(players) == set(gramy.GAMES) for players in LEVELS.values())


def test_reference_bots_are_found_by_name() -> None:
    assert bot("face-to-face", "g2") is bots.face_to_face.G2
    assert bot("gra", "naive") is bots.gra.NAIVE


def test_an_unknown_level_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadOptions, match="easy, medium, hard, expert, random, g2, go, mc"):
        bot("face-to-face", "godlike")
    with pytest.raises(BadOptions, match="no bot called “g2”"):
        bot("gra", "g2")
    with pytest.raises(UnknownGame):
        bot("chess", "easy")
