"""API keys: access of programs to an institution on behalf of a user."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.institutions.rules.ip_allow_list import is_admitted


class Scope(StrEnum):
    """A purpose that an API key may be used for. A write scope includes the read scope."""

    LICENSES_READ = "Licenses.Read"
    LICENSES_WRITE = "Licenses.Write"
    ACTIVATIONS_READ = "Activations.Read"
    ACTIVATIONS_WRITE = "Activations.Write"
    PRODUCTS_READ = "Products.Read"
    PRODUCTS_WRITE = "Products.Write"
    RELEASES_READ = "Releases.Read"
    RELEASES_WRITE = "Releases.Write"
    METER_READ = "Meter.Read"
    METER_WRITE = "Meter.Write"
    STATISTICS_READ = "Statistics.Read"
    WEBHOOKS_READ = "Webhooks.Read"
    WEBHOOKS_WRITE = "Webhooks.Write"
    CUSTOMERS_READ = "Customers.Read"
    CUSTOMERS_WRITE = "Customers.Write"


_WRITING = {
    Scope.LICENSES_READ: Scope.LICENSES_WRITE,
    Scope.ACTIVATIONS_READ: Scope.ACTIVATIONS_WRITE,
    Scope.PRODUCTS_READ: Scope.PRODUCTS_WRITE,
    Scope.RELEASES_READ: Scope.RELEASES_WRITE,
    Scope.METER_READ: Scope.METER_WRITE,
    Scope.WEBHOOKS_READ: Scope.WEBHOOKS_WRITE,
    Scope.CUSTOMERS_READ: Scope.CUSTOMERS_WRITE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key of an institution. It can do what its scopes allow, and no more than its maker.

    `maker_id` is the user who created it, or who rotated it last.
    """

    institution_id: UUID
    id: UUID
    maker_id: UUID
    name: str
    description: str | None
    scopes: tuple[Scope, ...]
    ip_allow_list: tuple[str, ...]
    expires_at: datetime | None
    last_used_at: datetime | None = None
    created_at: datetime
    revoked_at: datetime | None = None

    def is_live(self, now: datetime) -> bool:
        """Check whether the key is neither revoked nor expired at `now`."""
        in_time = self.expires_at is None or now < self.expires_at
        return self.revoked_at is None and in_time

    def covers(self, needed: Scope) -> bool:
        """Check whether the key has the scope."""
        return needed in self.scopes or _WRITING.get(needed) in self.scopes

    def admits(self, address: str) -> bool:
        """Check whether the key may be used from the IP address; without a list, from any."""
        return is_admitted(self.ip_allow_list, address)
