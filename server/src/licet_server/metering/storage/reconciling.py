"""Reads wallets and their ledgers to hold them against each other."""

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
    case,
    cast,
    func,
    literal,
    or_,
    select,
)

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Amount, Connection, Id, String
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.model import EntryType
from licet_server.metering.rules.reconciling import Check, Stretch, StretchFacts
from licet_server.metering.storage.wallets import COLUMNS, wallet_of
from licet_server.metering.tables import meter_entries as entries
from licet_server.metering.tables import meter_wallets as wallets


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose wallets; `None` does not narrow."""

    institution_ids: Sequence[UUID] | None = None
    license_id: UUID | None = None


async def measure(db: Connection, choice: Choice) -> tuple[int, int]:
    """How many wallets and how many ledger entries there are to check."""
    statement = _chosen(select(func.count(), func.sum(wallets.c.version)), choice)
    number, size = (await db.execute(statement)).one()
    return number, int(size or 0)


async def next_checks(
    db: Connection, choice: Choice, after: LicenseId | None, limit: int
) -> list[Check]:
    """The next wallets in the order of their ids, each as it is at this instant."""
    last_sequence = (
        select(func.coalesce(func.max(entries.c.sequence), 0))
        .where(
            entries.c.institution_id == wallets.c.institution_id,
            entries.c.license_id == wallets.c.license_id,
            entries.c.sequence.is_not(None),
        )
        .scalar_subquery()
    )
    statement = _chosen(select(*COLUMNS, last_sequence), choice)
    if after is not None:
        institution_id, license_id = after
        statement = statement.where(
            or_(
                wallets.c.institution_id > institution_id,
                and_(wallets.c.institution_id == institution_id, wallets.c.license_id > license_id),
            )
        )
    ordered = statement.order_by(wallets.c.institution_id, wallets.c.license_id).limit(limit)
    return [Check(wallet_of(row[:-1]), row[-1]) for row in await db.execute(ordered)]


def _chosen(statement: Select[*tuple[Any, ...]], choice: Choice) -> Select[*tuple[Any, ...]]:
    statement = statement.select_from(wallets)
    if choice.institution_ids is not None:
        statement = statement.where(wallets.c.institution_id.in_(choice.institution_ids))
    if choice.license_id is not None:
        statement = statement.where(wallets.c.license_id == choice.license_id)
    return statement


_LOOK = Arrays(
    "look",
    place=Integer,
    institution_id=Id,
    license_id=Id,
    mode=String,
    low=BigInteger,
    high=BigInteger,
)


def _before(column: ColumnElement[Any], at_first: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column of the entry before, or `at_first` where there is none."""
    return func.lag(column, 1, at_first).over(
        partition_by=_LOOK.c.place, order_by=entries.c.sequence
    )


_price = case((_LOOK.c.mode == MeterMode.TOKEN, entries.c.unit_price), else_=literal(1))
_READ = (
    select(
        _LOOK.c.place,
        _LOOK.c.low,
        _LOOK.c.high,
        entries.c.sequence,
        entries.c.type,
        entries.c.amount,
        entries.c.balance_after,
        (entries.c.quantity * _price).label("cost"),
        _before(entries.c.sequence, cast(literal(0), BigInteger)).label("sequence_before"),
        _before(entries.c.balance_after, cast(literal(0), Amount)).label("balance_before"),
    )
    .join(
        entries,
        and_(
            entries.c.institution_id == _LOOK.c.institution_id,
            entries.c.license_id == _LOOK.c.license_id,
            entries.c.sequence.between(_LOOK.c.low, _LOOK.c.high),
        ),
    )
    .subquery("entry")
)
_is_new = _READ.c.sequence > _READ.c.low
_is_bad = or_(
    _READ.c.sequence != _READ.c.sequence_before + 1,
    _READ.c.balance_after != _READ.c.balance_before + _READ.c.amount,
    and_(_READ.c.type == EntryType.CONSUME, _READ.c.amount.is_distinct_from(-_READ.c.cost)),
    (_READ.c.type == EntryType.INITIAL_GRANT) != (_READ.c.sequence == 1),
)
_FACTS = select(
    _READ.c.place,
    func.count().filter(_is_new),
    func.min(_READ.c.sequence).filter(_is_new, _is_bad),
    func.max(_READ.c.balance_after).filter(_READ.c.sequence == _READ.c.high),
).group_by(_READ.c.place)


async def read_stretches(
    db: Connection, chosen: Sequence[tuple[Check, Stretch]]
) -> list[StretchFacts]:
    """What each stretch says, by position, in one statement."""
    rows = [
        (place, *check.wallet.key, check.wallet.mode.value, stretch.low, stretch.high)
        for place, (check, stretch) in enumerate(chosen)
    ]
    found = {row[0]: StretchFacts(*row[1:]) for row in await db.execute(_FACTS, _LOOK.given(rows))}
    nothing = StretchFacts(0, None, None)
    return [found.get(place, nothing) for place in range(len(chosen))]
