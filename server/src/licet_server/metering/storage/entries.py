"""The ledger, as it is stored: entries are inserted and read, never updated."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, insert, select, true
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.catalog.storage.features import feature_named
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.routing import is_distributed
from licet_server.kit.statements import Arrays
from licet_server.kit.together import Change, change_together
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet
from licet_server.metering.tables import meter_entries as entries
from licet_server.metering.tables import meter_feature_names as names

KeyOf = tuple[UUID, UUID, str]
"""Institution, license and idempotency key."""

_NAMES = list(LedgerEntry.__struct_fields__)
_COLUMNS = [entries.c[name] for name in _NAMES]
_KINDS = {name: entries.c[name].type for name in _NAMES}
_NEW = Arrays("new", **_KINDS)
_INSERT = insert(entries).from_select(_NAMES, select(*(_NEW.c[name] for name in _NAMES)))

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id, key=String)
_FOUND = (
    select(*_COLUMNS)
    .where(
        entries.c.institution_id == _WANTED.c.institution_id,
        entries.c.license_id == _WANTED.c.license_id,
        entries.c.idempotency_key == _WANTED.c.key,
    )
    .limit(1)
    .lateral("found")
)
_BY_KEYS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "sequence": entries.c.sequence,
    "createdAt": entries.c.sequence,
}


def _entry(row: Any) -> LedgerEntry:
    stored = dict(zip(_NAMES, row, strict=True))
    stored["type"] = LedgerEntryType(stored["type"])
    return LedgerEntry(**stored)


async def insert_entries(db: Connection, items: Sequence[LedgerEntry], *others: Change) -> None:
    """Insert entries of locked wallets, together with other changes."""
    rows = [[getattr(item, name) for name in _NAMES] for item in items]
    inserting = [(_INSERT, _NEW.given(rows))] if rows else []
    await change_together(db, *others, *inserting)


async def fetch_by_keys(
    db: Connection, keys: Sequence[KeyOf]
) -> dict[LicenseId, dict[str, LedgerEntry]]:
    """Fetch the entries with these idempotency keys, by wallet and key; unused keys are omitted.

    One index look-up per key: given the keys as a list, the planner may read a whole wallet.
    """
    found: dict[LicenseId, dict[str, LedgerEntry]] = {}
    if keys:
        for item in map(_entry, await db.execute(_BY_KEYS, _WANTED.given(keys))):
            by_key = found.setdefault((item.institution_id, item.license_id), {})
            by_key[item.idempotency_key or ""] = item
    return found


async def list_entries(
    db: Connection, wallet: Wallet, archived: int, paging: Paging
) -> Listing[LedgerEntry]:
    """List the entries that changed the balance, without those in archives.

    The wallet's version is the number of all, `archived` that of the entries in archives.
    """
    statement = select(*_COLUMNS).where(
        entries.c.institution_id == wallet.institution_id,
        entries.c.license_id == wallet.license_id,
        entries.c.sequence.is_not(None),
    )
    # Within a wallet the sequence is unique, and an index has it in this order.
    last = entries.c.sequence if paging.after is None else entries.c.id
    listing = await fetch_listing(
        db, statement, paging, id_column=last, sortable=_SORTABLE, total=wallet.version - archived
    )
    return listing.of(_entry)


_CHARGED = Arrays("charged", product_id=Id, **{name: entries.c[name].type for name in _NAMES})
_FOLDED = func.lower(_CHARGED.c.feature_name)
_FEATURE = feature_named(_CHARGED.c.institution_id, _CHARGED.c.product_id, _CHARGED.c.feature_name)
_EARLIER = (
    select(names.c.name)
    .where(
        names.c.institution_id == _CHARGED.c.institution_id,
        names.c.product_id == _CHARGED.c.product_id,
        names.c.folded == _FOLDED,
    )
    .limit(1)
    .lateral("earlier")
)
_CHARGES = (
    select(
        *(_CHARGED.c[name] for name in ("product_id", *_NAMES)),
        _FOLDED.label("folded"),
        func.coalesce(_FEATURE.c.name, _EARLIER.c.name).label("known_as"),
    )
    .select_from(_CHARGED.table.outerjoin(_FEATURE, true()).outerjoin(_EARLIER, true()))
    .cte("charge")
    .prefix_with("MATERIALIZED")
)
_KEY = ("institution_id", "product_id", "folded")
_ON = [_CHARGES.c[name] for name in _KEY]
_FIRST_USED = upsert(names).from_select(
    [*_KEY, "name"],
    select(*_ON, _CHARGES.c.feature_name)
    .where(_CHARGES.c.known_as.is_(None))
    .ext(distinct_on(*_ON))
    # Several processes may insert the same names, all in this order, which prevents deadlocks.
    .order_by(*_ON, _CHARGES.c.id),
)
# The update changes nothing; it returns the name that another process inserted just before.
_SPELLED = (
    _FIRST_USED.on_conflict_do_update(index_elements=_KEY, set_={"name": names.c.name})
    .returning(*(names.c[name] for name in (*_KEY, "name")))
    .cte("spelled")
)
_SPELLING = func.coalesce(_CHARGES.c.known_as, _SPELLED.c.name)
_INSERT_CHARGES = (
    upsert(entries)
    .from_select(
        _NAMES,
        select(
            *(
                _SPELLING.label(name) if name == "feature_name" else _CHARGES.c[name]
                for name in _NAMES
            )
        ).select_from(
            _CHARGES.outerjoin(
                _SPELLED, and_(*(_CHARGES.c[name] == _SPELLED.c[name] for name in _KEY))
            )
        ),
    )
    .add_cte(_SPELLED)
    .returning(entries.c.id, entries.c.feature_name)
)
_values_of = attrgetter(*_NAMES)

_FIND_NAMES = select(_CHARGES)
_INSERT_ENTRY = insert(entries)
_NEW_NAME = upsert(names)
_NAME_ONCE = _NEW_NAME.on_conflict_do_update(
    index_elements=_KEY, set_={"name": names.c.name}
).returning(names.c.name)


async def _insert_each(db: Connection, rows: Sequence[Sequence[Any]]) -> dict[UUID, str]:
    """Insert charges after finding what each is called.

    Done by one statement, Citus would carry what it finds to every node, and commit on all of them.
    """
    spelled: dict[tuple[UUID, UUID, str], str] = {}
    charges = (await db.execute(_FIND_NAMES, _CHARGED.given(rows))).all()
    for row in sorted(charges, key=lambda row: (row.institution_id, row.product_id, row.id)):
        key = (row.institution_id, row.product_id, row.folded)
        if row.known_as is not None:
            spelled[key] = row.known_as
        elif row.folded is not None and key not in spelled:
            given = {**dict(zip(_KEY, key, strict=True)), "name": row.feature_name}
            spelled[key] = (await db.execute(_NAME_ONCE, given)).scalar_one()
    stored = [
        {name: getattr(row, name) for name in _NAMES}
        | {"feature_name": spelled.get((row.institution_id, row.product_id, row.folded))}
        for row in charges
    ]
    await db.execute(_INSERT_ENTRY, stored)
    return {item["id"]: item["feature_name"] for item in stored}


async def insert_charges(
    db: Connection, charges: Sequence[tuple[UUID, LedgerEntry]], *others: Change
) -> dict[UUID, str]:
    """Insert charges of locked wallets, each with its product, together with other changes.

    Returns the spelling of the feature of each.
    """
    rows = [[product_id, *_values_of(item)] for product_id, item in charges]
    if not rows or is_distributed(db):
        await change_together(db, *others)
        return await _insert_each(db, rows) if rows else {}
    inserting = (_INSERT_CHARGES, _CHARGED.given(rows))
    return dict(await change_together(db, *others, inserting))
