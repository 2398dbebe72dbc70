"""The statements of the checks, one for each, and the repairs.

Each reads the tables that it names as a whole, once: a second for a million rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
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
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import SQLAlchemyError

from licet_server.connectors.rules.model import ConnectorKind, OrderStatus
from licet_server.doctor.rules import CheckName
from licet_server.kit.database import Bytes, Connection, Finite, Instant, String, metadata
from licet_server.kit.dates import EARLIEST, LATEST
from licet_server.kit.stored_json import JsonOf
from licet_server.licenses.rules.model import ActivationMode, DeviceProof
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType

DatabaseFailed = SQLAlchemyError
"""What a statement raises that the database refuses or does not finish."""

_DATES = """
    SELECT institution_id, id, 'license ' || id || ' ends at ' || expiration_date AS note
    FROM licenses
    WHERE expiration_date < '1970-01-01Z' OR expiration_date >= '9900-01-01Z'
"""
_DEVICE_SEATS = """
    SELECT c.institution_id, c.license_id AS id,
        'license ' || c.license_id || ' counts ' || CASE
            WHEN c.over_limit <> coalesce(a.lost, 0)
                THEN c.over_limit || ' devices over the limit and has ' || coalesce(a.lost, 0)
            ELSE c.seats_used || ' seats and has ' || coalesce(a.used, 0)
        END AS note
    FROM device_counters c LEFT JOIN (
        SELECT institution_id, license_id, count(*) FILTER (WHERE holds_seat) AS used,
            count(*) FILTER (WHERE holds_seat AND released_at IS NOT NULL) AS waiting,
            count(*) FILTER (WHERE over_limit_at IS NOT NULL) AS lost
        FROM activations WHERE holds_seat OR over_limit_at IS NOT NULL
        GROUP BY institution_id, license_id
    ) a ON a.institution_id = c.institution_id AND a.license_id = c.license_id
    WHERE c.seats_used <> coalesce(a.used, 0) OR c.seats_waiting <> coalesce(a.waiting, 0)
        OR c.over_limit <> coalesce(a.lost, 0)
"""
_DEVICE_LIMIT = """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' has ' || count(*) || ' devices with a seat and '
            || l.max_active_users_count || ' seats' AS note
    FROM activations a
    JOIN licenses l ON l.institution_id = a.institution_id AND l.id = a.license_id
    WHERE a.holds_seat AND l.type = 'Concurrent'
    GROUP BY l.institution_id, l.id
    HAVING count(*) > l.max_active_users_count
"""
_SESSION_SEATS = """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' has ' || count(*) || ' live sessions and '
            || l.max_active_users_count || ' seats' AS note
    FROM session_slots s
    JOIN licenses l ON l.institution_id = s.institution_id AND l.id = s.license_id
    WHERE s.expires_at > :now AND s.connected_at > l.updated_at
    GROUP BY l.institution_id, l.id
    HAVING count(*) > l.max_active_users_count
"""
_BLOCKED = """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' counts ' || l.blocked_devices || ' blocked devices and has '
            || coalesce(a.blocked, 0) AS note
    FROM licenses l LEFT JOIN (
        SELECT institution_id, license_id, count(*) AS blocked
        FROM activations WHERE blocked_at IS NOT NULL GROUP BY institution_id, license_id
    ) a ON a.institution_id = l.institution_id AND a.license_id = l.id
    WHERE l.blocked_devices <> coalesce(a.blocked, 0)
"""
_LICENSE_COUNTS = """
    SELECT p.institution_id, p.id,
        'product ' || p.id || ' counts ' || p.license_count || ' licenses and has '
            || coalesce(l.number, 0) AS note
    FROM products p LEFT JOIN (
        SELECT institution_id, product_id, count(*) AS number
        FROM licenses GROUP BY institution_id, product_id
    ) l ON l.institution_id = p.institution_id AND l.product_id = p.id
    WHERE p.license_count <> coalesce(l.number, 0)
"""
_ORPHANED_WALLETS = """
    SELECT w.institution_id, w.license_id AS id,
        'wallet of license ' || w.license_id || ' with ' || w.balance AS note
    FROM meter_wallets w
    WHERE w.closed_at IS NULL AND NOT EXISTS (
        SELECT FROM licenses l WHERE l.institution_id = w.institution_id AND l.id = w.license_id
    )
"""
_MISSING_LICENSES = """
    SELECT o.institution_id, o.id,
        'order ' || o.id || ' names license ' || x.license_id AS note
    FROM orders o
    JOIN order_licenses x ON x.institution_id = o.institution_id AND x.order_id = o.id
    WHERE o.status = 'Fulfilled' AND x.use = 'Active' AND NOT EXISTS (
        SELECT FROM licenses l WHERE l.institution_id = x.institution_id AND l.id = x.license_id
    )
"""
_SIGNING_KEYS = """
    SELECT p.institution_id, p.id, 'product ' || p.id AS note
    FROM products p
    WHERE p.license_count > 0 AND NOT EXISTS (
        SELECT FROM rsa_keys k WHERE k.institution_id = p.institution_id
            AND k.product_id = p.id AND k.retired_at IS NULL
    )
"""
_WEBHOOKS = """
    SELECT institution_id, id, 'webhook ' || id || ' has failed since ' || failing_since AS note
    FROM webhooks WHERE failing_since < :failing_since
"""
_STATEMENTS: Mapping[CheckName, str] = {
    CheckName.IMPOSSIBLE_DATES: _DATES,
    CheckName.DEVICE_SEATS: _DEVICE_SEATS,
    CheckName.DEVICE_LIMIT: _DEVICE_LIMIT,
    CheckName.SESSION_SEATS: _SESSION_SEATS,
    CheckName.BLOCKED_DEVICES: _BLOCKED,
    CheckName.LICENSE_COUNTS: _LICENSE_COUNTS,
    CheckName.ORPHANED_WALLETS: _ORPHANED_WALLETS,
    CheckName.MISSING_LICENSES: _MISSING_LICENSES,
    CheckName.SIGNING_KEYS: _SIGNING_KEYS,
    CheckName.FAILING_WEBHOOKS: _WEBHOOKS,
}


@dataclass(frozen=True, slots=True)
class Faulty:
    """A row that a check found, and what is wrong with it."""

    institution_id: UUID
    id: UUID
    note: str


@dataclass(frozen=True, slots=True)
class FaultyRows:
    """The first rows that a check found, and how many there are in all."""

    count: int
    rows: Sequence[Faulty]


ROW_CHECKS = tuple(_STATEMENTS)
"""The checks that are statements about rows."""


async def find_rows(
    db: Connection, name: CheckName, now: datetime, failing_for: timedelta, limit: int
) -> FaultyRows:
    """Find the rows that a check is about."""
    statement = text(
        f"SELECT count(*) OVER () AS total, found.* FROM ({_STATEMENTS[name]}) found "  # noqa: S608
        "ORDER BY institution_id, id LIMIT :most"
    )
    wanted = {"now": now, "failing_since": now - failing_for, "most": limit}
    given = {key: value for key, value in wanted.items() if f":{key}" in str(statement)}
    rows = (await db.execute(statement, given)).all()
    found = [Faulty(row.institution_id, row.id, row.note) for row in rows]
    return FaultyRows(rows[0].total if rows else 0, found)


# What a counter counts is inserted and deleted in transactions that change the counter by a
# difference. Once its row is locked, all of them have ended, or have changed neither.
_REPAIRS: Mapping[CheckName, Sequence[str]] = {
    CheckName.DEVICE_SEATS: (
        """
        SELECT FROM device_counters
        WHERE institution_id = :institution_id AND license_id = :id FOR UPDATE
        """,
        """
        UPDATE device_counters c
        SET seats_used = a.used, seats_waiting = a.waiting, over_limit = a.lost
        FROM (
            SELECT count(*) FILTER (WHERE holds_seat) AS used,
                count(*) FILTER (WHERE holds_seat AND released_at IS NOT NULL) AS waiting,
                count(*) FILTER (WHERE over_limit_at IS NOT NULL) AS lost
            FROM activations WHERE institution_id = :institution_id AND license_id = :id
        ) a
        WHERE c.institution_id = :institution_id AND c.license_id = :id
        AND (c.seats_used, c.seats_waiting, c.over_limit) <> (a.used, a.waiting, a.lost)
        """,
    ),
    CheckName.BLOCKED_DEVICES: (
        """
        SELECT FROM licenses WHERE institution_id = :institution_id AND id = :id FOR NO KEY UPDATE
        """,
        """
        UPDATE licenses l SET blocked_devices = a.blocked
        FROM (
            SELECT count(*) AS blocked FROM activations
            WHERE blocked_at IS NOT NULL AND institution_id = :institution_id AND license_id = :id
        ) a
        WHERE l.institution_id = :institution_id AND l.id = :id AND l.blocked_devices <> a.blocked
        """,
    ),
    CheckName.LICENSE_COUNTS: (
        """
        SELECT FROM products WHERE institution_id = :institution_id AND id = :id FOR NO KEY UPDATE
        """,
        """
        UPDATE products p SET license_count = l.number
        FROM (
            SELECT count(*) AS number FROM licenses
            WHERE institution_id = :institution_id AND product_id = :id
        ) l
        WHERE p.institution_id = :institution_id AND p.id = :id AND p.license_count <> l.number
        """,
    ),
    CheckName.ORPHANED_WALLETS: (
        """
        UPDATE meter_wallets w SET closed_at = :now
        WHERE w.institution_id = :institution_id AND w.license_id = :id AND w.closed_at IS NULL
        AND NOT EXISTS (
            SELECT FROM licenses l WHERE l.institution_id = :institution_id AND l.id = :id
        )
        """,
    ),
}
REPAIRABLE = tuple(_REPAIRS)
"""The checks about rows whose rows can be repaired."""


async def repair_row(db: Connection, name: CheckName, row: Faulty, now: datetime) -> bool:
    """Repair a row; return whether it was still faulty."""
    wanted = {"institution_id": row.institution_id, "id": row.id, "now": now}
    changed = 0
    for item in _REPAIRS[name]:
        given = {key: value for key, value in wanted.items() if f":{key}" in item}
        changed = (await db.execute(text(item), given)).rowcount
    return changed > 0


_ENUMERATIONS: Mapping[tuple[str, str], type[StrEnum]] = {
    ("licenses", "type"): LicenseType,
    ("licenses", "activation_mode"): ActivationMode,
    ("licenses", "device_binding_mode"): DeviceBindingMode,
    ("licenses", "device_proof"): DeviceProof,
    ("policies", "type"): LicenseType,
    ("policies", "activation_mode"): ActivationMode,
    ("policies", "device_binding_mode"): DeviceBindingMode,
    ("policies", "device_proof"): DeviceProof,
    ("connectors", "kind"): ConnectorKind,
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
