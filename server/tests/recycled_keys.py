"""RSA key pairs that tests use again: generating one takes about 0.1 s."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import pytest

from licet_server.catalog.service import keys
from licet_server.catalog.service.keys import SigningKeyPair

DIFFERENT = 24
"""So many pairs of a size are generated, and then given out in turn: products of one test differ,
and so do a key and the one that it is rotated to."""


class RecycledKeys:
    """Generates the first pairs of each size, and repeats them."""

    def __init__(self, generate: Callable[[int], SigningKeyPair]) -> None:
        self._generate = generate
        self._pairs: defaultdict[int, deque[SigningKeyPair]] = defaultdict(deque)
        self._lock = Lock()

    def __call__(self, key_size: int) -> SigningKeyPair:
        with self._lock:
            pairs = self._pairs[key_size]
            if len(pairs) < DIFFERENT:
                pairs.append(self._generate(key_size))
            else:
                pairs.rotate(-1)
            return pairs[-1]


@contextmanager
def recycling() -> Iterator[None]:
    """Recycle the keys that the service of this process generates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "_generate_pair", RecycledKeys(keys._generate_pair))
        yield
