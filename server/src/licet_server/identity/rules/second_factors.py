"""Time-based codes (RFC 6238: SHA-1, 6 digits, 30 seconds) and the recovery codes beside them."""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID

import pyotp

SECRET_BYTES = 20
RECOVERY_CODES = 10
RECOVERY_CODE_SYMBOLS = 16
"""80 random bits: too many to guess, so a plain hash is enough."""

_TOLERANCE_STEPS = 1
_ISSUER = "Licet"
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_TIME_CODE = re.compile(r"[0-9]{6}")
_SEPARATORS = re.compile(r"[\s-]+")


def normal_code(text: str) -> str:
    """Return a code as typed, without spaces and dashes, and look-alike letters replaced."""
    plain = _SEPARATORS.sub("", text).upper()
    return plain.replace("I", "1").replace("L", "1").replace("O", "0")


def matching_step(secret: str, code: str, now: datetime) -> int | None:
    """Return the 30-second step of the code: the current, the previous or the next one.

    The caller stores the step of an accepted code, and accepts no code of that step or an earlier
    one again.
    """
    if _TIME_CODE.fullmatch(code) is None:
        return None
    try:
        return pyotp.TOTP(secret).verify_and_get_timecode(
            code, for_time=now, valid_window=_TOLERANCE_STEPS
        )
    except pyotp.OTPVerificationError:
        return None


def otpauth_uri(secret: str, email: str) -> str:
    """Return the URI that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=_ISSUER)


def recovery_code(entropy: bytes) -> str:
    """Return a code in four groups of four symbols, such as `7Q0M-2K8X-ZV4T-9HCD`."""
    symbols = "".join(_ALPHABET[value % len(_ALPHABET)] for value in entropy)
    return "-".join(symbols[start : start + 4] for start in range(0, len(symbols), 4))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A challenge to be answered once; `user_id` is `None` for a sign-in by passkey alone."""

    challenge_hash: bytes = field(repr=False)
    purpose: ChallengePurpose
    user_id: UUID | None
    created_at: datetime
    expires_at: datetime


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
