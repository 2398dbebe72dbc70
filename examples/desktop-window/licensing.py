"""The license, opened and watched beside a window, which must not wait for the network."""

import queue
import threading

from licet import LicenseClient, LicetError

from product import PRODUCT


class Licensing:
    """Puts into ``news`` whether the license is valid, and a sentence for the user."""

    def __init__(self) -> None:
        self.news: queue.SimpleQueue[tuple[bool, str]] = queue.SimpleQueue()
        self.client = LicenseClient(**PRODUCT)
        self._keys: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._open_each, daemon=True).start()

    def start(self, key: str = "") -> None:
        """Open the license; without a key the one in license.bin, of an earlier start."""
        self._keys.put(key)

    def _open_each(self) -> None:
        while True:  # one after the other, so that the newest key is told last
            self._open(self._keys.get())

    def _open(self, key: str) -> None:
        self.client.close()
        try:
            self.client = LicenseClient(**PRODUCT, license_key=key or None)
            self.client.open()
        except LicetError as error:
            self.news.put((False, error.message))
        else:
            self.client.watch(lambda result: self.news.put((result.valid, result.message)))
