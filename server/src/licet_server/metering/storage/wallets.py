"""Wallets, as they are stored."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Row, and_, insert, select, true, update

from licet_server.kit.database import Amount, Connection, Id
from licet_server.kit.fitting import positional
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId, StatusDates
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.storage.terms import paid_until, status_dates
from licet_server.metering.rules.model import Wallet
from licet_server.metering.tables import meter_counts
from licet_server.metering.tables import meter_wallets as wallets

_Stored: Callable[..., Wallet] = positional(Wallet)
_NAMES = list(Wallet.__struct_fields__)
_MODE = _NAMES.index("mode")
COLUMNS = [wallets.c[name] for name in _NAMES]

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_SAME = and_(
    wallets.c.institution_id == _WANTED.c.institution_id,
    wallets.c.license_id == _WANTED.c.license_id,
)
_FOUND = select(*COLUMNS).where(_SAME).limit(1).lateral("found")
_FETCH = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))
_LOCK = (
    select(*COLUMNS)
    .join(_WANTED.table, _SAME)
    .order_by(wallets.c.institution_id, wallets.c.license_id)
    .with_for_update(key_share=True, of=wallets)
)

_STATUS = status_dates(_WANTED.c.institution_id, wallets.c.license_id, paid_until)
_LOCK_FOR_CHARGES = _LOCK.add_columns(*_STATUS.c).outerjoin(_STATUS, true())

_BALANCES = Arrays("changed", institution_id=Id, license_id=Id, balance=Amount, version=BigInteger)
_SAVE_BALANCES = (
    update(wallets)
    .where(
        wallets.c.institution_id == _BALANCES.c.institution_id,
        wallets.c.license_id == _BALANCES.c.license_id,
    )
    .values(balance=_BALANCES.c.balance, version=_BALANCES.c.version)
)


def wallet_of(row: Row[Any]) -> Wallet:
    """Build a wallet from a row that begins with its columns."""
    values = [*row[: len(_NAMES)]]
    values[_MODE] = MeterMode(values[_MODE])
    return _Stored(*values)


def _by_key(rows: Iterable[Row[Any]]) -> dict[LicenseId, Wallet]:
    return {item.key: item for item in map(wallet_of, rows)}


async def insert_wallet(db: Connection, item: Wallet, *, counted: int = 0) -> None:
    """Store a wallet; its entries up to number `counted` are in the daily totals."""
    await db.execute(insert(wallets).values({name: getattr(item, name) for name in _NAMES}))
    await db.execute(
        insert(meter_counts).values(
            institution_id=item.institution_id, license_id=item.license_id, counted=counted
        )
    )


async def fetch_wallets(db: Connection, keys: Sequence[LicenseId]) -> dict[LicenseId, Wallet]:
    """Fetch wallets in one statement; missing ones are omitted."""
    return _by_key(await db.execute(_FETCH, _WANTED.given(dict.fromkeys(keys)))) if keys else {}


async def lock_wallets(db: Connection, keys: Iterable[LicenseId]) -> dict[LicenseId, Wallet]:
    """Fetch wallets `FOR NO KEY UPDATE`, in the order of their ids to prevent deadlocks."""
    return _by_key(await db.execute(_LOCK, _WANTED.given(sorted(keys))))


async def lock_for_charges(
    db: Connection, keys: Iterable[LicenseId]
) -> tuple[dict[LicenseId, Wallet], dict[LicenseId, StatusDates]]:
    """Lock wallets as `lock_wallets` does, and read the status dates of their licenses.

    One statement does both, so that a revocation committed before it costs no round trip to notice.
    """
    rows = (await db.execute(_LOCK_FOR_CHARGES, _WANTED.given(sorted(keys)))).all()
    dates = {
        (row.institution_id, row.license_id): StatusDates(
            revoked_at=row.revoked_at,
            suspended_at=row.suspended_at,
            valid_until=row.valid_until,
        )
        for row in rows
    }
    return _by_key(rows), dates


def saving_balances(items: Sequence[Wallet]) -> list[Change]:
    """Return what saves the balances of locked wallets."""
    rows = [(*item.key, item.balance, item.version) for item in items]
    return [(_SAVE_BALANCES, _BALANCES.given(rows))] if rows else []


async def save_threshold(db: Connection, item: Wallet) -> None:
    await db.execute(
        update(wallets)
        .where(
            wallets.c.institution_id == item.institution_id,
            wallets.c.license_id == item.license_id,
        )
        .values(low_balance_threshold=item.low_balance_threshold)
    )


async def save_held(db: Connection, item: Wallet) -> None:
    """Save what a lease changes: the balance, the number of the last entry, and what is held."""
    await db.execute(
        update(wallets)
        .where(
            wallets.c.institution_id == item.institution_id,
            wallets.c.license_id == item.license_id,
        )
        .values(balance=item.balance, version=item.version, held=item.held)
    )


async def close_wallet(db: Connection, key: LicenseId, now: datetime) -> None:
    institution_id, license_id = key
    await db.execute(
        update(wallets)
        .where(wallets.c.institution_id == institution_id, wallets.c.license_id == license_id)
        .values(closed_at=now)
    )


async def save_wallet(db: Connection, item: Wallet) -> None:
    """Save all that a conversion of the license changes."""
    await db.execute(
        update(wallets)
        .where(
            wallets.c.institution_id == item.institution_id,
            wallets.c.license_id == item.license_id,
        )
        .values(
            mode=item.mode,
            balance=item.balance,
            version=item.version,
            low_balance_threshold=item.low_balance_threshold,
            held=item.held,
            closed_at=item.closed_at,
            rests_since=item.rests_since,
        )
    )


async def find_visible(db: Connection, visibility: Visibility, license_id: UUID) -> Wallet | None:
    """Find the wallet of a license, deleted or not, of a product that is visible as a whole."""
    statement = select(*COLUMNS).where(
        visible_to(visibility, wallets.c.institution_id, wallets.c.product_id),
        wallets.c.license_id == license_id,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else wallet_of(row)
