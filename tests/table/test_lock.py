"""The lock of a table: one task at a time, in order, also when tasks are cancelled."""

import asyncio

from gramy.table.lock import Lock


async def held(lock: Lock, name: str, order: list[str], go: asyncio.Event) -> None:
    async with lock:
        order.append(name)
        await go.wait()


async def waiting(*names: str) -> tuple[Lock, list[str], asyncio.Event, dict[str, asyncio.Task[None]]]:
    """Return a lock that the first task holds and the others wait for."""
    lock, order, go = Lock(), list[str](), asyncio.Event()
    tasks = {name: asyncio.create_task(held(lock, name, order, go)) for name in names}
    await asyncio.sleep(0)
    return lock, order, go, tasks


async def test_tasks_get_the_lock_in_the_order_in_which_they_asked() -> None:
    lock, order, go, tasks = await waiting("a", "b", "c")
    assert lock.locked
    assert order == ["a"]
    go.set()
    await asyncio.gather(*tasks.values())
    assert order == ["a", "b", "c"]
    assert not lock.locked


async def test_a_task_that_is_cancelled_while_it_waits_is_left_out() -> None:
    lock, order, go, tasks = await waiting("a", "b", "c")
    tasks["b"].cancel()
    go.set()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert order == ["a", "c"]
    assert not lock.locked


async def test_a_task_that_is_cancelled_when_its_turn_has_come_passes_the_lock_on() -> None:
    lock, order, go = Lock(), list[str](), asyncio.Event()
    go.set()
    async with lock:
        b, c = (asyncio.create_task(held(lock, name, order, go)) for name in "bc")
        await asyncio.sleep(0)
    b.cancel()  # it has the lock, and has not run since
    await asyncio.gather(b, c, return_exceptions=True)
    assert order == ["c"]
    assert not lock.locked


async def test_an_exception_inside_releases_the_lock() -> None:
    lock = Lock()
    try:
        async with lock:
            raise ValueError
    except ValueError:
        pass
    assert not lock.locked
