"""`say`: a message becomes a sentence in each language, with its grammar, players' names and harmless foreign words."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import gramy
from gramy.contract import DEALER
from gramy.errors import BadRecord
from gramy.messages import Message
from gramy.text import LANGUAGES, LONGEST, category, say
from tests.catalogues import deciding, every, forms, is_counted, placeholders, read

PLAUSIBLE = {
    "seat": 1,
    "seats": [0, 2],
    "winner": 0,
    "loser": 1,
    "bidder": 1,
    "to_act": (0, DEALER),
    "known": ["one", "two"],
    "cause": Message("match_over"),
}
"""Values that are not plain words or numbers; every other placeholder is tried with the numbers below."""


# --- numbers and words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "number", "sentence"),
    [
        ("pl", 0, "Ada dobiera 0 kart."),
        ("pl", 1, "Ada dobiera 1 kartę."),
        ("pl", 2, "Ada dobiera 2 karty."),
        ("pl", 5, "Ada dobiera 5 kart."),
        ("pl", 12, "Ada dobiera 12 kart."),
        ("pl", 21, "Ada dobiera 21 kart."),
        ("pl", 22, "Ada dobiera 22 karty."),
        ("de", 0, "Ada zieht 0 Karten."),
        ("de", 1, "Ada zieht 1 Karte."),
        ("de", 2, "Ada zieht 2 Karten."),
        ("en", 0, "Ada draws 0 cards."),
        ("en", 1, "Ada draws 1 card."),
        ("en", 2, "Ada draws 2 cards."),
    ],
)
def test_a_number_of_cards_takes_the_right_plural(language: str, number: int, sentence: str) -> None:
    assert say(Message("dealt", {"seat": 0, "number": number}), language, ["Ada", "Bo"]) == sentence


@pytest.mark.parametrize(
    ("language", "number", "cards"),
    [
        *[("pl", number, "kart") for number in (0, 5, 11, 12, 13, 14, 20, 21, 25, 50, 101, 112)],
        *[("pl", number, "karty") for number in (2, 3, 4, 22, 23, 24, 32, 102)],
        ("pl", 1, "karta"),
        *[("de", number, "Karten") for number in (0, 2, 11, 21)],
        ("de", 1, "Karte"),
    ],
)
def test_the_cards_laid_before_a_loss_are_counted_in_grammar(language: str, number: int, cards: str) -> None:
    sentence = say(Message("stuck", {"seat": 0, "laid": number}, "quick-easy"), language)
    assert sentence.removesuffix(".").split()[-2:] == [str(number), cards]


def test_a_boolean_and_a_missing_value_are_categories_of_their_own() -> None:
    assert (category(True, "pl"), category(False, "pl"), category(None, "pl")) == ("true", "false", "none")
    assert category("red low", "pl") == "red low"


def test_a_bid_names_the_direction_only_where_one_was_declared() -> None:
    bid = {"seat": 0, "number": 3, "value": 4}
    plain, left, right = (say(Message("bid", bid | {"way": way}, "gra")) for way in (None, "left", "right"))
    assert "clockwise" not in plain
    assert left.endswith("; play goes clockwise.")
    assert right.endswith("; play goes counter-clockwise.")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pl", ["czerwona", "niebieska", "zielona", "żółta", "szara"]),
        ("de", ["rote", "blaue", "grüne", "gelbe", "graue"]),
    ],
)
def test_a_colour_agrees_with_the_card_it_describes(language: str, words: list[str]) -> None:
    for colour, word in zip(["red", "blue", "green", "yellow", "grey"], words, strict=True):
        values = {"card": "G2", "top": "R7", "number": 7, "colour": colour}
        for key in ("too_low", "too_high"):
            sentence = say(Message(key, values, "quick-easy"), language)
            assert [found for found in words if found in sentence.removesuffix(".").split()] == [word]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_of_table_talk_has_a_sentence_of_its_own(language: str) -> None:
    phrases = gramy.game("quick-easy").phrases()
    sentences = read("quick-easy", language)["said"]
    assert isinstance(sentences, dict)
    assert set(sentences) == {*phrases, "by", "other"}
    assert len({sentences[phrase] for phrase in phrases}) == len(phrases)


# --- names and foreign words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "known", "unknown"), [
    ("en", "Ada starts.", "seat 0 starts."),
    ("pl", "Zaczyna Ada.", "Zaczyna miejsce 0."),
    ("de", "Ada beginnt.", "Platz 0 beginnt."),
])  # fmt: skip
def test_names_are_said_where_they_are_known_and_seats_otherwise(language: str, known: str, unknown: str) -> None:
    starts = Message("starts", {"seat": 0})
    assert say(starts, language, ["Ada", "Bo"]) == known
    assert say(starts, language) == say(starts, language, ["", "Bo"]) == unknown


@pytest.mark.parametrize(("language", "dealer"), [("en", "the dealer"), ("pl", "rozdający"), ("de", "Geber")])
def test_several_seats_are_said_one_after_the_other_and_the_dealer_by_its_office(language: str, dealer: str) -> None:
    waiting = Message("not_your_turn", {"to_act": (1, 0, DEALER)})
    assert say(waiting, language, ["Ada", "Bo"]).endswith(f" Bo, Ada, {dealer}.")


def test_only_seats_are_said_by_name_and_not_every_small_number() -> None:
    laid = Message("laid", {"seat": 0, "card": 1, "on": "up", "top": 0}, "face-to-face")
    assert "Bo" not in say(laid, "en", ["Ada", "Bo"])


def test_a_name_with_braces_is_said_as_it_is() -> None:
    assert say(Message("starts", {"seat": 0}), "en", ["{seat}"]) == "{seat} starts."


@pytest.mark.parametrize("language", LANGUAGES)
def test_foreign_words_are_clipped(language: str) -> None:
    sentence = say(Message("unknown_game", {"game": "x" * 10_000, "known": ["gra"]}), language)
    assert "x" * LONGEST + "…" in sentence
    assert "x" * (LONGEST + 1) not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_no_break_space_in_a_value_stays_as_it_is(language: str) -> None:
    move = "hoch 58\N{NO-BREAK SPACE}%"
    assert move in say(Message("unreadable", {"move": move}, "face-to-face"), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("control", ["\x1b[2J", "\n", "\r", "\x00", "\x7f", "\u202e", "\u2028"])
def test_foreign_words_lose_their_control_characters(control: str, language: str) -> None:
    sentence = say(Message("unreadable", {"move": f"up{control}5"}, "face-to-face"), language)
    assert sentence.isprintable()
    assert f"up�{control[1:]}5" in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_inside_a_message_is_said_in_the_same_language_with_the_same_names(language: str) -> None:
    cause = Message("not_your_turn", {"to_act": (1,)})
    sentence = say(BadRecord(7, cause).message, language, ["Ada", "Bo"])
    assert sentence.endswith(say(cause, language, ["Ada", "Bo"]))
    assert "7" in sentence
    assert "Bo" in sentence


def test_an_error_is_said_in_english_by_itself() -> None:
    error = BadRecord(7, Message("match_over"))
    assert str(error) == "Line 7 of the record: The match is over; no more moves can be made."


def test_a_game_may_say_in_its_own_words_what_all_games_say() -> None:
    refused = {"phrase": "I have the 7"}
    common, own = (say(Message("no_such_phrase", refused, game)) for game in ("gra", "quick-easy"))
    assert common != own


# --- every sentence -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [(), ("Ada", "Żaneta", "Jörg")], ids=["seats", "names"])
def test_every_sentence_can_be_said_with_plausible_values(names: tuple[str, ...], language: str) -> None:
    for scope, key, entry in every(language):
        needed = set().union(*(placeholders(form) for form in forms(entry).values())) | {deciding(entry) or "seat"}
        for number in (0, 1, 2, 5, 22):
            values = {name: PLAUSIBLE.get(name, number) for name in needed}
            for case in forms(entry) if not isinstance(entry, str) and not is_counted(entry) else ("",):
                chosen = values | ({deciding(entry): case} if case else {})
                sentence = say(Message(key, chosen, "" if scope == "common" else scope), language, names)
                assert sentence, f"{scope}: {key}"
                assert not set("{}") & set(sentence), f"{scope}: {key}: {sentence}"


def played(name: str, seed: int, **options: Any) -> Iterator[Message]:
    """Yield the messages of a match of random moves: its events, and the reasons why illegal moves are refused."""
    rng = random.Random(seed)
    match = gramy.match(name, seed=seed, **options)
    seen = ["", "hello", "deal 5", "end", "check"]
    for _ in range(150):
        if not match.to_act:
            break
        seat = rng.choice(match.to_act)
        move = rng.choice(match.moves(seat))
        verb = rng.choice(seen).partition(" ")[0]
        for wrong in (*rng.sample(seen, 3), f"{verb} {move.partition(' ')[2]}"):
            refusals = (match.game.reason(match.state, who, wrong) for who in (seat, rng.randrange(4), DEALER))
            yield from (refusal for refusal in refusals if refusal is not None)
        seen.append(move)
        yield from match.play(move, seat)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("face-to-face", {}),
        ("face-to-face", {"dead_end": "loss", "last_card_grace": True}),
        ("quick-easy", {}),
        ("quick-easy", {"pro": True}),
        ("gra", {}),
        ("gra", {"players": 3, "directions": True}),
        ("gra", {"players": 4, "fewer_cards": True, "bid_order": "quantity_first"}),
        ("gra", {"players": 3, "longer_game": True}),
    ],
)
def test_every_message_of_a_match_has_a_sentence_in_every_language(name: str, options: dict[str, Any]) -> None:
    keys_seen = set()
    for seed in range(5):
        for message in played(name, seed, **options):
            keys_seen.add(message.key)
            sentences = [say(message, language, ("Ada", "Bo")) for language in LANGUAGES]
            assert len(set(sentences)) == len(LANGUAGES), message
    assert len(keys_seen) > 10
