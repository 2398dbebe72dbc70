"""Fills the demo's data folder before the service starts."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from licet_server.app import build_app, build_platform
from licet_server.demo.client import Calendar, DemoClient
from licet_server.demo.scenario import STUDIO
from licet_server.demo.summary import (
    DemoSummary,
    mark_incomplete,
    read_summary,
    save_summary,
    write_private,
)
from licet_server.demo.vendor import EMAIL, Vendor
from licet_server.kit.clock import system_clock
from licet_server.kit.settings import Settings
from licet_server.kit.shutdown import run_until_sigterm

_HOUR = timedelta(hours=1)


def seed(settings: Settings, setup_token: str | None, say: Callable[[str], None]) -> DemoSummary:
    """Create the sample vendor in a new data folder, or read the summary of an earlier run.

    Raises:
        FileNotFoundError: when the folder holds an installation that is not a demo.
    """
    if setup_token is None:
        return read_summary(settings.data_dir)
    say("Creating the sample data: six weeks of business take a few seconds")
    mark_incomplete(settings.data_dir)
    summary = run_until_sigterm(_create_vendor(settings, setup_token))
    save_summary(settings.data_dir, summary)
    return summary


async def _create_vendor(settings: Settings, setup_token: str) -> DemoSummary:
    calendar = Calendar(system_clock() - _HOUR)
    platform = build_platform(settings, calendar)
    transport = httpx.ASGITransport(cast("Any", build_app(platform).asgi))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://demo") as http:
            client = DemoClient(http)
            vendor = Vendor(client, calendar)
            await vendor.run(setup_token)
            return await _save_files(client, vendor, settings.data_dir.resolve())
    finally:
        await platform.database.close()


async def _save_files(client: DemoClient, vendor: Vendor, folder: Path) -> DemoSummary:
    """Save the files that a customer would receive."""
    studio = vendor.products[STUDIO]
    main = next(iter(vendor.licenses.values()))
    license_file, public_key_file = folder / "license.bin", folder / "public-key.pem"
    write_private(license_file, await client.download(f"/api/licenses/{main['id']}/file"))
    pem = await client.download(f"/api/products/{studio}/keys/public/download")
    public_key_file.write_bytes(pem)
    return DemoSummary(
        email=EMAIL,
        password=vendor.password,
        product_id=studio,
        product_key=vendor.keys[STUDIO],
        license_key=main["licenseKey"],
        license_file=str(license_file),
        public_key_file=str(public_key_file),
    )
