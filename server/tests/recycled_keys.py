"""The service with RSA keys out of a file, since generating one takes 0.1 s and more."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from unittest import mock

from rsa_pairs import PER_SIZE, SIZES, pair

from licet_server.catalog.service import signing
from licet_server.catalog.service.signing import SigningKeyPair

_generate: Callable[[int], SigningKeyPair] = signing._generate_pair


class RecycledKeys:
    """Gives out the pairs of a size in turn: products of one test have different keys, and so have
    a key and the one that it is rotated to.

    Each process begins elsewhere, so that a product also gets another key after a restart.
    """

    def __init__(self) -> None:
        self._given: Counter[int] = Counter()
        self._lock = Lock()

    def __call__(self, key_size: int) -> SigningKeyPair:
        if key_size not in SIZES:
            return generate_pair(key_size)
        with self._lock:
            self._given[key_size] += 1
            number = self._given[key_size] + os.getpid()
        return signing.pair_of(pair(key_size, number % PER_SIZE))


@contextmanager
def recycling() -> Iterator[None]:
    """Recycle the keys that the service of this process generates."""
    with mock.patch.object(signing, "_generate_pair", RecycledKeys()):
        yield


def generate_pair(key_size: int) -> SigningKeyPair:
    """Generate a pair as the service does outside of tests."""
    return _generate(key_size)
