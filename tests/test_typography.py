"""Non-breaking spaces: put in for the browser, absent from the files and from the terminal."""

import pytest

import gramy
from gramy import text
from gramy.messages import Message
from gramy.text import LANGUAGES, say
from gramy.text.typography import bind, bind_entries
from tests.catalogues import SCOPES, sentences

SPACE = "\u00a0"


@pytest.mark.parametrize(
    ("language", "plain", "bound"),
    [
        ("pl", "Karty w grze i w stosie", "Karty w_grze i_w_stosie"),
        ("pl", "A teraz z {name}", "A_teraz z_{name}"),
        ("pl", "„W lewo” (o 10 niżej)", "„W_lewo” (o_10 niżej)"),
        ("pl", "ile w\n   zakładzie", "ile w_zakładzie"),
        ("pl", "58. kartę. Potem 3. Koniec", "58._kartę. Potem 3. Koniec"),
        ("pl", "na stos, do 5 kart, gra, lew", "na stos, do 5 kart, gra, lew"),
        ("pl", "offline, {seconds} s", "offline, {seconds}_s"),
        ("de", "dazu {seconds} s pro Zug, 12 % besser", "dazu {seconds}_s pro Zug, 12_% besser"),
        ("de", "Einen Moment …", "Einen Moment_…"),
        ("de", "von A bis Z in 10 Stunden", "von A bis Z in 10 Stunden"),
        ("en", "a card, 1 s a turn", "a card, 1_s a turn"),
    ],
)
def test_a_line_does_not_end_after_a_short_word_or_before_a_unit(language: str, plain: str, bound: str) -> None:
    assert bind(plain, language) == bound.replace("_", SPACE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_binding_twice_changes_nothing_more(language: str) -> None:
    for _, sentence in sentences(language):
        assert bind(bind(sentence, language), language) == bind(sentence, language)


def test_every_one_letter_word_of_a_polish_catalogue_is_bound() -> None:
    for scope in SCOPES:
        for entry in bind_entries(text.catalogue(scope, "pl"), "pl").values():
            for sentence in [entry] if isinstance(entry, str) else entry.values():
                assert not [word for word in sentence.split(" ")[:-1] if word in set("aiouwzAIOUWZ")], sentence


@pytest.mark.parametrize("game", gramy.GAMES)
def test_every_one_letter_word_of_a_polish_rules_page_is_bound(game: str) -> None:
    words = bind(text.family_page(game, "pl"), "pl").replace("\n", " ").split(" ")
    assert not set(words) & set("aiouwzAIOUWZ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_have_only_ordinary_spaces(language: str) -> None:
    assert [label for label, sentence in sentences(language) if SPACE in sentence] == []
    assert [game for game in gramy.GAMES if SPACE in text.family_page(game, language)] == []


def test_a_sentence_for_a_terminal_has_only_ordinary_spaces() -> None:
    ended = Message("ended", {"seat": 0, "draws": 2}, "quick-easy")
    assert say(ended, "pl", ["Ada", "Bo"]) == "Ada kończy turę i dobiera 2 karty."
