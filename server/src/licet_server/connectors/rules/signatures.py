"""Verifies the signatures of providers, each as documented, in constant time."""

import binascii
import hashlib
import hmac
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from standardwebhooks import Webhook

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.errors import FieldError

TOLERANCE = timedelta(minutes=5)
"""How far the clock of a provider may be off, in both directions."""

SECRET_MIN, SECRET_MAX = 6, 500
_MOST_SIGNATURES = 20
_PREFIX = "whsec_"


def is_signed(
    kind: ConnectorKind,
    headers: Mapping[str, str],
    body: bytes,
    secrets: Sequence[str],
    now: datetime,
) -> bool:
    """Check whether one of the secrets signed the body within the tolerance.

    Names of headers are in lower case. Lemon Squeezy signs no timestamp: only the ID of the event
    protects from replays.
    """
    return any(_SCHEMES[kind](headers, body, secret, now) for secret in secrets)


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


def _stripe(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    pairs = _pairs(headers.get("stripe-signature", ""), ",")
    stamp = next((value for name, value in pairs if name == "t"), "")
    given = [value for name, value in pairs if name == "v1"]
    return _is_recent(stamp, now) and _matches(secret, stamp.encode() + b"." + body, given)


def _paddle(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    pairs = _pairs(headers.get("paddle-signature", ""), ";")
    stamp = next((value for name, value in pairs if name == "ts"), "")
    given = [value for name, value in pairs if name == "h1"]
    return _is_recent(stamp, now) and _matches(secret, stamp.encode() + b":" + body, given)


def _lemon_squeezy(headers: Mapping[str, str], body: bytes, secret: str, _: datetime) -> bool:
    return _matches(secret, body, [headers.get("x-signature", "")])


def _generic(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    message_id = headers.get("webhook-id", "")
    stamp = headers.get("webhook-timestamp", "")
    given = headers.get("webhook-signature", "").split(" ")[:_MOST_SIGNATURES]
    if not message_id or not _is_recent(stamp, now):
        return False
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return False
    expected = Webhook(secret).sign(message_id, datetime.fromtimestamp(int(stamp), UTC), text)
    return any(_is_same(expected, item) for item in given)


def _pairs(header: str, separator: str) -> list[tuple[str, str]]:
    parts = [part.strip().partition("=") for part in header.split(separator)[:_MOST_SIGNATURES]]
    return [(name, value) for name, _, value in parts]


def _is_recent(stamp: str, now: datetime) -> bool:
    if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12:
        return False
    return abs(now.timestamp() - int(stamp)) <= TOLERANCE.total_seconds()


def _matches(secret: str, signed: bytes, given: Sequence[str]) -> bool:
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(_is_same(expected, item) for item in given)


def _is_same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())


_SCHEMES: Mapping[ConnectorKind, Callable[[Mapping[str, str], bytes, str, datetime], bool]] = {
    ConnectorKind.STRIPE: _stripe,
    ConnectorKind.PADDLE: _paddle,
    ConnectorKind.LEMON_SQUEEZY: _lemon_squeezy,
    ConnectorKind.GENERIC: _generic,
}
