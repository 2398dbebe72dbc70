"""What the demonstration shows at its start, and keeps in its folder for the next one."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

_FILE = "demo.json"


@dataclass(frozen=True, slots=True)
class DemoSummary:
    """What the introduction shows; kept in the demo's folder, so that a second run shows it too."""

    email: str
    password: str
    product_id: str
    product_key: str
    license_key: str
    license_file: str
    public_key_file: str


def read_summary(folder: Path) -> DemoSummary:
    """What was kept.

    Raises:
        FileNotFoundError: when somebody signed up in this folder, but not the demonstration, or
            it was cut off.
    """
    path = folder / _FILE
    if not path.exists():
        raise FileNotFoundError(
            f"The folder {folder} holds a real installation, not a demonstration. "
            "Name another with --data-dir."
        )
    if not (kept := path.read_text()):
        raise FileNotFoundError(
            f"The demonstration in {folder} was cut off while it was filled. "
            "Remove the folder and start again."
        )
    return DemoSummary(**json.loads(kept))


def mark_incomplete(folder: Path) -> None:
    """Leave a mark that a demonstration is being filled."""
    write_private(folder / _FILE, b"")


def save_summary(folder: Path, summary: DemoSummary) -> None:
    write_private(folder / _FILE, json.dumps(asdict(summary), indent=2).encode())


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def introduction(summary: DemoSummary, address: str) -> str:
    """What to do first, with commands that work when pasted."""
    return f"""
  Dashboard    {address}
  API page     {address}/api/docs
  Sign-in      {summary.email}  {summary.password}
  Product key  {summary.product_key}
  License key  {summary.license_key}
  License file {summary.license_file}

Ask the server whether the license is valid:

curl -s {address}/api/licenses/validate -H 'X-API-KEY: {summary.product_key}' \\
  -H 'Content-Type: application/json' -d '{{"licenseKey": "{summary.license_key}"}}'

Verify it in an application, offline and online:

.venv/bin/python - <<'PY'
from pathlib import Path
from licet import LicenseClient

with LicenseClient(
    product_id="{summary.product_id}",
    public_key=Path("{summary.public_key_file}").read_text(),
    license_key="{summary.license_key}",
    api_key="{summary.product_key}",
    server_base_endpoint="{address}/api",
    license_file="{summary.license_file}",
) as client:
    print("offline:", client.validate_offline().status)
    print("online: ", client.validate_online().status)
PY

Stop with Ctrl-C. The next start finds everything as it was.
"""
