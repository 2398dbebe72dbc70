"""The model of a saved view, and its limits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.kit.errors import FieldError

OWN_MAX, SHARED_MAX = 50, 100
"""How many views a user, and an institution, may have of one list."""

FILTERS_MAX, VALUES_MAX = 30, 50
COLUMNS_MAX = 50

FilterValue = str | Sequence[str]
"""The value of a filter, or several."""


class ListKind(StrEnum):
    """A list of the dashboard that views are saved of."""

    LICENSES = "Licenses"
    CUSTOMERS = "Customers"
    PRODUCTS = "Products"
    POLICIES = "Policies"
    DEVICES = "Devices"
    SESSIONS = "Sessions"
    PAST_SESSIONS = "PastSessions"
    RECEIVED_LICENSES = "ReceivedLicenses"
    WEBHOOKS = "Webhooks"
    DELIVERIES = "Deliveries"
    API_KEYS = "ApiKeys"
    AUDIT_LOG = "AuditLog"
    ORDERS = "Orders"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedView:
    """A view of a list. `user_id` is its owner; a view without one is shared in its institution.

    `columns` are those to show, in their order, and `None` are the default ones of the list.
    """

    institution_id: UUID
    id: UUID
    user_id: UUID | None
    list_kind: ListKind
    name: str
    filters: Mapping[str, FilterValue]
    columns: Sequence[str] | None
    sort: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_shared(self) -> bool:
        """Whether all members of the institution see it."""
        return self.user_id is None


def limit_of(view: SavedView) -> int:
    """Return how many views like this one, of the same list, there may be."""
    return SHARED_MAX if view.is_shared else OWN_MAX


def filter_breaches(filters: Mapping[str, FilterValue]) -> Iterator[FieldError]:
    """Yield a breach if there are too many filters, or values of one."""
    if len(filters) > FILTERS_MAX:
        yield FieldError("filters", f"must have at most {FILTERS_MAX} entries.")
    for name, value in filters.items():
        if not isinstance(value, str) and len(value) > VALUES_MAX:
            yield FieldError(f"filters.{name}", f"must have at most {VALUES_MAX} values.")
