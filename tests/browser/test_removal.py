"""The opener of a table removes a guest, who is told so and cannot come back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.users import PHONE, Users, join, open_table, text_of


def test_the_opener_removes_a_guest_after_a_confirmation(users: Users) -> None:
    host, guest = users.open_page(None, viewport=PHONE), users.open_page(None, viewport=PHONE)
    table = open_table(host, "quick-easy", [None, None, None])
    join(guest, table)
    guest.goto(f"/t/{table}")

    host.get_by_role("button", name=text_of("player_options", name="Bo")).click()
    sheet = host.get_by_role("dialog", name="Bo")
    expect(sheet.get_by_role("button", name=text_of("report_name"))).to_be_visible()
    assert violations(host) == []
    sheet.get_by_role("button", name=f"{text_of('remove')}…").click()
    expect(sheet).to_contain_text(text_of("remove_about", name="Bo"))
    sheet.get_by_role("button", name=text_of("remove"), exact=True).click()
    expect(sheet).to_have_count(0)
    expect(host.locator(".waiting-seats")).not_to_contain_text("Bo")

    expect(guest.get_by_role("heading", name=text_of("removed_title"))).to_be_visible()
    guest.reload()
    expect(guest.get_by_role("heading", name=text_of("removed_title"))).to_be_visible()


def test_others_than_the_opener_can_only_report_a_name(users: Users) -> None:
    host, guest = users.open_page(None), users.open_page(None)
    table = open_table(host, "quick-easy", [None, None, None])
    join(guest, table)
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name=text_of("player_options", name="Ada")).click()
    sheet = guest.get_by_role("dialog", name="Ada")
    expect(sheet.get_by_role("button", name=text_of("report_name"))).to_be_visible()
    expect(sheet.get_by_role("button", name=f"{text_of('remove')}…")).to_have_count(0)
    sheet.get_by_role("button", name=text_of("report_name")).click()
    expect(sheet.get_by_role("status")).to_contain_text(text_of("reported"))
