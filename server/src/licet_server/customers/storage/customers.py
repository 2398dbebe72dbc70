"""Queries of customers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError

from licet_server.customers import errors
from licet_server.customers.rules.model import Customer, CustomerId
from licet_server.customers.tables import customers
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String, violated_constraint
from licet_server.kit.each_institution import each_of
from licet_server.kit.filters import one_of
from licet_server.kit.paging import Listing, Paging, fetch_filtered_listing
from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import fetch_with_words, has_words

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": customers.c.id,  # UUIDv7: the order of ids is the order of creation
    "email": func.lower(customers.c.email),
    "name": customers.c.name,
    "updatedAt": customers.c.updated_at,
}
_NAMES = [field.name for field in fields(Customer)]
_COLUMNS = [customers.c["labels" if name == "metadata" else name] for name in _NAMES]


def _customer(row: Row[Any]) -> Customer:
    stored = dict(zip(_NAMES, row, strict=True))
    return Customer(**{**stored, "metadata": stored["metadata"] or {}})


def _columns_of(customer: Customer) -> dict[str, Any]:
    stored = {name: getattr(customer, name) for name in _NAMES}
    stored["labels"] = dict(stored.pop("metadata"))
    return stored


def _same(institution_id: UUID, customer_id: UUID) -> ColumnElement[bool]:
    return and_(customers.c.institution_id == institution_id, customers.c.id == customer_id)


def _visible(visibility: Visibility) -> ColumnElement[bool]:
    """Customers belong to no product, so Members see none."""
    return one_of(customers.c.institution_id, visibility.institutions)


async def insert_customer(db: Connection, customer: Customer) -> None:
    """Insert a customer.

    Raises:
        Refused: `Conflict` when the institution has one with this address.
    """
    await _unless_taken(db, insert(customers).values(**_columns_of(customer)))


async def update_customer(db: Connection, customer: Customer) -> None:
    """Store all fields of a customer.

    Raises:
        Refused: `Conflict` when the institution has another one with this address.
    """
    same = _same(customer.institution_id, customer.id)
    await _unless_taken(db, update(customers).where(same).values(**_columns_of(customer)))


async def _unless_taken(db: Connection, statement: Any) -> None:
    try:
        await db.execute(statement)
    except IntegrityError as error:
        if violated_constraint(error) == "customers_email_key":
            raise errors.email_taken() from None
        raise


_GIVEN = Arrays("given", id=Id, email=String, name=String)
_OF_INSTITUTION = bindparam("of_institution", type_=Id)
_NOW = bindparam("now", type_=Instant)
_EXISTING = (
    select(_GIVEN.c.email, customers.c.id)
    .join_from(_GIVEN.table, customers, func.lower(customers.c.email) == func.lower(_GIVEN.c.email))
    .where(customers.c.institution_id == _OF_INSTITUTION)
    .order_by(customers.c.id)
    .with_for_update(read=True, key_share=True, of=customers)
    .cte("existing")
)
_MADE = (
    upsert(customers)
    .from_select(
        ["institution_id", "id", "name", "email", "created_at", "updated_at"],
        select(_OF_INSTITUTION, _GIVEN.c.id, _GIVEN.c.name, _GIVEN.c.email, _NOW, _NOW)
        .where(~exists().where(_EXISTING.c.email == _GIVEN.c.email))
        .order_by(func.lower(_GIVEN.c.email)),
    )
    .on_conflict_do_nothing()
    .returning(customers.c.email, customers.c.id)
    .cte("made")
)
_ENSURE = union_all(
    select(_EXISTING.c.email, _EXISTING.c.id, literal(value=False).label("is_new")),
    select(_MADE.c.email, _MADE.c.id, literal(value=True)),
)


async def ensure_customers(
    db: Connection, institution_id: UUID, drafts: Sequence[tuple[UUID, str, str]], now: datetime
) -> list[tuple[str, UUID, bool]]:
    """Find the customers with these addresses, or insert them.

    A draft is the ID, address and name of a customer who is new. Returns each address with the ID
    of its customer, and if it is new. Those customers cannot be deleted until the transaction ends.
    An address that another transaction has just inserted, or that is given twice, is left out: then
    the next call finds it. Locks are taken in the same order by everybody: first customers by their
    IDs, then new addresses by the alphabet.
    """
    given = {**_GIVEN.given(drafts), "of_institution": institution_id, "now": now}
    return [(row.email, row.id, row.is_new) for row in await db.execute(_ENSURE, given)]


async def fetch_customer(
    db: Connection, visibility: Visibility, customer_id: UUID
) -> Customer | None:
    row = (await db.execute(_one(visibility, customer_id))).one_or_none()
    return None if row is None else _customer(row)


async def lock_customer(
    db: Connection, visibility: Visibility, customer_id: UUID
) -> Customer | None:
    """Fetch a customer `FOR NO KEY UPDATE`; licenses can be issued to it meanwhile."""
    statement = _one(visibility, customer_id).with_for_update(key_share=True)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _customer(row)


async def lock_by_email(db: Connection, institution_id: UUID, email: str) -> Customer | None:
    """Fetch the customer with this address `FOR NO KEY UPDATE`."""
    statement = select(*_COLUMNS).where(
        customers.c.institution_id == institution_id,
        func.lower(customers.c.email) == func.lower(email),
    )
    row = (await db.execute(statement.with_for_update(key_share=True))).one_or_none()
    return None if row is None else _customer(row)


async def fetch_by_ids(db: Connection, ids: Collection[CustomerId]) -> list[Customer]:
    """These customers; missing ones are omitted."""
    institutions, wanted = ({item[place] for item in ids} for place in (0, 1))
    statement = select(*_COLUMNS).where(
        customers.c.institution_id.in_(institutions), customers.c.id.in_(wanted)
    )
    return [_customer(row) for row in await db.execute(statement)]


async def lock_for_removal(
    db: Connection, institution_id: UUID, customer_ids: list[UUID]
) -> dict[UUID, Customer]:
    """Fetch customers `FOR UPDATE`, in the order of their ids; missing ones are omitted.

    It waits for transactions that issue licenses to them, and nobody can do so afterwards.
    """
    statement = (
        select(*_COLUMNS)
        .where(customers.c.institution_id == institution_id, customers.c.id.in_(customer_ids))
        .order_by(customers.c.id)
        .with_for_update()
    )
    found = [_customer(row) for row in await db.execute(statement)]
    return {item.id: item for item in found}


async def delete_customer(db: Connection, customer: Customer) -> None:
    await db.execute(delete(customers).where(_same(customer.institution_id, customer.id)))


def _one(visibility: Visibility, customer_id: UUID) -> Select[Any]:
    return select(*_COLUMNS).where(_visible(visibility), customers.c.id == customer_id)


async def list_customers(
    db: Connection, visibility: Visibility, search: str | None, paging: Paging
) -> Listing[Customer]:
    """The visible customers; with a search, those with words that begin so."""
    statement = select(*_COLUMNS).where(_visible(visibility))
    if search is not None:
        found = has_words(customers.c.search_words, search)
        statement = statement.where(false() if found is None else found)
    listing = await fetch_filtered_listing(
        db,
        statement,
        paging,
        id_column=customers.c.id,
        sortable=_SORTABLE,
        scan=None,
        each=each_of(visibility, customers.c.institution_id),
    )
    return listing.of(_customer)


async def fetch_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[Customer]:
    """Customers with this address or external reference."""
    statement = select(*_COLUMNS).where(
        _visible(visibility),
        or_(
            func.lower(customers.c.email) == text.lower(),
            customers.c.external_reference == text,
        ),
    )
    return [_customer(row) for row in await db.execute(statement.limit(limit))]


async def fetch_worded(
    db: Connection, visibility: Visibility, search: str, limit: int
) -> list[Customer]:
    """Customers with all words of the search; `db` is a transaction."""
    rows = await fetch_with_words(
        db,
        _COLUMNS,
        customers.c.search_words,
        search,
        visibility=Visibility(visibility.institutions),
        visible=_visible(visibility),
        limit=limit,
    )
    return [_customer(row) for row in rows]
