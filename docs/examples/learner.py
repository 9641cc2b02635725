"""Learn Face to Face by self-play, from the arrays of `gramy.Batch` and with NumPy alone: a policy gradient.

`learn` yields better and better weights; versus.py measures them against a bot. docs/batch.md shows the curve.
"""

from collections.abc import Iterator

import numpy as np

import gramy

CARDS, END = 58, 4 * 58  # actions: 58 cards on each of four piles (own up, own down, the other's), then `end`
TOPS = 7 * CARDS  # an observation: the own hand, the own deck and five more planes of 58 cards, tops of piles, numbers


def features(observations: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Return what each action in its row costs the pile, what it leaves in the hand, and what it gives away."""
    seen, each = observations[rows].astype(int), np.arange(len(rows))
    in_hand, _, in_deck, _, _, _, laid, _, helped, draws = (seen[:, TOPS + 4 + k] for k in range(10))
    pile, card, end = np.minimum(actions // CARDS, 3), actions % CARDS, actions == END
    own, help, more = (pile < 2) & ~end, (pile >= 2) & ~end, laid >= 2
    sign, top = np.where(pile % 2 == 0, 1, -1), seen[each, TOPS + pile] - 2
    step = sign * (card - top) / 10  # how far the pile moves on; a help moves it back
    held = np.cumsum(seen[:, :CARDS] + seen[:, CARDS : 2 * CARDS], axis=1)  # own cards up to each one
    passed = np.abs(held[each, card] - held[each, np.clip(top, 0, CARDS - 1)]) / 5 * (step > 0)
    back = card - 10 * sign  # the card that would go ten back on this one
    goes_back, back = own & (back >= 0) & (back < CARDS), np.clip(back, 0, CARDS - 1)
    columns = (
        *(own * step, own * (step == -1), own * (step > 0) * step**2, own * passed),
        *(goes_back * seen[each, back], goes_back * seen[each, CARDS + back]),
        *(own * more, own * more * step, own * more * (in_deck == 0), own * more * helped),
        *(help, help * step, help * more, help * in_hand / 6, help * (in_deck == 0)),
        *(end, end * helped, end * draws / 6, end * in_hand / 6),
    )
    return np.stack(columns, axis=1)


def learn(n: int = 2048, seed: int = 1, rate: float = 0.01) -> Iterator[np.ndarray]:
    """Yield the weights of a softmax policy after each step. Its gradient over a match is weighted by the reward."""
    batch, rng, every = gramy.Batch(gramy.game("face-to-face"), n, seed=seed), np.random.default_rng(seed), np.arange(n)
    weights = mean = square = traces = np.zeros(1)
    while True:
        rows, legal = np.nonzero(batch.masks)
        found, first = features(batch.observations, rows, legal), np.searchsorted(rows, every)
        if len(traces) != n:  # now the number of features is known
            weights, mean, square = np.zeros((3, found.shape[1]))
            traces = np.zeros((n, 2, found.shape[1]))
        odds = np.exp(found @ weights)
        odds /= np.add.reduceat(odds, first)[rows]
        upto = np.cumsum(odds)
        drawn = np.searchsorted(upto, upto[first] - odds[first] + rng.random(n) * (1 - 1e-9))
        traces[every, batch.to_act] += found[drawn] - np.add.reduceat(found * odds[:, None], first)
        batch.step(legal[drawn])
        gradient = np.einsum("ms,msf->f", batch.rewards, traces)
        traces[batch.done] = 0
        mean, square = 0.99 * mean + 0.01 * gradient, 0.99 * square + 0.01 * gradient**2
        weights = weights + rate * mean / np.sqrt(square + 1e-9)
        yield weights
