"""Finds licenses, for operators by id and at run time by key."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from licet_server.catalog.service.products import product_names, total_licenses
from licet_server.catalog.service.releases import release_versions
from licet_server.catalog.service.sets import entitled_features
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import (
    License,
    LicenseFilter,
    LicenseId,
    LicenseKeyOf,
    LicenseTerms,
)
from licet_server.licenses.storage import records as storage
from licet_server.licenses.storage import terms as stored_terms


@dataclass(frozen=True, slots=True)
class Described:
    """A license with the names that go with its ids; `features` is `None` where none restricts."""

    license: License
    product_name: str
    release_version: str
    features: list[str] | None


@dataclass(frozen=True, slots=True)
class LicenseUse:
    """What is going on under a license.

    `seats_used` is `None` where seats are not counted, the last two where nothing is metered.
    """

    seats_used: int | None = None
    unreviewed_access_attempts: int = 0
    meter_balance: Decimal | None = None
    low_balance_threshold: Decimal | None = None


class UseReader(Protocol):
    """Tells what features above this one know of licenses; the application puts it together."""

    async def __call__(
        self, db: Connection, licenses: Sequence[License], now: datetime
    ) -> dict[UUID, LicenseUse]:
        """The use of each of these licenses at `now`, in a few statements for all."""
        ...


async def fetch_license(db: Connection, operator: Operator, license_id: UUID) -> License:
    """One license that the operator sees, with the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return operator.found(
        await storage.fetch_license(db, operator.visibility, license_id), "license"
    )


async def lock_license(db: Connection, operator: Operator, license_id: UUID) -> License:
    """The same, held against concurrent changes until the transaction ends."""
    return operator.found(
        await storage.lock_license(db, operator.visibility, license_id), "license"
    )


async def list_licenses(
    db: Connection,
    visibility: Visibility,
    chosen: LicenseFilter,
    paging: Paging,
    now: datetime,
) -> Listing[License]:
    """The licenses that are seen, narrowed to `chosen`.

    Those that are asked for by the end of their term come in that order, unless told otherwise.
    """
    if chosen.expiring_before is not None and paging.sort is None:
        paging = replace(paging, sort="expirationDate")
    total = None
    if chosen.is_whole and paging.after is None and not visibility.releases:
        counted = (
            visibility if chosen.product_id is None else visibility.of_product(chosen.product_id)
        )
        total = await total_licenses(db, counted)
    return await storage.list_licenses(db, visibility, chosen, paging, now, total=total)


async def describe(db: Connection, licenses: Sequence[License]) -> list[Described]:
    """Add names and features to many licenses, in a statement each."""
    products = {(item.institution_id, item.product_id) for item in licenses}
    releases = {(item.institution_id, item.software_release_id) for item in licenses}
    names = await product_names(db, list(products))
    versions = await release_versions(db, list(releases))
    features = await features_of(db, licenses)
    return [
        Described(
            item,
            names[item.product_id],
            versions[item.software_release_id],
            features.get(item.id),
        )
        for item in licenses
    ]


async def features_of(db: Connection, licenses: Sequence[License]) -> dict[UUID, list[str]]:
    """The entitled features by license id; licenses without an entitlement set are absent."""
    restricted = [item for item in licenses if item.entitlement_set_id is not None]
    if not restricted:
        return {}
    keys = {(item.institution_id, item.entitlement_set_id) for item in restricted}
    by_set = await entitled_features(
        db, [(institution_id, set_id) for institution_id, set_id in keys if set_id is not None]
    )
    return {
        item.id: by_set.get(item.entitlement_set_id, [])
        for item in restricted
        if item.entitlement_set_id is not None
    }


async def find_by_keys(db: Connection, keys: Sequence[LicenseKeyOf]) -> dict[LicenseKeyOf, License]:
    """The licenses with these keys (institution, product, normal form); unknown ones are absent."""
    return await storage.fetch_by_keys(db, list(dict.fromkeys(keys))) if keys else {}


async def find_by_ids(
    db: Connection, visibility: Visibility, license_ids: Sequence[UUID]
) -> dict[UUID, License]:
    """These licenses by id; those that are gone or not seen are absent."""
    found = await storage.fetch_by_ids(db, visibility, list(license_ids))
    return {item.id: item for item in found}


async def find_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """What devices and sessions must know of these licenses, in one statement."""
    return await stored_terms.fetch_terms(db, list(dict.fromkeys(ids))) if ids else {}


async def lock_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """The same, held until the transaction ends, by one at a time in the order of arrival.

    What was decided by a cap or a status is committed before either is changed. Were a license
    held by many together, they would let new ones in past a change that waits, which might never
    come to its turn.
    """
    return await stored_terms.lock_terms(db, list(dict.fromkeys(ids))) if ids else {}
