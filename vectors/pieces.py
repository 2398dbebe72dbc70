"""Building blocks of the vectors: a product's key, its files and its tokens."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64encode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)
from joserfc import jws
from joserfc.jwk import RSAKey

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PRODUCT = "01920000-0000-7000-8000-000000000001"
OTHER_PRODUCT = "01920000-0000-7000-8000-000000000002"
LICENSE = "01920000-0000-7000-8000-0000000000a1"
HARDWARE = "h1m-0123456789abcdef0123456789abcdef01234567"
OTHER_HARDWARE = "h1m-ffffffffffffffffffffffffffffffffffffffff"
ISSUED = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
DAY = timedelta(days=1)
NONCE = "dGVzdC1vbmx5LW5vbmNlLTAwMDE"


def b64u(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def rfc3339(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def luhn(payload: str) -> str:
    total, factor = 0, 2
    for symbol in reversed(payload):
        addend = factor * ALPHABET.index(symbol)
        total += addend // 32 + addend % 32
        factor = 1 if factor == 2 else 2
    return ALPHABET[(32 - total % 32) % 32]


def make_key(seed: str) -> str:
    digest = hashlib.sha256(seed.encode()).digest()
    payload = "".join(ALPHABET[byte % 32] for byte in digest[:24])
    return payload + luhn(payload)


def grouped(key: str) -> str:
    return "-".join(key[i : i + 5] for i in range(0, 25, 5))


KEY = make_key("licet test key 1")
OTHER_KEY = make_key("licet test key 2")
IMPORTED = "ACME-imported-key-0000-0001"


class Signer:
    """An RSA key. PKCS#1 v1.5 signatures are deterministic."""

    def __init__(self, pem: bytes) -> None:
        self.private = load_pem_private_key(pem, None)
        self.jwk = RSAKey.import_key(pem)
        self.kid = self.jwk.thumbprint()
        public = self.private.public_key()
        self.pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        self.base64 = b64encode(
            public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        ).decode()

    def sign(self, claims: dict, typ: str, **header: str) -> str:
        return self.sign_text(json.dumps(claims, separators=(",", ":")), typ, **header)

    def sign_text(self, payload: str, typ: str, **header: str) -> str:
        protected = {"alg": "RS256", "typ": typ, "kid": self.kid, **header}
        return jws.serialize_compact(protected, payload, self.jwk, algorithms=["RS256"])


def unsigned(claims: dict, typ: str, kid: str) -> str:
    head = {"alg": "none", "typ": typ, "kid": kid}
    return f"{b64u(json.dumps(head).encode())}.{b64u(json.dumps(claims).encode())}."


def hs256(claims: dict, typ: str, kid: str, secret: bytes) -> str:
    head = {"alg": "HS256", "typ": typ, "kid": kid}
    text = f"{b64u(json.dumps(head).encode())}.{b64u(json.dumps(claims).encode())}"
    return f"{text}.{b64u(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"


def derive(key: str, salt: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt, b"licet/license-file/v1").derive(key.encode())


def protect(token: str, key: str, salt: bytes, iv: bytes) -> str:
    header = {"alg": "dir", "enc": "A256GCM", "cty": "license+jwt", "salt": b64u(salt)}
    head = b64u(json.dumps(header, separators=(",", ":")).encode())
    sealed = AESGCM(derive(key, salt)).encrypt(iv, token.encode(), head.encode())
    return f"{head}..{b64u(iv)}.{b64u(sealed[:-16])}.{b64u(sealed[-16:])}"


def terms(**changes: object) -> dict:
    return {
        "key": grouped(KEY),
        "type": "Subscription",
        "status": "Active",
        "name": "Test license",
        "issuedTo": "ada@example.com",
        "issuer": "Example Software",
        "expirationDate": rfc3339(ISSUED + 365 * DAY),
        "activationMode": "Offline",
        "maxActiveUsersCount": None,
        "features": ["export", "Reports"],
        "metadata": {"order": "1001"},
        **changes,
    }


def file_claims(
    license_terms: dict | None = None,
    *,
    exp: datetime | None = ISSUED + 365 * DAY,
    **changes: object,
) -> dict:
    issued = int(ISSUED.timestamp())
    claims = {
        "iss": "https://licenses.example.com",
        "sub": LICENSE,
        "aud": PRODUCT,
        "jti": "01920000-0000-7000-8000-0000000000f1",
        "iat": issued,
        "nbf": issued,
        "license": license_terms or terms(),
        "product": {"id": PRODUCT, "name": "Test product"},
        "release": {"id": "01920000-0000-7000-8000-0000000000b1", "version": "2.4.0"},
    }
    if exp is not None:
        claims["exp"] = int(exp.timestamp())
    return {**claims, **changes}


def flip(segment: str) -> str:
    middle = len(segment) // 2
    return segment[:middle] + ("A" if segment[middle] != "A" else "B") + segment[middle + 1 :]
