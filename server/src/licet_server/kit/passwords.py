"""Passwords: Argon2id, computed in a limited number of threads."""

import anyio
import anyio.to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_THREADS = 2


class Passwords:
    """Hashes and verifies passwords without blocking the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._limiter = anyio.CapacityLimiter(_THREADS)
        self._decoy = self._hasher.hash("no account has this password")

    async def hash(self, password: str) -> str:
        """The encoded Argon2id hash."""
        return await anyio.to_thread.run_sync(self._hasher.hash, password, limiter=self._limiter)

    async def matches(self, encoded: str | None, password: str) -> bool:
        """Whether the password matches the hash; false without a hash, after the same time."""
        fits = await anyio.to_thread.run_sync(
            self._verify, encoded or self._decoy, password, limiter=self._limiter
        )
        return fits and encoded is not None

    def _verify(self, encoded: str, password: str) -> bool:
        try:
            return self._hasher.verify(encoded, password)
        except (VerificationError, InvalidHashError):
            return False
