"""Finds stored values that the service would not store, and repairs some of them.

Some do not have the form of their columns. Others only the rules of the service can judge, of which
SQL finds those that may be wrong.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from enum import Enum
from functools import cache
from itertools import chain
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    Table,
    and_,
    case,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB

from licet_server.catalog.rules.model import from_stored, pair_breaches
from licet_server.catalog.rules.model import range_breaches as setting_breaches
from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import (
    ConnectorKind,
    Consequence,
    OrderStatus,
    PaymentFailureConsequence,
)
from licet_server.devices.rules.model import EntryPoint
from licet_server.doctor.storage.rows import Faulty
from licet_server.institutions.rules.institutions import range_breaches
from licet_server.kit.database import SEALED, Bytes, Connection, Finite, Instant, String, metadata
from licet_server.kit.dates import EARLIEST, LATEST, is_zone
from licet_server.kit.emails import is_email
from licet_server.kit.fitting import enumerations_of
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.stored_json import ALLOW_LIST, NOBODY, JsonOf
from licet_server.leases.rules.model import LeaseEndReason, LeaseKind
from licet_server.licenses.rules.keys import (
    ALPHABET,
    AROUND_IMPORTED,
    DOUBLED,
    IMPORTED_MAX,
    IMPORTED_MIN,
    SYMBOLS,
    normal_form,
)
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.rules.terms import is_uuid
from licet_server.offline.rules.requests import RequestKind, StoredState

_ENUMERATIONS: Mapping[tuple[str, str], type[Enum]] = {
    **{("licenses", name): kind for name, kind in enumerations_of(License).items()},
    **{("policies", name): kind for name, kind in enumerations_of(Policy).items()},
    ("leases", "kind"): LeaseKind,
    ("leases", "end_reason"): LeaseEndReason,
    ("offline_requests", "kind"): RequestKind,
    ("offline_requests", "state"): StoredState,
    ("access_attempts", "entry_point"): EntryPoint,
    ("connectors", "kind"): ConnectorKind,
    ("connectors", "on_refund"): Consequence,
    ("connectors", "on_dispute"): Consequence,
    ("connectors", "on_payment_failed"): PaymentFailureConsequence,
    ("order_licenses", "use"): LicenseState,
    ("orders", "status"): OrderStatus,
}
"""The columns of enumerations that no constraint of the database checks."""
_HISTORY = {"events", "meter_entries", "telemetry_events"}
"""Tables of what happened: long, and never changed."""


async def find_unreadable(db: Connection, limit: int) -> tuple[int, Sequence[str]]:
    """Count the values that do not have the form of their columns, and name the first."""
    parts = [
        select(
            literal(f"{column.table.name}.{column.name} of ").label("place"),
            func.concat_ws(" ", *column.table.primary_key).label("key"),
        ).where(is_wrong)
        for column, is_wrong in _checked_columns()
    ]
    found = union_all(*parts, *_impossible_times()).subquery()
    statement = select(func.count().over().label("total"), found).limit(limit)
    rows = (await db.execute(statement)).all()
    return rows[0].total if rows else 0, [f"{row.place}{row.key}" for row in rows]


async def repair_unreadable(db: Connection, limit: int) -> Sequence[str]:
    """Store what is shown of unreadable JSON, unless it has changed meanwhile; name the rows.

    Allow lists are left as they are: what they admit is for a person to decide.
    """
    repaired: list[str] = []
    for column, is_wrong in _checked_columns():
        kind = column.type
        if not isinstance(kind, JsonOf) or kind.otherwise is not None:
            continue
        keys = list(column.table.primary_key)
        read = select(*keys, column.label("fit"), cast(column, String).label("stored"))
        for row in (await db.execute(read.where(is_wrong).limit(limit - len(repaired)))).all():
            same = [key == value for key, value in zip(keys, row, strict=False)]
            change = update(column.table).where(*same, cast(column, String) == row.stored)
            if (await db.execute(change.values({column.key: row.fit}))).rowcount:
                names = " ".join(str(value) for value in row[: len(keys)])
                repaired.append(f"{column.table.name}.{column.name} of {names}")
    return repaired


def _living_tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if table.name not in _HISTORY]


def _impossible_times() -> Iterator[Select[Any]]:
    """Select from each table the rows with a time that readers show as another one.

    `CheckName.IMPOSSIBLE_DATES` is about the ends of licenses. Tables whose keys are hashes of
    secrets are left out.
    """
    for table in _living_tables():
        times = {
            column.name: or_(column < EARLIEST, column > LATEST)
            for column in table.columns
            if column.type is Instant and column.name != "expiration_date"
        }
        if times and not any(isinstance(key.type, Bytes) for key in table.primary_key):
            named = [case((is_wrong, name)) for name, is_wrong in times.items()]
            yield select(
                func.concat(f"{table.name}.", func.concat_ws(" ", *named), " of ").label("place"),
                func.concat_ws(" ", *table.primary_key).label("key"),
            ).where(or_(*times.values()))


def _checked_columns() -> Iterator[tuple[Column[Any], ColumnElement[bool]]]:
    """Yield columns with a form, each with the condition that a value does not have it."""
    for table in _living_tables():
        for column in table.columns:
            known = _ENUMERATIONS.get((table.name, column.name))
            if isinstance(column.type, JsonOf):
                yield column, does_not_fit(column, column.type.shape)
            elif isinstance(column.type, Finite):
                yield column, column == literal_column("'NaN'::numeric")
            elif known is not None:
                yield column, column.not_in([member.value for member in known])


_KINDS: Mapping[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    dict: "object",
}


def does_not_fit(column: ColumnElement[Any], shape: Any) -> ColumnElement[bool]:
    """Return the condition that JSON in a column does not have the shape that is declared for it.

    It looks at the object or list and at the kind of its parts, but not into objects within it.
    """
    if get_origin(shape) in {UnionType, Union}:
        [shape] = [item for item in get_args(shape) if item is not NoneType]
    is_object = get_origin(shape) is dict
    inner = get_args(shape)[-1]
    stored = cast(column, JSONB)
    wrong = func.jsonb_typeof(stored) != ("object" if is_object else "array")
    named = get_args(inner) if get_origin(inner) in {UnionType, Union} else (inner,)
    kinds = {_KINDS.get(get_origin(item) or item) for item in named}
    if None not in kinds:
        other = " && ".join(f'@.type() != "{kind}"' for kind in sorted(filter(None, kinds)))
        path = f"strict {'$.*' if is_object else '$[*]'} ? ({other})"
        parts = func.jsonb_path_exists(
            stored, literal_column(f"'{path}'::jsonpath"), literal_column("'{}'"), True
        )
        wrong = or_(wrong, parts)
    return and_(column.is_not(None), wrong)


_COMMON_ADDRESS = r"^[A-Za-z0-9._+-]+@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+[a-z]+$"
_COMMON_MAX = 64
"""Up to which length no part of a common address is too long; repetitions with a limit are slow."""
_HASHED = r"^\$argon2"
_AS_GENERATED = f"^[^a-zA-Z0-9]*([a-zA-Z0-9][^a-zA-Z0-9]*){{{SYMBOLS}}}$"
"""Keys with as many letters and digits as generated ones, which may be read as such."""


_VALUES = "".join(map(chr, range(48, 80)))
"""Characters in place of the symbols of generated keys, whose codes are 48 more than the values."""
_DOUBLED = "".join(_VALUES[value] for value in DOUBLED)


def _is_uncommon(address: Column[Any]) -> ColumnElement[bool]:
    return or_(func.length(address) > _COMMON_MAX, address.op("!~")(_COMMON_ADDRESS))


def _is_receiver(text: str) -> bool:
    return is_email(text) or is_uuid(text)


def _is_allow_list(ranges: Sequence[str]) -> bool:
    """Check a list as it is read: one that has another shape is found as such."""
    return tuple(ranges) == NOBODY or next(range_breaches("", ranges), None) is None


def _judged() -> Iterator[tuple[Column[Any], ColumnElement[bool], Callable[[Any], bool]]]:
    """Yield columns, each with a condition for unusual values, and what tells whether one fits."""
    tables = metadata.tables
    for name in ("users", "customers", "invitations"):
        email = tables[name].c.email
        yield email, _is_uncommon(email), is_email
    receiver = tables["licenses"].c.issued_to
    yield receiver, _is_uncommon(receiver), _is_receiver
    for name in ("users", "licenses"):
        password = tables[name].c.password_hash
        yield password, password.op("!~")(_HASHED), lambda _: False
    zone = tables["institutions"].c.time_zone
    yield zone, zone != "UTC", cache(is_zone)
    for column in chain.from_iterable(table.columns for table in metadata.sorted_tables):
        if column.type is ALLOW_LIST:
            yield column, func.jsonb_typeof(column) != "null", _is_allow_list


async def find_misfits(db: Connection) -> list[str]:
    """Name the settings of products, the addresses and others that the service would not store."""
    settings = [
        f"products.settings of {institution_id} {product_id}"
        async for institution_id, product_id, stored in _stored_settings(db)
        if _is_misfit(stored)
    ]
    return settings + [item for judged in _judged() for item in await _misfits(db, *judged)]


async def repair_settings(db: Connection, limit: int) -> list[str]:
    """Store the settings of products as they are read, where the stored ones have another kind."""
    products = metadata.tables["products"]
    stored_as = type_coerce(products.c.settings, JSONB)
    repaired: list[str] = []
    async for institution_id, product_id, stored in _stored_settings(db):
        shown = asdict(from_stored(stored))
        if len(repaired) == limit or not _differs(stored, shown):
            continue
        same = (products.c.institution_id == institution_id, products.c.id == product_id)
        change = update(products).where(*same, stored_as == stored)
        kept = {**stored, **shown}
        if (await db.execute(change.values(settings=kept))).rowcount:
            repaired.append(f"products.settings of {institution_id} {product_id}")
    return repaired


async def _stored_settings(db: Connection) -> AsyncIterator[tuple[UUID, UUID, dict[str, Any]]]:
    products = metadata.tables["products"]
    for row in await db.execute(
        select(products.c.institution_id, products.c.id, products.c.settings)
    ):
        yield row.institution_id, row.id, row.settings


def _differs(stored: dict[str, Any], shown: dict[str, Any]) -> bool:
    return any(
        name in stored and stored[name] != (list(value) if isinstance(value, tuple) else value)
        for name, value in shown.items()
    )


def _is_misfit(stored: dict[str, Any]) -> bool:
    shown = asdict(from_stored(stored))
    breaches = chain(setting_breaches(shown), pair_breaches(shown))
    return _differs(stored, shown) or next(breaches, None) is not None


async def _misfits(
    db: Connection,
    column: Column[Any],
    is_unusual: ColumnElement[bool],
    fits: Callable[[Any], bool],
) -> list[str]:
    key = func.concat_ws(" ", *column.table.primary_key)
    rows = await db.execute(select(key.label("key"), column.label("value")).where(is_unusual))
    return [
        f"{column.table.name}.{column.name} of {row.key}" for row in rows if not fits(row.value)
    ]


async def find_unfindable(db: Connection) -> list[Faulty]:
    """Find the licenses that are not found by the key that is shown."""
    return [
        Faulty(row.institution_id, row.id, f"license {row.id} is not found by its key")
        for row in await db.execute(_unusual_keys())
        if normal_form(row.license_key) != row.normal_key
    ]


async def repair_key(db: Connection, row: Faulty) -> bool:
    """Let a license be found by the key that is shown, unless another one has the key."""
    licenses = metadata.tables["licenses"]
    same = and_(licenses.c.institution_id == row.institution_id, licenses.c.id == row.id)
    locked = select(licenses.c.license_key, licenses.c.product_id).where(same).with_for_update()
    found = (await db.execute(locked)).one_or_none()
    normal_key = None if found is None else normal_form(found.license_key)
    if found is None or normal_key is None:
        return False
    other = licenses.alias()
    has_another = (
        select(other.c.id)
        .where(
            other.c.institution_id == row.institution_id,
            other.c.product_id == found.product_id,
            other.c.normal_key == normal_key,
        )
        .exists()
    )
    change = update(licenses).where(same, ~has_another).values(normal_key=normal_key)
    return (await db.execute(change)).rowcount > 0


def _unusual_keys() -> Select[Any]:
    """Select the licenses whose keys are neither generated nor plainly imported ones."""
    licenses = metadata.tables["licenses"]
    key, normal_key = licenses.c.license_key, licenses.c.normal_key
    is_generated = and_(
        func.length(normal_key) == SYMBOLS,
        normal_key == func.replace(key, "-", ""),
        func.translate(normal_key, ALPHABET, "") == "",
        _luhn_sum(normal_key) % len(ALPHABET) == 0,
    )
    is_imported = and_(
        normal_key == key,
        key == func.btrim(key, AROUND_IMPORTED),
        key.op("~")(f"^[ -~]{{{IMPORTED_MIN},{IMPORTED_MAX}}}$"),
        key.op("!~")(_AS_GENERATED),
    )
    named = select(licenses.c.institution_id, licenses.c.id, key, normal_key)
    return named.where(~or_(is_generated, is_imported))


def _luhn_sum(normal_key: Column[Any]) -> ColumnElement[int]:
    """Return the sum of a generated key that its check symbol makes a multiple of 32."""
    key = func.rpad(normal_key, SYMBOLS, _VALUES[0])
    plain, doubled = (
        func.convert_to(func.translate(key, ALPHABET, values), "UTF8")
        for values in (_VALUES, _DOUBLED)
    )
    values = (func.get_byte((plain, doubled)[at % 2], at) for at in range(SYMBOLS))
    return sum(values, start=literal(-SYMBOLS * ord(_VALUES[0])))


async def find_closed(db: Connection, keyring: Keyring) -> list[str]:
    """Name the secrets that no master key opens."""
    found = []
    for table in metadata.sorted_tables:
        for column in (item for item in table.columns if item.info == SEALED):
            found += await _closed(db, column, keyring)
    return found


async def _closed(db: Connection, column: Column[Any], keyring: Keyring) -> list[str]:
    name = f"{column.table.name}.{column.name}"
    rows = await db.execute(
        select(column.table.c.id, column.label("sealed")).where(column.is_not(None))
    )
    return [f"{name} of {row.id}" for row in rows if not _opens(keyring, row.sealed, name, row.id)]


def _opens(keyring: Keyring, sealed: bytes, name: str, row_id: UUID) -> bool:
    try:
        keyring.open(sealed, f"{name}:{row_id}")
    except CannotOpen:
        return False
    return True
