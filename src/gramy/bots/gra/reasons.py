"""Why a move of GRA is advised: which claims are likely, which is certain, and what the faces are good for.

The probabilities are those of `bid_probability`, which uses the own cards and the bids only.
"""

from __future__ import annotations

from gramy.bots.gra.bid_probability import count_hits
from gramy.bots.gra.observation import Action, parse_bid, parse_faces, variant_of
from gramy.bots.reasons import CERTAIN, EVEN, Recommendation, by_figures, first_reason, shown_chance
from gramy.cards import lowest
from gramy.contract import START
from gramy.games.gra import NAME
from gramy.games.gra.rules import VALUES, Bid, higher
from gramy.messages import Message, Reason

LIKELY = 0.5
"""A claim of at least this probability is called likely."""


def explain(advised: Recommendation) -> Reason:
    """Return why a move of GRA is advised."""
    if advised.move == START:
        return Message("why_start", {"chance": shown_chance(advised.chances[START])}, NAME)
    if advised.instead is None:
        return by_figures(advised)
    return first_reason(DETECTORS, advised) or by_figures(advised)


# --- choosing faces ---------------------------------------------------------------------------------------------------


def faces_together(advised: Recommendation) -> Reason | None:
    """Several cards count for one value: as many as possible, and more or higher ones than by the other move."""
    if not advised.move.startswith("choose") or advised.instead is None:
        return None
    jokers = variant_of(advised.view).jokers == 1
    number, value = _most_alike(advised.move, jokers)
    if number < 2 or number < max(_most_alike(move, jokers)[0] for move in advised.view.moves):
        return None
    if (number, value) <= _most_alike(advised.instead, jokers):
        return None
    return Message("why_faces_together", {"number": number, "value": value}, NAME)


def faces_joker(advised: Recommendation) -> Reason | None:
    """The faces have more ones than those of the other move, and ones are jokers."""
    if not advised.move.startswith("choose") or advised.instead is None or variant_of(advised.view).jokers != 1:
        return None
    more = parse_faces(advised.move).count(1) > parse_faces(advised.instead).count(1)
    return Message("why_faces_joker", {}, NAME) if more else None


def faces_high(advised: Recommendation) -> Reason | None:
    """The faces show higher values than those of the other move: a bid on a higher value is higher."""
    if not advised.move.startswith("choose") or advised.instead is None:
        return None
    faces, others = parse_faces(advised.move), parse_faces(advised.instead)
    if sum(faces) <= sum(others) or max(faces) <= max(others):
        return None
    return Message("why_faces_high", {"value": max(faces)}, NAME)


def _most_alike(move: str, jokers: bool) -> Action:
    """Return for how many cards of a choice one value counts, and the highest such value."""
    hits = count_hits(parse_faces(move), jokers)
    return max((hits[value], value) for value in range(1, VALUES + 1))


# --- bids that were made ----------------------------------------------------------------------------------------------


def made_impossible(advised: Recommendation) -> Reason | None:
    """The own cards showed that the bid that was made is false."""
    if not advised.made or not (advised.instead or "").startswith("bid"):
        return None
    assert advised.instead is not None
    if advised.claims[advised.instead] > CERTAIN:
        return None
    return Message("why_other_impossible", {"other": _bid(advised.instead)}, NAME)


# --- checking ---------------------------------------------------------------------------------------------------------


def check_certain(advised: Recommendation) -> Reason | None:
    """The own cards show that the standing bid is false."""
    if advised.move != "check" or advised.claims["check"] < 1 - CERTAIN:
        return None
    return Message("why_check_certain", {"bid": _standing(advised)}, NAME)


def check_unlikely(advised: Recommendation) -> Reason | None:
    """The standing bid is unlikely, and every higher bid is at most as likely as that it is false, or impossible."""
    if advised.move != "check":
        return None
    holds, raises = 1 - advised.claims["check"], _likeliest_bid(advised)
    if holds >= LIKELY or raises > 1 - holds:
        return None
    if raises < CERTAIN:
        return Message("why_check_no_raise", {"bid": _standing(advised), "chance": shown_chance(holds)}, NAME)
    values = {"bid": _standing(advised), "chance": shown_chance(holds), "second": shown_chance(raises)}
    return Message("why_check_unlikely", values, NAME)


def check_wins_more(advised: Recommendation) -> Reason | None:
    """Checking wins the match more often than every bid."""
    bids = [chance for move, chance in advised.chances.items() if move != "check"]
    if advised.move != "check" or not bids or advised.chances["check"] - max(bids) < EVEN:
        return None
    holds = shown_chance(1 - advised.claims["check"])
    values = {"bid": _standing(advised), "chance": holds, "second": shown_chance(max(bids))}
    return Message("why_check_wins_more", values, NAME)


# --- bidding ----------------------------------------------------------------------------------------------------------


def bid_certain(advised: Recommendation) -> Reason | None:
    """The own cards make the bid true."""
    if not advised.move.startswith("bid") or advised.claims[advised.move] < 1 - CERTAIN:
        return None
    return Message("why_bid_certain", {"bid": _bid(advised.move)}, NAME)


def bid_standing_true(advised: Recommendation) -> Reason | None:
    """The own cards make the standing bid true, so checking would lose the round."""
    if not advised.move.startswith("bid") or advised.claims.get("check", 1.0) > CERTAIN:
        return None
    values = {
        "standing": _standing(advised),
        "bid": _bid(advised.move),
        "chance": shown_chance(advised.claims[advised.move]),
    }
    return Message("why_bid_standing_true", values, NAME)


def bid_not_check(advised: Recommendation) -> Reason | None:
    """The bid is likelier to be true than the standing bid is to be false, and the other move was not a bid."""
    false = advised.claims.get("check")
    if not advised.move.startswith("bid") or false is None or advised.claims[advised.move] <= false + EVEN:
        return None
    if advised.made and advised.instead != "check":
        return None
    values = {
        "bid": _bid(advised.move),
        "chance": shown_chance(advised.claims[advised.move]),
        "standing": _standing(advised),
        "second": shown_chance(false),
    }
    return Message("why_bid_not_check", values, NAME)


def bid_likelier(advised: Recommendation) -> Reason | None:
    """The bid is likelier to be true than the other move, which is a bid too."""
    if not advised.move.startswith("bid") or not (advised.instead or "").startswith("bid"):
        return None
    assert advised.instead is not None
    chance, second = advised.claims[advised.move], advised.claims[advised.instead]
    if chance < LIKELY or chance <= second + EVEN:
        return None
    values = {
        "bid": _bid(advised.move),
        "chance": shown_chance(chance),
        "other": _bid(advised.instead),
        "second": shown_chance(second),
    }
    return Message("why_bid_likelier", values, NAME)


def bid_hard_to_raise(advised: Recommendation) -> Reason | None:
    """The bid is likely, and every higher bid is less likely. An opening on ones would change what jokers count."""
    if not advised.move.startswith("bid") or advised.claims[advised.move] < LIKELY:
        return None
    if advised.view.board.ones_are_jokers and advised.view.board.bid is None and parse_bid(advised.move)[1] == 1:
        return None
    above = [advised.claims[move] for move in _bids_above(advised) if move in advised.claims]
    if not above or max(above) >= advised.claims[advised.move] - EVEN:
        return None
    values = {
        "bid": _bid(advised.move),
        "chance": shown_chance(advised.claims[advised.move]),
        "second": shown_chance(max(above)),
    }
    return Message("why_bid_hard_to_raise", values, NAME)


def bid_bluff(advised: Recommendation) -> Reason | None:
    """The bid is unlikely, but checking wins the match less often."""
    check = advised.chances.get("check")
    if not advised.move.startswith("bid") or advised.claims[advised.move] >= LIKELY or check is None:
        return None
    if advised.chances[advised.move] - check < EVEN:
        return None
    values = {"chance": shown_chance(advised.claims[advised.move]), "second": shown_chance(check)}
    return Message("why_bid_bluff", values, NAME)


def bid_figures(advised: Recommendation) -> Reason | None:
    """Any other bid: how likely it is."""
    if not advised.move.startswith("bid"):
        return None
    values = {"bid": _bid(advised.move), "chance": shown_chance(advised.claims[advised.move])}
    return Message("why_bid_figures", values, NAME)


def _standing(advised: Recommendation) -> str:
    """Return the standing bid as it is written in a move: `3x6`."""
    bid = advised.view.board.bid
    return f"{bid.number}x{bid.value}"


def _bid(move: str) -> str:
    """Return the number and the value of a bid as its move has them."""
    return move.split()[1]


def _likeliest_bid(advised: Recommendation) -> float:
    """Return the probability of the likeliest legal bid, 0 without one."""
    return max((claim for move, claim in advised.claims.items() if move.startswith("bid")), default=0.0)


def _bids_above(advised: Recommendation) -> list[str]:
    """Return the lowest bid on each value that is higher than the advised one."""
    number, value = parse_bid(advised.move)
    most, order = advised.view.board.in_play, variant_of(advised.view).quantity_first
    rows = {other: higher(Bid(number, value, 0, 0), other, most, order) for other in range(1, VALUES + 1)}
    way = " ".join(advised.move.split()[2:])
    return [f"bid {lowest(row)}x{other} {way}".strip() for other, row in rows.items() if row]


DETECTORS = (
    *(faces_together, faces_joker, faces_high),
    made_impossible,
    *(check_certain, check_unlikely, check_wins_more),
    *(bid_certain, bid_standing_true, bid_not_check, bid_likelier, bid_hard_to_raise, bid_bluff, bid_figures),
)
