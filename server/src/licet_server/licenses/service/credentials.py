"""Checks the user name and password of a license before anything is told of it."""

import hmac

from licet_server.kit import limits
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses import errors
from licet_server.licenses.rules.credentials import Credentials, CredentialsCheck
from licet_server.licenses.rules.model import License

WRONG_CREDENTIALS_A_MINUTE = 10
"""For each license, and for each address."""


class LicenseCredentials:
    """Verifies passwords in a limited number of threads, and limits wrong ones."""

    def __init__(self, platform: Platform, passwords: Passwords) -> None:
        self._platform = platform
        self._passwords = passwords

    async def check(self, license_: License, given: Credentials, address: str) -> CredentialsCheck:
        """The result for a request from `address`; a correct password costs no write.

        Raises:
            Refused: `RateLimited` beyond 10 wrong ones a minute, whatever the password.
        """
        if license_.username is None:
            return CredentialsCheck.NOT_CHECKED
        if given.username is None or given.password is None:
            return CredentialsCheck.MISSING
        database, now = self._platform.database, self._platform.clock()
        buckets = [f"license-credentials:{license_.id}", f"license-credentials:{address}"]
        await limits.require_room(database, buckets, WRONG_CREDENTIALS_A_MINUTE, now)
        is_password = await self._passwords.matches(license_.password_hash, given.password)
        is_name = hmac.compare_digest(given.username.encode(), license_.username.encode())
        if is_name and is_password:
            return CredentialsCheck.CORRECT
        for bucket in buckets:
            await limits.take(database, bucket, WRONG_CREDENTIALS_A_MINUTE, now)
        return CredentialsCheck.WRONG

    async def require(self, license_: License, given: Credentials, address: str) -> None:
        """Check that the request has the user name and password, if the license has any.

        Raises:
            Refused: `InvalidRequest` naming each that is missing, `InvalidCredentials`,
                `RateLimited`.
        """
        match await self.check(license_, given, address):
            case CredentialsCheck.MISSING:
                raise errors.credentials_required(given.missing)
            case CredentialsCheck.WRONG:
                raise errors.credentials_wrong()
