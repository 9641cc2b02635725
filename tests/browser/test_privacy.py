"""A guest can delete their data with a button that asks for confirmation."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.users import Users, open_table, text_of


def test_deleting_a_guests_data_removes_name_seat_and_cookie(users: Users) -> None:
    page = users.open_page("/")
    page.get_by_label(text_of("nickname")).fill("Ada")
    table = open_table(page, "gra", [None, None])
    page.goto("/")
    page.get_by_role("button", name=text_of("settings")).click()
    page.get_by_role("button", name=text_of("forget_me")).click()
    page.get_by_role("button", name=text_of("forget_no")).click()
    assert page.request.get(f"/api/tables/{table}").json()["seats"][0]["name"] == "Ada"
    page.get_by_role("button", name=text_of("forget_me")).click()
    page.mouse.move(0, 0)  # the colours of the buttons are judged at rest
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    assert violations(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name=text_of("forget_yes")).click()
    field = page.get_by_label(text_of("nickname"))
    expect(field).to_have_value(re.compile("."))  # a new proposal
    expect(field).not_to_have_value("Ada")
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.getItem('gramy.places')") is None
    assert page.request.get(f"/api/tables/{table}").json()["seats"][0]["name"] != "Ada"
