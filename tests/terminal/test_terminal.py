"""The terminal, played by scripts: whole matches, every command, and what each person sees on the screen."""

import ast
import io
import random
import re
import tomllib
from pathlib import Path

import pytest

import gramy
from gramy import drawing, terminal
from gramy.cli import main
from gramy.drawing import DRAWINGS, verb
from gramy.drawing.pen import Pen
from gramy.matches import as_read
from gramy.terminal import menu, plain
from gramy.terminal.editing import completer
from gramy.terminal.plain import CLEAR, play
from gramy.text import LANGUAGES, family_page, say

MATCHES = [
    ("face-to-face", {}),
    ("face-to-face", {"last_card_grace": True}),
    ("quick-easy", {"players": 3}),
    ("quick-easy", {"players": 5, "pro": True}),
    ("gra", {"players": 2}),
    ("gra", {"players": 4, "jokers": True, "directions": True}),
    ("gra", {"players": 6, "fewer_cards": True, "bid_order": "quantity_first"}),
    ("gra", {"players": 3, "longer_game": True}),
]


class Screen:
    """A keyboard and a screen. `choose` returns the line to type at a prompt, None for the end of input."""

    def __init__(self, monkeypatch, choose):
        self.choose, self.shown, self.prompts = choose, [], []
        self.running = None
        begin = plain.TerminalMatch.__init__

        def watched(running, *arguments):
            begin(running, *arguments)
            self.running = running

        monkeypatch.setattr(plain.TerminalMatch, "__init__", watched)

    def write(self, words):
        self.shown.append(words)

    def read(self, prompt):
        self.shown.append(prompt)
        self.prompts.append(prompt)
        line = self.choose(self)
        if line is None:
            raise EOFError
        self.shown.append(line)
        return line

    @property
    def match(self):
        return self.running.match

    @property
    def at(self):
        """The seat of the person at the screen during the match, None while the keyboard is handed over."""
        return self.running.looking if self.match.to_act else None

    @property
    def text(self):
        return "\n".join(self.shown)

    @property
    def visible(self):
        """The text on the screen since it was last cleared."""
        return self.text.rpartition(CLEAR)[2]


@pytest.fixture
def sit(monkeypatch):
    """Return a function that plays a match: `lines` are typed in order, or a function returns them; then input ends."""

    def start(name, lines, people=1, seed=1, names=("Ada", "Bo"), language="en", colour=False, **options):
        pending = iter([] if callable(lines) else lines)
        screen = Screen(monkeypatch, lines if callable(lines) else lambda _: next(pending, None))
        game, rng = gramy.game(name, **options), random.Random(seed)
        screen.result = play(game, people, rng, names, language, read=screen.read, write=screen.write, colour=colour)
        return screen

    return start


def at_random(seed=0):
    """Return a person who types a random legal move, or Enter when there is none."""
    rng = random.Random(seed)
    return lambda screen: rng.choice(screen.match.moves(screen.at)) if screen.at is not None else ""


# --- whole matches ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_match_is_played_to_its_end_and_the_result_is_shown(sit, name, options, people):
    screen = sit(name, at_random(), people=people, **options)
    match = screen.result
    assert match.outcome is not None
    assert match.to_act == ()
    outcome = match.outcome
    winner = {"winner": outcome.winners[0]} if outcome.winners else {}
    result = say(gramy.Message(outcome.key, {**outcome.values, **winner}, name), "en", match.names)
    assert result in " ".join(screen.visible.split())
    assert "“save FILE” saves this match" in screen.visible
    assert screen.text.count("Goodbye") == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_match_reads_well_in_every_language_on_eighty_columns(sit, name, options, language):
    screen = sit(name, at_random(), people=2, language=language, seed=3, **options)
    lines = screen.text.replace(CLEAR, "").split("\n")
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if "{" in line or "}" in line or "\x1b" in line]
    assert screen.result.outcome is not None


def test_the_same_seed_and_the_same_moves_give_the_same_screens(sit):
    first, second = (sit("gra", at_random(), players=3, jokers=True).text for _ in range(2))
    assert first == second


def test_the_deal_does_not_depend_on_the_moves(sit):
    deals = [
        [entry.text for entry in sit("face-to-face", lines).result.log[:3]] for lines in ([], ["up 3", "nonsense"])
    ]
    assert deals[0] == deals[1]


# --- input ------------------------------------------------------------------------------------------------------------


def table(screen):
    """Return the board as the person in seat 0 sees it."""
    return screen.match.view(0).board


def test_an_illegal_move_is_answered_with_its_reason_and_asked_again(sit):
    screen = sit("quick-easy", ["end"], seed=4, starter="lot")
    reason = "Lay a card before you end your turn."
    assert reason in screen.text
    assert screen.text.index(reason) < screen.text.rindex("Ada ›")
    assert [entry for entry in screen.result.log if entry.seat == 0] == []


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "Lay a card before you end your turn."),
        ("pl", "Odłóż kartę, zanim zakończysz turę."),
        ("de", "Lege eine Karte, bevor du deinen Zug beendest."),
    ],
)
def test_reasons_are_given_in_the_chosen_language(sit, language, reason):
    assert reason in sit("quick-easy", ["end"], seed=4, language=language, starter="lot").text


def test_undo_takes_the_last_card_back(sit):
    def lines(screen):
        return [screen.match.moves(0)[0], "UNDO", None][len(screen.prompts) - 1]

    screen = sit("face-to-face", lines, seed=5)
    assert [entry.text for entry in screen.result.log if entry.seat == 0][-1] == "undo"
    assert screen.result.view(0).board.laid == 0
    assert "Ada takes back: " in screen.text


def test_undo_with_nothing_laid_is_refused(sit):
    assert "There is nothing to take back" in sit("face-to-face", ["undo"], seed=5).text


def test_the_list_numbers_the_moves_and_a_number_plays_one(sit):
    screen = sit("face-to-face", ["?", "2"], seed=5)
    played = [entry.text for entry in screen.result.log if entry.seat == 0]
    assert f"2  {played[0]}" in screen.text


def test_without_the_list_a_number_is_never_the_number_of_a_move(sit):
    screen = sit("face-to-face", ["1"], seed=5)
    assert [entry for entry in screen.result.log if entry.seat == 0] == []
    assert "“1” is not a move" in screen.text


def test_a_move_may_be_typed_in_lower_case(sit):
    def lines(screen):
        return screen.match.moves(0)[0].lower() if len(screen.prompts) == 1 else None

    assert [entry.seat for entry in sit("quick-easy", lines, seed=4, starter="lot").result.log].count(0) == 1


def test_a_move_in_lower_case_is_refused_for_the_same_reason(sit):
    def lines(screen):
        hand = table(screen).hand
        missing = next(card for card in ("R1", "G5", "S10") if card not in hand)
        return f"up {missing.lower()}" if len(screen.prompts) == 1 else None

    assert "is not in your hand" in sit("quick-easy", lines, seed=4, starter="lot").text


def test_an_empty_line_prints_the_hint(sit):
    assert sit("gra", ["", "  "], starter="lot").text.count("“?” lists your moves") == 3


def test_table_talk_is_listed_said_and_shown(sit):
    screen = sit("quick-easy", ["say", "say red low", "say five"], seed=4)
    assert "red, red low, red lowish" in screen.text
    assert "Ada: “I have a low red.”" in screen.text
    assert "may not be said at this table" in screen.text
    assert [entry.text for entry in screen.result.history(1) if entry.seat == 0] == ["say red low"]


def test_a_game_without_talk_says_so(sit):
    screen = sit("gra", ["say", "help", "say hello"])
    assert "This game has no table talk." in screen.text
    assert "“hello” may not be said here" in screen.text
    assert "lists what may be said" not in screen.text


def test_help_names_every_command(sit):
    screen = sit("quick-easy", ["help"])
    for command in ("?", "undo", "say", "log", "rules", "save FILE", "quit"):
        assert re.search(rf"^  {re.escape(command)} +\w", screen.text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answers_to_commands_fit_eighty_columns(sit, language):
    lines = ["help", "say", "?", "save", "log", "nonsense " * 20, "quit"]
    shown = sit("quick-easy", lines, language=language, players=5).shown
    assert max(len(line) for words in shown for line in words.split("\n") if "nonsense " * 9 not in line) <= 80


def test_the_log_hides_what_the_seat_may_not_know(sit):
    screen = sit("gra", lambda screen: ["log", None][len(screen.prompts) - 1], players=3, starter="lot")
    log = screen.text.partition("log\n")[2]
    for entry in screen.result.log:
        assert as_read(entry, 0).text in log
    assert "deal ?" in log


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_shown_in_the_language_of_the_table(sit, language):
    assert family_page("gra", language) in sit("gra", ["rules"], language=language).text


# --- saving and leaving -----------------------------------------------------------------------------------------------


def test_a_match_is_saved_and_loads_again(sit, tmp_path):
    path = tmp_path / "my match.txt"
    screen = sit("face-to-face", [f"save {path}", f"save {path}", "quit", "up 3"])
    assert gramy.load(path).log == screen.result.log
    assert "The match is saved in" in screen.text
    assert "Goodbye! The match is in" in screen.text
    assert len(screen.prompts) == 3


def test_a_finished_match_can_still_be_saved_and_its_log_shown(sit, tmp_path):
    path, moves = tmp_path / "over.txt", at_random()
    after = iter(["log", f"save {path}", "?", "end", "say red", ""])
    screen = sit("quick-easy", lambda screen: moves(screen) if screen.match.to_act else next(after))
    assert gramy.load(path).outcome == screen.result.outcome
    assert screen.text.count("The match is over; no more moves can be made.") == 3


def test_a_file_that_is_no_record_is_never_overwritten(sit, tmp_path):
    path = tmp_path / "diary.txt"
    path.write_text("dear diary", "utf-8")
    assert "is not a record of a match" in " ".join(sit("gra", [f"save {path}"]).text.split())
    assert path.read_text("utf-8") == "dear diary"


def test_a_saved_match_is_private_and_a_planted_link_is_not_followed(sit, tmp_path):
    path, other = tmp_path / "match.txt", tmp_path / "diary.txt"
    other.write_text("dear diary", "utf-8")
    (tmp_path / "match.txt.part").symlink_to(other)
    sit("gra", [f"save {path}"])
    assert path.stat().st_mode & 0o777 == 0o600
    assert other.read_text("utf-8") == "dear diary"
    assert {found.name for found in tmp_path.iterdir()} == {"match.txt", "match.txt.part", "diary.txt"}


def test_save_at_the_start_never_overwrites_another_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\nquit\n"))  # two of the four matches begin
    diary, new = tmp_path / "diary.txt", tmp_path / "new.txt"
    diary.write_text("dear diary", "utf-8")
    words = ["play", "gra", "--plain", "--language", "en", "--save"]
    assert main([*words, str(diary)]) == 1
    assert "is not a record of a match" in capsys.readouterr().err
    assert diary.read_text("utf-8") == "dear diary"
    assert main([*words, str(new)]) == 0
    assert gramy.load(new).game.name == "gra"
    assert "The match is in" in capsys.readouterr().out
    before = new.read_bytes()
    assert main([*words, str(new)]) == 1
    assert "has another match" in capsys.readouterr().err
    assert new.read_bytes() == before
    assert main([*words, str(new), "--resume", str(new)]) == 0


@pytest.mark.parametrize("path", ["nowhere/at/all.txt", ".", "a\0b", "~nobody-of-this-name/x"])
def test_a_failed_save_is_explained_in_one_sentence(sit, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    assert "cannot be written" in " ".join(sit("gra", [f"save {path}"]).text.split())


def test_save_without_a_name_asks_for_one(sit):
    assert "for example: save match.txt" in sit("gra", ["save"]).text


@pytest.mark.parametrize("interruption", [EOFError, KeyboardInterrupt])
def test_the_end_of_input_leaves_the_match_unfinished_with_one_sentence(interruption):
    written = []

    def read(prompt):
        raise interruption

    match = play(gramy.game("gra"), 1, random.Random(1), read=read, write=written.append, colour=False)
    assert match.outcome is None
    assert written[-1].strip() == "Goodbye! This match was not saved; type “save FILE” before “quit”."


# --- secrecy ----------------------------------------------------------------------------------------------------------


def framed(words):
    """Return the lines with cards: nothing else on the screen has a frame."""
    return {line for line in words.split("\n") if "│" in line}


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_the_only_visible_cards_are_on_boards_of_the_person_at_the_screen(sit, name, options):
    random_moves, boards, looks = at_random(), [], []

    def lines(screen):
        match, looking = screen.match, screen.at
        if not match.to_act:
            return ""
        if looking is None:
            boards.clear()
            assert framed(screen.visible) == set()
            assert "deal" not in screen.visible
            return ""
        boards.append(DRAWINGS[name].draw(match.view(looking), match.history(looking), screen.running.pen))
        assert framed(screen.visible) == set().union(*map(framed, boards))
        looks.append(looking)
        if len(looks) % 5 == 0 and screen.shown[-2] != "log":
            return "log"
        for dealt in re.findall(r"deal (?!first)(.*)", screen.visible):
            own = {entry.text for entry in match.history(looking) if entry.reader == looking}
            assert set(dealt) <= {"?", " "} or f"deal {dealt}" in own
        return random_moves(screen)

    sit(name, lines, people=2, **options)
    assert {0, 1} <= set(looks)


def test_no_card_of_another_hand_is_visible_where_every_card_exists_once(sit):
    random_moves, checked = at_random(), []

    def lines(screen):
        match, looking = screen.match, screen.at
        if match.to_act:
            held = {card for seat in range(4) if seat != looking for card in match.view(seat).board.hand}
            assert not held & set(re.findall(r"\b[RBGYS]\d+\b", screen.visible))
            checked.append(held)
        return random_moves(screen)

    for seed in range(5):
        sit("quick-easy", lines, people=4, seed=seed, players=4, names=())
    assert len(checked) > 50


def test_no_card_of_the_other_hand_is_visible_in_a_duel(sit):
    random_moves, seen, checked = at_random(), set(), []

    def lines(screen):
        match, looking = screen.match, screen.at
        if not match.to_act:
            return ""
        if looking is None:
            seen.clear()
        hands = [set(match.view(seat).board.halves[seat].hand) for seat in (0, 1)]
        seen.update(hands[looking] if looking is not None else set())
        others = set().union(*(hands[seat] for seat in (0, 1) if seat != looking)) - seen  # both decks are alike
        visible = {int(card) for card in re.findall(r"│  (\d+) +│(?=[ \n])", screen.visible)}
        assert not others & visible
        checked.append(others)
        return random_moves(screen)

    sit("face-to-face", lines, people=2)
    assert len(checked) > 20


@pytest.mark.parametrize("name", ["face-to-face", "quick-easy", "gra"])
def test_the_board_does_not_depend_on_the_cards_of_the_others(name):
    """Two deals that differ only in the other player's cards look the same until that player moves."""
    shown = []
    game = gramy.game(name, **({} if name == "face-to-face" else {"starter": "lot"}))
    for swapped in (False, True):
        match = gramy.Match(game)
        match.play("deal first 0", gramy.DEALER)
        for seat in (0, 1):
            cards, number = game.deal_pool(match.state)
            dealt = cards[-number:] if seat == 1 and swapped else cards[:number]
            match.play("deal " + " ".join(dealt), gramy.DEALER)
        shown.append(DRAWINGS[name].draw(match.view(0), match.history(0), Pen(("Ada", "Bo"))))
    assert shown[0] == shown[1]


def test_the_keyboard_is_passed_only_between_people(sit):
    alone = sit("quick-easy", at_random(), people=1, players=3)
    assert "Pass the keyboard" not in alone.text
    assert CLEAR not in alone.text
    together = sit("quick-easy", at_random(), people=2, players=3)
    assert "Pass the keyboard to Ada, then press Enter." in together.text
    assert "Pass the keyboard to Bo, then press Enter." in together.text


def test_the_table_can_be_left_while_the_keyboard_is_passed(sit):
    screen = sit("gra", ["quit", "choose 1"], people=2)
    assert len(screen.prompts) == 1
    assert "Goodbye!" in screen.text


# --- players ----------------------------------------------------------------------------------------------------------


def test_the_screen_says_who_is_a_bot(sit):
    screen = sit("gra", [], players=3, names=("Ada",))
    assert "Bots, easy: Bot 2, Bot 3." in screen.text
    assert screen.result.names == ("Ada", "Bot 2", "Bot 3")


def test_a_name_is_shown_without_control_characters_and_cut(sit):
    screen = sit("gra", [], names=("\x1b[2JAda\n" + "a" * 100, ""))
    assert "\x1b" not in screen.text
    assert len(screen.result.names[0]) == 24
    assert screen.result.names[1] == "Bot 2"


def test_wide_names_keep_the_columns_straight(sit):
    screen = sit("gra", [], names=("日本語", "Zoë"))
    first, second = (line for line in screen.text.split("\n") if "▮" in line)
    assert first.index("▮") + 3 == second.index("▮")


@pytest.mark.parametrize("people", [0, 3])
def test_a_wrong_number_of_people_is_refused(people):
    with pytest.raises(gramy.BadOptions, match="room for 1 to 2 people"):
        play(gramy.game("gra"), people, random.Random(1), read=lambda _: "", write=lambda _: None)


def test_more_names_than_seats_are_refused():
    with pytest.raises(gramy.GramyError, match="Each seat needs a name"):
        play(gramy.game("gra"), 1, random.Random(1), ["A", "B", "C"], read=lambda _: "", write=lambda _: None)


def test_every_game_has_a_drawing():
    assert set(DRAWINGS) == set(gramy.GAMES)


def test_without_a_terminal_there_is_no_colour(monkeypatch, capsys):
    def read(prompt):
        raise EOFError

    play(gramy.game("quick-easy"), 1, random.Random(1), read=read)
    assert "\x1b" not in capsys.readouterr().out


def test_colour_changes_nothing_but_colour(sit):
    plain, painted = (sit("quick-easy", at_random(), colour=colour).text for colour in (False, True))
    assert painted != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


# --- lists of moves ---------------------------------------------------------------------------------------------------


def test_few_moves_are_listed_in_columns():
    assert menu.list_moves(["up 3", "end"], verb) == ["    1  up 3     2  end"]


def test_many_bids_are_listed_by_value_and_very_many_as_spans():
    group = DRAWINGS["gra"].group
    bids = [f"bid {number}x{value}" for value in (5, 6) for number in range(1, 21)]
    grouped = menu.list_moves(bids, group)
    assert [line.split()[2] for line in grouped if " 1x" in line] == ["1x5", "1x6"]
    assert max(map(len, grouped)) <= 80
    most = [f"bid {number}x{value} {way}" for way in ("left", "right") for value in range(1, 7) for number in range(31)]
    spans = menu.list_moves(most, group)
    assert len(spans) <= 12
    assert spans[0].strip().startswith("1 to  31   bid 0x1 left … bid 30x1 left")


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("bid 3x4", "bid 3x4"),
        ("BID 3X4", "bid 3x4"),
        ("3x4", "bid 3x4"),
        ("3×4", "bid 3x4"),
        ("  check ", "check"),
        ("2", "check"),
        ("9", "9"),
        ("x", "x"),
    ],
)
def test_short_forms_mean_the_one_move_that_fits(typed, move):
    assert menu.find_moves(typed, ("bid 3x4", "check"), ("bid 3x4", "check")) == [move]


def test_a_short_form_that_fits_two_moves_is_answered_with_both(sit):
    assert menu.find_moves("23", ("up 23", "down 23"), ()) == ["up 23", "down 23"]
    match = sit("face-to-face", [], seed=5).match
    card = next(move for move in match.moves(0) if move.startswith("up ")).split()[1]
    screen = sit("face-to-face", [card], seed=5)
    assert f"“{card}” fits several moves; type one of: up {card}, down {card}" in " ".join(screen.text.split())
    assert screen.result.log == match.log


@pytest.mark.parametrize(("language", "typed"), [("pl", "koniec"), ("de", "Ende"), ("pl", "end")])
def test_moves_are_typed_in_the_language_or_as_the_rules_spell_them(sit, language, typed):
    assert menu.understood(typed, language).casefold() == "end"
    screen = sit("quick-easy", [typed], seed=4, language=language, starter="lot")
    reason = {"pl": "Odłóż kartę, zanim", "de": "Lege eine Karte, bevor"}[language]
    assert reason in screen.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_is_typed_means_one_thing(language):
    words = [word for word in catalogue(language)["typed"] if word not in ("by", "other")]
    assert [menu.understood(Pen((), language=language).typed(word), language) for word in words] == words


def test_a_hint_names_a_legal_move_its_chance_and_the_reason(sit):
    screen = sit("face-to-face", ["hint"], seed=5)
    hint = r"(up|down|help-up|help-down) \d+: \d+% to win\. [A-Z0-9][^.]+\."
    assert re.search(hint, " ".join(screen.text.split()))


def test_people_who_play_against_each_other_get_no_hint(sit):
    assert "Hints work only" in " ".join(sit("face-to-face", ["", "hint"], people=2, seed=5).text.split())


def test_tab_completes_moves_and_commands(sit):
    screen = sit("face-to-face", [], seed=5)
    complete = completer(screen.running.completions)
    assert complete("he", 0) is not None
    assert complete("up ", 0) in screen.match.moves(0)
    assert complete("nonsense", 0) is None


# --- the texts --------------------------------------------------------------------------------------------------------


def catalogue(language):
    path = Path(gramy.text.__file__).parent / language / "terminal.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def used_keys(*methods):
    """Return every key that the source of terminal and drawing passes to these functions."""
    found = set()
    packages = [Path(package.__file__).parent for package in (terminal, drawing)]
    for path in (path for package in packages for path in package.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = call.func.attr if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
            name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else name
            if name in methods:
                found |= {node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)}
    return found


def test_every_text_is_used_and_exists_in_every_language():
    computed = {"red", "blue", "green", "yellow", "grey", "takes_above", "takes_below"}
    english, used = catalogue("en"), used_keys("words", "terminal_message")
    assert {key for key in used if key not in english} == {
        "left",
        "help_",
    }  # no keys
    assert {key for key in english if not key.startswith("help_")} - used - computed == set()
    for language in LANGUAGES:
        assert list(catalogue(language)) == list(english)


def test_every_sentence_that_is_shared_with_the_browser_is_there():
    assert used_keys("web") - set(gramy.text.catalogue("web", "en")) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_the_same_placeholders_in_every_language(language):
    def placeholders(entry):
        forms = [entry] if isinstance(entry, str) else [form for case, form in entry.items() if case != "by"]
        return set().union(*(re.findall(r"{(\w+)}", form) for form in forms))

    english = catalogue("en")
    for key, entry in catalogue(language).items():
        assert placeholders(entry) == placeholders(english[key]), key
        if isinstance(entry, dict):
            assert entry["by"] == english[key]["by"]


# --- who starts -------------------------------------------------------------------------------------------------------


def starters(match):
    return [entry.seat for entry in match.log if entry.text == "start"]


def test_the_person_takes_the_start_by_typing_it(sit):
    screen = sit("quick-easy", ["say red", "up R1", "start"], seed=4, players=3)
    assert starters(screen.result) == [0]
    shown = " ".join(screen.text.split())
    assert shown.index("Who starts?") < shown.index("I have red") < shown.index("Nobody has started yet")
    assert "Ada starts." in shown


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_enter_leaves_the_start_to_the_bots(sit, name):
    screen = sit(name, [""], players=3, names=("Ada", "Bo", "Cy"))
    (starter,) = starters(screen.result)
    assert starter in (1, 2)
    assert f"{('Ada', 'Bo', 'Cy')[starter]} starts." in screen.text


def test_bots_talk_before_the_person_is_asked_who_starts(sit):
    screen = sit("quick-easy", [], seed=4, players=3)
    said = [entry.seat for entry in screen.result.log if entry.text.startswith("say ")]
    assert set(said) == {1, 2}
    assert starters(screen.result) == []


def test_several_people_are_asked_in_turn_until_one_of_them_starts(sit):
    screen = sit("gra", ["", "", "", "", "", "", "", "start"], people=2)  # hand-over and answer, twice round
    assert starters(screen.result) == [1]
    assert screen.text.count("Who starts?") == 4


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_by_lot_nobody_is_asked(sit, name):
    screen = sit(name, [], players=3, starter="lot", names=("Ada", "Bo", "Cy"))
    assert "Who starts?" not in screen.text
    assert sum(f"{name} starts." in screen.text for name in ("Ada", "Bo", "Cy")) == 1
