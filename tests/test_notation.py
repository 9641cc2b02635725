"""The shared spelling of positions: what is read, what is written, and what is refused with which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramy import notation
from gramy.errors import BadPosition
from gramy.messages import Message

KEYS = ("seat", "hand")


def card(word: str) -> int | None:
    return int(word) if word.isdigit() and int(word) < 60 else None


def test_fields_are_read_by_key_in_any_order() -> None:
    assert notation.fields(" hand=1,2   seat=0 ", KEYS) == {"hand": "1,2", "seat": "0"}
    assert notation.fields("hand=a=b seat=", KEYS) == {"hand": "a=b", "seat": ""}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("", "position_missing"),
        ("seat=0", "position_missing"),
        ("seat=0 hand=1 seat=0", "position_twice"),
        ("seat=0 hand=1 deck=2", "position_word"),
        ("seat=0 hand", "position_word"),
        ("=0", "position_word"),
        ("x" * 10_000_000, "position_word"),
        ("\x00\x1b[2J", "position_word"),
        ("\ud800=1", "position_word"),
    ],
)
def test_a_line_that_is_no_position_says_which_word_is_wrong(line: str, key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        notation.fields(line, KEYS)
    assert caught.value.message.key == key
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_a_number_is_one_of_those_allowed_and_a_dash_is_nobody() -> None:
    assert notation.number("seat", "1", range(2)) == 1
    assert notation.number("seat", "-", range(-1, 2)) == -1


@pytest.mark.parametrize("word", ["", "2", "-1", "+1", "1.0", "٢", "²", "-", "1000", "9" * 5000, "0x1"])
def test_other_words_are_no_number(word: str) -> None:
    with pytest.raises(BadPosition) as caught:
        notation.number("seat", word, range(2))
    assert caught.value.message == Message("position_value", {"key": "seat", "value": word}, "")


def test_a_list_of_numbers_must_have_its_length() -> None:
    assert notation.numbers("up", "1,0,1", range(2), 3) == [1, 0, 1]
    with pytest.raises(BadPosition, match="up needs 3 parts, one for each seat, and has 2"):
        notation.numbers("up", "1,0", range(2), 3)
    with pytest.raises(BadPosition, match="not a possible value of up"):
        notation.numbers("up", "1,,1", range(2), 3)


def test_each_seat_has_its_part() -> None:
    assert notation.each("hand", "1,2;-", 2) == ["1,2", "-"]
    with pytest.raises(BadPosition, match="hand needs 2 parts, one for each seat, and has 3"):
        notation.each("hand", "1;2;3", 2)


@pytest.mark.parametrize(
    ("members", "word"),
    [([], "-"), ([5], "5"), ([5, 6], "5,6"), ([5, 6, 7], "5~7"), ([2, 4, 5, 6, 9], "2,4~6,9")],
)
def test_a_set_is_written_with_its_runs(members: list[int], word: str) -> None:
    bits = sum(1 << member for member in members)
    assert notation.format_set(bits) == word
    assert notation.parse_set("hand", word, card) == bits


@given(st.sets(st.integers(0, 59)))
def test_a_set_that_is_written_and_read_is_the_same(members: set[int]) -> None:
    bits = sum(1 << member for member in members)
    assert notation.parse_set("hand", notation.format_set(bits), card) == bits


@pytest.mark.parametrize("word", ["", "x", "60", "5,5", "5~7,6", "7~5", "5~", "~5", "5~x", "5,", ",5", "5~7~9", "--"])
def test_a_set_that_cannot_be_read_names_the_part(word: str) -> None:
    with pytest.raises(BadPosition) as caught:
        notation.parse_set("hand", word, card)
    assert caught.value.message.key == "position_value"
    assert caught.value.message.values["value"] in word
