"""Wallets and summaries of their ledgers, as a reconciliation reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
)

from licet_server.kit.database import Amount, Connection, Id
from licet_server.kit.fitting import Members
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.storage.terms import metered_licenses
from licet_server.metering.rules.model import HOLDING, LedgerEntryType
from licet_server.metering.rules.reconciling import (
    EntryRange,
    LostWallet,
    RangeSummary,
    WalletCheck,
    begin_check,
)
from licet_server.metering.storage.wallets import COLUMNS, wallet_of
from licet_server.metering.tables import meter_entries as entries
from licet_server.metering.tables import meter_openings as openings
from licet_server.metering.tables import meter_wallets as wallets

_TYPES = Members(LicenseType)


@dataclass(frozen=True, slots=True)
class WalletScope:
    """Which wallets to check; `None` is no restriction."""

    institution_ids: Sequence[UUID] | None = None
    license_id: UUID | None = None


_OPENING = func.coalesce(
    select(openings.c.sequence)
    .where(
        openings.c.institution_id == wallets.c.institution_id,
        openings.c.license_id == wallets.c.license_id,
    )
    .scalar_subquery(),
    0,
).label("opening")


_HELD_BEFORE = func.coalesce(
    select(openings.c.held)
    .where(
        openings.c.institution_id == wallets.c.institution_id,
        openings.c.license_id == wallets.c.license_id,
    )
    .scalar_subquery(),
    0,
).label("held_before")


_LAST_SEQUENCE = (
    select(func.coalesce(func.max(entries.c.sequence), 0))
    .where(
        entries.c.institution_id == wallets.c.institution_id,
        entries.c.license_id == wallets.c.license_id,
        entries.c.sequence.is_not(None),
    )
    .scalar_subquery()
    .label("last_sequence")
)


async def count_entries_in(db: Connection, scope: WalletScope) -> int:
    """Count the ledger entries to check: those that exist and are not in archives."""
    existing = func.least(wallets.c.version, _LAST_SEQUENCE.element) - _OPENING.element
    statement = _in_scope(select(func.sum(func.greatest(existing, 0))), scope)
    return int((await db.execute(statement)).scalar() or 0)


_HAS_ARCHIVED = (
    select(entries.c.id)
    .join(
        openings,
        and_(
            openings.c.institution_id == entries.c.institution_id,
            openings.c.license_id == entries.c.license_id,
        ),
    )
    .where(
        entries.c.institution_id == wallets.c.institution_id,
        entries.c.license_id == wallets.c.license_id,
        entries.c.sequence <= openings.c.sequence,
    )
    .exists()
    .label("has_archived")
)


async def fetch_checks(
    db: Connection, scope: WalletScope, after: LicenseId | None, limit: int
) -> list[WalletCheck]:
    """Fetch the next wallets in the order of their IDs, each with its highest ledger number."""
    found = (*COLUMNS, _LAST_SEQUENCE, _OPENING, _HELD_BEFORE, _HAS_ARCHIVED)
    statement = _in_scope(select(*found), scope)
    if after is not None:
        institution_id, license_id = after
        statement = statement.where(
            or_(
                wallets.c.institution_id > institution_id,
                and_(wallets.c.institution_id == institution_id, wallets.c.license_id > license_id),
            )
        )
    ordered = statement.order_by(wallets.c.institution_id, wallets.c.license_id).limit(limit)
    return [
        begin_check(
            wallet_of(row),
            row.last_sequence,
            row.opening,
            held=row.held_before,
            has_archived=row.has_archived,
        )
        for row in await db.execute(ordered)
    ]


def _in_scope(statement: Select[*tuple[Any, ...]], scope: WalletScope) -> Select[*tuple[Any, ...]]:
    statement = statement.select_from(wallets)
    if scope.institution_ids is not None:
        statement = statement.where(wallets.c.institution_id.in_(scope.institution_ids))
    if scope.license_id is not None:
        statement = statement.where(wallets.c.license_id == scope.license_id)
    return statement


async def count_wallets_in(db: Connection, scope: WalletScope) -> int:
    statement = _in_scope(select(func.count()), scope)
    return int((await db.execute(statement)).scalar_one())


_METERED = metered_licenses()
_LAST_ENTRY = (
    select(entries.c.sequence, entries.c.balance_after)
    .where(
        entries.c.institution_id == _METERED.c.institution_id,
        entries.c.license_id == _METERED.c.id,
        entries.c.sequence.is_not(None),
    )
    .order_by(entries.c.sequence.desc())
    .limit(1)
    .lateral("last_entry")
)
_LOST = (
    select(*_METERED.c, _LAST_ENTRY.c.sequence, _LAST_ENTRY.c.balance_after)
    .select_from(
        _METERED.outerjoin(
            wallets,
            and_(
                wallets.c.institution_id == _METERED.c.institution_id,
                wallets.c.license_id == _METERED.c.id,
            ),
        ).outerjoin(_LAST_ENTRY, true())
    )
    .where(wallets.c.license_id.is_(None))
    .order_by(_METERED.c.institution_id, _METERED.c.id)
)
_METERED_KEY = tuple_(_METERED.c.institution_id, _METERED.c.id)


async def fetch_lost(
    db: Connection,
    scope: WalletScope,
    after: LicenseId | None = None,
    until: LicenseId | None = None,
) -> list[LostWallet]:
    """Fetch the metered licenses without a wallet, after one key and up to another."""
    statement = _LOST
    if scope.institution_ids is not None:
        statement = statement.where(_METERED.c.institution_id.in_(scope.institution_ids))
    if scope.license_id is not None:
        statement = statement.where(_METERED.c.id == scope.license_id)
    if after is not None:
        statement = statement.where(tuple_(*after) < _METERED_KEY)
    if until is not None:
        statement = statement.where(tuple_(*until) >= _METERED_KEY)
    return [_lost(row) for row in await db.execute(statement)]


def _lost(row: Any) -> LostWallet:
    mode = _TYPES[row.type].traits.meter_mode
    if mode is None:
        raise ValueError("the license is not metered")
    return LostWallet(
        institution_id=row.institution_id,
        license_id=row.id,
        product_id=row.product_id,
        mode=mode,
        last_sequence=row.sequence or 0,
        last_balance=row.balance_after,
    )


_RANGE = Arrays(
    "ranges",
    position=Integer,
    institution_id=Id,
    license_id=Id,
    low=BigInteger,
    high=BigInteger,
)


_OPENED = (
    select(openings.c.sequence, openings.c.balance, openings.c.held)
    .where(
        openings.c.institution_id == _RANGE.c.institution_id,
        openings.c.license_id == _RANGE.c.license_id,
    )
    .lateral("opened")
)
"""As of the statement: entries of the range may have been archived since the check began."""


def _before(column: ColumnElement[Any], at_first: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return the column of the previous entry, or `at_first` for the first one."""
    return func.lag(column, 1, at_first).over(
        partition_by=_RANGE.c.position, order_by=entries.c.sequence
    )


_archived = func.coalesce(_OPENED.c.sequence, cast(literal(0), BigInteger))
_price = func.coalesce(entries.c.unit_price, literal(1))
"""By the entry itself: a converted license was charged in both units."""
_READ = (
    select(
        _RANGE.c.institution_id,
        _RANGE.c.position,
        _RANGE.c.low,
        _RANGE.c.high,
        entries.c.sequence,
        entries.c.type,
        entries.c.amount,
        entries.c.balance_after,
        (entries.c.quantity * _price).label("cost"),
        _archived.label("archived"),
        _OPENED.c.held.label("held_before"),
        _before(entries.c.sequence, _archived).label("sequence_before"),
        _before(
            entries.c.balance_after, func.coalesce(_OPENED.c.balance, cast(literal(0), Amount))
        ).label("balance_before"),
    )
    .select_from(
        _RANGE.table.outerjoin(_OPENED, true()).outerjoin(
            entries,
            and_(
                entries.c.institution_id == _RANGE.c.institution_id,
                entries.c.license_id == _RANGE.c.license_id,
                entries.c.sequence.between(_RANGE.c.low, _RANGE.c.high),
            ),
        )
    )
    .subquery("entry")
)
_is_new = _READ.c.sequence > _READ.c.low
_is_bad = or_(
    _READ.c.sequence != _READ.c.sequence_before + 1,
    _READ.c.balance_after != _READ.c.balance_before + _READ.c.amount,
    and_(_READ.c.type == LedgerEntryType.CONSUME, _READ.c.amount.is_distinct_from(-_READ.c.cost)),
    (_READ.c.type == LedgerEntryType.INITIAL_GRANT) != (_READ.c.sequence == 1),
)
_SUMMARIES = select(
    _READ.c.position,
    (
        func.count().filter(_is_new)
        + func.max(func.greatest(func.least(_READ.c.archived, _READ.c.high) - _READ.c.low, 0))
    ).label("entries"),
    func.min(_READ.c.sequence).filter(_is_new, _is_bad).label("first_bad"),
    func.max(_READ.c.balance_after).filter(_READ.c.sequence == _READ.c.high).label("last_balance"),
    func.coalesce(
        -func.sum(_READ.c.amount).filter(_is_new, _READ.c.type.in_(HOLDING)), cast(0, Amount)
    ).label("held"),
    func.max(_READ.c.held_before).filter(_READ.c.archived > _READ.c.low).label("held_before"),
).group_by(_READ.c.institution_id, _READ.c.position)


async def summarize_ranges(
    db: Connection, ranges: Sequence[tuple[WalletCheck, EntryRange]]
) -> list[RangeSummary]:
    """Summarize each range, by position, in one statement."""
    rows = [
        (position, *check.wallet.key, checked.low, checked.high)
        for position, (check, checked) in enumerate(ranges)
    ]
    found = {
        row.position: RangeSummary(
            count=row.entries,
            first_bad=row.first_bad,
            last_balance=row.last_balance,
            held=row.held,
            held_before=row.held_before,
        )
        for row in await db.execute(_SUMMARIES, _RANGE.given(rows))
    }
    return [found[position] for position in range(len(ranges))]
