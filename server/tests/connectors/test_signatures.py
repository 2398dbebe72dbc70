"""Signatures as the shops document them."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest
from connectors.shops import TIMED

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.signatures import Signature, checked, secret_breaches

NOW = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)
STAMP = str(int(NOW.timestamp()))


def is_signed(
    kind: ConnectorKind, headers: dict[str, str], body: bytes, secrets: list[str], now: datetime
) -> bool:
    return checked(kind, headers, body, secrets, now).signature is Signature.VALID


def hexdigest(secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def test_the_example_of_standard_webhooks() -> None:
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    now = datetime.fromtimestamp(1614265330, UTC)
    assert is_signed(ConnectorKind.GENERIC, headers, body, [secret], now)
    assert not is_signed(ConnectorKind.GENERIC, headers, body, [secret], now + timedelta(minutes=6))
    several = {**headers, "webhook-signature": f"v1a,xx v1,yy {headers['webhook-signature']}"}
    assert is_signed(ConnectorKind.GENERIC, several, body, ["whsec_" + "A" * 32, secret], now)


def test_stripe_signs_time_and_body_with_a_dot_and_may_sign_twice() -> None:
    good = hexdigest("whsec_x", f"{STAMP}.body".encode())
    for header in (f"t={STAMP},v1={good}", f"t={STAMP},v1=00,v1={good},v0=00"):
        assert is_signed(
            ConnectorKind.STRIPE, {"stripe-signature": header}, b"body", ["whsec_x"], NOW
        )
    for header in (f"t={STAMP},v0={good}", f"v1={good}", f"t={int(STAMP) + 1},v1={good}", "t=,v1="):
        assert not is_signed(
            ConnectorKind.STRIPE, {"stripe-signature": header}, b"body", ["whsec_x"], NOW
        )


def test_paddle_signs_time_and_body_with_a_colon() -> None:
    good = hexdigest("pdl", f"{STAMP}:body".encode())
    headers = {"paddle-signature": f"ts={STAMP};h1={good}"}
    assert is_signed(ConnectorKind.PADDLE, headers, b"body", ["pdl"], NOW)
    assert is_signed(ConnectorKind.PADDLE, headers, b"body", ["new", "pdl"], NOW)
    assert not is_signed(ConnectorKind.PADDLE, headers, b"Body", ["pdl"], NOW)


def test_lemon_squeezy_signs_the_body_alone() -> None:
    headers = {"x-signature": hexdigest("secret", b"body")}
    assert is_signed(ConnectorKind.LEMON_SQUEEZY, headers, b"body", ["secret"], NOW)
    assert not is_signed(ConnectorKind.LEMON_SQUEEZY, headers, b"body!", ["secret"], NOW)


@pytest.mark.parametrize("stamp", ["", "x", "-1", "1e9", "9" * 30, "٣", " 1", STAMP + ".0"])
@pytest.mark.parametrize("kind", TIMED)
def test_invalid_timestamp_is_rejected(kind: ConnectorKind, stamp: str) -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = {
        "stripe-signature": f"t={stamp},v1={hexdigest(secret, f'{stamp}.body'.encode())}",
        "paddle-signature": f"ts={stamp};h1={hexdigest(secret, f'{stamp}:body'.encode())}",
        "webhook-id": "msg_1",
        "webhook-timestamp": stamp,
        "webhook-signature": "v1,AAAA",
    }
    assert not is_signed(kind, headers, b"body", [secret], NOW)


@pytest.mark.parametrize("secret", ["short", "x" * 501, "secrät-secret"])
@pytest.mark.parametrize("kind", ConnectorKind)
def test_invalid_secret_is_rejected(kind: ConnectorKind, secret: str) -> None:
    assert [item.field for item in secret_breaches(kind, secret)] == ["signingSecret"]


def test_a_generic_secret_is_base64() -> None:
    assert not list(secret_breaches(ConnectorKind.GENERIC, "whsec_" + "A" * 32))
    assert list(secret_breaches(ConnectorKind.GENERIC, "whsec_AAAA"))
    assert not list(secret_breaches(ConnectorKind.STRIPE, "whsec_AAAA"))
