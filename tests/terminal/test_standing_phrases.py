"""What was said in Quick & Easy and still holds, as the terminal works it out from the log."""

import pytest

from gramy.messages import Message
from gramy.terminal.boards.quick_easy.talk import standing_phrases
from gramy.terminal.scene import LogRow
from tests.standing_phrases import TALK, dealt


@pytest.mark.parametrize("case", TALK)
def test_a_phrase_holds_as_long_as_in_the_browser(case):
    lines, holds = TALK[case]
    log = [
        LogRow(line["seat"], line["move"], tuple(Message(**event) for event in line["events"]))
        for line in [dealt(0), *lines]
    ]
    assert standing_phrases(log).get(0, []) == holds
