"""A customer, and what becomes of two that are merged."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """A customer as stored; the address is unique in the institution, without case.

    `locale` is the language that they read, as a tag in its usual form.
    """

    institution_id: UUID
    id: UUID
    name: str
    email: str
    external_reference: str | None
    company: str | None
    locale: str | None
    notes: str | None
    metadata: Mapping[str, str]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerDraft:
    """A customer to create; its texts are validated."""

    institution_id: UUID | None
    name: str
    email: str
    external_reference: str | None
    company: str | None
    locale: str | None
    notes: str | None
    metadata: Mapping[str, str]


CustomerId = tuple[UUID, UUID]
"""Institution and customer."""


def merged(kept: Customer, double: Customer, now: datetime) -> Customer:
    """Return the customer that is left of two: what `kept` does not say comes from the double.

    A name that is only an address gives way to a real one.
    """
    unnamed = kept.name.lower() == kept.email.lower()
    has_name = double.name.lower() != double.email.lower()
    return replace(
        kept,
        name=double.name if unnamed and has_name else kept.name,
        external_reference=kept.external_reference or double.external_reference,
        company=kept.company or double.company,
        locale=kept.locale or double.locale,
        notes=kept.notes or double.notes,
        metadata={**double.metadata, **kept.metadata},
        updated_at=now,
    )


def customer_facts(customer: Customer) -> dict[str, object]:
    """Return the data of a customer in events and the audit log: no notes."""
    return {
        "id": customer.id,
        "name": customer.name,
        "email": customer.email,
        "externalReference": customer.external_reference,
        "company": customer.company,
        "locale": customer.locale,
        "metadata": dict(customer.metadata),
    }
