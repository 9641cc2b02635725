"""The guard around async tests: what fails in the background or never ends fails the test."""

import pytest

from tests import conftest


def outcomes(pytester: pytest.Pytester, body: str) -> dict[str, int]:
    """Run one async test with this body under the guard, and return pytest's counts."""
    pytester.makepyfile(f"import asyncio\n\nasync def fail():\n    raise ValueError\n\nasync def test():\n    {body}\n")
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    return pytester.runpytest_inprocess("-p", conftest.__name__).parseoutcomes()


def test_an_async_test_passes(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, "await asyncio.sleep(0)") == {"passed": 1}


def test_an_error_in_an_async_test_fails_it(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, "await fail()") == {"failed": 1}


def test_a_background_task_that_fails_during_the_test_is_an_error(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, "asyncio.create_task(fail()); await asyncio.sleep(0.01)") == {"passed": 1, "errors": 1}


def test_a_background_task_that_fails_when_the_loop_closes_is_an_error(pytester: pytest.Pytester) -> None:
    body = """
    async def stubborn():
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError
    asyncio.create_task(stubborn())
    await asyncio.sleep(0)"""
    assert outcomes(pytester, body) == {"passed": 1, "errors": 1}


def test_a_callback_that_fails_is_an_error(pytester: pytest.Pytester) -> None:
    body = "asyncio.get_running_loop().call_soon(int, 'x'); await asyncio.sleep(0)"
    assert outcomes(pytester, body) == {"passed": 1, "errors": 1}


def test_a_background_error_in_a_failing_test_does_not_hide_its_own(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, "asyncio.create_task(fail()); await asyncio.sleep(0.01); assert False") == {
        "failed": 1,
        "errors": 1,
    }


def test_an_async_test_that_never_ends_fails_at_the_time_limit(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "TIME_LIMIT", 0.05)
    assert outcomes(pytester, "await asyncio.Event().wait()") == {"failed": 1}
