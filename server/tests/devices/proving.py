"""A device key, and the proofs that it signs."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Self

import httpx
from joserfc import jws
from joserfc.jwk import ECKey
from testkit import FakeClock
from world import Vendor, World


def base64url(raw: bytes) -> str:
    """Encode without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class KeyOfDevice:
    """An ES256 key that signs proofs; what is passed in replaces what they say."""

    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256")
        self.number = 0

    @property
    def jwk(self) -> dict[str, Any]:
        """The public key."""
        given = self.key.as_dict(private=False)
        return {name: given[name] for name in ("kty", "crv", "x", "y")}

    @property
    def jkt(self) -> str:
        """Its thumbprint."""
        return self.key.thumbprint()

    def claims(
        self, now: datetime, method: str, url: str, body: bytes, **claims: Any
    ) -> dict[str, Any]:
        """Return the claims of a new proof; those that are `None` are left out."""
        self.number += 1
        said = {
            "jti": f"{self.jkt[:20]}-{self.number:06}",
            "htm": method,
            "htu": url,
            "iat": int(now.timestamp()),
            "bh": base64url(sha256(body).digest()) if body else None,
            **claims,
        }
        return {name: value for name, value in said.items() if value is not None}

    def sign(self, payload: bytes, **header: Any) -> str:
        """Sign these bytes as a proof; the header says what is passed in."""
        said = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk, **header}
        return jws.serialize_compact(said, payload, self.key, algorithms=["ES256"])

    def prove(self, now: datetime, method: str, url: str, body: bytes = b"", **claims: Any) -> str:
        """Return a proof of this request."""
        return self.sign(json.dumps(self.claims(now, method, url, body, **claims)).encode())


@dataclass
class Prover(Vendor):
    """Applications of a vendor on a device that proves its key with each request.

    `claims` replace what the proofs say. With `repeated`, the last proof is sent again.
    """

    clock: FakeClock
    device: KeyOfDevice
    claims: dict[str, Any] = field(default_factory=dict)
    repeated: bool = False
    last: str = ""

    @classmethod
    def of(cls, world: World) -> Self:
        """Return a device with a new key."""
        return cls(world.owner, world.product, world.key, world.clock, KeyOfDevice())

    @property
    def jkt(self) -> str:
        """The thumbprint of its key."""
        return self.device.jkt

    async def call(self, method: str, path: str, body: Any, **options: Any) -> httpx.Response:
        """Send a request of an application with a proof."""
        client, content = self.owner.client, b"" if body is None else json.dumps(body).encode()
        url = str(client.base_url.join(path))
        if not self.repeated:
            said = {"method": method, "url": url, "body": content, **self.claims}
            self.last = self.device.prove(self.clock(), **said)
        headers = {**self.key, "dpop": self.last, "content-type": "application/json"}
        return await client.request(method, path, content=content, headers=headers, **options)
