"""The fake's product keys and license keys, and signing and encryption with them."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from licet._device_key import DeviceKey
from licet._jose import NONCE_BYTES, TAG_BYTES, derive_file_key
from licet._keys import ALPHABET, KEY_LENGTH, check_symbol
from licet._public_key import thumbprint

RSA_BITS = 2048
_SALT_BYTES = 16
_GROUP = 5


@dataclass(frozen=True, slots=True)
class ProductKeys:
    """An RSA key pair and its RFC 7638 thumbprint, and the ES256 key of typed codes."""

    pair: RSAPrivateKey
    kid: str
    code_key: DeviceKey

    @property
    def public_pem(self) -> str:
        """The public key for applications."""
        public = self.pair.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")

    def sign(self, token_type: str, claims: Mapping[str, Any]) -> str:
        """Create a compact JWS with RS256."""
        header = {"alg": "RS256", "typ": token_type, "kid": self.kid}
        signed = f"{_segment(header)}.{_segment(claims)}"
        signature = self.pair.sign(signed.encode("ascii"), PKCS1v15(), SHA256())
        return f"{signed}.{_base64url(signature)}"


def make_product_keys() -> ProductKeys:
    """Generate a key pair; takes a tenth of a second or more."""
    pair = generate_private_key(public_exponent=65537, key_size=RSA_BITS)
    code_key = DeviceKey(ec.generate_private_key(ec.SECP256R1()))
    return ProductKeys(pair, thumbprint(pair.public_key()), code_key)


@lru_cache(maxsize=1)
def shared_product_keys() -> ProductKeys:
    """The key pair shared by all new fakes of this process, to keep tests fast."""
    return make_product_keys()


def make_license_key() -> str:
    """Generate a license key in five groups; the last symbol is the check symbol."""
    payload = "".join(secrets.choice(ALPHABET) for _ in range(KEY_LENGTH - 1))
    key = payload + check_symbol(payload)
    return "-".join(key[start : start + _GROUP] for start in range(0, KEY_LENGTH, _GROUP))


def protect_file(token: str, normal_key: str) -> str:
    """Encrypt a license file to its protected form."""
    salt = secrets.token_bytes(_SALT_BYTES)
    content = {"alg": "dir", "enc": "A256GCM", "cty": "license+jwt", "salt": _base64url(salt)}
    header, nonce = _segment(content), secrets.token_bytes(NONCE_BYTES)
    key = AESGCM(derive_file_key(normal_key, salt))
    sealed = key.encrypt(nonce, token.encode("ascii"), header.encode("ascii"))
    parts = (nonce, sealed[:-TAG_BYTES], sealed[-TAG_BYTES:])
    return ".".join([header, "", *map(_base64url, parts)])


def _segment(content: Mapping[str, Any]) -> str:
    return _base64url(json.dumps(content).encode())


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
