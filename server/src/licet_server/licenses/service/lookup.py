"""Finds the license of a runtime request by its key, for many requests at once."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.kit import limits
from licet_server.kit.batching import Batching
from licet_server.kit.coalesce import Coalescer
from licet_server.kit.platform import Platform
from licet_server.licenses import errors
from licet_server.licenses.rules.credentials import NO_CREDENTIALS, Credentials
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import License, LicenseKeyOf
from licet_server.licenses.service import reading
from licet_server.licenses.service.credentials import LicenseCredentials

UNKNOWN_KEYS_A_MINUTE = 120


class LicenseLookup:
    """Concurrent requests share one statement; nothing is cached between them."""

    def __init__(
        self, platform: Platform, credentials: LicenseCredentials, batching: Batching
    ) -> None:
        self._platform = platform
        self._credentials = credentials
        self._look_ups: Coalescer[LicenseKeyOf, License | None] = batching.concurrent(
            "licenses", self._look_up
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._look_ups.aclose()

    async def find(
        self,
        institution_id: UUID,
        product_id: UUID,
        license_key: str,
        address: str,
        credentials: Credentials = NO_CREDENTIALS,
    ) -> License:
        """The current license with this key, for a request from `address`.

        Raises:
            Refused: `LicenseNotFound`; `InvalidRequest` or `InvalidCredentials` where the license
                has a user name and a password that the request has not; `RateLimited` when the
                address sent too many unknown keys, or too many wrong passwords were sent.
        """
        normal_key = normal_form(license_key)
        found = None
        if normal_key is not None:
            found = await self._look_ups.submit((institution_id, product_id, normal_key))
        if found is None:
            await count_unknown_key(self._platform, address)
            raise errors.unknown_license_key()
        await self._credentials.require(found, credentials, address)
        return found

    async def _look_up(self, keys: Sequence[LicenseKeyOf]) -> list[License | None]:
        async with self._platform.database.keyed() as db:
            found = await reading.find_by_keys(db, keys, self._platform.clock())
        return [found.get(key) for key in keys]


async def count_unknown_key(platform: Platform, address: str) -> None:
    """Count a key that does not exist against the address that sent it.

    Raises:
        Refused: `RateLimited` beyond 120 a minute.
    """
    bucket = limits.address_bucket("unknown-key", address)
    await limits.take(platform.database, bucket, UNKNOWN_KEYS_A_MINUTE, platform.clock())
