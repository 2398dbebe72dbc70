"""Which wallets this process has charged, so that the job that adds up usage need not search."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from licet_server.licenses.rules.model import LicenseId

MOST = 100_000
"""How many wallets are remembered. A search finds the others."""


class MovedWallets:
    """The wallets with charges that are committed and not yet added to the totals.

    It is lost with the process, and knows charges only: a search of all wallets finds the rest.
    """

    def __init__(self) -> None:
        self._keys: set[LicenseId] = set()

    def add(self, keys: Iterable[LicenseId]) -> None:
        """Remember wallets, until there are too many of them."""
        for key in keys:
            if len(self._keys) >= MOST:
                return
            self._keys.add(key)

    @contextmanager
    def taken(self) -> Iterator[list[LicenseId]]:
        """Take all wallets for the block; if it raises, they are remembered again."""
        taken, self._keys = self._keys, set()
        try:
            yield sorted(taken)
        except BaseException:
            self.add(taken)
            raise
