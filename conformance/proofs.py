"""Reading the proofs of device keys (RFC 9449) in a log of requests, as a strict server does."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

SIZE = 32
LONGEST = 2048


@dataclass(frozen=True)
class ProvenRequest:
    """A request with the key that has proven it."""

    path: str
    jkt: str
    jti: str
    issued_at: datetime


def read_proof(entry: Mapping[str, Any], endpoint: str) -> ProvenRequest:
    """Verify the proof of an entry of the log.

    Raises:
        AssertionError: There is none, or it is not of this request.
    """
    path, proof = entry["path"], entry["headers"].get("dpop")
    assert proof, f"{path} has no proof"
    header, claims = open_proof(proof)
    expected = {"htm": entry["method"], "htu": endpoint + path, "bh": entry["bodyHash"]}
    found = {name: claims.get(name) for name in expected}
    assert found == expected, f"the proof is of {found} instead of {expected}"
    issued_at = datetime.fromtimestamp(claims["iat"], UTC)
    return ProvenRequest(path, thumbprint(header["jwk"]), claims["jti"], issued_at)


def open_proof(proof: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the claims of a proof, whose form and signature are right.

    Raises:
        AssertionError: They are not.
    """
    header, claims = open_device_token(proof)
    assert 16 <= len(claims["jti"]) <= 64, f"the jti has {len(claims['jti'])} characters"
    return header, claims


def open_receipt(receipt: str) -> dict[str, Any]:
    """The claims of a receipt, with the thumbprint of the key that has signed it as ``jkt``.

    Raises:
        AssertionError: Its form, its header or its signature is not right.
    """
    header, claims = open_device_token(receipt)
    jwk = header["jwk"]
    expected = {"alg": "ES256", "typ": "receipt+jwt", "jwk": jwk}
    assert header == expected, f"the header is {header}"
    assert sorted(jwk) == ["crv", "kty", "x", "y"], f"the key has {sorted(jwk)}"
    return {**claims, "jkt": thumbprint(jwk)}


def open_device_token(proof: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the claims of what a device has signed.

    Raises:
        AssertionError: Its form or its signature is not right.
    """
    parts = proof.split(".")
    assert len(parts) == 3, "a proof has three parts"
    assert len(proof) <= LONGEST, f"the proof has {len(proof)} characters"
    head, payload, signature = (_bytes(part) for part in parts)
    header, claims = json.loads(head), json.loads(payload)
    assert len(signature) == 2 * SIZE, f"the signature has {len(signature)} bytes"
    r, s = (int.from_bytes(half) for half in (signature[:SIZE], signature[SIZE:]))
    x, y = (int.from_bytes(_bytes(header["jwk"][name])) for name in "xy")
    public = EllipticCurvePublicNumbers(x, y, SECP256R1()).public_key()
    try:
        text = f"{parts[0]}.{parts[1]}".encode()
        public.verify(encode_dss_signature(r, s), text, ECDSA(SHA256()))
    except InvalidSignature as error:
        raise AssertionError("the signature is not of this key") from error
    return header, claims


def thumbprint(jwk: Mapping[str, str]) -> str:
    """The thumbprint of an EC key (RFC 7638)."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    return _text(sha256(json.dumps(members, separators=(",", ":")).encode()).digest())


def _bytes(text: str) -> bytes:
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    assert _text(raw) == text, "it is not canonical base64url without padding"
    return raw


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
