"""Finds licenses for those whom they are issued to, in whatever institution."""

from collections.abc import Collection
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.receivers import receiver_names
from licet_server.licenses.storage import records as storage


async def list_own_licenses(db: Connection, person: Operator, paging: Paging) -> Listing[License]:
    """The licenses that are issued to a person, whatever their status, newest first.

    Raises:
        Refused: `Forbidden` without a verified address.
    """
    return await storage.list_issued_to(db, receiver_names(person), paging)


async def fetch_own_license(db: Connection, person: Operator, license_id: UUID) -> License:
    """One license that is issued to a person.

    Raises:
        Refused: `Forbidden` without a verified address, `NotFound`.
    """
    return _found(await storage.fetch_issued_to(db, receiver_names(person), license_id))


async def lock_own_license(db: Connection, person: Operator, license_id: UUID) -> License:
    """The same, held against concurrent changes until the transaction ends."""
    return _found(await storage.lock_issued_to(db, receiver_names(person), license_id))


async def find_receivers(db: Connection, emails: Collection[str]) -> set[str]:
    """Those of these addresses, in lower case, that some license is issued to."""
    return await storage.fetch_receivers(db, emails) if emails else set()


def _found(license_: License | None) -> License:
    if license_ is None:
        raise not_found("license")
    return license_
