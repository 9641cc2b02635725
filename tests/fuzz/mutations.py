"""Mutations: valid inputs that are changed in a few places."""

from __future__ import annotations

import random

WORDS = [
    *(
        b"",
        b"\x00",
        b"\n",
        b"\r",
        b" ",
        b"\t",
        b"=",
        b",",
        b";",
        b"~",
        b"-",
        b":",
        b"?",
        b"x",
        b"{",
        b"}",
        b"[",
        b'"',
        b"\\",
    ),
    *(b"null", b"true", b"1e999", b"-1", b"0", b"99999999999999999999", b"9" * 400, b"NaN", b"[" * 400, b"\\ud800"),
    *(
        b"say ",
        b"undo",
        b"deal ",
        b"choose ",
        b"bid ",
        b"up ",
        b"end",
        b"check",
        b"seat",
        b"round",
        b"id",
        b"client_seed",
    ),
    *(word.encode() for word in ("ż", "🦊", "\u202e", "\u2028", "\u0301", "٣", "²", "\ufeff", "\u3164")),
    *(b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
]


def damaged(rng: random.Random, good: list[bytes]) -> bytes:
    """Return a valid input changed in a few places, or a mix of two."""
    data = rng.choice(good)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((0, 1, 1, 2, 5, 20)))
        match rng.randrange(6):
            case 0:
                data = data[:at] + data[to:]
            case 1 | 2:
                data = data[:at] + rng.choice(WORDS) + data[to:]
            case 3:
                data = data[:to] + data[at:]
            case 4:
                data = data[:at] + rng.randbytes(1) + data[at + 1 :]
            case 5:
                other = rng.choice(good)
                data = data[:at] + other[rng.randrange(len(other) + 1) :]
    return data
