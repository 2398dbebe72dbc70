"""How many devices applications may still release under a license."""

from datetime import datetime

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices.rules.releases import RELEASE_PERIOD, ReleasedBy, app_releases_left
from licet_server.devices.storage import releases
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License, LicenseTerms


async def count_app_releases_left(
    db: Connection, settings: ProductSettings, license_: License | LicenseTerms, now: datetime
) -> int | None:
    """Count the devices that applications may still release; `None` if they never may."""
    if app_releases_left(settings, license_, ()) is None:
        return None
    ids, since = (license_.institution_id, license_.id), now - RELEASE_PERIOD
    released = await releases.fetch_releases(db, ids, ReleasedBy.APPLICATION, since)
    return app_releases_left(settings, license_, released)
