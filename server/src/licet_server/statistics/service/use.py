"""What is going on under licenses, put together from the features that know."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import CAPPED, License
from licet_server.licenses.service.reading import LicenseUse


async def read_use(
    db: Connection, licenses: Sequence[License], now: datetime
) -> dict[UUID, LicenseUse]:
    """Seats in use, and access attempts that nobody has reviewed, for many licenses."""
    return {item.id: LicenseUse(0 if item.type in CAPPED else None, 0) for item in licenses}
