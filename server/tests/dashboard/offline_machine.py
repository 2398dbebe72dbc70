"""A machine without a network, and the requests that its application signs."""

import json
import shutil
import subprocess
from base64 import urlsafe_b64decode
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from dashboard.vendor import Json, Workspace
from devices.proving import KeyOfDevice, base64url
from offline.machine import hash_of
from PIL import Image

from licet_server.kit.clock import system_clock
from licet_server.offline.rules.codes import Code, print_code, release_text

MODULES = Path(__file__).parents[3] / "dashboard/node_modules"
_DRAW = """
const { create } = require(process.argv[1]);
const { modules } = create(process.argv[2], { errorCorrectionLevel: "L" });
process.stdout.write(JSON.stringify({ size: modules.size, data: [...modules.data] }));
"""


@dataclass
class OfflineMachine:
    """Its requests have a growing `seq`, and name the base file if it has one."""

    workspace: Workspace
    license: Json
    name: str
    key: KeyOfDevice = field(default_factory=KeyOfDevice)
    seq: int = 0
    base: str | None = None

    def ask(self, kind: str = "Activate", **claims: Any) -> str:
        """Return a new request; claims that are passed in as `None` are left out."""
        self.seq += 1
        said = {
            "aud": self.workspace.product,
            "kind": kind,
            "licenseKeyHash": hash_of(self.license),
            "hardwareId": f"machine-{self.name}",
            "deviceName": self.name,
            "appVersion": "2.1.0",
            "nonce": base64url(token_bytes(16)),
            "seq": self.seq,
            "iat": int(system_clock().timestamp()),
            "base": self.base,
            **claims,
        }
        given = {name: value for name, value in said.items() if value is not None}
        return self.key.sign(json.dumps(given).encode(), typ="licet-req+jwt")

    def release_code(self, file_id: str) -> str:
        """Return the code that releases the machine, with the next `seq`."""
        self.seq += 1
        text = release_text(
            product_id=self.workspace.product,
            key_hash=hash_of(self.license),
            hardware_id=f"machine-{self.name}",
            jkt=self.key.jkt,
            file_id=file_id,
            seq=self.seq,
        )
        private = self.key.key.private_key
        assert isinstance(private, ec.EllipticCurvePrivateKey)
        r, s = decode_dss_signature(private.sign(text, ec.ECDSA(SHA256())))
        return print_code(Code(self.seq, r.to_bytes(32, "big") + s.to_bytes(32, "big")))


def claims_of(token: str) -> Json:
    """What a license file says."""
    part = token.split(".")[1]
    return dict(json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4))))


def draw(text: str, scale: int = 6) -> Image.Image:
    """Return the QR code of a text, with its quiet zone."""
    node = shutil.which("node") or "node"
    command = [node, "-e", _DRAW, str(MODULES / "qrcode"), text]
    drawn = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    size = drawn["size"]
    code = Image.new("L", (size + 8, size + 8), 255)
    for place, dark in enumerate(drawn["data"]):
        if dark:
            code.putpixel((4 + place % size, 4 + place // size), 0)
    return code.resize((code.width * scale, code.height * scale), Image.Resampling.NEAREST)


def film(picture: Image.Image, path: Path, width: int = 1280, height: int = 720) -> Path:
    """Write what a camera sees that looks at a picture: two frames, without color."""
    seen = Image.new("L", (width, height), 128)
    seen.paste(picture, ((width - picture.width) // 2, (height - picture.height) // 2))
    frame = b"FRAME\n" + seen.tobytes() + bytes([128]) * (width * height // 2)
    path.write_bytes(f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode() + frame * 2)
    return path
