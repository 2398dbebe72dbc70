"""What licenses left behind: when they were used last, and the orders that they came of."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.connectors.storage.order_lists import latest_of_licenses
from licet_server.devices.service.lookup import last_seen_of_licenses
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LatestOrder, LicenseId


class TracesOfLicenses:
    """Implements `licenses.service.hooks.LicenseTraces`."""

    async def last_seen(
        self, db: Connection, licenses: Sequence[LicenseId]
    ) -> dict[UUID, datetime]:
        """Return when a device of these licenses was last seen; those without any are omitted."""
        return await last_seen_of_licenses(db, licenses)

    async def orders(
        self, db: Connection, licenses: Sequence[LicenseId]
    ) -> dict[UUID, LatestOrder]:
        """Return the latest order of each of these licenses; those without any are omitted."""
        return await latest_of_licenses(db, licenses)
