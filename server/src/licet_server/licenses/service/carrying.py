"""Carries licenses of another product over, many at a time."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog import errors as catalog_errors
from licet_server.catalog.reading import newest_published_release, total_licenses
from licet_server.catalog.rules.model import Product
from licet_server.catalog.service.products import count_licenses
from licet_server.customers.service.customers import ensure_customers
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.plans import require_room
from licet_server.institutions.service.plans import lock_limits
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import ActivationMode, License
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.service.events import created_event
from licet_server.licenses.storage import carrying, records


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedTerms:
    """A license of another product; its terms are validated, and its term may be over.

    `issued_to` is an e-mail address.
    """

    license_key: str
    normal_key: str
    type: LicenseType
    license_name: str
    issued_to: str | None
    expiration_date: datetime | None
    max_active_users_count: int | None
    notes: str | None
    metadata: Mapping[str, str]
    is_suspended: bool
    is_revoked: bool


async def known_keys(db: Connection, product: Product, keys: Collection[str]) -> set[str]:
    """Those of the keys, in their normal form, that licenses of the product have."""
    return await carrying.fetch_known_keys(db, product.institution_id, product.id, keys)


async def release_for(work: UnitOfWork, product: Product, count: int) -> UUID:
    """The release of so many more licenses of the product: the newest published one.

    Raises:
        Refused: `KeysNotGenerated`, `PlanLimitReached`, `InvalidRequest` without such a release.
    """
    if not product.has_keys:
        raise catalog_errors.keys_not_generated()
    release = await newest_published_release(work.db, product.institution_id, product.id)
    if release is None:
        raise bad_field("product", "has no published release, which every license needs.")
    limit = (await lock_limits(work.db, product.institution_id)).licenses
    if limit is not None:
        used = await total_licenses(work.db, Visibility((product.institution_id,)))
        require_room("licenses", limit, used + count - 1)
    return release.id


async def carry_over(
    work: UnitOfWork, product: Product, release_id: UUID, terms: Sequence[CarriedTerms]
) -> list[License]:
    """Create the licenses, in the order given, and missing customers, in a few round trips for all.

    Raises:
        Refused: `Conflict` when a key is taken.
    """
    addresses = {item.issued_to for item in terms if item.issued_to is not None}
    customers = await ensure_customers(work, product.institution_id, addresses)
    made = [_license(work, product, release_id, customers, item) for item in terms]
    await records.insert_licenses(work.db, made)
    await record_events(work, [created_event(item, work.now, notify=False) for item in made])
    # Last, because everybody who issues a license of the product waits for this row.
    await count_licenses(work, product.institution_id, product.id, len(made))
    return made


def _license(
    work: UnitOfWork,
    product: Product,
    release_id: UUID,
    customers: Mapping[str, UUID],
    terms: CarriedTerms,
) -> License:
    return License(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        software_release_id=release_id,
        customer_institution_id=None,
        customer_id=None if terms.issued_to is None else customers[terms.issued_to],
        type=terms.type,
        license_key=terms.license_key,
        normal_key=terms.normal_key,
        license_name=terms.license_name,
        issued_to=terms.issued_to,
        issuer=None,
        expiration_date=terms.expiration_date,
        max_active_users_count=terms.max_active_users_count,
        activation_mode=ActivationMode.ONLINE,
        device_binding_mode=terms.type.traits.default_binding_mode,
        entitlement_set_id=None,
        initial_meter_balance=None,
        username=None,
        password_hash=None,
        notes=terms.notes,
        metadata=terms.metadata,
        created_at=work.now,
        updated_at=work.now,
        suspended_at=work.now if terms.is_suspended else None,
        revoked_at=work.now if terms.is_revoked else None,
    )
