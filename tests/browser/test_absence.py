"""A player who is away does not block a table, and gets the seat back on return."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.players import CONFIRM
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import PHONE, Users, collect_said, hand, join, open_table, text_of

FLAGS = ("--away", "1")


def test_a_bot_plays_for_an_absent_player_until_they_come_back(users: Users) -> None:
    table, absent, other = open_duel(users)
    name = absent.locator(".seat.you b").inner_text().removesuffix(f" {text_of('you')}")
    saved = absent.context.storage_state()
    absent.context.close()

    dialog = other.get_by_role("alertdialog")
    expect(dialog).to_contain_text(text_of("away_title", name=name))
    dialog.get_by_role("button", name=text_of("bot_takes_over")).click()
    expect(dialog).to_have_count(0)
    seat = other.locator(".seat").filter(has_text=name)
    expect(seat).to_contain_text(text_of("stand_in"))
    other.locator(".table-page.my-turn").wait_for()  # the bot has taken the turn that blocked the table

    back = users.open_page(f"/t/{table}", storage_state=saved)
    back.locator("[data-card]").first.wait_for()
    assert len(hand(back)) == 6
    expect(seat).not_to_contain_text(text_of("stand_in"))
    expect(seat).to_contain_text(text_of("online"))
    notice = back.get_by_role("alertdialog", name=text_of("bot_played_title"))
    expect(notice).to_contain_text(text_of("bot_played_reason", reason="others"))
    assert violations(back) == []
    notice.get_by_role("button", name=text_of("understood")).click()
    expect(notice).to_have_count(0)
    back.reload()
    back.locator("[data-card]").first.wait_for()
    expect(notice).to_have_count(0)


def test_the_others_vote_and_see_each_others_votes(users: Users) -> None:
    ada, bo, cem = (users.open_page(None) for _ in range(3))
    table = open_table(ada, "gra", [None, None, None])
    for page, name in ((bo, "Bo"), (cem, "Cem")):
        join(page, table, name)
        page.goto(f"/t/{table}")
    for page in (ada, bo, cem):
        page.locator(CONFIRM).wait_for()
    cem.context.close()

    choices = [page.get_by_role("alertdialog", name=text_of("away_title", name="Cem")) for page in (ada, bo)]
    choices[0].get_by_role("button", name=text_of("end_match")).click()
    tally = text_of("vote_tally", choice=text_of("end_match"), number=1, voters=2)
    for dialog in choices:
        expect(dialog.get_by_role("status")).to_contain_text(tally)
    assert violations(ada, "dark") == []
    choices[0].get_by_role("button", name=text_of("end_match"), pressed=True).click()
    expect(choices[1].get_by_role("status")).not_to_contain_text(tally)
    for dialog in choices:
        dialog.get_by_role("button", name=text_of("bot_takes_over")).click()
    expect(choices[1]).to_have_count(0)
    expect(ada.locator(".seat").filter(has_text="Cem")).to_contain_text(text_of("stand_in"))


def test_the_others_may_end_the_match(users: Users) -> None:
    _, absent, other = open_duel(users)
    absent.context.close()
    other.get_by_role("alertdialog").get_by_role("button", name=text_of("end_match")).click()
    expect(other.locator("#result")).to_have_text(text_of("match_over_title"))


def test_the_others_are_told_that_somebody_wants_a_rematch_and_can_agree(users: Users) -> None:
    table, one, other = open_duel(users)
    name = one.locator(".seat.you b").inner_text().removesuffix(f" {text_of('you')}")
    one.close()
    other.get_by_role("alertdialog").get_by_role("button", name=text_of("end_match")).click()
    one = one.context.new_page()
    one.goto(f"/t/{table}")
    for page in (one, other):
        page.locator("#result").wait_for()
    collect_said(other)
    other.set_viewport_size(PHONE)  # where the result covers the table
    other.get_by_role("button", name=text_of("show_table")).click()  # they look at the table meanwhile
    one.get_by_role("button", name=text_of("rematch"), exact=True).click()

    asked = text_of("rematch_asked", number=1, who=name)
    expect(other.locator(".rematch-asked")).to_contain_text(asked)
    other.wait_for_function("words => window.said.includes(words)", arg=asked)
    expect(one.locator(".rematch-words")).to_contain_text(text_of("rematch_waiting", who="").split(".")[0])
    assert violations(other) == []
    other.get_by_role("button", name=text_of("show_result")).click()
    expect(other.locator(".result")).to_contain_text(asked)
    other.get_by_role("button", name=text_of("rematch"), exact=True).click()
    for page in (one, other):
        expect(page.locator("#result")).to_have_count(0)
        page.locator("[data-card]").first.wait_for()


def test_on_a_phone_the_question_about_an_absent_player_leaves_the_prompt_in_sight(users: Users) -> None:
    ada, bo = (users.open_page(None, viewport=PHONE, locale="de") for _ in range(2))
    table = open_table(ada, "gra", [None, None])
    join(bo, table)
    bo.goto(f"/t/{table}")
    for page in (ada, bo):
        page.locator(CONFIRM).wait_for()
    bo.context.close()
    expect(ada.get_by_role("alertdialog")).to_be_visible()
    prompt, question = (ada.locator(name).bounding_box() for name in (".prompt", ".absent"))
    assert prompt is not None
    assert question is not None
    assert prompt["y"] + prompt["height"] <= question["y"]
