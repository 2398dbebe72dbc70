"""Limits on guessing: an attempt is counted before it is made, and uncounted when it succeeds.

Attempts are counted per account and per IP address of the caller. Attempts from an IP
address that the user recently signed in from are counted separately, so that attackers who exhaust
the limit of an account do not lock its user out.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from licet_server.identity.rules.users import PasswordCredentials, SignedInUser
from licet_server.identity.service.tokens import digest
from licet_server.kit import limits
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

KNOWN_FOR = timedelta(days=90)
"""The time that an IP address counts as known after a user signed in from it."""

FAILED_SIGN_INS_PER_MINUTE = 10
WRONG_CODES_PER_HOUR = 10
INVALID_TOKENS_PER_MINUTE = 10
PASSKEY_OPTIONS_PER_MINUTE = 30
RESETS_PER_HOUR = 5
PORTAL_REQUESTS_PER_HOUR = 5
VERIFICATIONS_PER_HOUR = 5
REGISTRATIONS_PER_HOUR = 5
EMAILS_PER_HOUR_AND_ADDRESS = 100


@dataclass(frozen=True, slots=True)
class AttemptLimit:
    """The number of attempts in a period, counted under a name."""

    name: str
    limit: int
    period: timedelta


@asynccontextmanager
async def limit_failures(platform: Platform, *attempt_limits: AttemptLimit) -> AsyncIterator[None]:
    """Count an attempt, and uncount it when the block ends without an exception.

    Raises:
        Refused: `RateLimited`.
    """
    now = platform.clock()
    await count_attempt(platform, *attempt_limits)
    yield
    for item in attempt_limits:
        await limits.undo_take(platform.database, item.name, now, item.period)


async def count_attempt(platform: Platform, *attempt_limits: AttemptLimit) -> None:
    """Count an attempt, whatever its outcome, up to the first limit that is reached.

    Raises:
        Refused: `RateLimited`.
    """
    now = platform.clock()
    for item in attempt_limits:
        await limits.take(platform.database, item.name, item.limit, now, item.period)


def limits_of_password(
    email: str, origin: Origin, credentials: PasswordCredentials | None
) -> tuple[AttemptLimit, ...]:
    """Return the limits of passwords at sign-in, equal for known and unknown accounts."""
    account = f"sign-in:account:{digest(email).hex()}{_known_address(origin, credentials)}"
    return (
        _per_address("sign-in", origin, FAILED_SIGN_INS_PER_MINUTE),
        AttemptLimit(account, FAILED_SIGN_INS_PER_MINUTE, limits.MINUTE),
    )


def limits_of_code(origin: Origin, credentials: PasswordCredentials) -> tuple[AttemptLimit, ...]:
    """Return the limits of codes at sign-in: few, since only a million codes exist."""
    account = f"code:account:{credentials.user.id}{_known_address(origin, credentials)}"
    return (
        _per_address("sign-in", origin, FAILED_SIGN_INS_PER_MINUTE),
        AttemptLimit(account, WRONG_CODES_PER_HOUR, limits.HOUR),
    )


def _known_address(origin: Origin, credentials: PasswordCredentials | None) -> str:
    is_known = credentials is not None and credentials.is_known_address
    return limits.address_bucket(":from", origin.ip_address) if is_known else ""


def limits_of_confirmation(user: SignedInUser) -> tuple[AttemptLimit, ...]:
    """Return the limits of passwords and codes by which a signed-in user confirms a change.

    Counted per session, so that an attacker with a stolen session throttles only that session.
    """
    name = f"proof:session:{user.sign_in_id}"
    return (AttemptLimit(name, WRONG_CODES_PER_HOUR, limits.HOUR),)


def limits_of_step_up(user: SignedInUser, origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limits of step-ups: those of confirmations, and those of sign-ins."""
    return (
        _per_address("sign-in", origin, FAILED_SIGN_INS_PER_MINUTE),
        *limits_of_confirmation(user),
    )


def limits_of_passkey(origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limit of sign-ins by passkey alone: per address, since keys cannot be guessed."""
    return (_per_address("sign-in", origin, FAILED_SIGN_INS_PER_MINUTE),)


def limits_of_passkey_options(origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limit of options that anyone may request: each stores a challenge."""
    return (_per_address("passkey-options", origin, PASSKEY_OPTIONS_PER_MINUTE),)


def limits_of_emailed_token(origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limit of tokens from emailed links."""
    return (_per_address("token", origin, INVALID_TOKENS_PER_MINUTE),)


def limits_of_reset_request(email: str, origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limits of password resets, whether or not the account exists."""
    return _email_limits("reset", email, origin, RESETS_PER_HOUR)


def limits_of_portal_request(email: str, origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limits of portal access, whether or not the address is known."""
    return _email_limits("portal", email, origin, PORTAL_REQUESTS_PER_HOUR)


def limits_of_registration(email: str, origin: Origin) -> tuple[AttemptLimit, ...]:
    """Return the limits of sign-ups, whether or not the address already has an account."""
    return _email_limits("register", email, origin, REGISTRATIONS_PER_HOUR)


def limits_of_verification_email(user_id: UUID) -> tuple[AttemptLimit, ...]:
    """Return the limit of emails that ask a user to verify an address."""
    return (AttemptLimit(f"verify:account:{user_id}", VERIFICATIONS_PER_HOUR, limits.HOUR),)


def _email_limits(what: str, email: str, origin: Origin, limit: int) -> tuple[AttemptLimit, ...]:
    return (
        AttemptLimit(
            limits.address_bucket(f"{what}:address", origin.ip_address),
            EMAILS_PER_HOUR_AND_ADDRESS,
            limits.HOUR,
        ),
        AttemptLimit(f"{what}:account:{digest(email).hex()}", limit, limits.HOUR),
    )


def _per_address(what: str, origin: Origin, limit: int) -> AttemptLimit:
    bucket = limits.address_bucket(f"{what}:address", origin.ip_address)
    return AttemptLimit(bucket, limit, limits.MINUTE)
