"""Write the golden transcripts: `python -m tests.golden.write`, or `make golden`. Read the diff before you commit it.

A transcript is a record with indented lines: after each line of the record the sentences about it, and at a few points
the view of every seat. Without the indented lines it can be loaded. Seeds and players are chosen for their subjects.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gramy
from gramy import record
from gramy.contract import START
from gramy.matches import Entry, Match
from gramy.messages import to_builtins

FOLDER = Path(__file__).parent
MARGIN = "    "
NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Flo")

Player = Callable[[Match, int, random.Random], str]


class Transcript(NamedTuple):
    """One golden file: its subject, the game, the player of all seats, and lines extra_lines their moves."""

    name: str
    shows: str
    seed: int
    player: Player
    options: dict[str, Any]
    extra_lines: tuple[tuple[int, int, str], ...] = ()
    """Lines that are replayed once the log has this many lines: talk, undo, faces chosen again."""

    @property
    def game(self) -> str:
        return next(name for name in gramy.GAMES if self.name.startswith(f"{name}-"))


# --- players ----------------------------------------------------------------------------------------------------------


def at_random(match: Match, seat: int, rng: random.Random) -> str:
    return rng.choice(match.moves(seat))


def careful_duellist(match: Match, seat: int, rng: random.Random) -> str:
    """Lay the card that moves a pile least, ten back first; give only small help; end as soon as possible."""
    half = match.view(seat).board.halves[seat]
    other = match.view(seat).board.halves[1 - seat]

    def cost(move: str) -> float:
        if move == "end":
            return 2.5
        pile, card = move.split()
        number = int(card)
        steps = {"up": number - half.up, "down": half.down - number}
        helps = {"help-up": other.up - number, "help-down": number - other.down}
        return steps[pile] if pile in steps else 1.5 + helps[pile] / 2

    return min(match.moves(seat), key=cost)


def careful_team(match: Match, seat: int, rng: random.Random) -> str:
    """Lay the card that moves a pile least, turn a pile where possible, and end unless the next card is cheap."""
    board = match.view(seat).board

    def cost(move: str) -> float:
        if move in ("end", START):
            return 0.5
        pile, card = move.split()
        top = {"up": board.up, "down": board.down}[pile]
        if top is None:
            return int(card[1:]) if pile == "up" else 11 - int(card[1:])
        steps = int(card[1:]) - int(top[1:])
        return steps if pile == "up" else -steps

    return min(match.moves(seat), key=cost)


def modest_bluffer(match: Match, seat: int, rng: random.Random) -> str:
    """Choose at random, bid low, and check when a bid is more than a third of the cards."""
    moves = match.moves(seat)
    if not any(move.startswith("bid") for move in moves):
        return rng.choice(moves)
    board = match.view(seat).board
    if board.bid and board.bid.number * 3 > board.in_play + rng.randrange(4):
        return "check"
    bids = [move for move in moves if move.startswith("bid")]
    return rng.choice(sorted(bids, key=lambda bid: int(bid.split()[1].split("x")[0]))[:6])


# --- transcripts ------------------------------------------------------------------------------------------------------

ALL_ON = {"jokers": True, "directions": True, "fewer_cards": True, "longer_game": True}
TALK = (3, 0, "say yellow middle"), (4, 2, "say grey low"), (7, 0, "undo"), (8, 1, "say mine up")

TRANSCRIPTS = (
    Transcript("face-to-face-default", "helps, tens back, and one who cannot lay two cards", 1, at_random, {}),
    Transcript("face-to-face-all-laid", "a win with all 58 cards", 4, careful_duellist, {}),
    Transcript(
        "face-to-face-loss-and-grace",
        "a first card that leaves no second one and loses",
        7,
        at_random,
        {"dead_end": "loss", "last_card_grace": True},
    ),
    Transcript(
        "face-to-face-last-card-grace", "a very last card laid alone", 12, careful_duellist, {"last_card_grace": True}
    ),
    Transcript(
        "quick-easy-talk-and-undo",
        "talk and then the start, a card taken back, a loss",
        1242,
        at_random,
        {"players": 3},
        TALK,
    ),
    Transcript(
        "quick-easy-won", "a win with all 50 cards, the start by lot", 9, careful_team, {"players": 2, "starter": "lot"}
    ),
    Transcript(
        "quick-easy-pro", "one card a turn", 6, careful_team, {"players": 4, "pro": True}, ((4, 3, "say grey"),)
    ),
    Transcript("gra-two", "the basic game, and a change of mind", 0, modest_bluffer, {}, ((4, 0, "choose 4"),)),
    Transcript(
        "gra-four-all-variants",
        "jokers, directions, eliminations, the start by lot",
        1,
        modest_bluffer,
        {"players": 4, "starter": "lot", **ALL_ON},
    ),
    Transcript(
        "gra-tie-break", "a tie of three broken", 12, modest_bluffer, {"players": 5, "bid_order": "quantity_first"}
    ),
)


def played(transcript: Transcript) -> Match:
    rng = random.Random(transcript.seed)
    players = gramy.game(transcript.game, **transcript.options).players
    match = gramy.match(transcript.game, seed=transcript.seed, names=NAMES[:players], **transcript.options)
    while match.to_act:
        for lines, seat, words in transcript.extra_lines:
            if len(match.log) == lines:
                match.replay(Entry(seat, words))
        seat = rng.choice(match.to_act)
        match.play(transcript.player(match, seat, rng), seat)
    return match


def annotated(transcript: Transcript) -> str:
    """Return the record with the sentences after each line, and with views."""
    match = played(transcript)
    lines = record.format(match).splitlines()
    begin = len(lines) - 1 - len(match.log)
    out = [f"{MARGIN}{transcript.name}: {transcript.shows}.", *lines[:begin]]
    shown = {0, 3, len(match.log) // 3, len(match.log) // 2, len(match.log) - 1}
    again = Match(match.game, names=match.names)
    for number, (line, entry) in enumerate(zip(lines[begin:], match.log, strict=False)):
        events = again.replay(entry)
        out += [line, *(f"{MARGIN}{gramy.say(event, names=match.names)}" for event in events)]
        if number in shown:
            out += views(again)
    return "\n".join([*out, lines[-1]]) + "\n"


def views(match: Match) -> Iterator[str]:
    """Yield the position and the view of each seat."""
    yield f"{MARGIN}position {match.position}"
    for seat in (None, *range(match.game.players)):
        who = "spectator" if seat is None else f"seat {seat}"
        yield f"{MARGIN}{who} {json.dumps(to_builtins(match.view(seat)), ensure_ascii=False, sort_keys=True)}"


def path(transcript: Transcript) -> Path:
    return FOLDER / f"{transcript.name}.txt"


def main() -> None:
    """Rewrite every transcript and remove those that are no longer written."""
    kept = {path(transcript) for transcript in TRANSCRIPTS}
    for file in set(FOLDER.glob("*.txt")) - kept:
        file.unlink()
    for transcript in TRANSCRIPTS:
        path(transcript).write_text(annotated(transcript), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
