"""Queries that lock and change many licenses at once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Select, Update, any_, func, select, update

from licet_server.kit.database import Connection, Id, array_parameter
from licet_server.kit.errors import Refused, bad_field
from licet_server.kit.kept import kept
from licet_server.kit.rows import refuse_violations
from licet_server.kit.statements import Arrays
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseFilter
from licet_server.licenses.storage.lists import filtered
from licet_server.licenses.storage.records import column_of, columns_of, license_of, select_visible
from licet_server.licenses.tables import licenses


@dataclass(frozen=True, slots=True)
class Matching:
    """The oldest licenses that match a filter, and how many match in all."""

    ids: list[UUID]
    total: int


async def find_matching(
    db: Connection, visibility: Visibility, filters: LicenseFilter, now: datetime, *, limit: int
) -> Matching:
    """Return the licenses that match, up to a limit; the total is exact only where they all fit."""
    matching = await filtered(db, visibility, filters, now)
    first = matching.order_by(licenses.c.id).limit(limit + 1)
    found = [license_of(row).id for row in await db.execute(first)]
    if len(found) <= limit:
        return Matching(found, len(found))
    counted = select(func.count()).select_from(matching.subquery())
    return Matching(found[:limit], int((await db.execute(counted)).scalar_one()))


async def lock_licenses(
    db: Connection, visibility: Visibility, license_ids: Sequence[UUID]
) -> list[License]:
    """Fetch licenses `FOR NO KEY UPDATE`, in the order of their ids to prevent deadlocks."""
    statement, given = _locking(visibility)
    rows = await db.execute(statement, {**given, "license_ids": list(license_ids)})
    return [license_of(row) for row in rows]


@kept
def _locking(visibility: Visibility) -> Select[Any]:
    """Build a statement with the parameter `license_ids`."""
    return (
        select_visible(visibility)
        .where(licenses.c.id == any_(array_parameter("license_ids", Id)))
        .order_by(licenses.c.institution_id, licenses.c.id)
        .with_for_update(key_share=True)
    )


async def update_fields(db: Connection, changed: Sequence[License], names: Collection[str]) -> None:
    """Save these fields of locked licenses, by their names in `License`, in one statement.

    Raises:
        Refused: `InvalidRequest` if what a field names was just deleted.
    """
    if not changed:
        return
    columns = tuple(sorted({column_of(name).key for name in names} | {"updated_at"}))
    arrays, statement = _saving(columns)
    stored = [columns_of(item) for item in changed]
    key = ("institution_id", "id")
    rows = [[values[name] for name in (*key, *columns)] for values in stored]
    with refuse_violations(_REFUSALS):
        await db.execute(statement, arrays.given(rows))


def _was_deleted(field: str, what: str) -> Callable[[], Refused]:
    return lambda: bad_field(field, f"names {what} that was deleted.")


_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "licenses_policy_fkey": _was_deleted("policyId", "a policy"),
    "licenses_institution_id_software_release_id_fkey": _was_deleted(
        "softwareReleaseId", "a release"
    ),
    "licenses_institution_id_entitlement_set_id_fkey": _was_deleted(
        "entitlementSetId", "an entitlement set"
    ),
}


@cache
def _saving(columns: tuple[str, ...]) -> tuple[Arrays, Update]:
    kinds = {name: licenses.c[name].type for name in columns}
    arrays = Arrays("changed", institution_id=Id, id=Id, **kinds)
    statement = (
        update(licenses)
        .where(licenses.c.institution_id == arrays.c.institution_id, licenses.c.id == arrays.c.id)
        .values({name: arrays.c[name] for name in columns})
    )
    return arrays, statement
