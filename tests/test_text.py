"""What is said to people: every language says everything, with the same values, in its own grammar."""

import ast
import random
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import gramy
from gramy import text
from gramy.contract import DEALER, BadRecord, Message
from gramy.text import LANGUAGES, LONGEST, category, say

PACKAGE = Path(text.__file__).parent.parent
SCOPES = ("common", "terminal", "web", "lesson", "arena", "analysis", "load", *gramy.GAMES)
DOORS = ("terminal", "web", "lesson", "arena", "analysis")
"""Catalogues of doors, which ask for their sentences in their own ways; so do the boards, by keys with `board_`."""
PLURALS = {"en": {"one", "other"}, "de": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
QUOTES = {"en": "“”", "de": "„“", "pl": "„”"}

SPEAKERS = {"Message": 0, "Outcome": 1, "_say": 0}
"""Who takes the key of a sentence, and as which argument; `_say` is a game's own short form of Message."""

SAID_OTHERWISE = {
    "title": "the name of a game, which doors show as it is",
    "seat_name": "read by the catalogue itself, for a seat without a name",
    "seat_6": "read by the catalogue itself, for the dealer's seat",
    "no_such_language": "said by the doors where a language is chosen",
}
"""Entries that no message asks for, and why they are there."""

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

Entry = str | dict[str, str]


@cache
def read(scope: str, language: str) -> dict[str, Entry]:
    return tomllib.loads((PACKAGE / "text" / language / f"{scope}.toml").read_text(encoding="utf-8"))


def every(language: str) -> Iterator[tuple[str, str, Entry]]:
    """All entries of a language with the names of their catalogues."""
    for scope in SCOPES:
        for key, entry in read(scope, language).items():
            yield scope, key, entry


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def forms(entry: Entry) -> dict[str, str]:
    """The sentences of an entry; a single one is its own `other`."""
    return {"other": entry} if isinstance(entry, str) else {case: form for case, form in entry.items() if case != "by"}


def counts(entry: Entry) -> bool:
    """Whether a number decides; a word or a truth has no form for one."""
    return "one" in forms(entry)


def deciding(entry: Entry) -> str | None:
    return None if isinstance(entry, str) else entry["by"]


def pairs(language: str) -> Iterator[tuple[str, Entry, Entry]]:
    """The entries of a language beside the English ones."""
    for scope, key, entry in every(language):
        yield f"{scope}: {key}", entry, read(scope, "en")[key]


# --- the keys that the source asks for --------------------------------------------------------------------------------


def keys(node: ast.expr, function: ast.AST) -> set[str]:
    """The keys that an expression can be. A parameter is followed at its callers, an outcome's key where it is made."""
    match node:
        case ast.Constant(value=str(key)):
            return {key}
        case ast.IfExp(body=body, orelse=orelse):
            return keys(body, function) | keys(orelse, function)
        case ast.Subscript(value=ast.Tuple(elts=choices)):
            return {key for choice in choices for key in keys(choice, function)}
        case ast.Name(id=name):
            given = [
                step.value
                for step in ast.walk(function)
                if isinstance(step, ast.Assign)
                and any(isinstance(to, ast.Name) and to.id == name for to in step.targets)
            ]
            return {key for value in given for key in keys(value, function)}
        case ast.Attribute(attr="key"):
            return set()
    raise AssertionError(f"cannot tell which sentence this is: {ast.unparse(node)}")


def asked() -> set[tuple[str, str]]:
    """Each key in the source with the catalogue that is asked first: a game's, or the common one."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        within = path.relative_to(PACKAGE).parts
        game = within[1].removesuffix(".py").replace("_", "-") if within[0] == "games" else "common"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for call in ast.walk(function):
                if (
                    not isinstance(call, ast.Call)
                    or not isinstance(call.func, ast.Name)
                    or call.func.id not in SPEAKERS
                ):
                    continue
                everybodys = call.func.id == "Message" and len(call.args) < 3
                named = call.args[2].value if len(call.args) == 3 and isinstance(call.args[2], ast.Constant) else game
                scope = "common" if everybodys else named
                found |= {(scope, key) for key in keys(call.args[SPEAKERS[call.func.id]], function)}
    return found


def test_every_sentence_that_the_source_asks_for_is_in_every_language() -> None:
    asking = asked()
    assert len(asking) > 60
    for language in LANGUAGES:
        there = {(scope, key) for scope, key, _ in every(language)}
        assert [one for one in sorted(asking) if one not in there and ("common", one[1]) not in there] == []


def test_no_sentence_is_there_that_nobody_asks_for() -> None:
    asking = asked()
    silent = {
        (scope, key)
        for scope, key, _ in every("en")
        if scope not in DOORS and not key.startswith("board_")
        if (scope, key) not in asking  # a game may say in its own words what is asked of all games
        and ("common", key) not in asking
        and not (scope == "common" and any((game, key) in asking for game in gramy.GAMES))
    }
    assert {one for one in silent if one[1] not in SAID_OTHERWISE} == set()


def test_every_entry_that_is_said_otherwise_is_still_there() -> None:
    assert set(SAID_OTHERWISE) <= {key for _, key, _ in every("en")}


# --- the languages beside each other ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_one_catalogue_and_one_rules_page_for_each_game(language: str) -> None:
    assert {path.name for path in (PACKAGE / "text" / language).glob("*.toml")} == {f"{scope}.toml" for scope in SCOPES}
    assert {path.stem for path in (PACKAGE / "text" / language / "rules").iterdir()} == set(gramy.GAMES)


def test_every_directory_of_catalogues_is_an_offered_language() -> None:
    assert {path.parent.name for path in (PACKAGE / "text").glob("*/*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_every_language_has_the_same_keys_in_the_same_order(scope: str, language: str) -> None:
    assert list(read(scope, language)) == list(read(scope, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_value_decides_in_every_language(language: str) -> None:
    assert [key for key, entry, english in pairs(language) if deciding(entry) != deciding(english)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_has_exactly_the_plural_forms_of_the_language(language: str) -> None:
    assert [key for key, entry, _ in pairs(language) if counts(entry) and set(forms(entry)) != PLURALS[language]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_the_same_cases_in_every_language_and_one_for_all_others(language: str) -> None:
    differing = [
        key
        for key, entry, english in pairs(language)
        if not counts(entry)
        and (counts(english) or set(forms(entry)) != set(forms(english)) or "other" not in forms(entry))
    ]
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_has_the_same_placeholders_as_in_english_and_only_one_may_go_without_its_number(
    language: str,
) -> None:
    differing = []
    for key, entry, english in pairs(language):
        originals = forms(english)
        for case, form in forms(entry).items():
            expected = placeholders(originals.get(case, originals["other"]))
            if case == "one":
                free = {deciding(entry)}
                differing += [(key, case)] if placeholders(form) - free != expected - free else []
            elif placeholders(form) != expected:
                differing.append((key, case))
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_are_those_of_the_language_and_come_in_pairs(language: str) -> None:
    opening, closing = QUOTES[language]
    for scope, key, entry in every(language):
        for form in forms(entry).values():
            marks = [letter for letter in form if letter in "“”„‟"]
            assert marks == [opening, closing] * (len(marks) // 2), f"{scope}: {key}: {form}"


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


def test_a_truth_and_a_missing_value_choose_by_their_words_and_not_as_numbers() -> None:
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


# --- names and strangers' words ---------------------------------------------------------------------------------------


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
def test_a_strangers_words_are_clipped(language: str) -> None:
    sentence = say(Message("unknown_game", {"game": "x" * 10_000, "known": ["gra"]}), language)
    assert "x" * LONGEST + "…" in sentence
    assert "x" * (LONGEST + 1) not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("control", ["\x1b[2J", "\n", "\r", "\x00", "\x7f", "\u202e", "\u2028"])
def test_a_strangers_words_lose_their_control_characters(control: str, language: str) -> None:
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


# --- everything is said -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [(), ("Ada", "Żaneta", "Jörg")], ids=["seats", "names"])
def test_every_sentence_can_be_said_with_plausible_values(names: tuple[str, ...], language: str) -> None:
    for scope, key, entry in every(language):
        needed = set().union(*(placeholders(form) for form in forms(entry).values())) | {deciding(entry) or "seat"}
        for number in (0, 1, 2, 5, 22):
            values = {name: PLAUSIBLE.get(name, number) for name in needed}
            for case in forms(entry) if not isinstance(entry, str) and not counts(entry) else ("",):
                chosen = values | ({deciding(entry): case} if case else {})
                sentence = say(Message(key, chosen, "" if scope == "common" else scope), language, names)
                assert sentence, f"{scope}: {key}"
                assert not set("{}") & set(sentence), f"{scope}: {key}: {sentence}"


def played(name: str, seed: int, **options: Any) -> Iterator[Message]:
    """What is said in a match of random moves: its events, and why other moves than the offered ones are refused."""
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
def test_whatever_happens_in_a_match_is_said_in_every_language(name: str, options: dict[str, Any]) -> None:
    heard = set()
    for seed in range(5):
        for message in played(name, seed, **options):
            heard.add(message.key)
            sentences = [say(message, language, ("Ada", "Bo")) for language in LANGUAGES]
            assert len(set(sentences)) == len(LANGUAGES), message
    assert len(heard) > 10
