"""Verifies the signatures of providers, each as documented, in constant time."""

import binascii
import hashlib
import hmac
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from standardwebhooks import Webhook

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.errors import FieldError

TOLERANCE = timedelta(minutes=5)
"""How far the clock of a provider may be off, in both directions."""

SECRET_MIN, SECRET_MAX = 6, 500
_MOST_SIGNATURES = 20
_STAMP_MAX = 11
_PREFIX = "whsec_"


class Signature(StrEnum):
    """Whether a message is signed. `Untimely`: by the right secret, at another time."""

    VALID = "Valid"
    MISSING = "Missing"
    WRONG = "Wrong"
    UNTIMELY = "Untimely"


@dataclass(frozen=True, slots=True)
class Checked:
    """The signature of a message; `age` is how long ago it was signed, if it says so."""

    signature: Signature
    age: timedelta = timedelta()


def checked(
    kind: ConnectorKind,
    headers: Mapping[str, str],
    body: bytes,
    secrets: Sequence[str],
    now: datetime,
) -> Checked:
    """Check whether one of the secrets signed the body within the tolerance.

    Names of headers are in lower case. Lemon Squeezy signs no timestamp: only the ID of the event
    protects from replays.
    """
    scheme = _SCHEMES[kind]
    if not headers.get(scheme.header):
        return Checked(Signature.MISSING)
    stamp = scheme.stamp(headers)
    if stamp is not None and (len(stamp) > _STAMP_MAX or not (stamp.isascii() and stamp.isdigit())):
        return Checked(Signature.WRONG)
    if not any(scheme.matches(headers, body, secret) for secret in secrets):
        return Checked(Signature.WRONG)
    age = timedelta() if stamp is None else timedelta(seconds=now.timestamp() - int(stamp))
    return Checked(Signature.UNTIMELY if abs(age) > TOLERANCE else Signature.VALID, age)


def secret_breaches(kind: ConnectorKind, secret: str) -> Iterator[FieldError]:
    """Yield why this cannot be a signing secret of a provider."""
    field = "signingSecret"
    if not SECRET_MIN <= len(secret) <= SECRET_MAX or not secret.isascii():
        yield FieldError(field, f"must have {SECRET_MIN} to {SECRET_MAX} ASCII characters.")
    elif kind is ConnectorKind.GENERIC and not _is_standard(secret):
        yield FieldError(field, "must be base64 of at least 16 bytes after `whsec_`.")


def _is_standard(secret: str) -> bool:
    try:
        return len(b64decode(secret.removeprefix(_PREFIX) + "==", validate=False)) >= 16
    except binascii.Error:
        return False


def _stripe_stamp(headers: Mapping[str, str]) -> str:
    return _first(_pairs(headers.get("stripe-signature", ""), ","), "t")


def _stripe(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    given = _values(_pairs(headers.get("stripe-signature", ""), ","), "v1")
    return _matches(secret, _stripe_stamp(headers).encode() + b"." + body, given)


def _paddle_stamp(headers: Mapping[str, str]) -> str:
    return _first(_pairs(headers.get("paddle-signature", ""), ";"), "ts")


def _paddle(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    given = _values(_pairs(headers.get("paddle-signature", ""), ";"), "h1")
    return _matches(secret, _paddle_stamp(headers).encode() + b":" + body, given)


def _no_stamp(_: Mapping[str, str]) -> None:
    return None


def _lemon_squeezy(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    return _matches(secret, body, [headers.get("x-signature", "")])


def _generic_stamp(headers: Mapping[str, str]) -> str:
    return headers.get("webhook-timestamp", "")


def _generic(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    message_id = headers.get("webhook-id", "")
    given = headers.get("webhook-signature", "").split(" ")[:_MOST_SIGNATURES]
    if not message_id:
        return False
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return False
    signed_at = datetime.fromtimestamp(int(_generic_stamp(headers)), UTC)
    expected = Webhook(secret).sign(message_id, signed_at, text)
    return any(_is_same(expected, item) for item in given)


def _pairs(header: str, separator: str) -> list[tuple[str, str]]:
    parts = [part.strip().partition("=") for part in header.split(separator)[:_MOST_SIGNATURES]]
    return [(name, value) for name, _, value in parts]


def _first(pairs: Sequence[tuple[str, str]], wanted: str) -> str:
    return next(iter(_values(pairs, wanted)), "")


def _values(pairs: Sequence[tuple[str, str]], wanted: str) -> list[str]:
    return [value for name, value in pairs if name == wanted]


def _matches(secret: str, signed: bytes, given: Sequence[str]) -> bool:
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(_is_same(expected, item) for item in given)


def _is_same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())


@dataclass(frozen=True, slots=True)
class _Scheme:
    """How a provider signs: the header, the time in it, and whether a secret signed a body."""

    header: str
    stamp: Callable[[Mapping[str, str]], str | None]
    matches: Callable[[Mapping[str, str], bytes, str], bool]


_SCHEMES: Mapping[ConnectorKind, _Scheme] = {
    ConnectorKind.STRIPE: _Scheme("stripe-signature", _stripe_stamp, _stripe),
    ConnectorKind.PADDLE: _Scheme("paddle-signature", _paddle_stamp, _paddle),
    ConnectorKind.LEMON_SQUEEZY: _Scheme("x-signature", _no_stamp, _lemon_squeezy),
    ConnectorKind.GENERIC: _Scheme("webhook-signature", _generic_stamp, _generic),
}
