"""The fake's product keys and license keys, and signing and encryption with them."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from joserfc import jwe, jws
from joserfc.jwk import OctKey, RSAKey

from licet._jose import derive_file_key
from licet._keys import ALPHABET, KEY_LENGTH, check_symbol

RSA_BITS = 2048
_SALT_BYTES = 16
_GROUP = 5


@dataclass(frozen=True, slots=True)
class ProductKeys:
    """An RSA key pair and its RFC 7638 thumbprint."""

    pair: RSAKey
    kid: str

    @property
    def public_pem(self) -> str:
        """The public key for applications."""
        return self.pair.as_pem(private=False).decode("ascii")

    def sign(self, token_type: str, claims: Mapping[str, Any]) -> str:
        """Create a compact JWS with RS256."""
        header = {"alg": "RS256", "typ": token_type, "kid": self.kid}
        return jws.serialize_compact(header, json.dumps(claims), self.pair, algorithms=["RS256"])


def make_product_keys() -> ProductKeys:
    """Generate a key pair; takes a tenth of a second or more."""
    pair = RSAKey.generate_key(RSA_BITS)
    return ProductKeys(pair, pair.thumbprint())


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
    header = {
        "alg": "dir",
        "enc": "A256GCM",
        "cty": "license+jwt",
        "salt": urlsafe_b64encode(salt).rstrip(b"=").decode("ascii"),
    }
    registry = jwe.JWERegistry(algorithms=["dir", "A256GCM"], strict_check_header=False)
    key = OctKey.import_key(derive_file_key(normal_key, salt))
    return jwe.encrypt_compact(header, token, key, registry=registry)
