"""Passkeys: public keys of authenticators, which belong to one host name."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID

CHALLENGE_LIFE = timedelta(minutes=5)
CHALLENGE_BYTES = 32
PASSKEYS_MAX = 20
PASSKEY_NAME_MAX = 100

_LOCAL_NAME = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class ChallengePurpose(StrEnum):
    """The purpose that an assertion for a challenge may be used for."""

    REGISTER = "Register"
    SIGN_IN = "SignIn"
    SECOND_FACTOR = "SecondFactor"
    STEP_UP = "StepUp"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that was answered; `user_id` is `None` for a sign-in by passkey alone."""

    purpose: ChallengePurpose
    user_id: UUID | None


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The service as browsers know it: passkeys work for this host name and origin only."""

    id: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """A passkey of a user. `backed_up`: it is copied to the user's other devices."""

    id: UUID
    user_id: UUID
    name: str
    credential_id: bytes = field(repr=False)
    public_key: bytes = field(repr=False)
    sign_count: int
    transports: tuple[str, ...]
    backed_up: bool
    created_at: datetime
    last_used_at: datetime | None = None


def relying_party(address: str) -> RelyingParty | None:
    """Return what passkeys are bound to for a service at this URL.

    They need a host name. For a loopback address that is `localhost`; for any other IP address
    there is none.
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    try:
        literal = ip_address(host)
    except ValueError:
        name = host
    else:
        if not (literal.is_loopback or literal.is_unspecified):
            return None
        name = _LOCAL_NAME
    is_default = parts.port in {None, _DEFAULT_PORTS.get(parts.scheme)}
    port = "" if is_default else f":{parts.port}"
    return RelyingParty(name, f"{parts.scheme}://{name}{port}")
