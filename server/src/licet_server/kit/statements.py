"""Parts of SQL statements: rows as arrays, visibility, rows of several institutions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    FromClause,
    Insert,
    Numeric,
    Select,
    Table,
    TableValuedAlias,
    and_,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.sql.util import ClauseAdapter, join_condition
from sqlalchemy.types import TypeEngine

from licet_server.kit.database import Connection, Id, array_parameter
from licet_server.kit.folded_columns import each_way
from licet_server.kit.folding import folded
from licet_server.kit.routing import EACH_INSTITUTION
from licet_server.kit.text import start_pattern
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility

Kind = type[TypeEngine[Any]] | TypeEngine[Any]


class Arrays:
    """A table of parameters with these columns, called `name` in the statement."""

    def __init__(self, name: str, /, **kinds: Kind) -> None:
        self._parameters = [f"{name}_{column_name}" for column_name in kinds]
        arrays = [
            array_parameter(parameter, kind)
            for parameter, kind in zip(self._parameters, kinds.values(), strict=True)
        ]
        columns = [column(column_name, kind) for column_name, kind in kinds.items()]
        self.table: TableValuedAlias = (
            func.unnest(*arrays).table_valued(*columns).render_derived(name=name)
        )
        self.c = self.table.c

    @classmethod
    def of(cls, name: str, table: Table, *columns: str) -> "Arrays":
        """Return a table of parameters for these columns of a table."""
        return cls(name, **{item: table.c[item].type for item in columns})

    def same(self, table: FromClause, *columns: str) -> ColumnElement[bool]:
        """Return the condition that a table has the same values in these columns."""
        return and_(*(table.c[item] == self.c[item] for item in columns))

    def given(self, rows: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the parameters for these rows, whose values are in the order of the columns."""
        columns: list[list[Any]] = [list(values) for values in zip(*rows, strict=True)]
        columns = columns or [[] for _ in self._parameters]
        return dict(zip(self._parameters, columns, strict=True))


def insertion_of(table: Table, rows: Sequence[Mapping[str, Any]]) -> Change:
    """Return what inserts rows, which all have values for the same columns, in one statement."""
    names = tuple(rows[0])
    inserting = _inserting(table, names)
    if len(rows) == 1:
        return inserting.one, {inserting.parameters[name]: rows[0][name] for name in names}
    return inserting.many, inserting.arrays.given([[row[name] for name in names] for row in rows])


async def insert_rows(db: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, which all have values for the same columns, in one statement.

    The driver would send a statement for each row; PostgreSQL needs half the time for one of all.

    Raises:
        IntegrityError: when one of them violates a constraint; none is inserted.

    Example:
        >>> await insert_rows(db, orders, [{"institution_id": mine, "id": new_id(now)}])
    """
    if rows:
        await db.execute(*insertion_of(table, rows))


class _Inserting(NamedTuple):
    """How to insert one row, whose parameters are named by its columns, and how many."""

    one: Insert
    parameters: Mapping[str, str]
    many: Insert
    arrays: Arrays


@cache
def _inserting(table: Table, names: tuple[str, ...]) -> _Inserting:
    columns = [table.c[name] for name in names]
    # Named by their table, since insertions into several may be parts of one statement.
    parameters = {name: f"new_{table.name}_{name}" for name in names}
    row = {item: bindparam(parameters[item.key], type_=item.type) for item in columns}
    arrays = Arrays(f"new_{table.name}", **{item.name: item.type for item in columns})
    many = insert(table).from_select(columns, select(*arrays.c))
    return _Inserting(insert(table).values(row), parameters, many, arrays)


async def delete_oldest(
    db: Connection, key: Column[Any], by: Column[Any], limit: int, *where: ColumnElement[bool]
) -> int:
    """Delete the rows that are oldest by a column, at most `limit`; returns how many.

    `key` identifies a row. Concurrent callers delete different rows.
    """
    oldest = select(key).where(*where).order_by(by).limit(limit).with_for_update(skip_locked=True)
    statement = delete(key.table).where(key.in_(oldest.scalar_subquery()))
    return (await db.execute(statement)).rowcount


def one_of(column: ColumnElement[Any], ids: Sequence[UUID]) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values.

    Most callers see a single institution: for that, a plain comparison, since SQLAlchemy writes the
    list of an `IN` again for each run of a statement.
    """
    return column == ids[0] if len(ids) == 1 else column.in_(ids)


def related(rows: Table, others: Table) -> ColumnElement[bool]:
    """Return the condition that rows belong to others, by the foreign key, of either to the other.

    It is what a `join` of the two tables goes by, for rows in a subquery.
    """
    return join_condition(rows, others)


def first_of_each(parts: Sequence[Select[Any]], limit: int) -> CompoundSelect[Any]:
    """Select up to `limit` rows of each part, so that one may be there twice."""
    return union_all(*(select(part.limit(limit).subquery()) for part in parts))


@dataclass(frozen=True, slots=True)
class SoughtDevice:
    """What a search finds devices by: their whole name or hardware ID, or how one begins."""

    name: str
    name_start: str
    hardware_id: str
    hardware_start: str

    @classmethod
    def of(cls, text: str) -> "SoughtDevice":
        """Return what a text seeks: names without accents, hardware IDs in lower case."""
        name, hardware_id = folded(text), text.lower()
        return cls(name, start_pattern(name), hardware_id, start_pattern(hardware_id))


def named_like(
    visible: Select[Any], table: Table, sought: SoughtDevice, limit: int
) -> CompoundSelect[Any]:
    """Select what is on devices that are sought, up to `limit` of each kind."""
    of_name, of_hardware = table.c.device_name, func.lower(table.c.hardware_id)
    conditions = [
        of_hardware == sought.hardware_id,
        *each_way(of_name, lambda found: found == sought.name),
        of_hardware.like(sought.hardware_start),
        *each_way(of_name, lambda found: found.like(sought.name_start)),
    ]
    return first_of_each([visible.where(condition) for condition in conditions], limit)


def added_to(counter: Column[int], by: ColumnElement[int] | int) -> ColumnElement[int]:
    """Return a counter after adding to it, from 0 to what its column can hold.

    A damaged counter refuses no request; the doctor counts again what it counts.
    """
    is_big = isinstance(counter.type, BigInteger)
    wide, bits = (Numeric, 63) if is_big else (BigInteger, 31)
    most = 2**bits - 1
    total = cast(counter, wide) + cast(by, wide)
    return cast(func.greatest(func.least(total, literal_column(str(most))), 0), counter.type)


def visible_to(
    visibility: Visibility,
    institution: ColumnElement[Any],
    product: ColumnElement[Any],
    release: ColumnElement[Any] | None = None,
) -> ColumnElement[bool]:
    """Return the condition that a row is visible, given the columns that identify its scope.

    Without a release column, single releases grant nothing. Empty parts are left out, so most
    callers get a plain condition on the institution. The condition names the institution of each
    visible row outside of any `OR`, since every key of a table begins with it.
    """
    if visibility.hidden:
        shown = visible_to(visibility.without(()), institution, product, release)
        return and_(shown, product.not_in(visibility.hidden))
    if not visibility.narrowed:
        return one_of(institution, visibility.institutions)
    assigned: ColumnElement[bool] = one_of(product, visibility.products)
    if release is not None and visibility.releases:
        assigned = or_(assigned, one_of(release, visibility.releases))
    return or_whole(visibility, institution, assigned)


def or_whole(
    visibility: Visibility, institution: ColumnElement[Any], assigned: ColumnElement[bool]
) -> ColumnElement[bool]:
    """Return the condition that a row is assigned, or of an institution that is fully visible."""
    anywhere = one_of(institution, visibility.institutions + visibility.narrowed)
    if visibility.institutions:
        assigned = or_(one_of(institution, visibility.institutions), assigned)
    return and_(anywhere, assigned)


class EachInstitution:
    """The institutions of a list, and the column that names them in its statement."""

    def __init__(self, named_by: ColumnElement[UUID], institutions: Sequence[UUID]) -> None:
        self._named_by = named_by
        ids = func.unnest(array(institutions, type_=Id))
        self._table = ids.table_valued(column("id", Id)).render_derived(name=EACH_INSTITUTION)

    def within(self, statement: Select[Any]) -> Select[Any]:
        """Restrict a statement to the institution at hand; it can only be run by `merge`."""
        mine = statement.where(self._named_by == self._table.c.id)
        return mine.correlate(self._table)

    def merge(
        self, ordered: Select[Any], order: Sequence[ColumnElement[Any]], rows: Any
    ) -> Select[Any]:
        """Run a statement of `within` for each institution, and order the first `rows` of each."""
        first = ordered.limit(rows).correlate(self._table).lateral("first_rows")
        place = ClauseAdapter(first)
        return (
            select(*first.c)
            .select_from(self._table.join(first, true()))
            .order_by(*(place.traverse(item) for item in order))
        )


def each_of(visibility: Visibility, named_by: ColumnElement[UUID]) -> EachInstitution | None:
    """Return the institutions of a visibility if these are several; one needs no merging."""
    institutions = visibility.institutions + visibility.narrowed
    return EachInstitution(named_by, institutions) if len(institutions) > 1 else None
