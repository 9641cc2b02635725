"""GRA as text: cards, moves and positions."""

from collections.abc import Iterable

from gramy import notation
from gramy.cards import ROW, PerSeat, bit_of, code_of, count, from_positions, per_seat, positions, row_of
from gramy.contract import NOBODY
from gramy.errors import BadPosition, IllegalMove, UnreadableMove
from gramy.games.gra.rules import (
    BIDDING,
    CHECK,
    CHOOSE,
    CHOOSING,
    DEALING,
    FULL,
    LOT,
    NAME,
    NO_BID,
    OVER,
    PAIRS,
    PHASES,
    RIGHT,
    START,
    STARTING,
    VALUES,
    Bid,
    Options,
    Score,
    State,
    declaring,
    following,
    in_play,
    start,
)
from gramy.messages import Message

FACES = tuple(f"{low}{high}" for low, high in PAIRS)
CARDS = {faces: 2 * pair for pair, faces in enumerate(FACES)}


def parse_card(word: str) -> int | None:
    return CARDS.get(word)


def format_card(card: int) -> str:
    return FACES[card // 2]


def parse_move(state: State, seat: int, words: tuple[str, ...]) -> int:
    if words == ("check",):
        return code_of(CHECK, 0)
    if words == ("start",):
        return START
    if words[0] == "choose":
        return code_of(CHOOSE, _picks(state, seat, words[1:]))
    number, x, value = words[1].partition("x") if words[0] == "bid" and len(words) > 1 else ("", "", "")
    if not (
        x and _digits(number) and value in "123456" and len(value) == 1 and words[2:] in ((), ("left",), ("right",))
    ):
        raise UnreadableMove(Message("unreadable", {"move": " ".join(words)}, NAME))
    if int(number) >= ROW:
        raise IllegalMove(Message("bid_out_of_range", {"most": in_play(state.score)}, NAME))
    if state.phase == BIDDING and declaring(state) != (len(words) == 3):
        raise IllegalMove(Message("say_direction" if declaring(state) else "no_direction_now", {}, NAME))
    row = int(value) - 1 + (RIGHT if words[2:] == ("right",) else 0)
    return code_of(row, int(number))


def _digits(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 4 and (word == "0" or word[0] != "0")


def _picks(state: State, seat: int, words: tuple[str, ...]) -> int:
    """Return which face of each card is chosen, in hand order: `choose 4 2` turns a 14 to its 4 and a 25 to its 2."""
    hand = positions(state.hands[seat])
    if not words or any(len(word) != 1 or word not in "123456" for word in words):
        raise UnreadableMove(Message("unreadable", {"move": " ".join(["choose", *words])}, NAME))
    if state.phase != CHOOSING:
        return 0
    if len(words) != len(hand):
        raise IllegalMove(Message("choose_every_card", {"cards": len(hand), "chosen": len(words)}, NAME))
    picks = 0
    for at, (card, word) in enumerate(zip(hand, words, strict=True)):
        if word not in format_card(card):
            raise IllegalMove(Message("face_not_on_card", {"card": format_card(card), "face": int(word)}, NAME))
        picks |= format_card(card).index(word) << at
    return picks


def format_move(state: State, seat: int, code: int) -> str:
    row, bit = row_of(code), bit_of(code)
    if row == CHECK:
        return "start" if code == START else "check"
    if row == CHOOSE:
        return "choose " + " ".join(str(face) for face in chosen_faces(state.hands[seat], bit))
    way = (" right" if row >= RIGHT else " left") if declaring(state) else ""
    return f"bid {bit}x{row % VALUES + 1}{way}"


def format_moves(state: State, seat: int, codes: Iterable[int]) -> list[str]:
    return [format_move(state, seat, code) for code in codes]


def chosen_faces(hand: int, picks: int) -> tuple[int, ...]:
    """Return the faces that count, in hand order."""
    return tuple(PAIRS[card // 2][picks >> at & 1] for at, card in enumerate(positions(hand)))


KEYS = ("phase", "turn", "way", "bid", "by", "opened", "sizes", "active", "tie", "hands", "picks", "ready")


def format_position(state: State) -> str:
    """Return a state as one line; `;` or `,` separates seats, and `picks` has the chosen faces:

    phase=bidding turn=1 way=left bid=3x4 by=0 opened=4 sizes=2,1 active=0,1 tie=0 hands=14,25;36 picks=4,2;3 ready=0,1
    """
    players, bid = state.variant.players, state.bid
    hands, picks = state.hands[:players], state.picks[:players]
    shown_faces = [chosen_faces(hand, pick) for hand, pick in zip(hands, picks, strict=True)]
    words = {
        "phase": PHASES[state.phase],
        "turn": "-" if state.turn == NOBODY else str(state.turn),
        "way": "left" if state.step == 1 else "right",
        "bid": f"{bid.number}x{bid.value}" if bid.number else "-",
        "by": str(bid.bidder) if bid.number else "-",
        "opened": str(bid.opened) if bid.number else "-",
        "sizes": ",".join(str(size) for size in state.score.sizes[:players]),
        "active": ",".join(str(seat) for seat in positions(state.score.active)),
        "tie": str(state.score.tie),
        "hands": ";".join(",".join(format_card(card) for card in positions(hand)) or "-" for hand in hands),
        "picks": ";".join(",".join(map(str, faces)) or "-" for faces in shown_faces),
        "ready": ",".join(str(seat) for seat in positions(state.ready)) or "-",
    }
    return " ".join(f"{key}={words[key]}" for key in KEYS)


def parse_position(options: Options, line: str) -> State:
    words = notation.fields(line, KEYS)
    players, fresh = options.players, start(options)
    if words["phase"] not in PHASES:
        raise BadPosition(Message("position_value", {"key": "phase", "value": words["phase"]}))
    if words["way"] not in ("left", "right"):
        raise BadPosition(Message("position_value", {"key": "way", "value": words["way"]}))
    ready = from_positions(_seats("ready", words["ready"], players))
    hands = _hands(notation.each("hands", words["hands"], players))
    state = State(
        phase=PHASES.index(words["phase"]),
        turn=notation.number("turn", words["turn"], range(-1, players)),
        step=1 if words["way"] == "left" else -1,
        bid=_bid(words, players),
        hands=hands,
        picks=_picked(notation.each("picks", words["picks"], players), hands, ready),
        ready=ready,
        score=Score(
            sizes=per_seat(notation.numbers("sizes", words["sizes"], range(FULL + 1), players)),
            active=from_positions(_seats("active", words["active"], players)),
            tie=notation.number("tie", words["tie"], range(2)),
        ),
        variant=fresh.variant,
    )
    unstarted = state.phase in (LOT, STARTING)
    if unstarted and state != fresh:
        raise BadPosition(Message("position_unstarted"))
    if not unstarted and not _possible(state):
        raise BadPosition(Message("position_turn"))
    return state


def _possible(state: State) -> bool:
    """Return whether the parts of a position agree with each other."""
    phase, active, sizes, bid = state.phase, state.score.active, state.score.sizes, state.bid
    seats = positions(active)
    if state.step == -1 and not state.variant.directions:
        return False
    limit = 0 if state.variant.fewer else FULL
    out = [sizes[seat] for seat in range(state.variant.players) if seat not in seats]
    if phase == OVER:
        ended = all(size == limit for size in out) if state.variant.longer else limit in out
        return len(seats) == 1 and ended and state.turn != NOBODY and bid.number > 0
    broken = limit in out if state.score.tie else not out  # G13: a tie begins when somebody is out
    if not (all(size == limit for size in out) and not state.score.tie if state.variant.longer else broken):
        return False
    if state.turn not in seats or len(seats) < 2 or any(not 1 <= sizes[seat] < FULL for seat in seats):
        return False
    dealt = tuple(seat for seat in range(6) if state.hands[seat])
    if any(seat not in seats or count(state.hands[seat]) != sizes[seat] for seat in dealt):
        return False
    unopened = bid == NO_BID and state.step == 1
    if phase == DEALING:
        return unopened and dealt != seats and dealt == seats[: len(dealt)] and not state.ready
    if phase == CHOOSING:
        return unopened and dealt == seats and state.ready & ~active == 0 and state.ready != active
    if dealt != seats or state.ready != active:
        return False
    if bid == NO_BID:
        return unopened
    answering = bid.bidder in seats and state.turn == following(bid.bidder, state.step, active)
    return answering and bid.number <= in_play(state.score)


def _bid(words: dict[str, str], players: int) -> Bid:
    if (words["bid"], words["by"], words["opened"]) == ("-", "-", "-"):
        return NO_BID
    number, _, value = words["bid"].partition("x")
    return Bid(
        notation.number("bid", number, range(1, 31)),
        notation.number("bid", value, range(1, VALUES + 1)),
        notation.number("by", words["by"], range(players)),
        notation.number("opened", words["opened"], range(1, VALUES + 1)),
    )


def _seats(key: str, word: str, players: int) -> list[int]:
    seats = [] if word == "-" else [notation.number(key, part, range(players)) for part in word.split(",")]
    if seats != sorted(set(seats)):
        raise BadPosition(Message("position_value", {"key": key, "value": word}))
    return seats


def _hands(parts: list[str]) -> PerSeat:
    """Return the hands. Of two equal cards the first goes to the first seat that names it, as in a deal."""
    taken: list[int] = []
    hands = []
    for part in parts:
        hand: list[int] = []
        for word in [] if part == "-" else part.split(","):
            first = parse_card(word)
            card = None if first is None else next((copy for copy in (first, first + 1) if copy not in taken), None)
            if card is None or (hand and card < hand[-1]):
                raise BadPosition(Message("position_value", {"key": "hands", "value": part}))
            hand.append(card)
            taken.append(card)
        hands.append(from_positions(hand))
    return per_seat(hands)


def _picked(parts: list[str], hands: PerSeat, ready: int) -> PerSeat:
    """Return the chosen faces; a seat that has not confirmed has the lower ones."""
    picks = []
    for seat, part in enumerate(parts):
        faces = [] if part == "-" else part.split(",")
        cards = [format_card(card) for card in positions(hands[seat])]
        turned = [card.find(face) if len(face) == 1 else -1 for card, face in zip(cards, faces, strict=False)]
        if len(faces) != len(cards) or -1 in turned or (any(turned) and not ready >> seat & 1):
            raise BadPosition(Message("position_value", {"key": "picks", "value": part}))
        picks.append(sum(which << at for at, which in enumerate(turned)))
    return per_seat(picks)
