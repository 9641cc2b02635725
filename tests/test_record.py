"""Records: a match is written and read back unchanged; a damaged record is refused with its line."""

from pathlib import Path

import pytest

import gramy
from gramy import record
from gramy.contract import DEALER
from gramy.errors import BadRecord
from gramy.fair import Deal, SeededDealer
from gramy.matches import Match

WHOLE = """\
gramy record 3
game: quick-easy 2
options: players=2 pro=off starter=lot
names: 0 "Ada" 1 "Bo"

dealer deal first 1
dealer deal R1 R2
dealer deal B5 B6
1 up R1
1 say red low
1 undo
1 up R2
1 end
result: unfinished
"""

FINISHED = """\
gramy record 3
game: face-to-face 1
options: players=2 dead_end=reject last_card_grace=off
position: seat=0 laid=1 helped=0 draw=0 up=20,1 down=30,60 hand=21;5,6 deck=-;-

0 up 21
result: 0 all_laid
"""


def damaged(text: str | bytes, folder: Path) -> BadRecord:
    """Return the error, which is the same whether the text is parsed or loaded from a file."""
    file = folder / "damaged.gramy"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    with pytest.raises(BadRecord) as caught:
        gramy.load(file)
    error = caught.value
    assert str(error).isprintable()
    assert len(str(error)) < 400
    assert "{" not in str(error)
    assert f"Line {error.line} " in str(error) if error.line else "Line" not in str(error)
    return error


# --- whole ------------------------------------------------------------------------------------------------------------


CHECKABLE = WHOLE.replace('"Bo"\n', '"Bo"\nseed: 91b7\nclient-seeds: 1 k3Vx\n')


def test_a_record_may_hold_its_seeds() -> None:
    match, deal = record.parse_checkable(CHECKABLE)
    assert deal == Deal("91b7", ("", "k3Vx"))
    assert record.format(match, deal) == CHECKABLE
    assert record.parse_checkable(WHOLE)[1] is None


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        ("client-seeds: 1 k3Vx\n", "", 5),
        ("seed: 91b7\n", "", 5),
        ("1 k3Vx", "2 k3Vx", 6),
        ("1 k3Vx", "1", 6),
        ("1 k3Vx", "1 a 1 b", 6),
        ("1 k3Vx", "k3Vx 1", 6),
    ],
)
def test_a_seed_without_correct_client_seeds_is_refused(was: str, now: str, line: int, tmp_path: Path) -> None:
    assert damaged(CHECKABLE.replace(was, now), tmp_path).line == line


@pytest.mark.parametrize("round", ["", "one", "-1", "9" * 5000])
def test_an_exchange_without_a_number_of_its_round_is_refused(round: str, tmp_path: Path) -> None:
    exchange = f"client-seeds: 1 k3Vx\ntable: a\nround: {round}\ncommitments: 1 b\n"
    assert damaged(CHECKABLE.replace("client-seeds: 1 k3Vx\n", exchange), tmp_path).line == 9


def test_a_void_attempt_without_its_three_parts_is_refused(tmp_path: Path) -> None:
    exchange = "client-seeds: 1 k3Vx\ntable: a\nround: 1\ncommitments: 1 b\nvoid-1: seed; 1 b\n"
    assert damaged(CHECKABLE.replace("client-seeds: 1 k3Vx\n", exchange), tmp_path).line == 10


@pytest.mark.parametrize("text", [WHOLE, FINISHED])
def test_a_record_is_read_and_written_exactly(text: str, tmp_path: Path) -> None:
    match = record.parse(text)
    assert record.format(match) == text
    gramy.save(match, tmp_path / "match.gramy")
    assert (tmp_path / "match.gramy").read_bytes() == text.encode()
    again = gramy.load(tmp_path / "match.gramy")
    assert (again.state, again.log, again.names) == (match.state, match.log, match.names)
    assert [file.name for file in tmp_path.iterdir()] == ["match.gramy"]


def test_a_record_holds_everything_that_a_match_is() -> None:
    match = record.parse(WHOLE)
    assert match.names == ("Ada", "Bo")
    assert [entry.text for entry in match.log[3:]] == ["up R1", "say red low", "undo", "up R2", "end"]
    assert match.to_act == (DEALER,)
    assert record.parse(FINISHED).outcome.winners == (0,)


def test_names_may_be_left_out_and_may_be_anything_that_can_be_written() -> None:
    game = gramy.game("face-to-face")
    assert "names:" not in record.format(Match(game))
    for names in (
        ('"', "\\"),
        ("a\nb", "\r\n"),
        ("", " "),
        ("{0}", '1 "x"'),
        ("Ża", "\N{JIGSAW PUZZLE PIECE}"),
        ("\u2028", "\x85"),
    ):
        match = Match(game, names=names)
        assert record.parse(record.format(match)).names == names


def test_saving_replaces_a_file_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "match.gramy"
    file.write_text("something else")
    gramy.save(record.parse(WHOLE), str(file))
    assert file.read_text("utf-8") == WHOLE


def test_names_that_no_file_can_hold_are_refused_and_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(gramy.GramyError):
        gramy.save(Match(gramy.game("face-to-face"), names=("\ud800", "Bo")), tmp_path / "match.gramy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("\n1 ", "\n\n  1  "),
    ],
    ids=["mark", "crlf", "mark and crlf", "no last newline", "empty lines after", "spaces after", "spaces within"],
)
def test_what_editors_do_to_a_file_does_no_harm(change: object, tmp_path: Path) -> None:
    file = tmp_path / "match.gramy"
    file.write_bytes(change(WHOLE).encode("utf-8"))  # type: ignore[operator]
    assert record.format(gramy.load(file)) == WHOLE


# --- damaged ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ("gramy record 3", "gramy record 4", 1, "record_first_line"),
        ("gramy record 3\n", "", 1, "record_first_line"),
        ("game: ", "games: ", 2, "record_header"),
        ("game: ", "game ", 2, "record_header"),
        ("game: ", "Game: ", 2, "record_header"),
        ("starter=lot\n", "starter=lot\ncolour: red\n", 4, "record_header"),
        ("names: ", "game: quick-easy 2\nnames: ", 4, "record_header_twice"),
        ('names: 0 "Ada" 1 "Bo"\n', 'names: 0 "Ada" 1 "Bo"\nnames: 0 "Ada" 1 "Bo"\n', 5, "record_header_twice"),
        ("game: quick-easy 2\n", "", 4, "record_header_missing"),
        ("options: players=2 pro=off starter=lot\n", "", 4, "record_header_missing"),
        ("\n", "\n\n", 2, "record_header_missing"),
        ("quick-easy 2", "chess 1", 2, "unknown_game"),
        ("quick-easy 2", "", 2, "unknown_game"),
        ("quick-easy 2", "quick-easy 99", 2, "record_version"),
        ("quick-easy 2", "quick-easy", 2, "record_version"),
        ("quick-easy 2", "quick-easy one", 2, "record_version"),
        ("players=2", "players=6", 3, "no_such_value"),
        ("players=2", "players", 3, "no_such_value"),
        ("players=2", "player=2", 3, "no_such_option"),
        ("pro=off", "pro=maybe", 3, "no_such_value"),
        ('0 "Ada" 1 "Bo"', '0 "Ada"', 4, "names_number"),
        ('0 "Ada" 1 "Bo"', '0 "Ada" 1 "Bo" 2 "Cy"', 4, "names_number"),
        ('0 "Ada" 1 "Bo"', '1 "Ada" 0 "Bo"', 4, "record_names"),
        ('0 "Ada" 1 "Bo"', "Ada Bo", 4, "record_names"),
        ('0 "Ada" 1 "Bo"', '0 "Ada 1 Bo', 4, "record_names"),
        ('0 "Ada" 1 "Bo"', "0 7 1 null", 4, "record_names"),
        ('0 "Ada" 1 "Bo"', "0 " + "[" * 200_000, 4, "record_names"),
        ('0 "Ada" 1 "Bo"', "0 " + "1" * 10_000, 4, "record_names"),
        ("\n\n", "\nposition: seat=0\n\n", 5, "position_missing"),
        ("\n\n", "\nposition:\n\n", 5, "position_missing"),
        ("\n\n", "\nposition: nonsense\n\n", 5, "position_word"),
        ("dealer deal first 1", "dealer deal first 2", 6, "not_to_deal"),
        ("dealer deal first 1", "deal first 1", 6, "record_move"),
        ("dealer deal first 1\n", "", 6, "deal_expected"),
        ("dealer deal R1 R2", "dealer deal R1 R1", 7, "not_to_deal"),
        ("dealer deal R1 R2", "0 deal R1 R2", 7, "only_the_dealer_deals"),
        ("1 up R1", "2 up R1", 9, "record_move"),
        ("1 up R1", "-1 up R1", 9, "record_move"),
        ("1 up R1", "6 up R1", 9, "record_move"),
        ("1 up R1", "1", 9, "record_move"),
        ("1 up R1", "up", 9, "record_move"),
        ("1 up R1", "\x00\x1b[2J", 9, "record_move"),
        ("1 up R1", "1 up R11", 9, "unreadable"),
        ("1 up R1", "1 up " + "R" * 100_000, 9, "unreadable"),
        ("1 up R1", "1 up B5", 9, "not_in_hand"),
        ("1 up R1", "0 up B5", 9, "not_your_turn"),
        ("1 say red low", "1 say red 1", 10, "no_such_phrase"),
        ("1 say red low", "dealer say red", 10, "no_such_phrase"),
        ("1 undo", "0 undo", 11, "nothing_to_undo"),
        ("1 undo\n", "1 undo\n1 undo\n", 12, "nothing_to_undo"),
        ("result: unfinished", "result: 0,1 all_laid", 14, "record_result_wrong"),
        ("result: unfinished", "result:", 14, "record_result_wrong"),
        ("result: unfinished\n", "result: unfinished\n\n1 end\n", 16, "record_after_result"),
        ("result: unfinished\n", "result: unfinished\nresult: unfinished\n", 15, "record_after_result"),
        ("result: unfinished\n", "", 13, "record_result_missing"),
    ],
)  # fmt: skip
def test_each_damage_names_its_line(old: str, new: str, line: int, key: str, tmp_path: Path) -> None:
    assert old in WHOLE
    error = damaged(WHOLE.replace(old, new, 1), tmp_path)
    assert (error.line, error.cause.key) == (line, key)


def test_options_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    text = record.format(Match(gramy.game("quick-easy")))
    assert damaged(text.replace("pro=off", "pro=off pro=on"), tmp_path).line == 3


def test_a_record_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    for length in range(len(WHOLE.rstrip("\n"))):
        error = damaged(WHOLE[:length], tmp_path)
        assert 1 <= error.line <= WHOLE.count("\n", 0, length) + 1


def test_a_finished_match_cannot_claim_another_result(tmp_path: Path) -> None:
    for result in ("1 all_laid", "0 stuck", "unfinished", "0", "- all_laid"):
        error = damaged(FINISHED.replace("0 all_laid", result), tmp_path)
        assert (error.line, error.cause.key) == (7, "record_result_wrong")


def test_a_loss_together_has_no_winners() -> None:
    game = gramy.game("quick-easy")
    line = "seat=0 laid=1 draw=0 up=R10 down=S1 hands=-;B5,B6 deck=-"
    match = Match(game, position=game.parse_position(line))
    match.play("end")
    assert record.format(match).endswith("\n0 end\nresult: - stuck\n")
    assert record.parse(record.format(match)).outcome == match.outcome


def test_wrong_encodings_are_named_with_their_line(tmp_path: Path) -> None:
    latin = WHOLE.replace("Bo", "Bö").encode("latin-1")
    error = damaged(latin, tmp_path)
    assert (error.line, error.cause.key) == (4, "record_encoding")
    assert damaged(WHOLE.encode("utf-16"), tmp_path).cause.key == "record_encoding"
    assert damaged(b"\xff" * 100, tmp_path).line == 1
    assert damaged(WHOLE.replace("Ada", "\ud800").encode("utf-8", "surrogatepass"), tmp_path).line == 4


@pytest.mark.parametrize("raw", [b"", b"\n", b"\n\n\n", b"\xef\xbb\xbf", b"\x00" * 1000, b"\r\n"])
def test_an_empty_file_is_no_record(raw: bytes, tmp_path: Path) -> None:
    error = damaged(raw, tmp_path)
    assert (error.line, error.cause.key) == (1, "record_first_line")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    error = damaged(b"x" * (record.LARGEST + 1), tmp_path)
    assert (error.line, error.cause.key) == (0, "record_too_large")
    longest = WHOLE.encode() + b"\n" * (record.LARGEST - len(WHOLE.encode()))
    (tmp_path / "longest").write_bytes(longest)
    assert record.format(gramy.load(tmp_path / "longest")) == WHOLE


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, str(tmp_path / "x" / "y"), tmp_path / ("long" * 100)):
        with pytest.raises(BadRecord, match="cannot be read") as caught:
            gramy.load(path)
        assert caught.value.line == 0
        assert str(caught.value).endswith(".")


def test_a_path_that_no_system_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        gramy.load("null\0character")


def test_a_record_of_the_first_format_is_read_with_its_old_header() -> None:
    match = Match(gramy.game("gra"), SeededDealer(Deal("91b7", ("k3Vx", "-"))))
    today = record.format(match, Deal("91b7", ("k3Vx", "-")))
    older = today.replace("gramy record 3", "gramy record 1").replace("client-seeds:", "luck:")
    assert older != today
    assert record.parse_checkable(older)[1] == record.parse_checkable(today)[1] == Deal("91b7", ("k3Vx", "-"))
    with pytest.raises(gramy.BadRecord):
        record.parse(today.replace("client-seeds:", "luck:"))


# --- records of older rules -------------------------------------------------------------------------------------------

OLD_RECORDS = sorted((Path(__file__).parent / "records").glob("*.gramy"))
"""Written by rules version 1, each beside the positions that those rules went through: one after each line."""


@pytest.mark.parametrize("path", OLD_RECORDS, ids=lambda path: path.stem)
def test_a_record_of_rules_version_1_replays_through_the_same_positions(path: Path) -> None:
    match = record.load(path)
    positions = path.with_suffix(".positions").read_text("utf-8").splitlines()
    assert len(positions) == len(match.log) + 1
    assert [match.at(lines).position for lines in range(len(positions))] == positions
    assert match.game.options.starter == "lot"
    assert match.log[0].text.startswith("deal first ")


@pytest.mark.parametrize("path", OLD_RECORDS, ids=lambda path: path.stem)
def test_a_record_of_rules_version_1_is_written_as_version_2_by_lot(path: Path) -> None:
    match, old = record.load(path), path.read_text("utf-8")
    new = record.format(match)
    assert record.parse(new) == match
    game, options = (line.partition(": ")[2] for line in old.splitlines()[1:3])
    expected = old.replace(f"game: {game}", f"game: {match.game.name} 2")
    assert new == expected.replace(f"options: {options}", f"options: {options} starter=lot")


def test_old_records_cover_every_game_that_has_older_rules() -> None:
    covered = {(record.load(path).game.name, 1) for path in OLD_RECORDS}
    assert covered == {(name, older) for name, rules in gramy.GAMES.items() for older in rules.OLDER}


def test_a_record_of_rules_version_1_does_not_choose_who_starts() -> None:
    old = WHOLE.replace("quick-easy 2", "quick-easy 1")
    assert record.parse(old.replace(" starter=lot", "")) == record.parse(WHOLE)
    with pytest.raises(BadRecord) as caught:
        record.parse(old)
    assert (caught.value.line, caught.value.message.values["cause"].key) == (3, "no_such_option")
