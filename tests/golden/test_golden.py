"""Every game plays its golden transcripts exactly. After a wanted change: run `make golden`, and read the diff."""

from pathlib import Path

import pytest

import gramy
from gramy import record
from tests.golden import write

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("transcript", write.TRANSCRIPTS, ids=lambda transcript: transcript.name)
def test_a_transcript_is_what_the_rules_say_today(transcript: write.Transcript) -> None:
    assert write.annotated(transcript).splitlines() == write.path(transcript).read_text("utf-8").splitlines()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_lines_at_the_margin_are_a_record(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith(write.MARGIN))
    match = record.parse(text)
    assert record.format(match) == text
    assert match.outcome is not None


@pytest.mark.parametrize("game", list(gramy.GAMES))
def test_every_game_has_a_transcript(game: str) -> None:
    assert [transcript for transcript in write.TRANSCRIPTS if transcript.game == game] != []


def test_every_file_is_a_transcript_that_is_written() -> None:
    assert {file.name for file in FILES} == {write.path(transcript).name for transcript in write.TRANSCRIPTS}


def test_every_event_of_every_game_is_seen_in_some_transcript() -> None:
    seen = {
        fact.key
        for transcript in write.TRANSCRIPTS
        for events in write.played(transcript).events_by_line
        for fact in events
    }
    assert seen >= {"starts", "dealt", "laid", "ended", "said", "undone", "all_laid", "stuck", "dead_end"}
    assert seen >= {"chose", "bid", "checked", "revealed", "round_lost", "eliminated", "tie_break"}
    assert seen >= {"fewest_cards", "last_one_left", "tie_break_won"}
