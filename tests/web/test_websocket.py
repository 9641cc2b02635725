"""WebSocketConnection without a network: frames however they are split, bad frames, floods, heartbeats, closing."""

from __future__ import annotations

import asyncio
import random
import tracemalloc

import pytest
from aiohttp import WSCloseCode
from hypothesis import given
from hypothesis import strategies as st

from gramy.web import websocket
from gramy.web.frames import MAX_FRAMES_WITHOUT_MESSAGE
from gramy.web.websocket import (
    ABORT_AFTER,
    ABORT_PINGING_AFTER,
    HEARTBEAT,
    PING_AFTER,
    TEXT_CHECK,
    TEXT_PING,
    TEXT_PONG,
)
from tests.web.raw_socket import BINARY, CLOSE, CONT, PING, PONG, TEXT, client_frame
from tests.web.recording import MAX_SIZE, RecordingConnection

# --- frames -----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_standard_is_read() -> None:
    connection = RecordingConnection()
    connection.data_received(bytes.fromhex("818537fa213d7f9f4d5158"))
    assert connection.messages == [b"Hello"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([TEXT, BINARY]),
            st.lists(st.binary(max_size=300), min_size=1, max_size=4),
            st.sampled_from([None, PING, PONG]),
        ),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_messages_do_not_depend_on_how_their_bytes_are_split(
    wanted: list[tuple[int, list[bytes], int | None]], rng: random.Random
) -> None:
    data, messages, answers = b"", [], []
    for opcode, fragments, between in wanted:
        for at, fragment in enumerate(fragments):
            last = at == len(fragments) - 1
            data += client_frame(CONT if at else opcode, fragment, fin=last, key=rng.randbytes(4))
            if between is not None and not last:  # control frames may stand between fragments
                data += client_frame(between, b"?")
                answers += [(PONG, b"?")] if between == PING else []
        body = b"".join(fragments)
        if opcode == TEXT and body in (TEXT_PING, TEXT_CHECK):
            answers.append((TEXT, TEXT_PONG))
        else:
            messages.append(body if opcode == TEXT else None)
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(8)))
    some = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    for pieces in (some, [bytes([byte]) for byte in data]):
        connection = RecordingConnection()
        for piece in pieces:
            connection.data_received(piece)
        assert connection.messages == messages
        assert connection.socket.frames == answers


def test_the_longest_message_is_read() -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"x" * MAX_SIZE))
    assert connection.messages == [b"x" * MAX_SIZE]


def test_many_messages_in_one_piece_are_all_read() -> None:
    connection = RecordingConnection()
    connection.data_received(b"".join(client_frame(TEXT, b"%d" % number) for number in range(10_000)))
    assert connection.messages == [b"%d" % number for number in range(10_000)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_sent_message_is_one_frame_of_any_size(size: int) -> None:
    connection = RecordingConnection()
    connection.send(b"x" * size)
    assert connection.socket.frames == [(TEXT, b"x" * size)]


BAD_FRAMES: dict[str, tuple[bytes, WSCloseCode]] = {
    "not masked": (b"\x81\x01x", WSCloseCode.PROTOCOL_ERROR),
    "compressed": (bytes([0xC1, 0x80, 0, 0, 0, 0]), WSCloseCode.PROTOCOL_ERROR),
    "unknown data opcode": (client_frame(3, b""), WSCloseCode.PROTOCOL_ERROR),
    "unknown control opcode": (client_frame(11, b""), WSCloseCode.PROTOCOL_ERROR),
    "fragmented ping": (client_frame(PING, b"", fin=False), WSCloseCode.PROTOCOL_ERROR),
    "long ping": (client_frame(PING, b"x" * 126), WSCloseCode.PROTOCOL_ERROR),
    "continuation of nothing": (client_frame(CONT, b"x"), WSCloseCode.PROTOCOL_ERROR),
    "message inside a message": (
        client_frame(TEXT, b"x", fin=False) + client_frame(TEXT, b"y"),
        WSCloseCode.PROTOCOL_ERROR,
    ),
    "too long": (client_frame(TEXT, b"x" * (MAX_SIZE + 1)), WSCloseCode.MESSAGE_TOO_BIG),
    "64-bit length": (client_frame(TEXT, b"x" * 70_000)[:20], WSCloseCode.MESSAGE_TOO_BIG),
    "too long in fragments": (
        client_frame(TEXT, b"x" * MAX_SIZE, fin=False) + client_frame(CONT, b"x"),
        WSCloseCode.MESSAGE_TOO_BIG,
    ),
}


@pytest.mark.parametrize(("data", "code"), BAD_FRAMES.values(), ids=BAD_FRAMES)
async def test_a_bad_frame_closes_the_connection_after_the_messages_before_it(data: bytes, code: WSCloseCode) -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"before") + data + client_frame(TEXT, b"after"))
    assert connection.messages == [b"before"]
    assert connection.socket.close_code == code
    assert connection.closing


async def test_nothing_is_kept_after_a_bad_frame() -> None:
    connection = RecordingConnection()
    connection.data_received(b"\x81\x01x")
    tracemalloc.start()
    for _ in range(50):
        connection.data_received(bytes(64_000))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 64_000


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frame", [client_frame(PONG, b""), client_frame(CONT, b"", fin=False)], ids=["pongs", "fragments"]
)
async def test_too_many_frames_without_a_message_between_heartbeats_close_the_connection(frame: bytes) -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"", fin=False))
    for _ in range(3):
        connection.data_received(frame * (MAX_FRAMES_WITHOUT_MESSAGE - 1))
        connection.heartbeat()
    assert not connection.closing
    connection.data_received(frame * (MAX_FRAMES_WITHOUT_MESSAGE + 1))
    assert connection.socket.close_code == WSCloseCode.POLICY_VIOLATION


async def test_a_flood_of_pings_gets_few_answers() -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(PING, b"") * 100 * MAX_FRAMES_WITHOUT_MESSAGE)
    assert len(connection.socket.frames) < 2 * MAX_FRAMES_WITHOUT_MESSAGE


async def test_a_flood_after_our_close_frame_is_not_answered_either() -> None:
    connection = RecordingConnection()
    connection.close(WSCloseCode.GOING_AWAY)
    for _ in range(100):
        connection.data_received(client_frame(PING, b"") * MAX_FRAMES_WITHOUT_MESSAGE)
    assert len(connection.socket.frames) < 2 * MAX_FRAMES_WITHOUT_MESSAGE


def test_a_client_that_does_not_read_gets_no_pongs() -> None:
    connection = RecordingConnection()
    connection.pause_writing()
    connection.data_received(client_frame(PING, b"?"))
    assert connection.socket.frames == []
    connection.resume_writing()
    assert connection.resumed == 1
    connection.data_received(client_frame(PING, b"!"))
    assert connection.socket.frames == [(PONG, b"!")]


# --- heartbeats -------------------------------------------------------------------------------------------------------


def test_a_silent_client_is_pinged_and_then_disconnected() -> None:
    connection = RecordingConnection()
    for _ in range(PING_AFTER - 1):
        connection.heartbeat()
    assert connection.socket.frames == []
    for _ in range(ABORT_AFTER - PING_AFTER):
        connection.heartbeat()
        assert connection.socket.frames[-1] == (PING, b"")
    assert not connection.socket.aborted
    connection.heartbeat()
    assert connection.socket.aborted


def test_a_client_that_answers_pings_stays_connected() -> None:
    connection = RecordingConnection()
    for _ in range(5 * PING_AFTER):
        for _ in range(PING_AFTER):
            connection.heartbeat()
        connection.data_received(client_frame(PONG, b""))
    assert connection.socket.frames == 5 * PING_AFTER * [(PING, b"")]
    assert not connection.socket.aborted


def test_a_client_that_reads_slowly_stays_connected() -> None:
    connection = RecordingConnection()
    for _ in range(ABORT_AFTER):
        for _ in range(ABORT_AFTER - 1):
            connection.heartbeat()
        connection.pause_writing()
        connection.resume_writing()
    assert not connection.socket.aborted


def test_text_pings_are_answered_without_a_message() -> None:
    connection = RecordingConnection()
    for ping in (b"ping", b"check"):
        connection.data_received(client_frame(TEXT, ping))
        assert connection.socket.frames[-1] == (TEXT, b"pong")
    assert connection.messages == []


def test_a_client_that_pinged_is_disconnected_after_fifteen_seconds_of_silence() -> None:
    connection = RecordingConnection()
    for _ in range(3 * ABORT_AFTER):
        connection.heartbeat()
        connection.data_received(client_frame(TEXT, b"ping"))
    assert not connection.socket.aborted
    for _ in range(ABORT_PINGING_AFTER):
        assert not connection.socket.aborted
        connection.heartbeat()
    assert connection.socket.aborted
    assert ABORT_PINGING_AFTER * HEARTBEAT <= 15


def test_a_client_in_the_background_is_expected_to_answer_pings_only() -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"ping") + client_frame(TEXT, b"check"))
    for _ in range(ABORT_AFTER - 1):
        connection.heartbeat()
    assert not connection.socket.aborted
    assert connection.socket.frames[-1] == (PING, b"")
    connection.heartbeat()
    assert connection.socket.aborted


async def test_a_flood_of_text_pings_closes_the_connection() -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"ping") * 10 * MAX_FRAMES_WITHOUT_MESSAGE)
    assert len(connection.socket.frames) < 2 * MAX_FRAMES_WITHOUT_MESSAGE
    assert connection.socket.close_code == WSCloseCode.POLICY_VIOLATION


def test_a_client_that_does_not_read_gets_no_text_pongs() -> None:
    connection = RecordingConnection()
    connection.pause_writing()
    connection.data_received(client_frame(TEXT, b"ping"))
    assert connection.socket.frames == []


# --- closing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (b"", b""),
        ((1001).to_bytes(2) + b"bye", (1001).to_bytes(2) + b"bye"),
        ((4321).to_bytes(2), (4321).to_bytes(2)),
        *((code.to_bytes(2), (1002).to_bytes(2)) for code in (0, 1006, 2999, 5000)),
        (b"\x03", (1002).to_bytes(2)),
    ],
    ids=str,
)
async def test_a_close_frame_is_echoed_if_its_code_is_valid(body: bytes, answer: bytes) -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(CLOSE, body))
    ((opcode, sent),) = connection.socket.frames
    assert (opcode, sent[: len(answer)]) == (CLOSE, answer)
    assert connection.socket.closed or connection.socket.eof
    assert connection.closing


async def test_messages_before_a_close_frame_are_handled() -> None:
    connection = RecordingConnection()
    connection.data_received(client_frame(TEXT, b"last") + client_frame(CLOSE, b"") + client_frame(TEXT, b"too late"))
    assert connection.messages == [b"last"]


async def test_after_our_close_frame_messages_are_ignored_and_nothing_is_sent() -> None:
    connection = RecordingConnection()
    connection.close(WSCloseCode.TRY_AGAIN_LATER, "full")
    connection.close(WSCloseCode.GOING_AWAY, "a second time")
    connection.send(b"more")
    connection.data_received(client_frame(TEXT, b"more"))
    assert connection.messages == []
    assert connection.socket.frames == [(CLOSE, (1013).to_bytes(2) + b"full")]
    assert not connection.socket.closed
    connection.data_received(client_frame(CLOSE, (1013).to_bytes(2)))
    assert connection.socket.closed


async def test_a_client_that_does_not_answer_a_close_frame_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_TIMEOUT", 0.0)
    connection = RecordingConnection()
    connection.close(WSCloseCode.GOING_AWAY)
    while not connection.socket.aborted:
        await asyncio.sleep(0)


async def test_a_lost_connection_is_reported_once_and_then_sends_nothing() -> None:
    connection = RecordingConnection()
    connection.connection_lost(None)
    assert (connection.ended, connection.lost) == (1, True)
    connection.send(b"more")
    connection.close(WSCloseCode.GOING_AWAY)
    connection.heartbeat()
    assert connection.socket.frames == []
