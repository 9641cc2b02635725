"""A match that was saved as a file can be opened in the lobby again, also on another server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gramy import record
from tests.browser.accessibility import violations
from tests.browser.players import edge
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import BOT, PHONE, Users, finish, open_table, text_of

RECORDS = Path(__file__).parents[1] / "records"


def open_file(page: Page, path: Path) -> None:
    page.get_by_label(text_of("open_file")).set_input_files(path)


def test_a_saved_match_is_replayed_from_its_file(users: Users, tmp_path: Path) -> None:
    page = users.open_page(None)
    finish(page, open_table(page, "face-to-face", [None, BOT]))
    with page.expect_download() as download:
        page.get_by_role("link", name=text_of("save_record")).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)

    other = users.open_page("/", viewport=PHONE)
    open_file(other, path)
    expect(other).to_have_url(f"{users.address}/record")
    expect(other.locator(".slide .number")).to_have_text(f"1 / {len(record.load(path).log)}")
    expect(other.get_by_role("button", name=text_of("analyse"))).to_have_count(0)  # the server has no such match
    other.locator(".points select").select_option(str(1))
    other.keyboard.press("End")
    expect(other.locator(".prompt")).not_to_be_empty()
    other.reload()
    expect(other.locator(".scrubber")).to_be_visible()
    assert violations(other) == []


@pytest.mark.parametrize("game", ["quick-easy-three-pro", "gra-six-unfinished"])
def test_a_match_of_an_older_version_and_an_unfinished_one_are_replayed_too(users: Users, game: str) -> None:
    page = users.open_page("/")
    open_file(page, RECORDS / f"{game}.gramy")
    expect(page.locator(".scrubber")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".log-line").first).to_be_visible()


def test_a_file_that_is_no_record_is_refused_with_a_reason(users: Users, tmp_path: Path) -> None:
    users.allow("400")
    page = users.open_page("/", viewport=PHONE)
    (tmp_path / "letter.txt").write_text("Dear Ada,\n", "utf-8")
    open_file(page, tmp_path / "letter.txt")
    first = text_of("record_first_line", "en", "common", expected=record.FIRST)
    expect(page.get_by_role("alert")).to_contain_text(first)
    expect(page.get_by_role("alert")).to_be_in_viewport()  # the button is at the bottom of the page


def test_without_a_file_the_page_says_where_to_choose_one(users: Users) -> None:
    page = users.open_page("/record")
    expect(page.locator("main")).to_contain_text(text_of("record_missing"))


def test_a_pile_without_a_picked_card_says_what_to_do_first(users: Users) -> None:
    _, page, waiting = open_duel(users)
    page.locator("[data-pile=up]").click()
    expect(page.locator(".note")).to_contain_text(text_of("card_first"))
    expect(page.locator("#announcements")).to_contain_text(text_of("card_first"))
    card = page.locator("[data-card]").first
    card.click(position=edge(card))
    expect(page.locator(".note")).not_to_contain_text(text_of("card_first"))
    waiting.locator("[data-pile=up]").click()
    expect(waiting.locator(".note")).to_have_class("note refused")
