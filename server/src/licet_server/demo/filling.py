"""Fills the folder of the demonstration, before the service starts on it."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from licet_server.app import build_app, build_platform
from licet_server.demo.desk import Calendar, Desk
from licet_server.demo.facts import DemoFacts, begin_facts, keep_facts, read_facts, write_private
from licet_server.demo.story import STUDIO
from licet_server.demo.vendor import EMAIL, Vendor
from licet_server.kit.clock import system_clock
from licet_server.kit.settings import Settings
from licet_server.kit.shutdown import run_until_sigterm

_HOUR = timedelta(hours=1)


def fill(settings: Settings, setup_token: str | None, say: Callable[[str], None]) -> DemoFacts:
    """Make the vendor where nobody has signed up yet; otherwise find what was made before.

    Raises:
        FileNotFoundError: when somebody signed up in this folder, but not the demonstration.
    """
    if setup_token is None:
        return read_facts(settings.data_dir)
    say("Filling the demonstration vendor: six weeks of business take some seconds")
    begin_facts(settings.data_dir)
    facts = run_until_sigterm(_make_vendor(settings, setup_token))
    keep_facts(settings.data_dir, facts)
    return facts


async def _make_vendor(settings: Settings, setup_token: str) -> DemoFacts:
    calendar = Calendar(system_clock() - _HOUR)
    platform = build_platform(settings, calendar)
    transport = httpx.ASGITransport(cast("Any", build_app(platform).asgi))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://demo") as client:
            desk = Desk(client)
            vendor = Vendor(desk, calendar)
            await vendor.live(setup_token)
            return await _hand_over(desk, vendor, settings.data_dir.resolve())
    finally:
        await platform.database.close()


async def _hand_over(desk: Desk, vendor: Vendor, folder: Path) -> DemoFacts:
    """Keep the files that a customer gets."""
    studio = vendor.products[STUDIO]
    main = next(iter(vendor.licenses.values()))
    license_file, public_key_file = folder / "license.bin", folder / "public-key.pem"
    write_private(license_file, await desk.download(f"/api/licenses/{main['id']}/file"))
    pem = await desk.download(f"/api/products/{studio}/keys/public/download")
    public_key_file.write_bytes(pem)
    return DemoFacts(
        email=EMAIL,
        password=vendor.password,
        product_id=studio,
        product_key=vendor.keys[STUDIO],
        license_key=main["licenseKey"],
        license_file=str(license_file),
        public_key_file=str(public_key_file),
    )
