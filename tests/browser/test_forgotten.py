"""A guest can be forgotten, by a button that asks first."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.access import violations
from tests.browser.visitors import Visitors, open_table, words


def test_a_guest_who_wants_to_be_forgotten_leaves_no_name_no_seat_and_no_cookie(visitors: Visitors) -> None:
    page = visitors.arrive("/")
    page.get_by_label(words("nickname")).fill("Ada")
    table = open_table(page, "gra", [None, None])
    page.goto("/")
    page.get_by_role("button", name=words("settings")).click()
    page.get_by_role("button", name=words("forget_me")).click()
    page.get_by_role("button", name=words("forget_no")).click()
    assert page.request.get(f"/api/tables/{table}").json()["seats"][0]["name"] == "Ada"
    page.get_by_role("button", name=words("forget_me")).click()
    assert violations(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name=words("forget_yes")).click()
    expect(page.get_by_label(words("nickname"))).to_have_value("")
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.getItem('gramy.places')") is None
    assert page.request.get(f"/api/tables/{table}").json()["seats"][0]["name"] != "Ada"
