"""The host's orders: whom they concern, until when, and that they are stored and reach every server."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramy.table import lobby as lobby_module
from gramy.table.orders import ANNOUNCEMENT, BAN, MAINTENANCE, MUTE, Order, Orders, Report, guest_mark
from gramy.table.store import Conflict, StoreUnavailable
from tests.clock import Time
from tests.table.backends import Backend, row
from tests.table.services import Wire, lobby_at, until

ADA = guest_mark("ada")


def order(id: str = "o", kind: str = BAN, subject: str = ADA, until: float = 100.0, **words: object) -> Order:
    return Order(id, kind, subject, until, 0.0)._replace(**words)


@pytest.mark.parametrize(
    ("subject", "guest", "networks", "banned"),
    [
        (ADA, "ada", (), True),
        (ADA, "bob", (), False),
        (ADA, None, ("203.0.113.9/32", "203.0.113.0/24"), False),
        ("203.0.113.0/24", None, ("203.0.113.9/32", "203.0.113.0/24"), True),
        ("203.0.113.9/32", "ada", ("203.0.113.8/32", "203.0.113.0/24"), False),
        ("2001:db8:1:2::/64", "ada", ("2001:db8:1:2::/64", "2001:db8:1::/48"), True),
        ("2001:db8:1::/48", "ada", ("2001:db8:1:2::/64", "2001:db8:1::/48"), True),
    ],
)
def test_a_ban_concerns_a_guest_or_a_network(
    subject: str, guest: str | None, networks: tuple[str, ...], banned: bool
) -> None:
    orders = Orders([order(subject=subject)])
    assert (orders.ban_of([guest], networks, now=99.0) is not None) == banned


def test_an_order_ends_with_its_time() -> None:
    orders = Orders([order(), order("m", MUTE), order("a", ANNOUNCEMENT, ""), order("w", MAINTENANCE, "")])
    assert orders.ban_of(["ada"], (), 99.9)
    assert orders.is_muted("ada", 99.9)
    assert [notice["id"] for notice in orders.notices(99.9)] == ["a", "w"]
    assert orders.maintenance(99.9)
    assert not orders.ban_of(["ada"], (), 100.0)
    assert not orders.is_muted("ada", 100.0)
    assert not orders.notices(100.0)
    assert not orders.maintenance(100.0)


def test_the_longest_of_several_bans_counts() -> None:
    orders = Orders([order("long", until=200.0), order("short"), order("net", subject="10.0.0.0/24", until=300.0)])
    assert orders.ban_of(["ada"], (), 50.0) == order("long", until=200.0)
    assert orders.ban_of(["ada"], ("10.0.0.0/24",), 50.0) == order("net", subject="10.0.0.0/24", until=300.0)


def test_a_muted_guest_may_still_come_in_and_a_banned_one_is_not_muted() -> None:
    assert not Orders([order(kind=MUTE)]).ban_of(["ada"], (), 0.0)
    assert not Orders([order(kind=BAN)]).is_muted("ada", 0.0)
    assert not Orders([order(kind=MUTE)]).is_muted(None, 0.0)


async def test_a_transaction_runs_on_every_back_end(backend: Backend) -> None:
    async with backend.opened() as store:
        insert = "INSERT INTO audit (id, made, action, subject, detail) VALUES (?,?,?,?,?)"
        rows = await store.transact([(insert, ("1", 1.0, "a", "b", "c")), ("SELECT action FROM audit", ())])
        assert [list(map(tuple, found)) for found in rows] == [[], [("a",)]]
        with pytest.raises((Conflict, StoreUnavailable)):
            await store.transact([(insert, ("2", 1.0, "x", "y", "z")), (insert, ("1", 1.0, "a", "b", "c"))])
        (rows,) = await store.transact([("SELECT id FROM audit", ())])
        assert [tuple(found) for found in rows] == [("1",)]


async def test_the_tables_of_orders_and_reports_exist_on_every_back_end(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row("t1"))
        report = Report("r1", "t1", 0, "Ada", ADA, guest_mark("bob"), 5.0)
        insert = "INSERT INTO reports (id, table_id, seat, name, guest, reporter, made) VALUES (?,?,?,?,?,?,?)"
        again = f"{insert} ON CONFLICT (table_id, seat, guest, reporter) DO NOTHING RETURNING id"
        assert [len(found) for found in await store.transact([(again, tuple(report))])] == [1]
        assert [len(found) for found in await store.transact([(again, tuple(report._replace(id="r2")))])] == [0]


async def test_orders_survive_a_restart_and_expire(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        await lobby.order_book.give(order(until=time() + 60, texts={"pl": "Żółw"}, reason="x"))
        await lobby.order_book.give(order("later", until=time() + 600))
    async with lobby_at(tmp_path, time) as lobby:
        assert [found.id for found in lobby.order_book.orders.all] == ["later", "o"]
        assert lobby.order_book.orders.all[1].texts == {"pl": "Żółw"}
        time.pass_by(61)
        await lobby.expire()
        assert [found.id for found in lobby.order_book.orders.all] == ["later"]
        (rows,) = await lobby.services.store.transact([("SELECT id FROM orders", ())])
        assert [tuple(found) for found in rows] == [("later",)]


@pytest.mark.parametrize("whole", [True, False])
async def test_orders_reach_other_servers_by_a_note_or_at_their_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setattr(lobby_module, "REPORT_EVERY", 3600.0 if whole else 0.0)
    wire = Wire()
    async with lobby_at(tmp_path, bus=wire.end()) as here, lobby_at(tmp_path, bus=wire.end()) as there:
        wire.whole = whole
        await here.order_book.give(order(until=here.services.date() + 60))
        await until(lambda: there.order_book.orders.has_bans)
        await there.order_book.revoke("o")
        await until(lambda: not here.order_book.orders.has_bans)


async def test_a_forgotten_guest_is_in_no_order_report_or_action(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        book, now = lobby.order_book, lobby.services.date()
        table, _, _ = await lobby.open("gra", {}, [None, "easy"], False, None, "Zdzisława", "ada")
        await book.give(order(kind=MUTE, until=now + 60))
        await book.report(Report("r1", table.id, 0, "Zdzisława", ADA, guest_mark("bob"), now))
        await book.report(Report("r2", table.id, 0, "Otto", guest_mark("otto"), ADA, now))
        await book.note("mute", ADA)
        await lobby.forget("ada")
        assert not book.orders.all
        assert [(report.name, report.reporter) for report in await book.reports()] == [("Otto", "r2")]
        assert [entry.subject for entry in await book.audit()] == [""]
    for path in tmp_path.iterdir():
        assert b"Zdzis" not in path.read_bytes()
        assert ADA.encode() not in path.read_bytes()
