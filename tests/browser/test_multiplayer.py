"""Several users at one table: an invitation, what each may see, a spectator, a reload and a restart during a turn."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.players import LIVE_CARD, OPEN_PILE, edge
from tests.browser.server import Server
from tests.browser.users import Users, hand, in_turn_order, join, open_table, text_of, title

DUEL = "face-to-face"
FLAGS = ()  # a server of its own, because a test restarts it
ACROSS = {"up": "help-up", "down": "help-down", "help-up": "up", "help-down": "down"}


def record_snapshots(page: Page) -> list[dict[str, Any]]:
    """Return a list that collects all snapshots the page receives from now on."""
    received: list[dict[str, Any]] = []

    def receive(payload: str | bytes) -> None:
        if payload != "pong" and (message := json.loads(payload))["type"] == "snapshot":
            received.append(message)

    def watch(socket: WebSocket) -> None:
        socket.on("framereceived", receive)

    page.on("websocket", watch)
    return received


def hands_in(received: list[dict[str, Any]]) -> set[int]:
    """Return the seats whose hands were in the snapshots."""
    boards = [snapshot["view"]["board"] for snapshot in received if snapshot["view"]]
    halves = [half for board in boards for half in enumerate(board["halves"])]
    return {seat for seat, half in halves if half["hand"] is not None}


def lay(page: Page) -> tuple[str, str]:
    """Lay the first playable card; return the card and the pile."""
    card = page.locator(LIVE_CARD).first
    name = card.get_attribute("data-card") or ""
    card.click(position=edge(card))
    pile = page.locator(OPEN_PILE).first
    where = pile.get_attribute("data-pile") or ""
    pile.click()
    return name, where


def on_top(page: Page, pile: str) -> Any:
    """Return the top card of a pile."""
    return page.locator(f'[data-place="pile:{pile}"]')


def open_duel(users: Users) -> tuple[str, Page, Page]:
    """Open Face to Face for two users; return the table and the pages, the one whose turn it is first."""
    ada, bo = users.open_page(None), users.open_page(None)
    table = open_table(ada, DUEL, [None, None])
    join(bo, table)
    bo.goto(f"/t/{table}")
    first, second = in_turn_order(ada, bo)
    return table, first, second


def test_two_users_meet_by_a_link_and_each_sees_only_their_own_cards(users: Users) -> None:
    ada, bo = users.open_page("/"), users.open_page(None)
    received_by_ada, received_by_bo = record_snapshots(ada), record_snapshots(bo)
    ada.get_by_label(text_of("nickname")).fill("Ada")
    ada.get_by_role("button", name=f"{text_of('open_table')}: {title(DUEL)}").click()
    ada.get_by_role("button", name=text_of("open_now")).click()
    link = ada.get_by_label(text_of("invite"), exact=True).input_value()
    assert "#" not in link
    assert ada.get_by_role("img", name=text_of("invite_qr")).is_visible()
    assert ada.get_by_text(text_of("invite_here")).is_visible()  # the test's server is on this machine only

    bo.goto(link)
    bo.get_by_label(text_of("nickname")).fill("Bo")
    bo.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    first, second = in_turn_order(ada, bo)
    for page in (ada, bo):
        assert len(hand(page)) == 6
        assert page.locator(".half.theirs [data-card]").count() == 0

    card, pile = lay(first)
    expect(on_top(first, pile)).to_contain_text(card)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    expect(second.locator(".beside .log-line").last).to_contain_text(card)
    assert hands_in(received_by_ada) == {0}
    assert hands_in(received_by_bo) == {1}


def test_a_spectator_sees_the_table_but_no_hand(users: Users) -> None:
    table, first, _ = open_duel(users)
    spectator = users.open_page(None)
    received = record_snapshots(spectator)
    spectator.goto(f"/t/{table}")
    expect(spectator.get_by_text(text_of("watching"))).to_be_visible()
    card, _ = lay(first)
    expect(spectator.locator(".beside .log-line").last).to_contain_text(card)
    expect(spectator.locator(f"[data-place^='pile:'] >> text='{card}'").first).to_be_attached()
    assert hand(spectator) == []
    assert spectator.locator("[data-button]").count() == 0
    assert hands_in(received) == set()


def test_a_reload_during_a_turn_loses_nothing(users: Users) -> None:
    _, first, second = open_duel(users)
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    before = hand(first)
    first.reload()
    expect(on_top(first, pile)).to_contain_text(card)
    assert hand(first) == before
    assert card not in before
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)


def test_a_restart_of_the_server_during_a_turn_loses_nothing(users: Users, server: Server) -> None:
    users.allow("WebSocket connection to|ERR_CONNECTION_REFUSED")
    _, first, second = open_duel(users)
    card, pile = lay(first)
    expect(on_top(second, ACROSS[pile])).to_contain_text(card)
    before = hand(first)
    server.stop()
    server.start()
    next_card, next_pile = lay(first)  # sent as soon as the connection is back
    expect(on_top(second, ACROSS[next_pile])).to_contain_text(next_card)
    assert hand(first) == [one for one in before if one != next_card]
    expect(first.locator(".stalled")).to_have_count(0)
