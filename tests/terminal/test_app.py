"""The application, played by Textual's pilot: whole matches, every key, and what each person sees."""

import asyncio
import random
import re

import pytest

import gramy
from gramy import record
from gramy.analysis import Advice
from gramy.terminal.app import TerminalApp
from gramy.terminal.pages.dialogs import HandOverPage, KeysPage, ResultPage, RevealPage, RulesPage
from gramy.terminal.pages.replay import ReplayPage
from gramy.terminal.pages.table import TablePage
from gramy.terminal.pages.talk import TalkPage
from gramy.text import LANGUAGES
from tests.terminal.players import local_app, running

# --- whole matches ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "people", "options"),
    [
        ("face-to-face", 1, {}),
        ("quick-easy", 2, {"players": 4, "pro": True}),
        ("gra", 1, {"players": 3, "jokers": True, "directions": True}),
    ],
)
async def test_a_match_is_played_to_its_end_by_keys(name, people, options):
    async with running(local_app(name, people, **options)) as player:
        await player.play(player.by_keys)
        assert isinstance(player.app.top, ResultPage)
        assert player.scene.view.outcome is not None
        assert player.table.board.result().split(".")[0] in " ".join(player.text.split())


@pytest.mark.parametrize(
    ("name", "people", "options"), [("face-to-face", 1, {}), ("quick-easy", 1, {}), ("gra", 1, {"players": 2})]
)
async def test_a_match_is_played_to_its_end_by_the_mouse(name, people, options):
    async with running(local_app(name, people, seed=3, **options)) as player:
        await player.play(player.by_mouse)
        assert isinstance(player.app.top, ResultPage)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", gramy.GAMES)
async def test_the_first_turns_read_well_in_every_language(name, language):
    async with running(local_app(name, language=language, seed=2)) as player:
        await player.play(player.by_keys, turns=2)
        await player.press("?")
        assert isinstance(player.app.top, KeysPage)
        assert not re.search(r"[{}]|board_|Ellipsis", player.text)
        assert max(map(len, player.text.split("\n"))) <= 80


async def test_after_the_end_another_match_begins_with_the_same_people():
    async with running(local_app("quick-easy", seed=2)) as player:
        await player.play(player.by_keys)
        await player.press("n")
        await player.until(lambda: player.scene.view.outcome is None)
        assert player.scene.names[0] == "Ada"
        assert isinstance(player.app.top, TablePage)


async def test_after_the_end_the_match_can_be_replayed():
    async with running(local_app("quick-easy", seed=2)) as player:
        await player.play(player.by_keys)
        await player.press("r")
        assert isinstance(player.app.top, ReplayPage)
        await player.press("q")
        assert isinstance(player.app.top, ResultPage)


# --- one turn ---------------------------------------------------------------------------------------------------------


async def test_a_picked_card_shows_its_cost_on_every_pile_and_why_not():
    async with running(local_app("face-to-face")) as player:
        await player.press("enter")
        assert "+7 costs 7" in player.text
        assert "✗ nothing to help yet" in player.text
        await player.press("escape")
        assert "costs" not in player.text


async def test_an_illegal_move_is_answered_with_its_reason_and_the_card_stays():
    async with running(local_app("face-to-face")) as player:
        await player.press("3")
        assert "Nothing lies on that pile yet, so no card can help there" in " ".join(player.text.split())
        await player.press("e")
        assert "Lay two cards before you end your turn." in player.text
        assert player.scene.view.board.laid == 0


async def test_a_card_is_taken_back():
    async with running(local_app("face-to-face")) as player:
        await player.press("1")
        await player.until(lambda: player.scene.view.board.laid == 1)
        await player.press("u")
        await player.until(lambda: player.scene.view.board.laid == 0)
        assert "takes the 8 back" in " ".join(player.text.split("│")[-1].split()) or "takes the 8 back" in player.text


async def test_arrows_choose_a_pile_for_the_picked_card():
    async with running(local_app("face-to-face")) as player:
        await player.press("enter", "right", "enter")
        await player.until(lambda: player.scene.view.board.laid == 1)
        assert player.scene.view.board.halves[0].down == 8


async def test_a_hint_names_the_best_move_and_says_why():
    async with running(local_app("face-to-face")) as player:
        await player.press("h")
        await player.until(lambda: "to win)" in player.text)
        assert "★" in player.text
        board = player.table.board
        assert board.explanation(board.advice.reason)
        assert board.explanation(board.advice.reason) in " ".join(player.text.split())


async def test_a_hint_puts_the_picked_card_back_and_goes_to_its_own_card():
    async with running(local_app("face-to-face")) as player:
        await player.until(lambda: player.scene.is_to_act)
        await player.press("right", "enter", "h")
        board = player.table.board
        await player.until(lambda: board.hinted is not None)
        pile, card = board.hinted.split()
        assert board.card == card
        lines = len(player.scene.log)
        await player.press(str(board.PILES.index(pile) + 1))
        await player.until(lambda: len(player.scene.log) > lines)
        assert player.scene.log[lines].move == f"{pile} {card}"


async def test_a_refusal_goes_when_the_turn_comes():
    async with running(local_app("gra", players=3)) as player:
        await player.until(lambda: player.scene.is_to_act)
        await player.press("h")
        await player.until(lambda: "Hints work only" in player.text)
        await player.press("s", "enter")
        await player.until(lambda: player.scene.is_to_act)
        assert "Hints work only" not in player.text


async def test_the_way_out_is_always_on_the_screen():
    async with running(local_app("quick-easy", language="de", players=3)) as player:
        await player.press("s", "enter", "enter")
        await player.until(lambda: "ziehe 1 Karte" in player.text)
        assert player.text.split("\n")[-1].endswith("Q Gehen")


async def test_people_who_play_against_each_other_get_no_hint():
    async with running(local_app("gra", people=2, starter="lot")) as player:
        await player.press("enter", "h")
        await player.until(lambda: "Hints work only" in player.text)


async def test_a_phrase_is_said_and_one_that_is_not_true_is_asked_about():
    async with running(local_app("quick-easy", players=3)) as player:
        board = player.table.board
        await player.press("t")
        assert isinstance(player.app.top, TalkPage)
        true = next(phrase for phrase in player.scene.phrases if board.phrasebook.doubt(phrase) is None)
        untrue = next(phrase for phrase in player.scene.phrases if board.phrasebook.doubt(phrase))
        await player.click(f"phrase:{untrue}")
        assert "Say it anyway?" in player.text
        await player.click(f"phrase:{true}")
        assert isinstance(player.app.top, TablePage)
        await player.until(lambda: any(row.move == f"say {true}" for row in player.scene.log))


async def test_the_start_can_be_left_to_a_bot():
    async with running(local_app("quick-easy", players=3)) as player:
        assert "Who starts?" in player.text
        await player.press("p")
        await player.until(lambda: any(row.move == "start" and row.seat != 0 for row in player.scene.log))


async def test_a_reveal_stays_until_a_key_is_pressed():
    async with running(local_app("gra", players=2, starter="lot", seed=3)) as player:
        while not isinstance(player.app.top, RevealPage):
            await player.until(lambda: player.is_asked)
            if isinstance(player.app.top, TablePage):
                await player.press("c" if "check" in player.scene.view.moves else "enter")
        assert "found" in player.text
        await player.pilot.pause(0.2)
        assert isinstance(player.app.top, RevealPage)
        await player.press("enter")
        assert not isinstance(player.app.top, RevealPage)


async def test_the_rules_open_and_close():
    async with running(local_app("gra", players=3)) as player:
        await player.press("r")
        assert isinstance(player.app.top, RulesPage)
        first = player.text
        await player.press("pagedown")
        assert player.text != first
        await player.press("escape")
        assert isinstance(player.app.top, TablePage)


async def test_a_small_window_asks_to_be_enlarged():
    async with running(local_app("gra"), size=(60, 20)) as player:
        assert "This window has 60 columns and 20 rows." in " ".join(player.text.split())
        await player.pilot.resize_terminal(80, 24)
        await player.until(lambda: "GRA" in player.text)


async def test_a_terminal_without_unicode_gets_ascii_in_the_same_columns():
    async with running(local_app("quick-easy", players=3, language="pl")) as player:
        player.app.pane.ascii_only = True
        lines = [player.app.pane.render_line(y).text for y in range(24)]
        assert all(line.isascii() and len(line) == 80 for line in lines)


# --- secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", gramy.GAMES)
async def test_the_hand_over_shows_no_card(name):
    texts = set()
    for seed in (1, 2, 3):
        async with running(local_app(name, people=2, seed=seed)) as player:
            await player.until(lambda: isinstance(player.app.top, HandOverPage))
            assert not re.search(r"\d", player.text)
            first = player.app.top.seat
            texts.add(" ".join(player.text.replace(player.scene.names[first], "?").split()))
            assert all(view.hand is None for view in [player.scene.view.board] if hasattr(view, "hand"))
            await player.press("enter")
            await player.play(player.by_keys, turns=1)
    assert len(texts) == 1


async def test_a_repeated_key_does_not_show_the_next_persons_hand():
    now, taken = [10.0], []
    async with running(local_app("gra", people=2, players=2)) as player:
        words = player.table.words
        page = HandOverPage(player.app, words, 1, lambda: taken.append(True), 0.7, lambda: now[0])
        player.app.open(page)
        await player.press("enter", "enter", "space")
        assert player.app.top is page
        now[0] += 0.7
        await player.press("enter")
        assert taken == [True]


async def test_a_hand_over_at_a_table_has_a_guard():
    async with running(local_app("gra", people=2, players=2, key_guard=1000.0)) as player:
        await player.until(lambda: isinstance(player.app.top, HandOverPage))
        await player.press("enter")
        assert isinstance(player.app.top, HandOverPage)


async def test_advice_that_arrives_after_the_move_is_dropped(monkeypatch):
    async with running(local_app("face-to-face")) as player:
        await player.until(lambda: player.scene.is_to_act)
        asked, answer = asyncio.Event(), asyncio.Event()

        async def late():
            asked.set()
            await answer.wait()
            return Advice(((best, 0.5),), {})

        best = player.scene.view.moves[0]
        monkeypatch.setattr(player.table.source, "hint", late)
        await player.press("h")
        await asked.wait()
        lines = len(player.scene.log)
        await player.by_keys(best)
        await player.until(lambda: len(player.scene.log) > lines)
        answer.set()
        await player.pilot.pause()
        assert "to win)" not in player.text
        assert "★" not in player.text


async def test_between_two_people_every_hand_is_hidden():
    async with running(local_app("gra", people=2, players=2, starter="lot")) as player:
        await player.press("enter")
        await player.play(player.by_keys, turns=1)
        await player.until(lambda: isinstance(player.app.top, HandOverPage))
        assert not re.search(r"\d", player.text)
        assert player.scene.view.seat is None
        assert not any(row.move.startswith("choose ") and "?" not in row.move for row in player.scene.log)


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        (
            "face-to-face",
            (
                "seat=0 laid=0 helped=0 draw=0 up=23,1 down=42,60 hand=8,31;27,33 deck=2~7;-",
                "seat=0 laid=0 helped=0 draw=0 up=23,1 down=42,60 hand=8,31;40,50 deck=2~7;-",
            ),
        ),
        (
            "quick-easy",
            (
                "seat=0 laid=0 draw=0 up=G8 down=- hands=R7,S1;B4,G2 deck=R1~R6",
                "seat=0 laid=0 draw=0 up=G8 down=- hands=R7,S1;R1,R2 deck=B4,G2,R3~R6",
            ),
        ),
        (
            "gra",
            (
                "phase=bidding turn=0 way=left bid=2x4 by=1 opened=4 sizes=2,1 active=0,1 tie=0 "
                "hands=14,25;36 picks=4,2;3 ready=0,1",
                "phase=bidding turn=0 way=left bid=2x4 by=1 opened=4 sizes=2,1 active=0,1 tie=0 "
                "hands=14,25;12 picks=4,2;1 ready=0,1",
            ),
        ),
    ],
)
async def test_states_that_a_person_cannot_tell_apart_look_the_same(name, positions):
    screens = []
    for position in positions:
        game = gramy.game(name)
        match = gramy.Match(game, names=("Ada", "Bo"), position=game.parse_position(position))
        async with running(local_app(name, match=match)) as player:
            await player.press("enter" if name != "gra" else "up")
            screens.append(player.text)
    assert screens[0] == screens[1]


# --- files ------------------------------------------------------------------------------------------------------------


async def test_a_match_is_saved_after_every_move_and_resumed(tmp_path):
    file = tmp_path / "match.gramy"
    async with running(local_app("face-to-face", file=file)) as player:
        await player.play(player.by_keys, turns=3)
        lines = len(player.scene.log)
    assert file.stat().st_mode & 0o777 == 0o600
    saved = record.load(file)
    assert len(saved.log) == lines
    async with running(local_app("face-to-face", match=saved)) as player:
        assert len(player.scene.log) >= lines
        await player.play(player.by_keys, turns=2)
        assert len(player.scene.log) > lines


async def test_a_file_that_cannot_be_written_is_reported_and_the_match_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    async with running(local_app("face-to-face", file=tmp_path / "file" / "match.gramy")) as player:
        assert "cannot be written" in " ".join(player.text.split())
        await player.play(player.by_keys, turns=1)
        assert player.scene.view.board.laid == 1


def recorded(name="gra", **options):
    """Return a finished random match."""
    match = gramy.match(name, seed=4, names=("Ada", "Bo", "Cy")[: gramy.game(name, **options).players], **options)
    rng = random.Random(1)
    while match.to_act:
        seat = match.to_act[0]
        match.play(rng.choice(match.moves(seat)), seat)
    return match


@pytest.mark.parametrize("name", gramy.GAMES)
async def test_a_record_is_replayed_step_by_step(name):
    match = recorded(name)
    app = TerminalApp(lambda app: app.open(ReplayPage(app, match, line=0)), "en")
    async with running(app) as player:
        page = app.top
        assert f"Move 0 of {len(match.log)}" in player.text
        await player.press("right", "right")
        assert page.line == 2
        await player.press("end")
        assert page.line == len(match.log)
        assert "★" in player.text or "Lost" in player.text
        await player.press("home", "1", "2", "enter")
        assert page.line == 12
        await player.press("v")
        assert page.seat == 1
        assert "View as: Bo" in player.text
        line = next(name for name in player.app.pane.canvas.regions if name.startswith("line:"))
        await player.click(line)
        assert page.line == int(line.removeprefix("line:")) + 1
        await player.press("?", "escape", "q")


async def test_a_replay_says_what_a_move_was_worth():
    match = recorded("face-to-face")
    first = next(line for line, entry in enumerate(match.log, 1) if entry.seat != gramy.DEALER)
    app = TerminalApp(lambda app: app.open(ReplayPage(app, match, line=first)), "en")
    async with running(app) as player:
        await player.press("a")
        await player.until(lambda: "to win" in player.text or "given away" in player.text)
        await player.press("home", "a")
        await player.until(lambda: "Nobody decided anything here" in player.text)


# --- light and dark ---------------------------------------------------------------------------------------------------


async def test_colours_change_with_a_key_and_nothing_else():
    async with running(local_app("gra")) as player:
        before = player.text
        await player.press("l")
        assert player.app.pane.light
        assert player.text == before
