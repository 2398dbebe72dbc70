"""The ledger, as it is stored: entries are inserted and read, never updated."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, insert, select, true

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet
from licet_server.metering.tables import meter_entries as entries

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


async def insert_entries(db: Connection, items: Sequence[LedgerEntry]) -> None:
    """Insert entries of locked wallets."""
    if items:
        rows = [[getattr(item, name) for name in _NAMES] for item in items]
        await db.execute(_INSERT, _NEW.given(rows))


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
