"""Several people at one table: an invitation, what each may see, a spectator, a refresh and a restart mid-turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.players import LIVE_CARD, OPEN_PILE, edge
from tests.browser.serving import Server
from tests.browser.visitors import Visitors, hand, join, on_turn, open_table, title, words

DUEL = "face-to-face"
ACROSS = {"up": "help-up", "down": "help-down", "help-up": "up", "help-down": "down"}


@pytest.fixture
def server(fresh_server: Server) -> Server:
    return fresh_server


def listening(page: Page) -> list[dict[str, Any]]:
    """Every snapshot that comes to a page from now on."""
    heard: list[dict[str, Any]] = []

    def hear(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "snapshot":
            heard.append(message)

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    return heard


def hands_in(heard: list[dict[str, Any]]) -> set[int]:
    """The seats whose cards were in what a page received."""
    halves = [half for snapshot in heard if snapshot["view"] for half in enumerate(snapshot["view"]["board"]["halves"])]
    return {seat for seat, half in halves if half["hand"] is not None}


def lay(page: Page) -> tuple[str, str]:
    """Lay some card; the card and the pile."""
    card = page.locator(LIVE_CARD).first
    name = card.get_attribute("data-card") or ""
    card.click(position=edge(card))
    pile = page.locator(OPEN_PILE).first
    where = pile.get_attribute("data-pile") or ""
    pile.click()
    return name, where


def on_top(page: Page, pile: str) -> Any:
    """The card that lies on a pile."""
    return page.locator(f'[data-place="pile:{pile}"]')


def two_at_a_duel(visitors: Visitors) -> tuple[str, Page, Page]:
    """A table and its two players, the one on turn first."""
    ada, bo = visitors.arrive(None), visitors.arrive(None)
    table = open_table(ada, DUEL, [None, None])
    join(bo, table)
    bo.goto(f"/t/{table}")
    first, second = on_turn(ada, bo)
    return table, first, second


def test_two_browsers_meet_by_an_invitation_and_each_sees_only_the_own_cards(visitors: Visitors) -> None:
    ada, bo = visitors.arrive("/"), visitors.arrive(None)
    heard_by_ada, heard_by_bo = listening(ada), listening(bo)
    ada.get_by_label(words("nickname")).fill("Ada")
    ada.get_by_role("button", name=f"{words('open_table')}: {title(DUEL)}").click()
    ada.get_by_role("button", name=words("open_now")).click()
    link = ada.get_by_label(words("invite"), exact=True).input_value()
    assert "#" not in link
    assert ada.get_by_role("img", name=words("invite_qr")).is_visible()
    assert ada.get_by_text(words("invite_here")).is_visible()  # the test's server is on this machine only

    bo.goto(link)
    bo.get_by_label(words("nickname")).fill("Bo")
    bo.get_by_role("button", name=words("sit_down"), exact=True).click()
    first, second = on_turn(ada, bo)
    for page in (ada, bo):
        assert len(hand(page)) == 6
        assert page.locator(".half.theirs [data-card]").count() == 0

    card, pile = lay(first)
    expect(on_top(first, pile)).to_contain_text(card)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    expect(second.locator(".beside .log-line").last).to_contain_text(card)
    assert hands_in(heard_by_ada) == {0}
    assert hands_in(heard_by_bo) == {1}


def test_a_spectator_sees_the_table_but_no_hand(visitors: Visitors) -> None:
    table, first, _ = two_at_a_duel(visitors)
    watcher = visitors.arrive(None)
    heard = listening(watcher)
    watcher.goto(f"/t/{table}")
    expect(watcher.get_by_text(words("watching"))).to_be_visible()
    card, _ = lay(first)
    expect(watcher.locator(".beside .log-line").last).to_contain_text(card)
    expect(watcher.locator(f"[data-place^='pile:'] >> text='{card}'").first).to_be_attached()
    assert hand(watcher) == []
    assert watcher.locator("[data-button]").count() == 0
    assert hands_in(heard) == set()


def test_a_refresh_in_the_middle_of_a_turn_brings_everything_back(visitors: Visitors) -> None:
    _, first, second = two_at_a_duel(visitors)
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    before = hand(first)
    first.reload()
    expect(on_top(first, pile)).to_contain_text(card)
    assert hand(first) == before
    assert card not in before
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)


def test_a_restart_of_the_server_in_the_middle_of_a_turn_loses_nothing(visitors: Visitors, server: Server) -> None:
    visitors.tolerate("WebSocket connection to|ERR_CONNECTION_REFUSED")
    _, first, second = two_at_a_duel(visitors)
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    before = hand(first)
    server.stop()
    server.start()
    next_card, next_pile = lay(first)  # sent as soon as the line is back
    expect(on_top(second, ACROSS[next_pile])).to_contain_text(next_card)
    assert hand(first) == [one for one in before if one != next_card]
    expect(first.locator(".silence")).to_have_count(0)
