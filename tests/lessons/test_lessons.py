"""The lesson files of the client match their scripts, and each sentence is used once."""

import gramy
from gramy import text
from tests.lessons.scripts import LESSONS
from tests.lessons.write import FOLDER, lesson_file


def test_the_lessons_are_up_to_date() -> None:
    for lesson in LESSONS:
        kept = (FOLDER / f"{lesson.game}.json").read_text("utf-8")
        assert kept == lesson_file(lesson), "the rules or the texts have changed: run `make lessons`"


def test_every_game_has_a_lesson_and_every_sentence_is_used_once() -> None:
    assert [lesson.game for lesson in LESSONS] == list(gramy.GAMES)
    used = [step.say for lesson in LESSONS for step in lesson.steps]
    assert sorted(used) == sorted(text.catalogue("lesson", "en"))
