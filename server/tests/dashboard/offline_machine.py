"""A machine without a network, its QR codes, and what a camera sees of them."""

import json
import shutil
import subprocess
from base64 import urlsafe_b64decode
from pathlib import Path

from dashboard.vendor import Json, Workspace
from offline.machine import Signer
from PIL import Image

MODULES = Path(__file__).parents[3] / "dashboard/node_modules"
_DRAW = """
const { create } = require(process.argv[1]);
const { modules } = create(process.argv[2], { errorCorrectionLevel: "L" });
process.stdout.write(JSON.stringify({ size: modules.size, data: [...modules.data] }));
"""


def offline_machine(
    workspace: Workspace, license_: Json, name: str, base: str | None = None
) -> Signer:
    """A machine with a base file, if one is named."""
    says = {"deviceName": name, "appVersion": "2.1.0", "base": base}
    return Signer(workspace.product, license_, f"machine-{name}", says)


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
