"""Totals of days and months, kept up to date from the ledger, wallet by wallet."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Date,
    FromClause,
    Label,
    Select,
    Table,
    and_,
    case,
    cast,
    delete,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.kit.backlogs import Backlog, sample_of, sampled_percent
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.archiving import Opening
from licet_server.metering.rules.model import CONSUMING, LedgerEntryType, Wallet
from licet_server.metering.rules.usage import UncountedWallet
from licet_server.metering.tables import (
    Total,
    meter_counts,
    meter_entries,
    meter_feature_days,
    meter_license_days,
    meter_license_months,
    meter_product_days,
    meter_wallets,
)


def day_of(entries: FromClause) -> ColumnElement[Any]:
    """Return the UTC day of an entry."""
    return cast(func.timezone("UTC", entries.c.created_at), Date)


def consumed(entries: FromClause) -> Label[Any]:
    """Return the sum that these entries consumed."""
    return (-_sum_of(entries, *CONSUMING)).label("consumed")


def balance_changes(entries: FromClause) -> tuple[Label[Any], Label[Any], Label[Any]]:
    """Return the sums of these entries: `consumed`, `granted` and `adjusted`."""
    granted = _sum_of(entries, LedgerEntryType.INITIAL_GRANT, LedgerEntryType.ADMIN_GRANT)
    adjusted = _sum_of(entries, LedgerEntryType.ADJUST)
    return consumed(entries), granted.label("granted"), adjusted.label("adjusted")


def _sum_of(entries: FromClause, *types: LedgerEntryType) -> ColumnElement[Any]:
    return func.sum(case((entries.c.type.in_(types), cast(entries.c.amount, Total)), else_=0))


_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_MARKED = meter_counts.join(
    meter_wallets,
    and_(
        meter_wallets.c.institution_id == meter_counts.c.institution_id,
        meter_wallets.c.license_id == meter_counts.c.license_id,
    ),
)
_UNCOUNTED = meter_wallets.c.version > meter_counts.c.counted
_LAST = func.coalesce(
    select(func.max(meter_entries.c.sequence))
    .where(
        meter_entries.c.institution_id == meter_wallets.c.institution_id,
        meter_entries.c.license_id == meter_wallets.c.license_id,
        meter_entries.c.sequence.is_not(None),
    )
    .scalar_subquery(),
    0,
)
_EVER = datetime.min.replace(tzinfo=UTC)
_STEP = Arrays(
    "step",
    institution_id=Id,
    license_id=Id,
    product_id=Id,
    mode=String,
    counted=BigInteger,
    until=BigInteger,
    since=Instant,
    archived_use=Total,
)
"""`since` is when the entries to count begin; `archived_use` is what archived ones consumed."""
# The offset keeps this a look-up for each wallet: among a few million entries the planner would
# rather read all of them.
_NEW = (
    select(*(meter_entries.c[name] for name in ("type", "amount", "created_at", "feature_name")))
    .where(
        meter_entries.c.institution_id == _STEP.c.institution_id,
        meter_entries.c.license_id == _STEP.c.license_id,
        meter_entries.c.sequence > _STEP.c.counted,
        meter_entries.c.sequence <= _STEP.c.until,
        meter_entries.c.created_at >= _STEP.c.since,
    )
    .offset(0)
    .lateral("new")
)
_NEW_OF_STEP = _STEP.table.join(_NEW, true())
_DAY = day_of(_NEW)

_by_license = (
    select(
        _STEP.c.institution_id,
        _DAY.label("day"),
        _STEP.c.license_id,
        _STEP.c.product_id,
        _STEP.c.mode,
        *balance_changes(_NEW),
    )
    .select_from(_NEW_OF_STEP)
    .group_by(*(_STEP.c[name] for name in ("institution_id", "license_id", "product_id", "mode")))
    .group_by(_DAY)
)
_added = _by_license.cte("added")
_KEY_OF_PRODUCT = ("institution_id", "day", "product_id", "mode")
_CHANGES = ("consumed", "granted", "adjusted")


def _adding(table: Table, rows: Select[Any]) -> Insert:
    """Insert rows of sums; where there is one already, add to it."""
    new = upsert(table).from_select([column.name for column in rows.selected_columns], rows)
    key = [column.name for column in table.primary_key]
    sums = [name for name in _CHANGES if name in table.c]
    return new.on_conflict_do_update(
        index_elements=key, set_={name: table.c[name] + new.excluded[name] for name in sums}
    )


def _by_product(rows: FromClause, sign: int) -> Select[Any]:
    """Sum license days by product, to add (1) or to subtract (-1)."""
    return (
        select(
            *(rows.c[name] for name in _KEY_OF_PRODUCT),
            *((sign * func.sum(rows.c[name])).label(name) for name in _CHANGES),
        )
        .group_by(*(rows.c[name] for name in _KEY_OF_PRODUCT))
        # Several processes add to these rows, all in this order, which prevents deadlocks.
        .order_by(*(rows.c[name] for name in _KEY_OF_PRODUCT))
    )


_MONTH = cast(func.date_trunc("month", _added.c.day), Date)
_by_month = select(
    _added.c.institution_id,
    _MONTH.label("month"),
    *(_added.c[name] for name in ("license_id", "product_id", "mode")),
    func.sum(_added.c.consumed).label("consumed"),
).group_by(
    *(_added.c[name] for name in ("institution_id", "license_id", "product_id", "mode")), _MONTH
)
_ADD_CHANGES = _adding(meter_product_days, _by_product(_added, 1)).add_cte(
    _adding(meter_license_days, select(_added)).cte("license_days"),
    _adding(meter_license_months, _by_month).cte("license_months"),
)
"""By license and day, by license and month, and by product and day: the same entries, read once."""

_by_feature = (
    select(
        _STEP.c.institution_id,
        _DAY.label("day"),
        _STEP.c.product_id,
        _STEP.c.mode,
        _NEW.c.feature_name,
        consumed(_NEW),
    )
    .select_from(_NEW_OF_STEP)
    .where(_NEW.c.type == LedgerEntryType.CONSUME)
    .group_by(_STEP.c.institution_id, _DAY, _STEP.c.product_id, _STEP.c.mode)
    .group_by(_NEW.c.feature_name)
    # Several processes add to these rows, all in this order, which prevents deadlocks.
    .order_by(_STEP.c.institution_id, _DAY, _STEP.c.product_id, _STEP.c.mode)
    .order_by(_NEW.c.feature_name)
)
_ADD_FEATURE_DAYS = _adding(meter_feature_days, _by_feature)

_OF_WALLET = and_(
    meter_entries.c.institution_id == _STEP.c.institution_id,
    meter_entries.c.license_id == _STEP.c.license_id,
    meter_entries.c.type.in_(CONSUMING),
    meter_entries.c.sequence.is_not(None),
)
_COUNTED = (
    select(func.coalesce(func.sum(meter_license_days.c.consumed), 0))
    .where(
        meter_license_days.c.institution_id == _STEP.c.institution_id,
        meter_license_days.c.license_id == _STEP.c.license_id,
    )
    .correlate(_STEP.table)
    .scalar_subquery()
)
_running = select(
    *(_STEP.c[name] for name in ("institution_id", "product_id", "mode")),
    day_of(meter_entries).label("day"),
    meter_entries.c.feature_name,
    cast(-meter_entries.c.amount, Total).label("used"),
    (
        _STEP.c.archived_use
        + func.sum(cast(-meter_entries.c.amount, Total)).over(order_by=meter_entries.c.sequence)
    ).label("used_so_far"),
    _COUNTED.label("counted_use"),
).where(_OF_WALLET).subquery("running")  # fmt: skip
_uncounted_by_feature = (
    select(
        *(_running.c[name] for name in ("institution_id", "day", "product_id", "mode")),
        _running.c.feature_name,
        func.sum(_running.c.used).label("consumed"),
    )
    .where(
        _running.c.used_so_far > _running.c.counted_use,
        _running.c.feature_name.is_not(None),
    )
    .group_by(*(_running.c[name] for name in ("institution_id", "day", "product_id", "mode")))
    .group_by(_running.c.feature_name)
    .order_by(*(_running.c[name] for name in ("institution_id", "day", "product_id", "mode")))
    .order_by(_running.c.feature_name)
)
_ADD_UNCOUNTED_USE = _adding(meter_feature_days, _uncounted_by_feature)


def _of_step(table: Table) -> ColumnElement[bool]:
    return and_(
        table.c.institution_id == _STEP.c.institution_id, table.c.license_id == _STEP.c.license_id
    )


_SINCE = func.timezone("UTC", _STEP.c.since)
_FIRST_DAY = cast(_SINCE, Date)
_FIRST_MONTH = cast(func.date_trunc("month", _SINCE), Date)
_DAYS_OF_STEP = and_(_of_step(meter_license_days), meter_license_days.c.day >= _FIRST_DAY)
_TAKE_FROM_PRODUCT = _adding(
    meter_product_days, _by_product(meter_license_days, -1).where(_DAYS_OF_STEP)
)
_DELETE_LICENSE_DAYS = delete(meter_license_days).where(_DAYS_OF_STEP)
_DELETE_LICENSE_MONTHS = delete(meter_license_months).where(
    _of_step(meter_license_months), meter_license_months.c.month >= _FIRST_MONTH
)
_OF_MONTH = ("institution_id", "license_id", "product_id", "mode")
_COUNT_FIRST_MONTH = _adding(
    meter_license_months,
    select(
        meter_license_days.c.institution_id,
        _FIRST_MONTH.label("month"),
        *(meter_license_days.c[name] for name in _OF_MONTH[1:]),
        func.sum(meter_license_days.c.consumed).label("consumed"),
    )
    .where(_of_step(meter_license_days), meter_license_days.c.day >= _FIRST_MONTH)
    .group_by(*(meter_license_days.c[name] for name in _OF_MONTH), _FIRST_MONTH),
)
"""The days that are left of the month in which the entries to count begin."""

_ADVANCE = (
    update(meter_counts)
    .where(
        meter_counts.c.institution_id == _STEP.c.institution_id,
        meter_counts.c.license_id == _STEP.c.license_id,
    )
    .values(counted=_STEP.c.until)
)


async def list_uncounted(db: Connection, limit: int) -> list[LicenseId]:
    """List the keys of wallets with uncounted entries, in order; beyond the limit, any of them.

    It reads the wallets and their marks as they lie on the disk. To look each up in an order would
    read a hundred times as many pages.
    """
    key = (meter_counts.c.institution_id, meter_counts.c.license_id)
    rows = await db.execute(select(*key).select_from(_MARKED).where(_UNCOUNTED).limit(limit))
    return sorted((row.institution_id, row.license_id) for row in rows)


async def claim_uncounted(db: Connection, keys: Sequence[LicenseId]) -> list[UncountedWallet]:
    """Lock the marks of those of these wallets that have uncounted entries.

    Those that another job has locked are skipped. Charges do not wait: the wallets themselves are
    only read.
    """
    statement = (
        select(
            meter_wallets.c.institution_id,
            meter_wallets.c.license_id,
            meter_wallets.c.product_id,
            meter_wallets.c.mode,
            meter_counts.c.counted,
            meter_wallets.c.version,
            _LAST.label("last"),
        )
        .select_from(
            _MARKED.join(
                _WANTED.table,
                and_(
                    meter_counts.c.institution_id == _WANTED.c.institution_id,
                    meter_counts.c.license_id == _WANTED.c.license_id,
                ),
            )
        )
        .where(_UNCOUNTED)
        .order_by(meter_counts.c.institution_id, meter_counts.c.license_id)
        .with_for_update(of=meter_counts, skip_locked=True)
    )
    rows = await db.execute(statement, _WANTED.given(keys))
    return [msgspec.convert(row._mapping, UncountedWallet) for row in rows]


async def count_entries(db: Connection, steps: Sequence[tuple[UncountedWallet, int]]) -> None:
    """Add the entries of these wallets to the totals, up to the number given with each."""
    if not steps:
        return
    given = _STEP.given(
        (
            item.institution_id,
            item.license_id,
            item.product_id,
            item.mode,
            item.counted,
            until,
            _EVER,
            0,
        )
        for item, until in steps
    )
    await db.execute(_ADD_FEATURE_DAYS, given)
    await db.execute(_ADD_CHANGES, given)
    await db.execute(_ADVANCE, given)


async def recount(db: Connection, wallet: Wallet, opening: Opening | None) -> None:
    """Make the totals agree with the whole ledger of a wallet that was lost.

    How far they went was lost with it, but follows from them: what they have as consumed only grows
    from charge to charge, so it says which was the last one counted. The days whose entries are in
    archives stay as they are.
    """
    since = _EVER if opening is None else datetime.combine(opening.until, time(), UTC)
    use = Decimal(0) if opening is None else opening.consumed
    row = (*wallet.key, wallet.product_id, wallet.mode.value, 0, wallet.version, since, use)
    given = _STEP.given([row])
    await db.execute(_ADD_UNCOUNTED_USE, given)
    await db.execute(_TAKE_FROM_PRODUCT, given)
    await db.execute(_DELETE_LICENSE_DAYS, given)
    await db.execute(_DELETE_LICENSE_MONTHS, given)
    await db.execute(_COUNT_FIRST_MONTH, given)
    await db.execute(_ADD_CHANGES, given)


_WALLETS = sample_of(meter_wallets)
_UNCOUNTED_OF_SAMPLE = select(
    func.coalesce(func.sum(_WALLETS.c.version - func.coalesce(meter_counts.c.counted, 0)), 0)
).select_from(
    _WALLETS.outerjoin(
        meter_counts,
        and_(
            meter_counts.c.institution_id == _WALLETS.c.institution_id,
            meter_counts.c.license_id == _WALLETS.c.license_id,
        ),
    )
)


async def estimate_uncounted(db: Connection) -> Backlog:
    """Estimate the entries from a sample of the wallets: exactly, while these are few."""
    percent = await sampled_percent(db, meter_wallets)
    found = (await db.execute(_UNCOUNTED_OF_SAMPLE, {"percent": percent})).scalar_one()
    return Backlog(round(float(found) * 100 / percent), None)
