"""Customers, as they are stored."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    union,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.customers import errors
from licet_server.customers.rules.model import Customer, CustomerFilter, CustomerId
from licet_server.customers.tables import WORDS, customers, former_addresses
from licet_server.kit.database import Connection, Id, Instant, Json, String
from licet_server.kit.emails import normal_email
from licet_server.kit.kept import kept
from licet_server.kit.paging import FilteredPages, Listing, Paging
from licet_server.kit.routing import is_distributed
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, each_of, one_of
from licet_server.kit.tag_search import fetch_tags, found_by_tag, has_tags, search_query, tags_query
from licet_server.kit.tags import Tags
from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import WordSearch, query_of


def _visible(visibility: Visibility) -> ColumnElement[bool]:
    """Show Members no customers, since these belong to no product."""
    return one_of(customers.c.institution_id, visibility.institutions)


_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": customers.c.id,  # UUIDv7: the order of ids is the order of creation
    "email": func.lower(customers.c.email),
    "name": customers.c.name,
    "updatedAt": customers.c.updated_at,
}
CUSTOMERS = Rows(
    customers,
    Customer,
    _visible,
    computed={"metadata": func.coalesce(customers.c.labels, literal({}, Json))},
    sortable=_SORTABLE,
    refusals={"customers_email_key": errors.email_taken},
)

_GIVEN = Arrays("given", id=Id, email=String, name=String)
_OF_INSTITUTION = bindparam("of_institution", type_=Id)
_NOW = bindparam("now", type_=Instant)
_LOCK = (
    select(_GIVEN.c.email, customers.c.id)
    .join_from(_GIVEN.table, customers, func.lower(customers.c.email) == func.lower(_GIVEN.c.email))
    .where(customers.c.institution_id == _OF_INSTITUTION)
    .order_by(customers.c.id)
    .with_for_update(read=True, key_share=True, of=customers)
)
_NEW = select(_OF_INSTITUTION, _GIVEN.c.id, _GIVEN.c.name, _GIVEN.c.email, _NOW, _NOW).order_by(
    func.lower(_GIVEN.c.email)
)


def _inserting(rows: Select[Any]) -> Any:
    columns = ["institution_id", "id", "name", "email", "created_at", "updated_at"]
    made = upsert(customers).from_select(columns, rows).on_conflict_do_nothing()
    return made.returning(customers.c.email, customers.c.id)


_EXISTING = select(_LOCK.subquery("locked")).cte("existing")
_MADE = _inserting(_NEW.where(~exists().where(_EXISTING.c.email == _GIVEN.c.email))).cte("made")
_INSERT = _inserting(_NEW)
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
    if not is_distributed(db):
        return [(row.email, row.id, row.is_new) for row in await db.execute(_ENSURE, given)]
    # What one part of a statement finds would be sent to every node, for its other parts.
    found = {row.email: row.id for row in await db.execute(_LOCK, given)}
    new = (item for item in drafts if item[1] not in found)
    missing = sorted(new, key=lambda item: item[1].lower())
    inserted = await db.execute(_INSERT, {**given, **_GIVEN.given(missing)}) if missing else ()
    return [
        *((email, found_id, False) for email, found_id in found.items()),
        *((row.email, row.id, True) for row in inserted),
    ]


async def lock_by_email(db: Connection, institution_id: UUID, email: str) -> Customer | None:
    """Fetch the customer with this address `FOR NO KEY UPDATE`."""
    return await CUSTOMERS.one(db, *_locking_by_email(institution_id, email))


@kept
def _locking_by_email(institution_id: UUID, email: str) -> Select[Any]:
    return CUSTOMERS.select(
        customers.c.institution_id == institution_id,
        func.lower(customers.c.email) == func.lower(email),
    ).with_for_update(key_share=True)


async def fetch_by_ids(db: Connection, ids: Collection[CustomerId]) -> dict[UUID, Customer]:
    """Fetch customers by ID; missing ones are omitted."""
    institution_ids, customer_ids = zip(*ids, strict=True)
    found = await CUSTOMERS.all(db, *_with_ids(set(institution_ids), customer_ids))
    return {item.id: item for item in found}


@kept
def _with_ids(institution_ids: Collection[UUID], customer_ids: Collection[UUID]) -> Select[Any]:
    return CUSTOMERS.select(
        customers.c.institution_id.in_(institution_ids), customers.c.id.in_(customer_ids)
    )


_HELD = Arrays("held", institution_id=Id, id=Id)
_HOLD = (
    CUSTOMERS.select()
    .join(
        _HELD.table,
        and_(customers.c.institution_id == _HELD.c.institution_id, customers.c.id == _HELD.c.id),
    )
    .order_by(customers.c.institution_id, customers.c.id)
    .with_for_update(read=True, key_share=True, of=customers)
)


async def hold_by_ids(db: Connection, ids: Collection[CustomerId]) -> dict[UUID, Customer]:
    """Fetch customers by ID `FOR KEY SHARE`, in the order of their IDs; missing ones are omitted.

    It waits for transactions that erase, merge or delete them, and none can do so afterwards.
    """
    return {item.id: item for item in await CUSTOMERS.all(db, _HOLD, _HELD.given(ids))}


async def lock_for_removal(
    db: Connection, institution_id: UUID, customer_ids: list[UUID]
) -> dict[UUID, Customer]:
    """Fetch customers `FOR UPDATE`, in the order of their IDs; missing ones are omitted.

    It waits for transactions that issue licenses to them, and no other can do so afterwards.
    """
    statement = (
        CUSTOMERS.select(
            customers.c.institution_id == institution_id, customers.c.id.in_(customer_ids)
        )
        .order_by(customers.c.id)
        .with_for_update()
    )
    return {item.id: item for item in await CUSTOMERS.all(db, statement)}


Holds = Callable[[ColumnElement[UUID], ColumnElement[UUID]], ColumnElement[bool]]
"""Returns a condition of a customer's licenses; it gets the institution and the customer."""


async def list_customers(
    db: Connection,
    visibility: Visibility,
    filters: CustomerFilter,
    paging: Paging,
    holds: Holds | None = None,
) -> Listing[Customer]:
    """List the visible customers; a search finds words by how they begin, and tags.

    With `holds`, only those of whose licenses that is true.
    """
    tags = None if filters.tags is None else tags_query(filters.tags)
    words = tag = None
    if filters.search is not None:
        words, tag = query_of(filters.search), search_query(filters.search)
    if holds is None:
        pages, given = _chosen(visibility, tags, words, tag, filters.ids)
    else:
        chosen = _matching(visibility, tags, words, tag, filters.ids)
        held = holds(customers.c.institution_id, customers.c.id)
        pages, given = _pages(visibility, chosen.where(held)), {}
    listing = await pages.fetch(db, paging, given)
    return listing.with_items(CUSTOMERS.items(listing.items))


@kept
def _chosen(
    visibility: Visibility,
    tags: str | None,
    words: str | None,
    tag: str | None,
    ids: tuple[UUID, ...] | None,
) -> FilteredPages:
    return _pages(visibility, _matching(visibility, tags, words, tag, ids))


def _matching(
    visibility: Visibility,
    tags: str | None,
    words: str | None,
    tag: str | None,
    ids: tuple[UUID, ...] | None,
) -> Select[Any]:
    """Select the customers with these `tags`, and of those the ones with the `words` or the `tag`.

    With `ids`, it is of these customers alone.
    """
    statement = CUSTOMERS.select(_visible(visibility))
    if ids is not None:
        statement = statement.where(customers.c.id.in_(ids))
    if tags is not None:
        statement = statement.where(has_tags(customers.c.tags, tags))
    if tag is not None:
        tagged = found_by_tag(customers.c.tags, tag)
        found = () if words is None else (WORDS.match(words),)
        statement = statement.where(or_(tagged, *found))
    return statement


def _pages(visibility: Visibility, statement: Select[Any]) -> FilteredPages:
    return FilteredPages(
        statement,
        id_column=customers.c.id,
        sortable=_SORTABLE,
        scan=None,
        each=each_of(visibility, customers.c.institution_id),
    )


async def fetch_by_reference(
    db: Connection, institution_id: UUID, references: Collection[str]
) -> list[Customer]:
    """Fetch two customers at most with one of these external references."""
    statement = CUSTOMERS.select(
        customers.c.institution_id == institution_id,
        customers.c.external_reference.in_(references),
    )
    return await CUSTOMERS.all(db, statement.limit(2))


async def fetch_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[Customer]:
    """Fetch customers with this address, external reference or tag."""
    named = _named(visibility, text, normal_email(text), search_query(text), limit)
    return await CUSTOMERS.all(db, *named)


@kept
def _named(visibility: Visibility, text: str, lowered: str, tag: str, limit: int) -> Select[Any]:
    is_named = or_(
        func.lower(customers.c.email) == lowered,
        customers.c.external_reference == text,
        found_by_tag(customers.c.tags, tag),
    )
    return CUSTOMERS.select(_visible(visibility), is_named).limit(limit)


async def fetch_moved(
    db: Connection, visibility: Visibility, address: str, limit: int
) -> list[Customer]:
    """Fetch customers who moved away from this address with their licenses."""
    return await CUSTOMERS.all(db, *_moved(visibility, normal_email(address), limit))


@kept
def _moved(visibility: Visibility, email: str, limit: int) -> Select[Any]:
    is_of_customer = and_(
        former_addresses.c.institution_id == customers.c.institution_id,
        former_addresses.c.customer_id == customers.c.id,
    )
    return (
        CUSTOMERS.select(_visible(visibility), former_addresses.c.email == email)
        .join(former_addresses, is_of_customer)
        .limit(limit)
    )


def worded(institution_ids: Collection[UUID], word: str) -> Select[Any]:
    """Select the IDs of the customers of institutions who have a word, as `queries_of` has it."""
    return select(customers.c.id).where(
        customers.c.institution_id.in_(institution_ids), WORDS.match(word)
    )


_WORDED = WordSearch(CUSTOMERS.columns, customers, WORDS, _visible)


async def fetch_known_tags(db: Connection, visibility: Visibility) -> Tags:
    """Return the tags of the newest visible customers that have any."""
    newest = CUSTOMERS.select(_visible(visibility)).order_by(customers.c.id.desc())
    return await fetch_tags(db, newest, customers.c.tags)


async def fetch_worded(
    db: Connection, visibility: Visibility, search: str, limit: int
) -> list[Customer]:
    """Fetch customers with all words of the search; `db` is a transaction."""
    whole = Visibility(visibility.institutions)
    return [CUSTOMERS.item(row) for row in await _WORDED.fetch(db, whole, search, limit)]


_EMAIL = func.lower(customers.c.email)


async def remember_address(db: Connection, customer: Customer) -> None:
    """Store that the institution had a customer with this address."""
    row = {"institution_id": customer.institution_id, "email": customer.email.lower()}
    await db.execute(upsert(former_addresses).values(row).on_conflict_do_nothing())


async def remember_move(db: Connection, customer: Customer) -> None:
    """Store that the customer moves away from this address with their licenses."""
    given = upsert(former_addresses).values(
        institution_id=customer.institution_id,
        email=customer.email.lower(),
        customer_id=customer.id,
    )
    await db.execute(
        given.on_conflict_do_update(
            index_elements=["institution_id", "email"], set_={"customer_id": customer.id}
        )
    )


async def lock_moved(db: Connection, institution_id: UUID, email: str) -> str | None:
    """Fetch the address of who moved away from this one, if no customer has it, `FOR KEY SHARE`."""
    moved: str | None = (
        await db.execute(*_locking_moved(institution_id, email.lower()))
    ).scalar_one_or_none()
    return moved


@kept
def _locking_moved(institution_id: UUID, email: str) -> Select[Any]:
    other = customers.alias("other")
    is_other = and_(other.c.institution_id == institution_id, func.lower(other.c.email) == email)
    return (
        select(customers.c.email)
        .join(
            former_addresses,
            and_(
                former_addresses.c.institution_id == customers.c.institution_id,
                former_addresses.c.customer_id == customers.c.id,
            ),
        )
        .where(
            former_addresses.c.institution_id == institution_id,
            former_addresses.c.email == email,
            ~select(other.c.id).where(is_other).exists(),
        )
        .with_for_update(read=True, key_share=True, of=customers)
    )


async def pass_on_addresses(db: Connection, duplicate: Customer, kept: Customer) -> None:
    """Give the addresses that a customer moved away from to another one."""
    statement = update(former_addresses).where(
        former_addresses.c.institution_id == duplicate.institution_id,
        former_addresses.c.customer_id == duplicate.id,
    )
    await db.execute(statement.values(customer_id=kept.id))


async def forget_addresses(db: Connection, institution_id: UUID, emails: Collection[str]) -> int:
    """Delete that the institution had customers with these addresses; returns of how many."""
    statement = delete(former_addresses).where(
        former_addresses.c.institution_id == institution_id, former_addresses.c.email.in_(emails)
    )
    return int((await db.execute(statement)).rowcount)


async def fetch_taken(
    db: Connection, institution_id: UUID, emails: Collection[str], own: Collection[UUID]
) -> set[str]:
    """Fetch those of these addresses that customers have who are none of `own`."""
    statement = select(_EMAIL).where(
        customers.c.institution_id == institution_id,
        _EMAIL.in_(emails),
        customers.c.id.not_in(own),
    )
    return set((await db.execute(statement)).scalars())


async def fetch_known_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Fetch those of these addresses that customers of other institutions have, or had."""
    present = select(_EMAIL).where(_EMAIL.in_(emails), customers.c.institution_id != institution_id)
    former = select(former_addresses.c.email).where(
        former_addresses.c.email.in_(emails), former_addresses.c.institution_id != institution_id
    )
    return set((await db.execute(union(present, former))).scalars())
