"""Time-based codes (RFC 6238: SHA-1, 6 digits, 30 seconds) and the recovery codes beside them."""

import re
from datetime import datetime

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
