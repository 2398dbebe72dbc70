"""Finds stored values that do not have the form of their columns, and repairs JSON."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

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
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB

from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import (
    ConnectorKind,
    Consequence,
    OrderStatus,
    PaymentFailureConsequence,
)
from licet_server.devices.rules.model import EntryPoint
from licet_server.kit.database import Bytes, Connection, Finite, Instant, String, metadata
from licet_server.kit.dates import EARLIEST, LATEST
from licet_server.kit.fitting import enumerations_of
from licet_server.kit.stored_json import JsonOf
from licet_server.leases.rules.model import LeaseEndReason, LeaseKind
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy
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
