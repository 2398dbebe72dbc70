"""Carries licenses of another product over, many at a time."""

from collections.abc import Collection, Sequence
from uuid import UUID

from licet_server.catalog import errors as catalog_errors
from licet_server.catalog.rules.model import Product
from licet_server.catalog.service.clocks import instant_of
from licet_server.catalog.service.products import count_licenses
from licet_server.catalog.service.releases import release_of_new_licenses
from licet_server.customers.service.customers import ensure_customers
from licet_server.events.service.recording import record_events
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.drafts import CarriedLicense, license_from
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.events import created_event
from licet_server.licenses.service.issuing import require_room_for
from licet_server.licenses.storage import records


async def known_keys(db: Connection, product: Product, keys: Collection[str]) -> set[str]:
    """Return those of the keys, in their normal form, that licenses of the product have."""
    return await records.fetch_known_keys(db, product.institution_id, product.id, keys)


async def release_for(work: UnitOfWork, product: Product, count: int) -> UUID:
    """Return the release of so many more licenses of the product.

    Raises:
        Refused: `KeysNotGenerated`, `PlanLimitReached`, `InvalidRequest` without such a release.
    """
    if not product.has_keys:
        raise catalog_errors.keys_not_generated()
    release = await release_of_new_licenses(work.db, product)
    if release is None:
        raise bad_field("product", "has no published release, which every license needs.")
    await require_room_for(work, product, count)
    return release.id


async def carry_over(
    work: UnitOfWork, product: Product, release_id: UUID, carried: Sequence[CarriedLicense]
) -> list[License]:
    """Create the licenses, in the order given, and missing customers, in a few round trips for all.

    Raises:
        Refused: `Conflict` when a key is taken.
    """
    work = work.at(await instant_of(work.db, product))
    addresses = {item.draft.issued_to for item in carried if item.draft.issued_to is not None}
    customers = await ensure_customers(work, product.institution_id, addresses)
    made = [
        license_from(
            item.draft,
            institution_id=product.institution_id,
            id=work.new_id(),
            product_id=product.id,
            test=product.test,
            software_release_id=release_id,
            customer_id=None if item.draft.issued_to is None else customers[item.draft.issued_to],
            created_at=work.now,
            updated_at=work.now,
            suspended_at=work.now if item.is_suspended else None,
            revoked_at=work.now if item.is_revoked else None,
        )
        for item in carried
    ]
    # In one order, so that two who carry the same keys over wait for each other at the first.
    await records.insert_licenses(work.db, sorted(made, key=lambda item: item.normal_key))
    await record_events(work, [created_event(item, work.now, notify=False) for item in made])
    # Last, because everybody who issues a license of the product waits for this row.
    await count_licenses(work, product.institution_id, product.id, len(made))
    return made
