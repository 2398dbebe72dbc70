"""Checks the user name and password of a license before anything is told of it."""

import asyncio
import hmac

from licet_server.kit import limits
from licet_server.kit.errors import unavailable
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import composed
from licet_server.kit.threads import Turns
from licet_server.licenses import errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import Credentials, CredentialsCheck

WRONG_CREDENTIALS_A_MINUTE = 10
"""For each license and address together: wrong ones lock neither others that use the license,
nor other licenses behind the address."""

_REFUSAL_SECONDS = 3.0
"""How long a check is held that finds too many waiting, before it is refused.

Whoever guesses in loops sends as many guesses as are refused, and the work for those would delay
everybody else. A request that is held costs an open connection, and their number is bounded.
"""


class LicenseCredentials:
    """Verifies passwords one after the other, and limits wrong ones.

    Each check sees what those before it counted, so guesses that arrive together get no further
    than guesses in a row. A correct password needs room after its check, too: another process may
    have counted wrong ones meanwhile.
    """

    def __init__(self, platform: Platform, passwords: Passwords) -> None:
        self._platform = platform
        self._passwords = passwords
        self._turns = Turns(1)

    async def check(self, license_: License, given: Credentials, address: str) -> CredentialsCheck:
        """Return the result for a request from `address`; a correct password costs no write.

        Raises:
            Refused: `RateLimited` beyond 10 wrong ones a minute for this license from this
                address, whatever the password;
                `Unavailable` when too many checks are waiting.
        """
        if license_.username is None:
            return CredentialsCheck.NOT_CHECKED
        if given.username is None or given.password is None:
            return CredentialsCheck.MISSING
        bucket = limits.address_bucket(f"license-credentials:{license_.id}", address)
        if self._turns.are_taken:
            await asyncio.sleep(_REFUSAL_SECONDS)
            raise unavailable()
        # Refused guesses must not take a turn: that would make the others wait.
        await self._require_room(bucket)
        async with self._turns.take():
            await self._require_room(bucket)
            is_password = await self._passwords.matches(license_.password_hash, given.password)
            is_name = hmac.compare_digest(_name_form(given.username), _name_form(license_.username))
            if is_name and is_password:
                await self._require_room(bucket)
                return CredentialsCheck.CORRECT
            await limits.take(
                self._platform.database, bucket, WRONG_CREDENTIALS_A_MINUTE, self._platform.clock()
            )
        return CredentialsCheck.WRONG

    async def require(self, license_: License, given: Credentials, address: str) -> None:
        """Check that the request has the user name and password, if the license has any.

        Raises:
            Refused: `InvalidRequest` naming each that is missing, `InvalidCredentials`,
                `RateLimited`, `Unavailable`.
        """
        match await self.check(license_, given, address):
            case CredentialsCheck.MISSING:
                raise errors.credentials_required(given.missing)
            case CredentialsCheck.WRONG:
                raise errors.credentials_wrong()

    async def _require_room(self, bucket: str) -> None:
        await limits.require_room(
            self._platform.database, [bucket], WRONG_CREDENTIALS_A_MINUTE, self._platform.clock()
        )


def _name_form(username: str) -> bytes:
    """Return a user name without what people paste around it; some clients trim a mark (BOM)."""
    return composed(username).replace("\ufeff", "").strip().encode()
