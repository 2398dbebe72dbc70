"""A machine without a connection: it signs requests and releases, and reads answers."""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from devices.proving import KeyOfDevice, base64url
from world import Vendor

from licet_server.licenses.rules.keys import normal_form
from licet_server.offline.rules.codes import Code, print_code, release_text

SELF_SERVICE = {"offlineActivation": "SelfService"}
APPROVAL = {"offlineActivation": "Approval"}
PREVIEW, ANSWER = "/api/offline/requests", "/api/offline/requests/answer"


def hash_of(license_: dict[str, Any]) -> str:
    normal = normal_form(license_["licenseKey"])
    assert normal is not None
    return base64url(sha256(normal.encode()).digest())


@dataclass
class Signer:
    """What a machine signs with the key of its own; `seq` is its counter.

    Its requests have what it `says` of itself, too.
    """

    product_id: str
    license: dict[str, Any]
    hardware_id: str
    says: Mapping[str, str | None] = field(default_factory=dict)
    device: KeyOfDevice = field(default_factory=KeyOfDevice)
    seq: int = 0
    last: str = ""
    nonce: str = ""

    def sign(self, kind: str = "Activate", **claims: Any) -> str:
        """Return a new request; claims that are `None` are left out."""
        self.seq += 1
        self.nonce = base64url(sha256(f"{self.device.jkt}{self.seq}".encode()).digest()[:16])
        said = {
            "aud": self.product_id,
            "kind": kind,
            "licenseKeyHash": hash_of(self.license),
            "hardwareId": self.hardware_id,
            "nonce": self.nonce,
            "seq": self.seq,
            "iat": 1_700_000_000,
            **self.says,
            **claims,
        }
        given = {name: value for name, value in said.items() if value is not None}
        self.last = self.device.sign(json.dumps(given).encode(), typ="licet-req+jwt")
        return self.last

    def release_code(self, file_id: str) -> str:
        """Return the code that releases the machine, for the next `seq`."""
        self.seq += 1
        text = release_text(
            product_id=self.product_id,
            key_hash=hash_of(self.license),
            hardware_id=self.hardware_id,
            jkt=self.device.jkt,
            file_id=file_id,
            seq=self.seq,
        )
        key = self.device.key.private_key
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        r, s = decode_dss_signature(key.sign(text, ec.ECDSA(SHA256())))
        return print_code(Code(self.seq, r.to_bytes(32, "big") + s.to_bytes(32, "big")))


class Machine(Signer):
    """A machine without a connection, whose requests somebody carries to the desk."""

    def __init__(
        self, vendor: Vendor, license_: dict[str, Any], hardware_id: str = "machine-1"
    ) -> None:
        says = {"deviceName": "Press 7", "appVersion": "2.4.0"}
        super().__init__(vendor.product["id"], license_, hardware_id, says)
        self.vendor = vendor

    async def send(self, text: str, path: str = ANSWER, **fields: Any) -> httpx.Response:
        """Let somebody carry a request to the desk."""
        return await self.vendor.owner.client.post(path, json={"request": text, **fields})

    async def ask(self, kind: str = "Activate", **claims: Any) -> httpx.Response:
        return await self.send(self.sign(kind, **claims))

    async def answered(self, kind: str = "Activate", **claims: Any) -> dict[str, Any]:
        answer = await self.ask(kind, **claims)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def claims_in(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return the claims of the file of an answer."""
        return await self.vendor.claims_of(b64decode(answer["file"]).decode())

    async def rows(self, **query: str) -> list[dict[str, Any]]:
        """Return the requests of the license as operators see them."""
        path = f"/api/licenses/{self.license['id']}/offline"
        return list((await self.vendor.owner.ok("GET", path, params=query))["items"])

    async def decide(self, act: str, **body: Any) -> httpx.Response:
        """Approve or reject the newest request as the Owner."""
        [row] = await self.rows()
        path = f"/api/offline/requests/{row['id']}/{act}"
        return await self.vendor.owner.send("POST", path, body or None)

    async def seats(self) -> int:
        path = f"/api/licenses/{self.license['id']}"
        return int((await self.vendor.owner.ok("GET", path))["seatsUsed"])


async def some_request(vendor: Vendor) -> tuple[dict[str, Any], str]:
    """A request of a vendor's license that waits for approval, and its text."""
    machine = Machine(vendor, await vendor.issue("Perpetual", **APPROVAL))
    assert (await machine.ask()).status_code == 202
    [row] = await machine.rows()
    return row, machine.last
