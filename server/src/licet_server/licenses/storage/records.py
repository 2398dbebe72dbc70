"""Queries of licenses."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Label,
    Select,
    and_,
    any_,
    bindparam,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.selectable import LateralFromClause

from licet_server.catalog.reading import clock_of
from licet_server.kit.database import (
    Connection,
    Id,
    String,
    array_parameter,
    violated_constraint,
)
from licet_server.kit.errors import Refused, bad_field
from licet_server.kit.fitting import members_of, positional
from licet_server.kit.kept import Given, kept
from licet_server.kit.look_ups import LookUps, Source
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.routing import is_distributed
from licet_server.kit.statements import Arrays, insertion_of, visible_to
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.kit.together import Change, change_together
from licet_server.kit.visibility import Visibility
from licet_server.licenses import errors
from licet_server.licenses.rules.holders import Receiver
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.model import NO_VALUES, License, LicenseKeyOf, OfflineActivation
from licet_server.licenses.rules.reminders import EXPIRED
from licet_server.licenses.tables import licenses

SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": licenses.c.id,  # UUIDv7: the order of ids is the order of creation
    "licenseName": licenses.c.license_name,
    "expirationDate": licenses.c.expiration_date,
    "issuedTo": func.lower(licenses.c.issued_to),
    "type": licenses.c.type,
}


def column_of(name: str) -> Column[Any] | Label[Any]:
    """Return the column of a field of `License`."""
    if name == "clock":
        return CLOCK.label("clock")
    return licenses.c["labels" if name == "metadata" else name]


CLOCK = clock_of(licenses.c.test, licenses.c.institution_id, licenses.c.product_id)
"""`License.clock` in SQL."""


def license_of(row: Sequence[Any]) -> License:
    """Return a license from a row that begins with its columns."""
    values = [*row[:_COUNT]]
    for at, convert in _CONVERSIONS:
        values[at] = convert(values[at])
    return _Stored(*values)


def licenses_of(columns: Sequence[Sequence[Any]]) -> list[License]:
    """Return the licenses of rows that begin with their columns, as `license_of` does of one."""
    if not columns:
        return []
    values: list[Iterable[Any]] = [*columns[:_COUNT]]
    for at, convert in _CONVERSIONS:
        values[at] = map(convert, values[at])
    return [*map(_Stored, *values)]


_Stored: Callable[..., License] = positional(License)
_NAMES = list(License.__struct_fields__)
_COUNT = len(_NAMES)
LICENSE_COLUMNS = [column_of(name) for name in _NAMES]
# By position, and enums from dicts: a page has many rows, and to call an enum takes long.
_CONVERSIONS: Sequence[tuple[int, Callable[[Any], object]]] = [
    *((_NAMES.index(name), members.__getitem__) for name, members in members_of(License).items()),
    (_NAMES.index("metadata"), lambda labels: labels or {}),
    (_NAMES.index("feature_values"), lambda values: values or NO_VALUES),
]


def columns_of(license_: License) -> dict[str, Any]:
    """Return all that is stored of a license, by the keys of its columns."""
    stored = {name: getattr(license_, name) for name in _NAMES if name != "clock"}
    stored["labels"] = dict(stored.pop("metadata"))
    stored["feature_values"] = dict(license_.feature_values) or None
    is_sought = license_.offline_activation is not OfflineActivation.OFF
    stored["offline_key_hash"] = signed_hash(license_.normal_key) if is_sought else None
    return stored


_SAME = (
    licenses.c.institution_id == bindparam("of_institution", type_=Id),
    licenses.c.id == bindparam("of_license", type_=Id),
)


def _key_of(license_: License) -> Given:
    return {"of_institution": license_.institution_id, "of_license": license_.id}


_DELETE = delete(licenses).where(*_SAME)
_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "licenses_normal_key_key": errors.key_taken,
    "licenses_policy_fkey": lambda: bad_field("policyId", "names a policy that was deleted."),
    "licenses_institution_id_software_release_id_fkey": lambda: bad_field(
        "softwareReleaseId", "names a release that was deleted."
    ),
    "licenses_institution_id_entitlement_set_id_fkey": lambda: bad_field(
        "entitlementSetId", "names an entitlement set that was deleted."
    ),
}


async def insert_licenses(db: Connection, items: Sequence[License], *others: Change) -> None:
    """Insert licenses in one statement, together with other changes.

    Raises:
        Refused: `Conflict` when the product already has a license with one of the keys,
            `InvalidRequest` when their policy, release or entitlement set was just deleted.
    """
    try:
        rows = [columns_of(item) for item in items]
        insertions = [insertion_of(licenses, rows)] if rows else []
        await change_together(db, *insertions, *others)
    except IntegrityError as error:
        refusal = _REFUSALS.get(violated_constraint(error) or "")
        if refusal is None:
            raise
        raise refusal() from None


_has_another_grace = or_(
    licenses.c.grace_days != bindparam("new_grace_days", type_=Integer),
    licenses.c.fallback != bindparam("new_fallback", type_=String),
)
_is_told_again = and_(licenses.c.reminded_days == EXPIRED, _has_another_grace)
_UPDATE = (
    update(licenses)
    .where(*_SAME)
    .values(reminded_days=case((_is_told_again, EXPIRED + 1), else_=licenses.c.reminded_days))
)


async def update_license(db: Connection, license_: License) -> None:
    """Store all fields of a license. With another grace or fallback, its end is announced again."""
    key, stored = _key_of(license_), columns_of(license_)
    del stored["institution_id"], stored["id"]
    changed = {"new_grace_days": license_.grace_days, "new_fallback": license_.fallback}
    await db.execute(_UPDATE, {**stored, **changed, **key})


async def delete_license(db: Connection, license_: License) -> None:
    await db.execute(_DELETE, _key_of(license_))


async def fetch_license(source: Source, visibility: Visibility, license_id: UUID) -> License | None:
    if isinstance(source, LookUps):
        return await source.find(fetch_by_ids, visibility, license_id)
    row = (await source.execute(*_visible_license(visibility, license_id))).one_or_none()
    return None if row is None else license_of(row)


async def lock_license(db: Connection, visibility: Visibility, license_id: UUID) -> License | None:
    """Fetch a license `FOR UPDATE`."""
    row = (await db.execute(*_locked_license(visibility, license_id))).one_or_none()
    return None if row is None else license_of(row)


async def fetch_by_ids(
    db: Connection, visibility: Visibility, license_ids: Sequence[UUID]
) -> dict[UUID, License]:
    """Fetch licenses by ID; missing and invisible ones are omitted."""
    statement, given = _visible_licenses(visibility)
    rows = await db.execute(statement, {**given, "license_ids": license_ids})
    return {item.id: item for item in map(license_of, rows)}


@kept
def _visible_license(visibility: Visibility, license_id: UUID) -> Select[Any]:
    return select_visible(visibility).where(licenses.c.id == license_id)


@kept
def _locked_license(visibility: Visibility, license_id: UUID) -> Select[Any]:
    return select_visible(visibility).where(licenses.c.id == license_id).with_for_update()


@kept
def _visible_licenses(visibility: Visibility) -> Select[Any]:
    """Build a statement with the parameter `license_ids`."""
    return select_visible(visibility).where(
        licenses.c.id == any_(array_parameter("license_ids", Id))
    )


def is_visible(visibility: Visibility) -> ColumnElement[bool]:
    """Return whether a license is visible."""
    return visible_to(
        visibility, licenses.c.institution_id, licenses.c.product_id, licenses.c.software_release_id
    )


def _issued_to(receiver: Receiver) -> ColumnElement[bool]:
    is_named = func.lower(licenses.c.issued_to).in_(receiver.names)
    if receiver.within is None:
        return is_named
    return and_(licenses.c.institution_id == receiver.within, is_named)


async def list_issued_to(db: Connection, receiver: Receiver, paging: Paging) -> Listing[License]:
    """Return the licenses issued to a receiver, by whichever institution."""
    statement = select(*LICENSE_COLUMNS).where(_issued_to(receiver))
    listing = await fetch_listing(db, statement, paging, id_column=licenses.c.id, sortable=SORTABLE)
    return listing.of(license_of)


async def fetch_issuing_institutions(db: Connection, receiver: Receiver) -> set[UUID]:
    statement = select(licenses.c.institution_id).distinct().where(_issued_to(receiver))
    return set((await db.execute(statement)).scalars())


async def fetch_issued_to(db: Connection, receiver: Receiver, license_id: UUID) -> License | None:
    statement = select(*LICENSE_COLUMNS).where(_issued_to(receiver), licenses.c.id == license_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else license_of(row)


async def lock_issued_to(db: Connection, receiver: Receiver, license_id: UUID) -> License | None:
    """Fetch a license issued to a receiver, `FOR NO KEY UPDATE`."""
    found = await fetch_issued_to(db, receiver, license_id)
    return None if found is None else await lock_found(db, found, _issued_to(receiver))


async def lock_found(
    db: Connection, found: License, condition: ColumnElement[bool]
) -> License | None:
    """Lock a license that was found across institutions; `None` if the condition ended meanwhile.

    It is locked where it was found, so that the statement names the institution.
    """
    statement = select(*LICENSE_COLUMNS).where(
        licenses.c.institution_id == found.institution_id, licenses.c.id == found.id, condition
    )
    row = (await db.execute(statement.with_for_update(key_share=True))).one_or_none()
    return None if row is None else license_of(row)


async def has_issued_to(db: Connection, institution_id: UUID, names: Collection[str]) -> bool:
    """Return whether the institution has issued a license to one of these names, in lower case."""
    statement = select(exists().where(_issued_to(Receiver(tuple(names), institution_id))))
    return bool((await db.execute(statement)).scalar())


_NAMED = Arrays("named", name=String)
_RECEIVERS = select(_NAMED.c.name).where(
    select(licenses.c.id).where(func.lower(licenses.c.issued_to) == _NAMED.c.name).exists()
)


async def fetch_receivers(db: Connection, names: Collection[str]) -> set[str]:
    """Return the names (in lower case) to which at least one license is issued."""
    if is_distributed(db):
        folded = func.lower(licenses.c.issued_to)
        found = select(folded).where(folded.in_(names)).distinct()
        return set((await db.execute(found)).scalars())
    given = _NAMED.given([(name,) for name in names])
    return set((await db.execute(_RECEIVERS, given)).scalars())


def license_of_key(wanted: Arrays) -> LateralFromClause:
    """Return the columns of the license of each `institution_id`, `product_id` and `key`.

    One index look-up per key (LATERAL), so that the plan does not depend on the number of keys.
    """
    return (
        select(*LICENSE_COLUMNS)
        .where(
            licenses.c.institution_id == wanted.c.institution_id,
            licenses.c.product_id == wanted.c.product_id,
            licenses.c.normal_key == wanted.c.key,
        )
        .limit(1)
        .lateral("license")
    )


_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, key=String)
_FOUND = license_of_key(_WANTED)
_BY_KEYS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))


async def fetch_by_keys(
    db: Connection, keys: Sequence[LicenseKeyOf]
) -> dict[LicenseKeyOf, License]:
    """Return the licenses with these keys, in one statement; unknown keys are omitted.

    The keys are passed as arrays and the statement is built once, since building it costs more
    than running it.
    """
    stored = [license_of(row) for row in await db.execute(_BY_KEYS, _WANTED.given(keys))]
    return {(item.institution_id, item.product_id, item.normal_key): item for item in stored}


def select_visible(visibility: Visibility) -> Select[Any]:
    return select(*LICENSE_COLUMNS).where(is_visible(visibility))


_BY_IDS = Arrays("wanted", institution_id=Id, id=Id)
_KEYS_TO_SEND = select(licenses.c.id, licenses.c.license_key).where(
    licenses.c.institution_id == _BY_IDS.c.institution_id,
    licenses.c.id == _BY_IDS.c.id,
    licenses.c.issued_to.is_distinct_from(ERASED_ADDRESS),
)


async def fetch_keys_to_send(
    db: Connection, license_ids: Iterable[tuple[UUID, UUID]]
) -> dict[UUID, str]:
    """Fetch the keys of licenses that exist and whose person was not erased."""
    rows = await db.execute(_KEYS_TO_SEND, _BY_IDS.given(license_ids))
    return {row.id: row.license_key for row in rows}


_KEYS = Arrays("wanted", normal_key=String)


async def fetch_known_keys(
    db: Connection, institution_id: UUID, product_id: UUID, keys: Collection[str]
) -> set[str]:
    """Return those of the normal forms of keys that licenses of the product have."""
    known = and_(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.normal_key == _KEYS.c.normal_key,
    )
    statement = select(licenses.c.normal_key).join(_KEYS.table, known)
    return set((await db.execute(statement, _KEYS.given([(key,) for key in keys]))).scalars())


async def count_with(db: Connection, institution_id: UUID, product_id: UUID, name: str) -> int:
    """Return how many licenses of a product have a value of the feature with exactly this name."""
    statement = select(func.count()).where(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.feature_values.is_not(None),
        licenses.c.feature_values.op("?")(name),
    )
    return int((await db.execute(statement)).scalar_one())
