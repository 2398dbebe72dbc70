"""What applications requested of a license lately, counted by device, route and status."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

MAX_ROWS = 200
"""The most rows of a license; beyond, those go that were longest not repeated."""

KEPT_FOR = timedelta(days=30)


class RequestKey(NamedTuple):
    """What requests have in common that are counted as one; in the order of rows to be locked."""

    institution_id: UUID
    license_id: UUID
    hardware_id: str
    route: str
    status: str


class Seen(Struct):
    """How often and when something was requested, and what the last request said."""

    count: int
    first_seen_at: datetime
    last_seen_at: datetime
    ip_address: str
    device_name: str | None
    app_version: str | None

    def again(
        self, now: datetime, ip_address: str, device_name: str | None, app_version: str | None
    ) -> None:
        """Count another request; what it leaves out is as it was."""
        self.count += 1
        self.last_seen_at = max(now, self.last_seen_at)
        self.ip_address = ip_address
        self.device_name = device_name or self.device_name
        self.app_version = app_version or self.app_version


class LicenseRequest(Struct, frozen=True, kw_only=True):
    """What applications requested, as it is stored; without a device, `hardware_id` is empty."""

    institution_id: UUID
    id: UUID
    license_id: UUID
    hardware_id: str
    route: str
    status: str
    device_name: str | None
    app_version: str | None
    ip_address: str
    request_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    last_day: date
