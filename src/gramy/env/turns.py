"""Who acts next, and what is legal besides the moves of the game: rounds of talk, and who takes the start.

The rules decide who moves. Where they let several seats act, an environment asks them one after the other, and each may
leave the start to the others; the last one asked must take it. All functions are pure: the scenario, the conversation
and the seats to act by the rules (`acting`, as bits) in, a value out.
"""

from __future__ import annotations

from gramy.cards import positions
from gramy.contract import DEALER, SEATS
from gramy.env import talk
from gramy.env.scenarios import Scenario
from gramy.env.talk import Conversation


def round_of_talk(scenario: Scenario, now: Conversation, acting: int) -> Conversation:
    """Return the conversation when a round of talk begins; in silence nothing changes."""
    if not scenario.phrases:
        return now
    seats = SEATS[acting]
    return talk.opened(now, seats[0] if len(seats) == 1 else scenario.game.players - 1)


def actors(scenario: Scenario, now: Conversation, acting: int) -> tuple[int, ...]:
    """Return the seats that may act now; a sequential interface asks the first one."""
    seats = SEATS[acting]
    if not seats or not scenario.conversing:
        return seats
    if now.speakers:
        return now.speakers
    return seats if now.started else tuple(seat for seat in seats if seat not in now.declined)


def asking(now: Conversation) -> bool:
    """Return whether the seats are being asked who takes the start."""
    return not now.started and not now.speakers


def allowed(scenario: Scenario, now: Conversation, acting: int, seat: int, action: int) -> bool:
    """Return whether a seat that is to act now may take an action that is no move: `wait`, or a phrase."""
    phrase = action - scenario.wait - 1
    if now.speakers:
        return phrase < len(scenario.phrases) and (phrase < 0 or not now.said[seat] >> phrase & 1)
    return phrase < 0 and asking(now) and len(actors(scenario, now, acting)) > 1


def mask(scenario: Scenario, now: Conversation, acting: int, seat: int) -> bytes:
    """Return a byte for each action that is no move: 1 if a seat that is to act now may take it, otherwise 0."""
    size = scenario.actions - scenario.wait
    if now.speakers:
        return _flags(now.said[seat] << 1, size, 1)  # `wait` comes first
    return _flags(int(allowed(scenario, now, acting, seat, scenario.wait)), size, 0)


def after(scenario: Scenario, now: Conversation, seat: int, action: int) -> Conversation:
    """Return the conversation after an action. After the deals that follow on `end`, a round of talk is due."""
    if action == scenario.wait:
        return talk.waited(now, seat)
    if action > scenario.wait:
        return talk.spoken(now, seat, action - scenario.wait - 1)
    if action == scenario.start:
        return now._replace(started=True)
    return talk.turn_ended(now, seat) if action == scenario.end else now


def numbers(scenario: Scenario, now: Conversation, seat: int) -> bytes:
    """Return the features of the environment, which follow those of the game in an observation: a byte each."""
    players, phrases = scenario.game.players, len(scenario.phrases)
    order = SEATS_FROM[players][seat]
    found = bytes([one in now.declined for one in order]) if scenario.agreed else b""
    if phrases:
        found += b"".join([_flags(now.said[one], phrases, 0) for one in order])
        found += bytes([one in now.speakers for one in order])
        found += bytes([now.left[seat]])
    return found


def _flags(bits: int, size: int, without: int) -> bytes:
    """Return a byte for each of the lowest bits: `without` where it is 0, and the other one where it is 1."""
    flags = bytearray([without]) * size
    for at in positions(bits):
        flags[at] = 1 - without
    return bytes(flags)


SEATS_FROM = [
    [[(seat + offset) % players for offset in range(players)] for seat in range(players)]
    for players in range(DEALER + 1)
]
"""For each number of players and each seat: all seats, from that one on."""
