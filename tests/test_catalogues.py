"""The catalogues: every key that the source uses, with the same values in every language, short where room is short."""

import ast
from collections.abc import Iterator

import pytest

import gramy
from gramy.options import choices
from gramy.text import LANGUAGES, family_page
from tests.catalogues import PACKAGE, SCOPES, Entry, deciding, every, forms, is_counted, placeholders, read, sentences

FRONT_ENDS = ("terminal", "web", "room", "lesson", "arena", "analysis", "admin", "preview")
"""Catalogues of front ends, which look their sentences up by themselves. So do the boards, by keys with `board_`."""
PLURALS = {"en": {"one", "other"}, "de": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
QUOTES = {"en": ("“", "”"), "de": ("„", "“"), "pl": ("„", "”")}

KEY_ARGUMENT = {"Message": 0, "Outcome": 1, "_say": 0, "problem": 0, "report_line": 0}
"""The calls that take the key of a sentence, and its position; `_say` is a game's own short form of Message,
`problem` and `report_line` use the catalogue `remote`."""

WITHOUT_MESSAGE = {
    "title": "the name of a game, which front ends show as it is",
    "seat_name": "read by gramy.text, for a seat without a name",
    "seat_6": "read by gramy.text, for the dealer's seat",
    "no_such_language": "used by the front ends where a language is chosen",
}
"""Entries that no message uses, and why they are there."""

LONGEST_BUTTON = 14
BUTTONS = {
    "web": (
        *("play_now", "open_table", "continue_short", "join", "watch", "open_now", "sit_down", "share", "copy"),
        *("close", "leave", "wait_longer", "bot_takes_over", "end_match", "rematch", "to_replay", "save_record"),
        *("challenge", "to_table"),
        *(
            "show_result",
            "forget_me",
            "forget_yes",
            "forget_no",
            "hint",
            "analyse",
            "lesson_on",
            "lesson_skip",
            "lesson_play",
        ),
    ),
    "room": ("start_now", "bot_add", "room_settings", "room_save", "rename", "rename_save", "hand_over", "free_seat"),
    "face-to-face": ("board_undo", "board_end"),
    "quick-easy": ("board_undo", "board_end"),
    "gra": ("board_check", "board_confirm", "board_confirm_change", "board_skip", "board_continue", "board_close"),
}
"""Buttons that stand beside others on a phone."""


def pairs(language: str) -> Iterator[tuple[str, Entry, Entry]]:
    """Yield the entries of a language beside the English ones."""
    for scope, key, entry in every(language):
        yield f"{scope}: {key}", entry, read(scope, "en")[key]


# --- the keys that the source uses --------------------------------------------------------------------------------


def keys(node: ast.expr, function: ast.AST) -> set[str]:
    """Return the keys that an expression can have. An outcome's key is found where the outcome is made."""
    match node:
        case ast.Constant(value=str(key)):
            return {key}
        case ast.IfExp(body=body, orelse=orelse):
            return keys(body, function) | keys(orelse, function)
        case ast.Subscript(value=ast.Tuple(elts=values)) | ast.Dict(values=values):
            return {key for value in values for key in keys(value, function)}
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, default]):
            return keys(table, function) | keys(default, function)
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
    raise AssertionError(f"cannot find the key in: {ast.unparse(node)}")


def scopes(function: str, arguments: list[ast.expr], game: str) -> tuple[str, ...]:
    """Return the catalogues that a call searches first; a game that is known only at run time can be any game."""
    if function in ("problem", "report_line"):
        return ("remote",)
    named = arguments[2] if len(arguments) == 3 else None
    if function == "Message" and named is None:
        return ("common",)
    if isinstance(named, ast.Constant):
        return (str(named.value),)
    return (game,) if game else tuple(gramy.GAMES)


def used() -> set[tuple[str, str]]:
    """Return each key in the source with the catalogue that is searched first: a game's, or the common one."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        within = path.relative_to(PACKAGE).parts
        named = within[1].removesuffix(".py").replace("_", "-") if within[0] in ("games", "bots") else ""
        game = named if named in gramy.GAMES else ""
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEY_ARGUMENT:
                    named = keys(call.args[KEY_ARGUMENT[call.func.id]], function)
                    found |= {(scope, key) for scope in scopes(call.func.id, call.args, game) for key in named}
    return found


def test_every_key_that_the_source_uses_is_in_every_language() -> None:
    keys_used = used()
    assert len(keys_used) > 60
    for language in LANGUAGES:
        there = {(scope, key) for scope, key, _ in every(language)}
        assert [one for one in sorted(keys_used) if one not in there and ("common", one[1]) not in there] == []


def test_the_source_uses_every_key() -> None:
    keys_used = used()
    unused = {
        (scope, key)
        for scope, key, _ in every("en")
        if scope not in FRONT_ENDS and not key.startswith("board_")
        if (scope, key) not in keys_used  # a game may have its own wording of a common sentence
        and ("common", key) not in keys_used
        and not (scope == "common" and any((game, key) in keys_used for game in gramy.GAMES))
    }
    assert {one for one in unused if one[1] not in WITHOUT_MESSAGE} == set()


def test_every_entry_without_a_message_is_still_there() -> None:
    assert set(WITHOUT_MESSAGE) <= {key for _, key, _ in every("en")}


# --- the languages beside each other ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_one_catalogue_and_one_rules_page_for_each_game(language: str) -> None:
    assert {path.name for path in (PACKAGE / "text" / language).glob("*.toml")} == {f"{scope}.toml" for scope in SCOPES}
    assert {path.stem for path in (PACKAGE / "text" / language / "rules").iterdir()} == set(gramy.GAMES)


def test_every_directory_of_catalogues_is_a_supported_language() -> None:
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
    assert [
        key for key, entry, _ in pairs(language) if is_counted(entry) and {*forms(entry)} != PLURALS[language]
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_the_same_cases_in_every_language_and_one_for_all_others(language: str) -> None:
    differing = [
        key
        for key, entry, english in pairs(language)
        if not is_counted(entry)
        and (is_counted(english) or set(forms(entry)) != set(forms(english)) or "other" not in forms(entry))
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
    for label, sentence in sentences(language):
        marks = [letter for letter in sentence if letter in "“”„‟"]
        assert marks == [opening, closing] * (len(marks) // 2), f"{label}: {sentence}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", BUTTONS)
def test_a_button_is_short_enough_for_a_phone(scope: str, language: str) -> None:
    catalogue = read(scope, language)
    assert [key for key in BUTTONS[scope] if len(catalogue[key]) > LONGEST_BUTTON] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", gramy.GAMES)
def test_an_option_has_the_same_name_in_the_lobby_and_on_the_rules_page(game: str, language: str) -> None:
    names = forms(read("web", language)["variant"])
    page = family_page(game, language)
    options = [option for option in choices(gramy.GAMES[game].Options) if option != "players"]
    assert [option for option in options if f"**{names[option]}" not in page] == []
