"""An authenticator in software, which can also be told to misbehave."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ORIGIN, RP_ID = "http://localhost:8000", "localhost"
"""Of a service at its default address."""

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def to_text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One passkey; its counter goes on with every answer, unless it has none."""

    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    counter: int = 0
    counts: bool = True

    def create(
        self, options: dict[str, Any], origin: str = ORIGIN, rp_id: str = RP_ID
    ) -> dict[str, Any]:
        """The answer to creation options."""
        data = self._data(rp_id, PRESENT | VERIFIED | ATTESTED)
        size = len(self.credential_id).to_bytes(2)
        data += bytes(16) + size + self.credential_id + self._public_key()
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        response = {
            "clientDataJSON": self._client_data("webauthn.create", options["challenge"], origin),
            "attestationObject": to_text(attestation),
            "transports": ["internal", "of another world"],
            "publicKeyAlgorithm": -7,
        }
        return self._credential(response)

    def get(
        self,
        options: dict[str, Any],
        origin: str = ORIGIN,
        rp_id: str = RP_ID,
        *,
        flags: int = PRESENT | VERIFIED,
        challenge: str | None = None,
        kind: str = "webauthn.get",
    ) -> dict[str, Any]:
        """The answer to request options."""
        if self.counts:
            self.counter += 1
        data = self._data(rp_id, flags)
        client_data = self._client_data(kind, challenge or options["challenge"], origin)
        signed = data + hashlib.sha256(to_bytes(client_data)).digest()
        response = {
            "clientDataJSON": client_data,
            "authenticatorData": to_text(data),
            "signature": to_text(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": None,
        }
        return self._credential(response)

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        name = to_text(self.credential_id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
            "authenticatorAttachment": "platform",
        }

    def _data(self, rp_id: str, flags: int) -> bytes:
        return hashlib.sha256(rp_id.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4)

    def _public_key(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return cbor2.dumps(
            {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        )

    @staticmethod
    def _client_data(kind: str, challenge: str, origin: str) -> str:
        said = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
        return to_text(json.dumps(said).encode())
