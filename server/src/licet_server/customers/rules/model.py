"""Customers, and the merging of two."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.model import facts_of
from licet_server.kit.tags import MAX_TAGS, Tags, normal_tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """A customer as stored; the address is unique in the institution, without case.

    `locale` is the language that they read, as a tag in its usual form.
    """

    institution_id: UUID
    id: UUID
    name: str
    email: str
    external_reference: str | None = None
    company: str | None = None
    locale: str | None = None
    notes: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    tags: Tags = ()
    created_at: datetime
    updated_at: datetime

    @property
    def erased_email(self) -> str:
        """The address that stands for the customer once they are erased."""
        return f"{self.id}@erased.invalid"

    @property
    def is_erased(self) -> bool:
        """Whether the person behind the customer was erased."""
        return self.email == self.erased_email


class Holding(StrEnum):
    """What licenses a customer has: an active one, none that is active, or one that expired."""

    ACTIVE = "Active"
    NO_ACTIVE = "NoActive"
    EXPIRED = "Expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerFilter:
    """The filters of a list; `None` does not filter."""

    search: str | None = None
    tags: Tags | None = None
    ids: tuple[UUID, ...] | None = None
    holding: Holding | None = None


@dataclass(frozen=True, slots=True)
class PaidSum:
    """What a customer paid in one currency, and what of that was paid back."""

    currency: str
    amount: Decimal
    refunded: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerFigures:
    """The licenses of a customer by status, and what became of them.

    `next_end` is when the first of the active ones ends, a term before its grace. `last_seen_at` is
    that of their devices. `paid` has the currency of the most orders first.
    """

    active: int = 0
    suspended: int = 0
    expired: int = 0
    revoked: int = 0
    next_end: datetime | None = None
    last_seen_at: datetime | None = None
    paid: tuple[PaidSum, ...] = ()


CustomerId = tuple[UUID, UUID]
"""Institution and customer."""


def merged(kept: Customer, duplicate: Customer, now: datetime) -> Customer:
    """Return the customer that is left of two: what `kept` lacks comes from the duplicate.

    A name that is only an address gives way to a real one.
    """
    unnamed = kept.name.lower() == kept.email.lower()
    has_name = duplicate.name.lower() != duplicate.email.lower()
    return replace(
        kept,
        name=duplicate.name if unnamed and has_name else kept.name,
        external_reference=kept.external_reference or duplicate.external_reference,
        company=kept.company or duplicate.company,
        locale=kept.locale or duplicate.locale,
        notes=kept.notes or duplicate.notes,
        metadata={**duplicate.metadata, **kept.metadata},
        tags=normal_tags([*kept.tags, *duplicate.tags])[:MAX_TAGS],
        updated_at=now,
    )


def customer_facts(customer: Customer) -> dict[str, object]:
    """Return the data of a customer in events and the audit log: no notes."""
    return facts_of(customer, omit={"institution_id", "notes", "created_at", "updated_at"})
