"""Records events about associations, in the institutions of both sides.

Each side learns only the name of the other: not who acted there, nor from which address.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from msgspec import structs

from licet_server.catalog.rules.associations import Association
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The two sides of an association, and what it is about."""

    customer_id: UUID
    customer_name: str
    vendor_name: str
    product_name: str


async def record_for_vendor(
    work: UnitOfWork,
    kind: EventKind,
    item: Association,
    *,
    changes: Mapping[str, object],
    name: str | None = None,
) -> None:
    """Record what an operator of the vendor did; `name` is that of the other institution."""
    named = name or item.email or str(item.customer_institution_id or item.invited_institution_id)
    await record_event(
        work,
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.product_id,
        data={**item.facts(), "name": named, "institutionName": name},
        changes=changes,
    )


async def record_acceptance(
    work: UnitOfWork, item: Association, parties: Parties, *, changes: Mapping[str, object]
) -> None:
    """Record an acceptance in both institutions; the vendor learns which institution accepted."""
    kind = EventKind.ASSOCIATION_ACCEPTED
    anonymous = _acting_as(work, parties.customer_name)
    await record_for_vendor(anonymous, kind, item, name=parties.customer_name, changes=changes)
    await record_for_customer(work, kind, item, parties, by_vendor=False)


async def record_for_customer(
    work: UnitOfWork, kind: EventKind, item: Association, parties: Parties, *, by_vendor: bool
) -> None:
    """Record what the vendor, or an Owner of the customer's institution, did."""
    await record_event(
        _acting_as(work, parties.vendor_name) if by_vendor else work,
        kind,
        institution_id=parties.customer_id,
        subject_id=item.id,
        data={
            "id": item.id,
            "name": parties.product_name,
            "productName": parties.product_name,
            "vendorName": parties.vendor_name,
            "status": item.status,
        },
    )


def _acting_as(work: UnitOfWork, institution_name: str) -> UnitOfWork:
    """Return the unit of work with an institution as its actor."""
    origin = structs.replace(
        work.origin, actor_id=None, actor_name=institution_name, ip_address=None
    )
    return replace(work, origin=origin)
