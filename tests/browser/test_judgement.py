"""What the client proposes and how it judges: a bid that can be true, a cost by its size, a loss by its distance."""

from __future__ import annotations

import pytest

from tests.browser.users import Users, text_of

# The bid that is proposed to a player who shows one 2, with three cards in play.
PROPOSED = """async (moves) => {
  const { countFaces, nearestBid, parseBids } = await import('/static/games/gra-bids.js');
  const held = (value) => countFaces([2], value, false);
  const possible = ({ number, value }) => number <= held(value) + 2;
  const bid = nearestBid(parseBids(moves), null, held, possible);
  return [`${bid.number}x${bid.value}`, possible(bid)];
}"""
TONES = """async () => {
  const { costTone } = await import('/static/ui/pile.js');
  return [[3, 59], [11, 59], [56, 59], [1, 10], [3, 10], [9, 10]].map(([steps, range]) => costTone(steps, range));
}"""
HEADLINE = """async ([game, outcome, board]) => {
  const { headline } = await import(`/static/games/${game}.js`);
  const { t } = await import('/static/text.js');
  return headline({ you: 0, view: { outcome: { values: {}, ...outcome }, board } }, t);
}"""


@pytest.mark.parametrize(
    ("moves", "proposed"),
    [
        (["bid 3x2", "bid 3x6", "check"], ["3x2", True]),  # three sixes cannot be: one card shows a 2
        (["bid 3x5", "bid 2x6", "check"], ["2x6", True]),
        (["bid 1x1", "bid 1x2", "bid 1x6"], ["1x2", True]),
        (["bid 3x6", "check"], ["3x6", False]),  # the only one: then checking is the golden button
    ],
)
def test_the_proposed_bid_can_be_true(users: Users, moves: list[str], proposed: list[object]) -> None:
    page = users.open_page("/")
    assert page.evaluate(PROPOSED, moves) == proposed


def test_a_large_cost_is_not_praised_like_a_small_one(users: Users) -> None:
    page = users.open_page("/")
    assert page.evaluate(TONES) == ["step", "far", "leap", "step", "far", "leap"]


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_loss_is_judged_by_the_cards_laid(users: Users, language: str) -> None:
    page = users.open_page("/", locale=language)
    page.locator("#welcome").wait_for()
    outcomes = [{"winners": [], "key": "stuck", "values": {"laid": laid}} for laid in (48, 42, 30, 14)]
    grades = [page.evaluate(HEADLINE, ["quick-easy", outcome, {}]) for outcome in outcomes]
    expected = ("so_close", "nearly", "half_way", "far_off")
    assert grades == [text_of("board_result", language, "quick-easy", grade=grade) for grade in expected]
    assert len(set(grades)) == 4


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_lost_duel_is_judged_by_the_cards_that_both_have_left(users: Users, language: str) -> None:
    page = users.open_page("/", locale=language)
    page.locator("#welcome").wait_for()
    left = [(44, 43), (30, 35), (12, 8), (40, 0)]  # stuck early, stuck while ahead, stuck near the end, far behind
    boards = [{"halves": [{"in_hand": 0, "in_deck": cards} for cards in both]} for both in left]
    grades = [page.evaluate(HEADLINE, ["face-to-face", {"winners": [1], "key": "stuck"}, board]) for board in boards]
    expected = ("other", "ahead", "close", "other")
    assert grades == [text_of("board_result", language, "face-to-face", grade=grade) for grade in expected]


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_lost_match_of_gra_is_judged_by_cards_and_place(users: Users, language: str) -> None:
    page = users.open_page("/", locale=language)
    page.locator("#welcome").wait_for()
    sizes = [(6, 5), (3, 1, 6), (6, 1, 3), (6, 1)]
    grades = [page.evaluate(HEADLINE, ["gra", {"winners": [1], "key": "fewest_cards"}, {"sizes": s}]) for s in sizes]
    expected = ("close", "second", "other", "other")
    assert grades == [text_of("board_result", language, "gra", grade=grade) for grade in expected]
