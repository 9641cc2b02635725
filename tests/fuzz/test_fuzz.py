"""A hundred thousand damaged inputs for all interfaces: no crash, no leak, no change of state."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import targets
from tests.fuzz.all_targets import TARGETS, corpus
from tests.fuzz.mutations import damaged

INPUTS = {
    "bodies": 40_000,
    "frames": 4_000,
    "names": 10_000,
    "cookies": 8_000,
    "positions": 8_000,
    "moves": 6_000,
    "records": 3_000,
    "tables": 2_000,
    "hosts": 5_000,
    "notes": 18_000,
    "options": 8_000,
    "rows": 1_000,
    "arguments": 200,
    "verify": 200,
    "http": 200,
    "admin": 200,
    "sockets": 200,
    "handshakes": 200,
}
BATCH = 200


def batch(name: str, seed: int) -> Iterator[bytes]:
    rng = random.Random(f"{name} {seed}")
    for _ in range(BATCH):
        yield damaged(rng, corpus()[name])


def test_a_hundred_thousand_inputs_are_tried() -> None:
    assert sum(INPUTS.values()) >= 100_000
    assert set(INPUTS) == set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_valid_inputs_are_accepted(name: str) -> None:
    for good in corpus()[name]:
        TARGETS[name](good)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_inputs_do_no_harm(name: str) -> None:
    @settings(max_examples=max(1, INPUTS[name] // BATCH), database=None)
    @given(st.integers(0, 2**32))
    def try_batch(seed: int) -> None:
        for data in batch(name, seed):
            try:
                TARGETS[name](data)
            except Exception as error:
                error.add_note(f"input: {data!r}")
                raise

    try_batch()


@pytest.mark.parametrize("name", targets.TARGETS)
@settings(max_examples=300)
@given(data=st.binary(max_size=300) | st.text(max_size=80).map(str.encode))
def test_arbitrary_inputs_do_no_harm(name: str, data: bytes) -> None:
    TARGETS[name](data)
