"""Maps the rows of a table to a model: one declaration for reading, locking, and storing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Row,
    Select,
    Table,
    and_,
    any_,
    bindparam,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from licet_server.kit.database import Connection, Id, array_parameter, violated_constraint
from licet_server.kit.errors import Refused
from licet_server.kit.fitting import names_of, read_as
from licet_server.kit.kept import Given, kept
from licet_server.kit.look_ups import LookUps, Source
from licet_server.kit.paging import Listing, Pages, Paging
from licet_server.kit.statements import insert_rows

Item = TypeVar("Item")
Scope = TypeVar("Scope")
Refusals = Mapping[str, Callable[[], Refused]]
Where = Callable[..., Sequence[ColumnElement[bool]]]


def unconditionally() -> Sequence[ColumnElement[bool]]:
    """Return no condition."""
    return ()


@contextmanager
def refuse_violations(
    refusals: Refusals, otherwise: Callable[[], Refused] | None = None
) -> Iterator[None]:
    """Raise the refusal of the constraint that is violated in the block, or that of all others."""
    try:
        yield
    except IntegrityError as error:
        refusal = refusals.get(violated_constraint(error) or "", otherwise)
        if refusal is None:
            raise
        raise refusal() from None


class Rows(Generic[Item, Scope]):
    """The rows of a table, each as a dataclass or struct whose fields are named like its columns.

    `within` turns a scope, such as a visibility or the IDs of institutions, into the condition that
    a row belongs to it; no item is found by its ID alone. `computed` gives the expressions of
    fields that have no column, which are only read, and of fields whose column may be null where
    they may not. `sortable` names the orders of lists, and `refusals` the constraints that callers
    may violate. `in_use` is the refusal to delete a row that others refer to, by any constraint.

    Example:
        >>> POLICIES = Rows(policies, Policy, visible, refusals={"policies_name_key": name_taken})
        >>> await POLICIES.insert(db, policy)
        >>> await POLICIES.lock(db, operator.visibility, policy.id)
    """

    def __init__(
        self,
        table: Table,
        model: type[Item],
        within: Callable[[Scope], ColumnElement[bool]],
        *,
        computed: Mapping[str, ColumnElement[Any]] | None = None,
        sortable: Mapping[str, ColumnElement[Any]] | None = None,
        refusals: Refusals | None = None,
        in_use: Callable[[], Refused] | None = None,
    ) -> None:
        computed = computed or {}
        stored = {column.name: column for column in table.c}
        names = names_of(model)
        self.columns = [(computed[n] if n in computed else stored[n]).label(n) for n in names]
        self._table = table
        self._model = model
        self._within = within
        self._stored = [(name, stored[name].key) for name in names if name in stored]
        self._key = [(column, column.name) for column in table.primary_key]
        self._changing = [item for item in self._stored if item[1] not in table.primary_key]
        same = [column == bindparam(f"of_{name}", type_=column.type) for column, name in self._key]
        self._inserting = insert(table)
        self._updating = update(table).where(*same)
        self._deleting = delete(table).where(*same)
        self.sortable = sortable or {}
        self._refusals = refusals or {}
        self._in_use = in_use
        self._fetched = kept(self._fetching)
        self._each_fetched = kept(self._fetching_each)
        self._locked = kept(self._locking)
        self._locked_for_deletion = kept(self._locking_for_deletion)
        self._pages: dict[Where, Callable[[Scope, tuple[object, ...]], tuple[Pages, Given]]] = {}

    def item(self, row: Row[Any]) -> Item:
        """Return the item of a row of these columns; other columns of the row are ignored."""
        return self.item_of(cast("Mapping[str, Any]", row._mapping))

    def item_of(self, stored: Mapping[str, Any]) -> Item:
        """Return the item with these values of the columns."""
        return read_as(self._model, stored)

    def items(self, rows: Sequence[Row[Any]]) -> list[Item]:
        """Return the items of rows of one statement, each as `item` does, in half the time.

        A row of its own is a mapping, of which msgspec asks for each key.
        """
        if not rows:
            return []
        fields = rows[0]._fields
        names = names_of(self._model)
        values = itemgetter(*map(fields.index, names))
        return [self.item_of(dict(zip(names, values(row), strict=True))) for row in rows]

    def select(self, *where: ColumnElement[bool]) -> Select[Any]:
        """Return a statement that reads the rows which meet the conditions."""
        return select(*self.columns).where(*where)

    def same(self, item: Item) -> ColumnElement[bool]:
        """Return the condition that a row is the one of this item."""
        return and_(*(column == getattr(item, name) for column, name in self._key))

    async def fetch(self, source: Source, scope: Scope, item_id: UUID) -> Item | None:
        """Fetch an item within the scope."""
        if isinstance(source, LookUps):
            return await source.find(self.fetch_each, scope, item_id)
        return await self.one(source, *self._fetched(scope, item_id))

    async def fetch_each(
        self, db: Connection, scope: Scope, ids: Sequence[UUID]
    ) -> dict[UUID, Item]:
        """Fetch the items within the scope with these IDs, by ID; the others are omitted."""
        statement, given = self._each_fetched(scope)
        rows = (await db.execute(statement, {**given, "ids": ids})).all()
        return {row.id: item for row, item in zip(rows, self.items(rows), strict=True)}

    async def lock(self, db: Connection, scope: Scope, item_id: UUID) -> Item | None:
        """Fetch an item `FOR NO KEY UPDATE`: rows that refer to it can still be added."""
        return await self.one(db, *self._locked(scope, item_id))

    async def lock_for_deletion(self, db: Connection, scope: Scope, item_id: UUID) -> Item | None:
        """Fetch an item `FOR UPDATE`, after all transactions that add rows which refer to it."""
        return await self.one(db, *self._locked_for_deletion(scope, item_id))

    async def page(
        self,
        db: Connection,
        scope: Scope,
        paging: Paging,
        where: Where = unconditionally,
        *about: object,
    ) -> Listing[Item]:
        """Fetch a page of the items within the scope that meet the conditions.

        `where` returns the conditions, given what they are `about`; they are `kept`.

        Raises:
            Refused: for an unknown sort field, or a page beyond row 10,000.
        """
        pages = self._pages.get(where)
        if pages is None:
            pages = self._pages[where] = self._listing(where)
        found, given = pages(scope, about)
        listing = await found.fetch(db, paging, given)
        return listing.with_items(self.items(listing.items))

    def _listing(self, where: Where) -> Callable[[Scope, tuple[object, ...]], tuple[Pages, Given]]:
        @kept
        def pages(scope: Scope, about: tuple[object, ...]) -> Pages:
            chosen = self.select(self._within(scope), *where(*about))
            return Pages(chosen, id_column=self._table.c.id, sortable=self.sortable)

        return pages

    async def one(
        self, db: Connection, statement: Select[Any], given: Mapping[str, Any] | None = None
    ) -> Item | None:
        """Fetch the only item of a statement that began with `select`, with these parameters."""
        row = (await db.execute(statement, given)).one_or_none()
        return None if row is None else self.item(row)

    async def all(
        self,
        db: Connection,
        statement: Select[Any] | CompoundSelect[Any],
        given: Mapping[str, Any] | None = None,
    ) -> list[Item]:
        """Fetch the items of a statement that began with `select`, with these parameters."""
        return self.items((await db.execute(statement, given)).all())

    def values(self, item: Item) -> dict[str, Any]:
        """Return what is stored of an item, by the keys of the columns."""
        return {key: getattr(item, name) for name, key in self._stored}

    def changes(self, item: Item) -> dict[str, Any]:
        """Return what may change of a stored item, by the keys of the columns: all but its key."""
        return {key: getattr(item, name) for name, key in self._changing}

    async def insert(self, db: Connection, item: Item, **more: object) -> None:
        """Insert an item, and columns that are no fields of it.

        Raises:
            Refused: as declared for the violated constraint.
        """
        await self._write(db, self._inserting, {**self.values(item), **more})

    async def insert_all(self, db: Connection, items: Iterable[Item]) -> None:
        """Insert items in one statement; none needs no statement.

        Raises:
            Refused: as declared for the violated constraint.
        """
        with refuse_violations(self._refusals):
            await insert_rows(db, self._table, [self.values(item) for item in items])

    async def save(self, db: Connection, item: Item, **more: object) -> None:
        """Store all fields of an item that has a row, but its key, and columns that are no fields.

        Raises:
            Refused: as declared for the violated constraint.
        """
        stored = {**self.changes(item), **more, **self._key_of(item)}
        await self._write(db, self._updating, stored)

    async def update(self, db: Connection, item: Item, *names: str) -> None:
        """Store these fields of an item that has a row; all others keep what is stored.

        Raises:
            Refused: as declared for the violated constraint.
        """
        changed = {key: getattr(item, name) for name, key in self._stored if name in names}
        await self._write(db, self._updating, {**changed, **self._key_of(item)})

    async def delete(self, db: Connection, item: Item) -> bool:
        """Delete the row of an item; return whether it still existed.

        Raises:
            Refused: while other rows refer to it, or as declared for the violated constraint.
        """
        with refuse_violations(self._refusals if self._in_use is None else {}, self._in_use):
            return (await db.execute(self._deleting, self._key_of(item))).rowcount > 0

    def _key_of(self, item: Item) -> Given:
        return {f"of_{name}": getattr(item, name) for _, name in self._key}

    async def _write(self, db: Connection, statement: Any, given: Given) -> None:
        with refuse_violations(self._refusals):
            await db.execute(statement, given)

    def _fetching(self, scope: Scope, item_id: UUID) -> Select[Any]:
        return self.select(self._within(scope), self._table.c.id == item_id)

    def _fetching_each(self, scope: Scope) -> Select[Any]:
        """Build a statement with the parameter `ids`."""
        wanted = self._table.c.id == any_(array_parameter("ids", Id))
        return self.select(self._within(scope), wanted)

    def _locking(self, scope: Scope, item_id: UUID) -> Select[Any]:
        return self._fetching(scope, item_id).with_for_update(key_share=True, of=self._table)

    def _locking_for_deletion(self, scope: Scope, item_id: UUID) -> Select[Any]:
        return self._fetching(scope, item_id).with_for_update(of=self._table)
