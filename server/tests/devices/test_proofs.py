"""Proofs of device keys: the one way in which they are written, and what they are for."""

import hmac
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from devices.proving import KeyOfDevice, base64url
from joserfc.jwk import ECKey

from licet_server.devices.rules.proofs import (
    CLOCK_SKEW,
    NO_PROOF,
    Proof,
    ProofFault,
    ShownProof,
    SignedRequest,
    fault_of_key,
    read_proof,
)
from licet_server.licenses.rules.model import DeviceProof

NOW = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
URL = "https://licet.example.com/api/activations"
BODY = b'{"hardwareId": "a"}'
REQUEST = SignedRequest(
    "POST", ("licet.example.com", "public.example.com"), ("/api/activations",), BODY
)
DEVICE = KeyOfDevice()


def proof(**claims: Any) -> str:
    return DEVICE.prove(NOW, **{"method": "POST", "url": URL, "body": BODY} | claims)


def read(text: str, request: SignedRequest = REQUEST) -> Proof | ProofFault:
    return read_proof(text, request, NOW)


def test_a_proof_names_the_thumbprint_of_its_key() -> None:
    found = read(proof(jti="a" * 16))
    assert found == Proof(DEVICE.jkt, NOW, "a" * 16)


@pytest.mark.parametrize(
    "url",
    [
        "http://licet.example.com/api/activations",  # TLS ends at a proxy
        "https://LICET.example.com:443/api/activations",
        "https://public.example.com/api/Activations",
        "https://licet.example.com/api/%61ctivations",
    ],
)
def test_the_same_request_may_be_written_in_several_ways(url: str) -> None:
    assert isinstance(read(proof(url=url)), Proof)


@pytest.mark.parametrize(
    "changed",
    [
        {"htm": "post"},
        {"htm": "GET"},
        {"htu": "https://other.example.com/api/activations"},
        {"htu": "https://licet.example.com:8443/api/activations"},
        {"htu": "https://licet.example.com@other.example.com/api/activations"},
        {"htu": "https://licet.example.com/api/sessions/connect"},
        {"htu": URL + "?a=b"},
        {"htu": URL + "#"},
        {"htu": "/api/activations"},
        {"htu": "https://[licet.example.com/api/activations"},
        {"bh": base64url(sha256(b"other").digest())},
        {"bh": base64url(sha256(BODY).digest()) + "="},
        {"body": b""},
    ],
    ids=str,
)
def test_a_proof_is_for_its_own_request(changed: dict[str, Any]) -> None:
    assert read(proof(**changed)) is ProofFault.OTHER_REQUEST


def test_a_request_without_a_body_needs_no_hash_of_it() -> None:
    request = SignedRequest("GET", ("licet.example.com",), ("/api/activations",))
    get = {"method": "GET", "body": b""}
    assert isinstance(read(proof(**get), request), Proof)
    hash_of_body = base64url(sha256(BODY).digest())
    assert read(proof(**get, bh=hash_of_body), request) is ProofFault.OTHER_REQUEST


@pytest.mark.parametrize("off", [CLOCK_SKEW, -CLOCK_SKEW])
def test_the_clock_of_a_device_may_be_five_minutes_off(off: timedelta) -> None:
    at = int((NOW + off).timestamp())
    assert isinstance(read(proof(iat=at)), Proof)
    beyond = at + (1 if off > timedelta() else -1)
    assert read(proof(iat=beyond)) is ProofFault.CLOCK


@pytest.mark.parametrize(
    "changed",
    [
        {"iat": 1795942800.0},
        {"iat": "1795942800"},
        {"iat": True},
        {"iat": 10**40},
        {"iat": -1},
        {"iat": None},
        {"jti": "short"},
        {"jti": "a" * 65},
        {"jti": "sixteen chars or so"},
        {"jti": "sixteen-chars-or-so\n"},
        {"jti": None},
        {"htm": None},
        {"htu": None},
        {"bh": 5},
        {"padding": "a" * 2048},
    ],
    ids=lambda item: str(item)[:40],
)
def test_claims_have_one_form(changed: dict[str, Any]) -> None:
    assert read(proof(**changed)) is ProofFault.MALFORMED


def of_header(**header: Any) -> str:
    """Return a proof that is signed well, with another header."""
    return DEVICE.sign(json.dumps(DEVICE.claims(NOW, "POST", URL, BODY)).encode(), **header)


def unsigned(header: dict[str, Any], signature: bytes = b"a" * 64) -> str:
    claims = DEVICE.claims(NOW, "POST", URL, BODY)
    parts = [json.dumps(part).encode() for part in (header, claims)]
    return ".".join(base64url(part) for part in [*parts, signature])


def signed_with_the_public_key() -> str:
    header = {"typ": "dpop+jwt", "alg": "HS256", "jwk": DEVICE.jwk}
    text = unsigned(header).rpartition(".")[0]
    secret = json.dumps(DEVICE.jwk).encode()
    return f"{text}.{base64url(hmac.digest(secret, text.encode(), 'sha256'))}"


def with_point_off_the_curve() -> str:
    """Name a point whose `y` is that of another key."""
    jwk = {**DEVICE.jwk, "y": KeyOfDevice().jwk["y"]}
    return unsigned({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk})


def twice(member: bytes) -> Callable[[], str]:
    def made() -> str:
        claims = json.dumps(DEVICE.claims(NOW, "POST", URL, BODY)).encode()
        return DEVICE.sign(claims[:-1] + b", " + member + b"}")

    return made


def _other_ending(text: str) -> str:
    """Write the last six bits of a signature in another way: only the first two of them count."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) + 1]


@pytest.mark.parametrize(
    "made",
    [
        lambda: "",
        lambda: "a.b",
        lambda: "bearer",
        lambda: unsigned({"typ": "dpop+jwt", "alg": "none", "jwk": DEVICE.jwk}),
        lambda: unsigned({"typ": "dpop+jwt", "alg": "none", "jwk": DEVICE.jwk}, b""),
        lambda: unsigned({"typ": "dpop+jwt", "alg": "ES256", "jwk": DEVICE.jwk}),
        lambda: unsigned({"typ": "dpop+jwt", "alg": "ES256", "jwk": DEVICE.jwk}, b"\0" * 64),
        signed_with_the_public_key,
        with_point_off_the_curve,
        lambda: of_header(typ="JWT"),
        lambda: of_header(kid="a"),
        lambda: of_header(jwk=DEVICE.key.as_dict(private=True)),
        lambda: of_header(jwk={**DEVICE.jwk, "use": "sig"}),
        lambda: of_header(jwk=KeyOfDevice().jwk),
        lambda: of_header(jwk={**DEVICE.jwk, "x": DEVICE.jwk["x"] + "A"}),
        lambda: of_header(jwk=ECKey.generate_key("P-384").as_dict(private=False)),
        lambda: of_header(jwk={}),
        lambda: f"{proof()}, {proof()}",
        lambda: f"{proof()}=",
        lambda: _other_ending(proof()),
        lambda: f" {proof()}",
        lambda: f"{proof()}\n",
        lambda: f"{proof()}.a",
        twice(b'"htm": "POST"'),
        twice(b'"iat": 1'),
        lambda: DEVICE.sign(b"[]"),
        lambda: DEVICE.sign(b"not JSON"),
        lambda: DEVICE.sign(json.dumps(DEVICE.claims(NOW, "POST", URL, BODY)).encode("utf-16")),
        lambda: DEVICE.sign(b"[" * 1000),
    ],
)
def test_a_proof_is_written_in_one_way(made: Callable[[], str]) -> None:
    assert read(made()) is ProofFault.MALFORMED


def shown(text: str | None) -> ShownProof:
    return ShownProof(text, REQUEST, NOW)


@pytest.mark.parametrize(
    ("mode", "known", "text", "fault"),
    [
        (DeviceProof.OFF, "other", None, None),
        (DeviceProof.WHEN_PRESENT, None, None, None),
        (DeviceProof.WHEN_PRESENT, None, "bad", None),
        (DeviceProof.WHEN_PRESENT, "own", None, ProofFault.MISSING),
        (DeviceProof.WHEN_PRESENT, "own", "bad", ProofFault.MALFORMED),
        (DeviceProof.WHEN_PRESENT, "own", "good", None),
        (DeviceProof.WHEN_PRESENT, "other", "good", ProofFault.OTHER_KEY),
        (DeviceProof.REQUIRED, None, None, ProofFault.MISSING),
        (DeviceProof.REQUIRED, None, "good", None),
        (DeviceProof.REQUIRED, "other", "good", ProofFault.OTHER_KEY),
    ],
)
def test_what_each_setting_asks_for(
    mode: DeviceProof, known: str | None, text: str | None, fault: ProofFault | None
) -> None:
    jkt = DEVICE.jkt if known == "own" else known
    found = shown(proof() if text == "good" else text)
    assert fault_of_key(mode, jkt, found) is fault


def test_a_request_without_a_proof_shows_none() -> None:
    assert NO_PROOF.read() is ProofFault.MISSING
    assert NO_PROOF.proof is None
