"""The strongest host: knows the server's seed, sees every message as it arrives, plays a seat and speaks last.

In the old one-phase scheme such a host chose the cards; the same search gains nothing when all commit first.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial

from gramy.fair import Deal, Exchange, client_commitment, drawn, table_hash
from gramy.table.dealing import commit, deal_of, exchange_of, proceed, reveal
from gramy.table.state import TableState
from tests.table.test_dealing import full, now, refusal

SEED = 20_261  # every random number of this file
DECK = 10  # the first card is one of so many
DEALS = 2000
SEARCH = 60  # client seeds that the host tries for each deal
TABLE = table_hash("table")
LIMIT = 46.3
"""Chi-square with 9 degrees of freedom exceeds this once in two million times."""


def chi_square(counted: Counter[int]) -> float:
    expected = counted.total() / DECK
    return sum((counted[card] - expected) ** 2 / expected for card in range(DECK))


def first_card(deal: Deal) -> int:
    return drawn(deal.key, 0, range(DECK), 1)[0]


def random_seed(rng: random.Random) -> str:
    return f"{rng.getrandbits(128):032x}"


def candidates(rng: random.Random, number: int = SEARCH) -> Iterator[str]:
    return (random_seed(rng) for _ in range(number))


def two_phase(server: str, honest: str, hosts: str, attempt: int = 1) -> Deal:
    deal = Deal(server, (honest, hosts), Exchange(TABLE, 1, ("", ""), True))
    assert deal.exchange is not None
    place = TABLE, 1, attempt
    listed = tuple(client_commitment(*place, seat, deal.commitment, one) for seat, one in enumerate((honest, hosts)))
    return deal._replace(exchange=deal.exchange._replace(commitments=listed))


def one_phase_card(rng: random.Random) -> int:
    """The host has read the honest client seed, and sends the best of many client seeds."""
    server, honest = random_seed(rng), random_seed(rng)
    return max(first_card(Deal(server, (honest, one))) for one in candidates(rng))


def two_phase_card(rng: random.Random) -> int:
    """The host must fix a client seed while the honest one is unknown: it takes the best against guesses."""
    server, honest = random_seed(rng), random_seed(rng)
    guess = random_seed(rng)
    hosts = max(candidates(rng), key=lambda one: first_card(two_phase(server, guess, one)))
    return first_card(two_phase(server, honest, hosts))


def test_searching_client_seeds_chose_the_first_card_in_one_phase_and_does_not_in_two() -> None:
    rng = random.Random(SEED)
    old = Counter(one_phase_card(rng) for _ in range(DEALS // 10))
    new = Counter(two_phase_card(rng) for _ in range(DEALS // 10))
    assert chi_square(old) > 100 * LIMIT / DECK, old
    assert old[DECK - 1] > 0.95 * old.total()  # nearly always the best card
    assert chi_square(new) < LIMIT, new
    honest_last = Counter(
        first_card(two_phase("the host's seed", random_seed(rng), "the host's client seed")) for _ in range(DEALS)
    )
    assert chi_square(honest_last) < LIMIT, honest_last  # uniform, whatever the host has fixed


def test_fifty_thousand_client_seeds_do_not_open_the_commitment_that_was_listed() -> None:
    """At a real table: after the honest client seed is known, the host tries to reveal another seed than its own."""
    rng = random.Random(SEED)
    table = full("Ada", "Host")
    for seat, seed in enumerate(("honest", "hosts")):
        table = given(table, seat, seed)
    table = proceed(reveal(table, now(), seat=0, round=1, attempt=1, client_seed="honest"), now())
    deal, exchange = deal_of(table), exchange_of(table)
    place = exchange.table, 1, 1, 1, deal.commitment
    listed = exchange.commitments[1]
    assert not any(client_commitment(*place, one) == listed for one in candidates(rng, 50_000))
    for one in candidates(rng, 5):
        step = partial(reveal, seat=1, round=1, attempt=1, client_seed=one)
        assert refusal(step, table, now()) == "wrong_reveal"


def given(table: TableState, seat: int, seed: str) -> TableState:
    deal, exchange = deal_of(table), exchange_of(table)
    commitment = client_commitment(exchange.table, 1, 1, seat, deal.commitment, seed)
    return proceed(commit(table, now(), seat=seat, round=1, attempt=1, commitment=commitment), now())


def test_each_withheld_seat_gives_cheaters_exactly_one_more_draw() -> None:
    """What remains (Cleve 1986): with one void attempt a wish of chance 1/10 comes true with chance 19/100."""
    rng = random.Random(SEED)
    wish, lucky = DECK - 1, 0
    for _ in range(DEALS):
        cards = [first_card(two_phase(*(random_seed(rng) for _ in range(3)))) for _ in range(2)]
        lucky += wish in cards  # withhold when the first deal is not the wish
    assert abs(lucky / DEALS - 0.19) < 0.04, lucky
