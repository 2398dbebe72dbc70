"""Fills the demo's data folder before the service starts, and keeps the summary that it prints."""

import json
import os
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import httpx

from licet_server.app import build_app, build_platform
from licet_server.demo.client import ADDRESS, Calendar, DemoClient, PatientTransport
from licet_server.demo.jobs import HASTY, open_jobs
from licet_server.demo.scenario import DESK, STUDIO
from licet_server.demo.vendor import EMAIL, Report, Vendor
from licet_server.kit.clock import system_clock
from licet_server.kit.process import exempt_heap
from licet_server.kit.settings import Settings, Situation
from licet_server.kit.shutdown import run_until_sigterm

_FILE = "demo.json"


@dataclass(frozen=True, slots=True)
class DemoSummary:
    """The credentials and files that the introduction shows."""

    server: str
    email: str
    password: str
    product_id: str
    product_key: str
    license_key: str
    license_file: str
    public_key_file: str
    institution_id: str = ""
    to_try: dict[str, str] = field(default_factory=dict)
    """The ID of a license or order, by kind of situation."""

    @property
    def situations(self) -> tuple[Situation, ...]:
        of = self.institution_id
        return tuple(Situation(kind, UUID(of), UUID(id_)) for kind, id_ in self.to_try.items())


def read_summary(folder: Path) -> DemoSummary:
    """Read the saved summary.

    Raises:
        FileNotFoundError: when the folder holds an installation that is not a demo, or a demo
            whose creation was interrupted.
    """
    path = folder / _FILE
    if not path.exists():
        raise FileNotFoundError(
            f"The folder {folder} holds a real installation, not a demo. "
            "Choose another folder with --data-dir."
        )
    if not (saved := path.read_text()):
        raise FileNotFoundError(
            f"The demo in {folder} was interrupted while it was being created. "
            "Remove the folder and start again."
        )
    return DemoSummary(**{"server": "", **json.loads(saved)})


def mark_incomplete(folder: Path) -> None:
    """Mark the folder as a demo that is still being created."""
    write_private(folder / _FILE, b"")


def save_summary(folder: Path, summary: DemoSummary) -> None:
    write_private(folder / _FILE, json.dumps(asdict(summary), indent=2).encode())


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def introduction(summary: DemoSummary, address: str) -> str:
    """Return the introduction for the terminal, with commands to copy and paste."""
    return f'''
  Dashboard    {address}
  API page     {address}/api/docs
  Sign-in      {summary.email}  {summary.password}
  Product key  {summary.product_key}
  License key  {summary.license_key}
  License file {summary.license_file}

Validate the license on the server:

curl -s {address}/api/licenses/validate -H 'X-API-KEY: {summary.product_key}' \\
  -H 'Content-Type: application/json' -d '{{"licenseKey": "{summary.license_key}"}}'

Use it in an application, which takes one of its seats:

.venv/bin/python - <<'PY'
from licet import LicenseClient

PRODUCT_ID = "{summary.product_id}"
PUBLIC_KEY = """
{Path(summary.public_key_file).read_text().strip()}
"""

with LicenseClient(
    product_id=PRODUCT_ID,
    public_keys=[PUBLIC_KEY],
    license_key="{summary.license_key}",
    api_key="{summary.product_key}",
    server_base_endpoint="{address}/api",
    license_file="{summary.license_file}",
) as client:
    with client.open() as license:
        print("opened:", license.status, license.features)
        print("seats:", license.seat.used, "of", license.seat.total)
    print("online:", client.validate_online().status)
PY

Then revoke the license "{DESK}" in the dashboard, and paste it again.

Press Ctrl-C to stop. The data is kept for the next start.
'''


_HOUR = timedelta(hours=1)


def seed(settings: Settings, setup_token: str | None, report: Report) -> DemoSummary:
    """Create the sample vendor in a new data folder, or read the summary of an earlier run.

    The saved summary names the address of this run.

    Raises:
        FileNotFoundError: when the folder holds an installation that is not a demo.
    """
    if setup_token is None:
        summary = read_summary(settings.data_dir)
    else:
        mark_incomplete(settings.data_dir)
        summary = run_until_sigterm(_create_vendor(settings, setup_token, report))
    summary = replace(summary, server=f"{settings.address}/api")
    save_summary(settings.data_dir, summary)
    return summary


async def _create_vendor(settings: Settings, setup_token: str, report: Report) -> DemoSummary:
    today = system_clock() - _HOUR
    calendar = Calendar(today)
    platform = build_platform(settings, calendar, HASTY)
    application = build_app(platform)
    transport = PatientTransport(cast("Any", application.asgi))
    try:
        async with (
            open_jobs(settings, calendar, today) as jobs,
            application.litestar.lifespan(),
            httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http,
        ):
            exempt_heap()
            client = DemoClient(http, transport, calendar)
            vendor = Vendor(client, calendar, jobs, report)
            await vendor.run(setup_token)
            return await _save_files(client, vendor, settings.data_dir.resolve())
    finally:
        await platform.database.close()


async def _save_files(client: DemoClient, vendor: Vendor, folder: Path) -> DemoSummary:
    """Save the files that a customer would receive."""
    studio = vendor.products[STUDIO]
    main = vendor.licenses[DESK]
    license_file, public_key_file = folder / "license.bin", folder / "public-key.pem"
    write_private(license_file, await client.download(f"/api/licenses/{main['id']}/file"))
    pem = await client.download(f"/api/products/{studio}/keys/public/download")
    public_key_file.write_bytes(pem)
    return DemoSummary(
        server="",
        email=EMAIL,
        password=vendor.password,
        product_id=studio,
        product_key=vendor.keys[studio],
        license_key=main["licenseKey"],
        license_file=str(license_file),
        public_key_file=str(public_key_file),
        institution_id=vendor.institution_id,
        to_try=vendor.to_try,
    )
