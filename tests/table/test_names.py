"""Names are visible, stay within their line, and cannot imitate another player's."""

from __future__ import annotations

import pytest

from gramy.errors import BadOptions
from gramy.table.names import LONGEST_NAME, distinct, nickname


@pytest.mark.parametrize(
    "name", ["\u2800", "\u3164\u3164", "\u115f", "\uffa0 \u2800", "\u200b\u202e", "\u0301", "\ufe0f"]
)
def test_an_invisible_name_is_refused(name: str) -> None:
    with pytest.raises(BadOptions):
        nickname(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada\u3164", "Ada"),
        ("\u034fA\ufe0fda\u00ad", "Ada"),
        ("A\u0301" + "\u0301" * 20, "Á" + "\u0301" * 3),
        ("\u0301Ada", "Ada"),
        ("\x06\u0301\u0301Ada", "Ada"),
        ("A\u034f\u0301da", "Áda"),
        ("Zażo\u0301łć", "Zażółć"),
        ("ada\u202egnp", "ada gnp"),
        ("नमस्ते", "नमस्ते"),
        ("Phạm Nguyễn", "Phạm Nguyễn"),
    ],
)
def test_a_name_is_reduced_to_its_visible_letters(name: str, shown: str) -> None:
    assert nickname(name) == shown


@pytest.mark.parametrize("name", ["Ada", "ada", "АDА", "Adа", "A d a", "𝐀𝐝𝐚", "Ａｄａ", "Ada\u3164", "ᴬᵈᵃ"])
def test_a_name_that_looks_like_another_at_the_table_is_numbered(name: str) -> None:
    assert distinct(nickname(name), ["Bob", "Ada"]) == f"{nickname(name)} 2"


def test_equal_names_are_numbered_and_stay_within_the_limit() -> None:
    assert distinct("Ada", ["Ada", "Ada 2"]) == "Ada 3"
    assert distinct("lan", ["Ian"]) == "lan 2"
    assert distinct("Ян", ["Jan", "Adam"]) == "Ян"
    assert distinct("Ada is a very long name x", ["Ada is a very long name x"]) == "Ada is a very long nam 2"
    long = "x" * LONGEST_NAME
    assert distinct(long, [long]) == "x" * (LONGEST_NAME - 2) + " 2"


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
HEART, RAINBOW = "\u2764\ufe0f\u200d\U0001f525", "\U0001f3f3\ufe0f\u200d\U0001f308"
DARK_PILOT = "\U0001f469\U0001f3ff\u200d\u2708\ufe0f"
POLAND, SCOTLAND = "\U0001f1f5\U0001f1f1", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


ALIKE = [
    (HEART, HEART.replace("\u200d", "")),
    ("Ada \u2764\ufe0f", "Ada \u2764"),
    (SCOTLAND, "\U0001f3f4"),
    ("1\ufe0f\u20e3", "1\u20e3"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_emoji_that_differ_in_invisible_characters_only_are_numbered(one: str, other: str) -> None:
    assert distinct(nickname(one), [nickname(other)]) == f"{nickname(one)} 2"
    assert distinct(nickname(other), [nickname(one)]) == f"{nickname(other)} 2"


@pytest.mark.parametrize("emoji", [FAMILY, HEART, RAINBOW, DARK_PILOT, POLAND, SCOTLAND, "1\ufe0f\u20e3"])
def test_joined_emoji_stay_whole(emoji: str) -> None:
    assert nickname(emoji) == emoji
    assert nickname(f"  Ada {emoji}x\u200b") == f"Ada {emoji}x"


def test_a_joiner_that_joins_no_emoji_is_dropped() -> None:
    assert nickname("A\u200dda \ufe0f\u200d") == "A da"
    assert nickname(f"{POLAND}\u200dx") == f"{POLAND} x"


def test_a_joined_emoji_counts_as_one_character_and_is_never_cut() -> None:
    assert nickname("x" * (LONGEST_NAME - 1) + FAMILY) == "x" * (LONGEST_NAME - 1) + FAMILY
    with pytest.raises(BadOptions):
        nickname("x" * LONGEST_NAME + FAMILY)
    with pytest.raises(BadOptions):
        nickname(FAMILY * 12)  # few characters, but too much to store
    name = "x" * (LONGEST_NAME - 3) + FAMILY + "yy"
    assert distinct(name, [name]) == "x" * (LONGEST_NAME - 3) + FAMILY + " 2"
