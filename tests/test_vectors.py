"""The vectors of vectors.json: positions and the expected results of moves, played through the public API.

A vector says only what matters. The rest of its position is filled in here: decks and other hands with any cards that
are left, and such a second card that the one in question is refused for its own sake. `src` names line and ruling.
"""

import json
from pathlib import Path

import pytest

import gramy
from gramy.contract import Outcome

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
IDS = {
    "F2F": [f"vF{number:02}" for number in range(1, 40)],
    "QE": [f"vQ{number:02}" for number in range(1, 28)],
    "GRA": [f"vG{number:02}" for number in range(1, 31)],
}
REFUSED_TURNS = {"vF31": "one_help_per_turn", "vF32": "lay_two", "vQ13": "one_card_in_pro"}


def refusal(match, move, seat=0):
    """Play a move; return the key of the reason why it is refused, None when it was made."""
    try:
        match.play(move, seat)
    except gramy.IllegalMove as error:
        return error.message.key
    return None


def turn_is_legal(match, moves, expect, name):
    """Play the moves of a turn, or check why one of them is refused; return whether the turn is legal."""
    if expect["legal"]:
        for move in moves:
            match.play(move, 0)
    else:
        keys = [refusal(match, move) for move in [*moves, "end"]]
        assert next(key for key in keys if key) == REFUSED_TURNS[name]
    return expect["legal"]


def deal(match, *wanted):
    """Deal the wanted cards first, then any; return how many were dealt."""
    words, number = match.game.deal_pool(match.state)
    cards = list(dict.fromkeys([*wanted, *words])) if match.game.name != "gra" else list(wanted)
    match.play("deal " + " ".join(cards[:number]), gramy.DEALER)
    return number


# --- Face to Face -----------------------------------------------------------------------------------------------------

OWN = {"asc": "up", "desc": "down"}
NUMBERS = set(range(2, 60))


def duel(me, foe, *, seat=0, laid=0, **options):
    """Return a match in which I am seat 0; each side is `asc`, `desc`, `hand` and `deck`, both lists of cards."""
    sides = [{"asc": 1, "desc": 60, "deck": [], **side} for side in (me, foe)]
    line = f"seat={seat} laid={laid} helped=0 draw=0"
    line += f" up={sides[0]['asc']},{sides[1]['asc']} down={sides[0]['desc']},{sides[1]['desc']}"
    for key in ("hand", "deck"):
        line += f" {key}=" + ";".join(",".join(str(card) for card in sorted(side[key])) or "-" for side in sides)
    game = gramy.game("face-to-face", **options)
    return gramy.Match(game, position=game.parse_position(line))


def unseen(number, *seen):
    """Return this many cards of a set that are not among those seen."""
    return sorted(NUMBERS - {card for cards in seen for card in cards})[:number]


def pile_of(whose, direction):
    return OWN[direction] if whose == "own" else f"help-{OWN[direction]}"


def half(match, seat):
    return match.view(None).board.halves[seat]


def f2f_place(state, action, expect, name):
    """One card on one pile; a second card of the hand fits my other pile, which is untouched."""
    pile, card = state["pile"], action["card"]
    seat = 0 if state["whose"] == "own" else 1
    spare = 59 if (seat, pile["dir"]) == (0, "asc") else 2
    spare = spare if spare != card else 30
    mine, theirs = {"hand": [card, spare], "deck": unseen(3, [card, spare])}, {"hand": [20, 21]}
    (mine, theirs)[seat][pile["dir"]] = pile["top"]
    match = duel(mine, theirs)
    key = refusal(match, f"{pile_of(state['whose'], pile['dir'])} {card}")
    wrong = {"up": "too_low", "down": "too_high", "help-up": "must_improve_up", "help-down": "must_improve_down"}
    untouched = seat == 1 and pile["top"] in (1, 60)
    why = "nothing_to_improve" if untouched else wrong[pile_of(state["whose"], pile["dir"])]
    assert key == (None if expect["legal"] else why)
    shown = half(match, seat).up if pile["dir"] == "asc" else half(match, seat).down
    assert shown == expect.get("top", pile["top"])


def f2f_chain(state, action, expect, name):
    """Cards one after the other on an own pile; a seventh card comes in the next turn, since a hand has six."""
    assert (state["whose"], expect["legal"]) == ("own", True)
    pile, cards = state["pile"], action["cards"]
    verb, (first, later) = OWN[pile["dir"]], (cards[:6], cards[6:])
    spare = [59 if pile["dir"] == "asc" else 2]
    match = duel({pile["dir"]: pile["top"], "hand": first, "deck": [*later, *spare]}, {"hand": [20, 21, 22]})
    for card in first:
        match.play(f"{verb} {card}", 0)
    if later:
        match.play("end", 0)
        deal(match, *map(str, later))
        for move in ("up 20", "up 21", "end"):
            match.play(move, 1)
        for card in later:
            match.play(f"{verb} {card}", 0)
    assert (half(match, 0).up if verb == "up" else half(match, 0).down) == expect["top"]


def f2f_draw(state, action, expect, name):
    hand = list(range(10, 10 + state["hand"]))
    match = duel({"hand": hand, "deck": unseen(state["deck"], hand)}, {"asc": 50, "hand": [20, 21]})
    for _ in range(action["own"]):
        match.play(f"up {hand.pop(0)}", 0)
    for _ in range(action["opp"]):
        match.play(f"help-up {hand.pop(0)}", 0)
    match.play("end", 0)
    assert deal(match) == expect["draw"]
    assert (half(match, 0).in_hand, half(match, 0).in_deck) == (expect["hand"], expect["deck"])


def f2f_turn(state, action, expect, name):
    me = {**state["me"], "deck": unseen(state["me"]["deck"], state["me"]["hand"])}
    match = duel(me, {**state["opp"], "hand": [20, 21], "deck": [22, 23]})
    moves = [f"{pile_of(whose, direction)} {card}" for card, whose, direction in action["plays"]]
    if not turn_is_legal(match, moves, expect, name):
        return
    for seat, side in enumerate((expect["me"], expect["opp"])):
        assert (half(match, seat).up, half(match, seat).down) == (side["asc"], side["desc"])
    if expect["result"] == "win":
        assert match.outcome == Outcome((0,), "all_laid", {})
        assert (match.to_act, expect["draw"]) == ((), 0)
    else:
        assert expect["result"] is None
        match.play("end", 0)
        assert deal(match) == expect["draw"]
        assert match.outcome is None
    assert (half(match, 0).in_hand, half(match, 0).in_deck) == (expect["hand"], expect["deck"])


def f2f_start(state, action, expect, name):
    """The opponent ends a turn without drawing, and so mine begins."""
    me = {**state["me"], "deck": unseen(state["me"]["deck"], state["me"]["hand"])}
    match = duel(me, {**state["opp"], "hand": [21, 22]}, seat=1, laid=2)
    match.play("end", 1)
    if expect["result"] == "loss":
        assert match.outcome == Outcome((1,), "stuck", {"seat": 0})
    else:
        assert expect["result"] is None
        assert (match.outcome, match.to_act) == (None, (0,))
        assert match.moves(0)


def f2f_first(state, action, expect, name):
    """A first card under both values of `dead_end`."""
    me = {**state["me"], "deck": unseen(state["me"]["deck"], state["me"]["hand"])}
    card, whose, direction = action["play"]
    for option in ("reject", "loss"):
        match = duel(me, {**state["opp"], "hand": [21, 22]}, dead_end=option)
        key = refusal(match, f"{pile_of(whose, direction)} {card}")
        assert (key, match.outcome) == {
            "illegal": ("leaves_no_second_card", None),
            "loss": (None, Outcome((1,), "dead_end", {"seat": 0})),
            "legal": (None, None),
        }[expect[option]]


# --- Quick & Easy -----------------------------------------------------------------------------------------------------

CARDS = [f"{letter}{number}" for letter in "RBGYS" for number in range(1, 11)]
SAYINGS = {
    "fairly high yellow, medium blue": ["yellow highish", "blue middle"],
    "red card twice the one lying there": ["red card twice the one lying there", "red twice", "red 8"],
    "high yellow": ["yellow high", "yellow highish"],
    "I hold yellow and blue": ["yellow", "blue"],
}


def table(hands, *, asc=None, desc=None, deck=(), seat=0, laid=0, **options):
    words = [",".join(cards) or "-" for cards in (*hands, deck)]
    line = f"seat={seat} laid={laid} draw=0 up={asc or '-'} down={desc or '-'}"
    game = gramy.game("quick-easy", players=len(hands), **options)
    return gramy.Match(game, position=game.parse_position(f"{line} hands={';'.join(words[:-1])} deck={words[-1]}"))


def rest(number, *seen):
    """Return this many cards that are not among those seen."""
    left = [card for card in CARDS if card not in seen]
    assert len(left) >= number
    return left[:number]


def tops(match):
    board = match.view(None).board
    return board.up, board.down


def qe_place(state, action, expect, name):
    """One card on one pile; the other pile is empty and takes any, so nobody is stuck."""
    pile, card = state["pile"], action["card"]
    match = table([[card], rest(2, card, pile["top"])], **{pile["dir"]: pile["top"]})
    key = refusal(match, f"{OWN[pile['dir']]} {card}")
    assert key == (None if expect["legal"] else {"up": "too_low", "down": "too_high"}[OWN[pile["dir"]]])
    assert tops(match)[["asc", "desc"].index(pile["dir"])] == expect.get("top", pile["top"])


def qe_chain(state, action, expect, name):
    """Two players lay the cards by turns, and each is dealt the card of their next turn."""
    assert (state["pile"]["top"], expect["legal"]) == (None, True)
    cards = action["cards"]
    spare = rest(12, *cards)
    match = table([[cards[0], spare[0]], [cards[1], spare[1]]], deck=[*cards[2:], *spare[2:]])
    for at, card in enumerate(cards):
        match.play(f"{OWN[state['pile']['dir']]} {card}", at % 2)
        match.play("end", at % 2)
        deal(match, *cards[at + 2 : at + 3])
    assert expect["top"] in tops(match)


def qe_turn(state, action, expect, name):
    """A turn of the first of three players."""
    seen = [*state["hand"], state["asc"], state["desc"]]
    others = rest(4, *seen)
    match = table(
        [state["hand"], others[:2], others[2:]],
        asc=state["asc"],
        desc=state["desc"],
        deck=rest(state["deck"], *seen, *others),
        pro=state.get("variant") == "pro",
    )
    moves = [f"{OWN[direction]} {card}" for card, direction in action["plays"]]
    if not turn_is_legal(match, moves, expect, name):
        return
    assert tops(match) == (expect["asc"], expect["desc"])
    match.play("end", 0)
    assert deal(match) == expect["draw"]
    board = match.view(None).board
    assert (board.in_hand[0], board.in_deck) == (expect["hand"], expect["deck"])


def qe_start(state, action, expect, name):
    """The player before ends a turn, drawing one card while there are any, and so the turn of seat 1 begins."""
    seen = [*state["hand"], state["asc"], state["desc"]]
    before, after = rest(3, *seen)[:1], rest(3, *seen)[1:]
    pile = state["deck"] and rest(state["deck"] + 1, *seen, *before, *after)
    match = table([before, state["hand"], after], asc=state["asc"], desc=state["desc"], deck=pile or [], laid=1)
    match.play("end", 0)
    if pile:
        deal(match)
    assert match.view(None).board.in_deck == state["deck"]
    if expect["result"] == "loss":
        assert (match.outcome.winners, match.outcome.key, match.outcome.values["seat"]) == ((), "stuck", 1)
    else:
        assert (match.outcome, match.to_act) == (None, {"skip": (2,), None: (1,)}[expect["result"]])


def qe_talk(state, action, expect, name):
    match = table([["R1", "R2"], ["R3", "R4"]], pro=state["variant"] == "pro")
    for phrase in SAYINGS[action["say"]["text"]]:
        if expect["allowed"]:
            assert match.say(phrase, 0)[0].key == "said"
        else:
            with pytest.raises(gramy.IllegalMove) as caught:
                match.say(phrase, 0)
            assert caught.value.message.key == "no_such_phrase"


# --- GRA --------------------------------------------------------------------------------------------------------------

VARIANTS = {"FEWER": "fewer_cards", "LONGER": "longer_game", "DIRECTION": "directions"}
DECK = [f"{low}{high}" for low in range(1, 6) for high in range(low + 1, 7) for _ in range(2)]


def round_of(faces, starter=0, **options):
    """Return a match with these hands and chosen faces, seat by seat; the starter is to bid."""
    sizes = ",".join(str(len(hand)) for hand in faces)
    seats = ",".join(str(seat) for seat in range(len(faces)))
    blank = ";".join("-" for _ in faces)
    game = gramy.game("gra", players=len(faces), **options)
    line = f"phase=dealing turn={starter} way=left bid=- by=- opened=- sizes={sizes} active={seats} tie=0"
    match = gramy.Match(game, position=game.parse_position(f"{line} hands={blank} picks={blank} ready=-"))
    cards, hands = DECK.copy(), []
    for hand in faces:
        held = []
        for face in hand:
            held.append((next(card for card in cards if str(face) in card), face))
            cards.remove(held[-1][0])
        hands.append(sorted(held))
    for held in hands:
        deal(match, *(card for card, _ in held))
    for seat, held in enumerate(hands):
        match.play("choose " + " ".join(str(face) for _, face in held), seat)
    assert match.to_act == (starter,)
    return match


def written(bid):
    return f"bid {bid[0]}x{bid[1]}"


def board(match):
    return match.view(None).board


def gra_count(state, action, expect, name):
    """Open on the value of the vector, bid the value, check, and compare the count that is revealed."""
    faces = list(state["chosen"].values())
    faces += [[6]] if len(faces) < 2 else []  # somebody has to check; a six counts for none of these values
    assert action["value"] != 6
    match = round_of(faces, jokers=state["joker"], bid_order="quantity_first")
    opened, value = state.get("firstBidValue", action["value"]), action["value"]
    match.play(written([1, opened]))
    if opened != value:
        match.play(written([1 if value > opened else 2, value]))
    (revealed,) = (event for event in match.play("check") if event.key == "revealed")
    assert (revealed.values["value"], revealed.values["count"]) == (value, expect["count"])


def gra_bid(state, action, expect, name):
    for order, key in (("quantity_first", "quantityFirst"), ("value_first", "valueFirst")):
        match = round_of([[1] * 5, [2] * 5], bid_order=order)
        match.play(written(state["prev"]))
        only_more = order == "value_first" and state["prev"][1] == 6
        why = "bid_more" if only_more else f"bid_higher_{order}"
        assert refusal(match, written(action["bid"]), 1) == (None if expect[key] else why)


def gra_bidcap(state, action, expect, name):
    for order in ("quantity_first", "value_first"):
        match = round_of([[1] * (state["T"] - 1), [2]], bid_order=order)
        assert board(match).in_play == state["T"]
        match.play(written(state["prev"]))
        if action.get("options"):
            assert (match.moves(1) == ("check",)) is expect["mustCheck"] is True
        else:
            assert expect["legal"] is False
            assert refusal(match, written(action["bid"]), 1) == "bid_out_of_range"


def gra_check(state, action, expect, name):
    names = list(state["chosen"])
    assert [len(hand) for hand in state["chosen"].values()] == [state["sizes"][one] for one in names]
    match = round_of(list(state["chosen"].values()), names.index(state["bidder"]), jokers=state["joker"])
    match.play(written(state["bid"]))
    assert match.to_act == (names.index(state["checker"]),)
    facts = {event.key: event.values for event in match.play("check")}
    assert facts["revealed"]["holds"] is expect["true"]
    assert names[facts["round_lost"]["seat"]] == expect["loser"]
    assert {expect["winner"], expect["loser"]} == {state["bidder"], state["checker"]}
    assert dict(zip(names, board(match).sizes, strict=True)) == expect["sizes"]
    assert names[board(match).turn] == expect["starter"]
    if expect["end"] is None:
        assert match.outcome is None
    else:
        winner, loser = names.index(expect["end"]["winner"]), names.index(expect["end"]["loser"])
        values = {"cards": expect["sizes"][names[winner]], "loser": loser}
        assert match.outcome == Outcome((winner,), "fewest_cards", values)


def gra_seats(state, action, expect, name):
    {"initialSizes": gra_initial_sizes, "end": gra_end, "next": gra_next}[action["op"]](state, expect)


def gra_initial_sizes(state, expect):
    names = state["players"]
    match = gramy.Match(gramy.game("gra", players=len(names), **{VARIANTS[v]: True for v in state["variant"]}))
    assert dict(zip(names, board(match).sizes, strict=True)) == expect["sizes"]


def gra_next(state, expect):
    names, turn = state["players"], state["players"].index(state["turn"])
    match = round_of([[1]] * len(names), turn, **{VARIANTS[v]: True for v in state["variant"]})
    if len(names) > 2:
        match.play("bid 1x1 " + {"ccw": "right", "cw": "left"}[state["dir"]])
    else:  # with two players the direction is not asked
        assert refusal(match, "bid 1x1 right", turn) == "no_direction_now"
        match.play("bid 1x1")
    assert names[match.to_act[0]] == expect["next"]


def gra_end(state, expect):
    """Play the round that leads to these sizes: the last winner bids truly and the loser checks.

    A round is decided between neighbours. Where the two of the vector are none, the loser is seated next to the
    winner; all others keep their order, and so does everything that the vector asks for.
    """
    fewer = "FEWER" in state["variant"]
    loser, winner = expect.get("gameLoser") or expect["eliminated"], state["lastWinner"]
    names = [one for one in state["players"] if one != loser]
    names.insert(names.index(winner) + 1, loser)
    before = dict(state["sizes"])
    before[loser] += 1 if fewer else -1
    match = round_of(
        [[6 - seat] * before[one] for seat, one in enumerate(names)],
        names.index(winner),
        **{VARIANTS[variant]: True for variant in state["variant"]},
    )
    match.play(written([1, 6]))
    assert match.to_act == (names.index(loser),)
    match.play("check")
    assert dict(zip(names, board(match).sizes, strict=True)) == state["sizes"]
    left = expect.get("tied") or expect["active"]
    assert sorted(names[seat] for seat in board(match).active) == left
    if "starter" in expect:
        assert names[board(match).turn] == expect["starter"]
    if "tieSizes" in expect:
        assert board(match).tie_break
        assert {state["sizes"][one] for one in left} == {expect["tieSizes"]}
        assert board(match).in_play == expect["tieSizes"] * len(left)
    if expect.get("winner"):
        assert match.outcome.winners == (names.index(expect["winner"]),)
    else:
        assert match.outcome is None


def gra_deck(state, action, expect, name):
    match = gramy.Match(gramy.game("gra"))
    match.play("start", 0)
    cards, _ = match.game.deal_pool(match.state)
    assert len(cards) == expect["cards"]
    assert {"".join(cards).count(value) for value in "123456"} == {expect["perValue"]}
    assert len(set(cards)) == expect["pairs"]
    assert {cards.count(card) for card in cards} == {expect["copies"]}
    assert all(low < high for low, high in cards)


# --- who starts -------------------------------------------------------------------------------------------------------


def starting(name, state, action, expect):
    """Play until somebody has started and everybody has cards; return the match."""
    players, seat, lot = state["players"], action["takes"], "starter" in state
    match = gramy.Match(gramy.game(name, players=players, **{"starter": state["starter"]} if lot else {}))
    if expect["dealtBefore"]:
        for at in range(players):
            deal(match, f"R{at + 1}", f"B{at + 1}")
    if lot:
        match.play(f"deal first {seat}", gramy.DEALER)
    else:
        assert match.to_act == tuple(range(players))
        match.play("start", seat)
    while match.to_act == (gramy.DEALER,):
        words, number = match.game.deal_pool(match.state)
        match.play("deal " + " ".join(words[:number]), gramy.DEALER)
    return match


def qe_starter(state, action, expect, name):
    """Whoever starts has the first turn, and the others follow clockwise; each lays a red card."""
    match = starting("quick-easy", state, action, expect)
    assert bool(match.game.phrases()) is expect["talkBefore"]
    for seat in expect["order"]:
        assert match.to_act == (seat,)
        match.play(match.moves(seat)[0], seat)
        match.play("end", seat)
        deal(match)


def gra_starter(state, action, expect, name):
    """Whoever starts opens the first round, and the others follow clockwise."""
    match = starting("gra", state, action, expect)
    for seat in range(state["players"]):
        match.play(match.moves(seat)[0], seat)
    for number, seat in enumerate(expect["order"], 1):
        assert match.to_act == (seat,)
        match.play(f"bid {number}x1", seat)


# --- all of them ------------------------------------------------------------------------------------------------------

OPS = {
    "F2F": {
        "place": f2f_place, "chain": f2f_chain, "draw": f2f_draw,
        "turn": f2f_turn, "start": f2f_start, "first": f2f_first,
    },
    "QE": {"qplace": qe_place, "qchain": qe_chain, "qturn": qe_turn, "qstart": qe_start, "talk": qe_talk,
           "qstarter": qe_starter},
    "GRA": {
        "count": gra_count, "bid": gra_bid, "bidcap": gra_bidcap,
        "check": gra_check, "seats": gra_seats, "deck": gra_deck, "starter": gra_starter,
    },
}  # fmt: skip


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector):
    OPS[vector["game"]][vector["op"]](vector["state"], vector["action"], vector["expect"], vector["id"])


def test_all_96_vectors_are_here_and_every_kind_is_known_and_used():
    assert [vector["id"] for vector in VECTORS] == [name for game in OPS for name in IDS[game]]
    assert len(VECTORS) == 96
    used = {(vector["game"], vector["op"]) for vector in VECTORS}
    assert used == {(game, op) for game, ops in OPS.items() for op in ops}
