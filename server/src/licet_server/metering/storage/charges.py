"""Insertion of charges, with one spelling for each feature.

It is that of the feature, if the product has one of this name, and otherwise the first that any
license of the product was charged for. Names are compared without case.
"""

from collections.abc import Sequence
from operator import attrgetter
from uuid import UUID

from sqlalchemy import and_, func, select, true
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.catalog.storage.feature_names import feature_named
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.metering.rules.model import LedgerEntry
from licet_server.metering.tables import meter_entries as entries
from licet_server.metering.tables import meter_feature_names as names

_NAMES = list(LedgerEntry.__struct_fields__)
_CHARGED = Arrays("new", product_id=Id, **{name: entries.c[name].type for name in _NAMES})
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


async def insert_charges(
    db: Connection, charges: Sequence[tuple[UUID, LedgerEntry]]
) -> dict[UUID, str]:
    """Insert charges of locked wallets, each with its product; return the spelling of each."""
    if not charges:
        return {}
    rows = [[product_id, *_values_of(item)] for product_id, item in charges]
    return {
        row.id: row.feature_name for row in await db.execute(_INSERT_CHARGES, _CHARGED.given(rows))
    }
