"""Slows guessing: every try is counted before it is made, and given back when it was right.

Tries are counted per account and per address of the caller. Where somebody has signed in lately
from the address at hand, his tries there are counted apart from those of everybody else, so that
strangers who keep an account busy do not lock its owner out.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from licet_server.identity.rules.people import Credentials
from licet_server.identity.service.tokens import digest
from licet_server.institutions.rules.operators import Operator
from licet_server.kit import limits
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

KNOWN_FOR = timedelta(days=90)
"""How long an address is remembered as one that the owner uses."""

FAILED_SIGN_INS_A_MINUTE = 10
WRONG_CODES_AN_HOUR = 10
DEAD_TOKENS_A_MINUTE = 10
RESETS_AN_HOUR = 5
PORTAL_REQUESTS_AN_HOUR = 5
VERIFICATIONS_AN_HOUR = 5
REGISTRATIONS_AN_HOUR = 5
MAILS_AN_HOUR_AND_ADDRESS = 100
INVITATIONS_AN_HOUR = 60


@dataclass(frozen=True, slots=True)
class Bucket:
    """What tries are counted in, and how many it takes."""

    name: str
    limit: int
    period: timedelta


@asynccontextmanager
async def counted(platform: Platform, *buckets: Bucket) -> AsyncIterator[None]:
    """Count a try, and forget it when the block ends well.

    Raises:
        Refused: `RateLimited`.
    """
    now = platform.clock()
    await count(platform, *buckets)
    yield
    for bucket in buckets:
        await limits.give_back(platform.database, bucket.name, now, bucket.period)


async def count(platform: Platform, *buckets: Bucket) -> None:
    """Count something that is limited however it ends; the later buckets are spared by the first.

    Raises:
        Refused: `RateLimited`.
    """
    now = platform.clock()
    for bucket in buckets:
        await limits.take(platform.database, bucket.name, bucket.limit, now, bucket.period)


def password_buckets(
    email: str, origin: Origin, credentials: Credentials | None
) -> tuple[Bucket, ...]:
    """For a password at sign-in; the same number for known and unknown accounts."""
    account = f"sign-in:account:{digest(email).hex()}{_place(origin, credentials)}"
    return (
        _from_address("sign-in", origin, FAILED_SIGN_INS_A_MINUTE),
        Bucket(account, FAILED_SIGN_INS_A_MINUTE, limits.MINUTE),
    )


def code_buckets(origin: Origin, credentials: Credentials) -> tuple[Bucket, ...]:
    """For a code at sign-in: there are only a million of them, so few may be tried."""
    account = f"code:account:{credentials.user.id}{_place(origin, credentials)}"
    return (
        _from_address("sign-in", origin, FAILED_SIGN_INS_A_MINUTE),
        Bucket(account, WRONG_CODES_AN_HOUR, limits.HOUR),
    )


def _place(origin: Origin, credentials: Credentials | None) -> str:
    is_known = credentials is not None and credentials.is_known_address
    return f":from:{origin.ip_address}" if is_known else ""


def session_buckets(operator: Operator) -> tuple[Bucket, ...]:
    """For a password or a code that a signed-in person proves himself with.

    Counted by session, so that a thief with one session slows himself alone.
    """
    name = f"proof:session:{operator.sign_in_id}"
    return (Bucket(name, WRONG_CODES_AN_HOUR, limits.HOUR),)


def token_buckets(origin: Origin) -> tuple[Bucket, ...]:
    """For mailed tokens."""
    return (_from_address("token", origin, DEAD_TOKENS_A_MINUTE),)


def reset_buckets(email: str, origin: Origin) -> tuple[Bucket, ...]:
    """For requests of a reset, whether or not there is such an account."""
    return _mail_buckets("reset", email, origin, RESETS_AN_HOUR)


def portal_buckets(email: str, origin: Origin) -> tuple[Bucket, ...]:
    """For requests of a way into the portal, whatever there is for that address."""
    return _mail_buckets("portal", email, origin, PORTAL_REQUESTS_AN_HOUR)


def registration_buckets(email: str, origin: Origin) -> tuple[Bucket, ...]:
    """For new accounts, whether or not there is one with that address."""
    return _mail_buckets("register", email, origin, REGISTRATIONS_AN_HOUR)


def verification_buckets(user_id: UUID) -> tuple[Bucket, ...]:
    """For letters that ask to verify an address."""
    return (Bucket(f"verify:account:{user_id}", VERIFICATIONS_AN_HOUR, limits.HOUR),)


def invitation_buckets(institution_id: UUID) -> tuple[Bucket, ...]:
    """For letters that invite to an institution, whoever of it asks for them."""
    name = f"invite:institution:{institution_id}"
    return (Bucket(name, INVITATIONS_AN_HOUR, limits.HOUR),)


def _mail_buckets(what: str, email: str, origin: Origin, limit: int) -> tuple[Bucket, ...]:
    return (
        Bucket(f"{what}:address:{origin.ip_address}", MAILS_AN_HOUR_AND_ADDRESS, limits.HOUR),
        Bucket(f"{what}:account:{digest(email).hex()}", limit, limits.HOUR),
    )


def _from_address(what: str, origin: Origin, limit: int) -> Bucket:
    return Bucket(f"{what}:address:{origin.ip_address}", limit, limits.MINUTE)
