"""Charges a batch of wallets, in the caller's transaction, with a few statements for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from licet_server.catalog.rules.model import FeatureKey
from licet_server.catalog.service.features import find_features_named
from licet_server.devices.service.lookup import find_named
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_batch
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.service import reading
from licet_server.metering.rules.charging import Charge, Known, Receipt, Till, decide
from licet_server.metering.rules.model import Wallet
from licet_server.metering.rules.moving import crossings
from licet_server.metering.service.events import crossing_event
from licet_server.metering.storage import entries, prices, wallets


@dataclass(frozen=True, slots=True)
class _Priced:
    """A feature as its vendor writes it, and what it costs now."""

    name: str
    token_cost: Decimal | None


async def charge(
    db: Connection, charges: Sequence[Charge], clock: Clock
) -> list[Receipt | Refused]:
    """What comes of each, by position. Charges of one wallet are decided in their order.

    Prices and features are read first and the wallets are locked then, so that they are held for
    as short as can be; keys that were used are looked up last, since under the lock nobody adds
    one.
    """
    known = await _look_around(db, charges)
    before = await wallets.lock_wallets(db, {item.wallet for item in charges})
    used = await entries.fetch_by_keys(
        db,
        list(
            dict.fromkeys(
                (*item.wallet, item.idempotency_key)
                for item in charges
                if item.idempotency_key is not None
            )
        ),
    )
    now = clock()
    tills = {
        item.wallet: Till(before.get(item.wallet), used.get(item.wallet, {})) for item in charges
    }
    answers = [
        _answer(tills[item.wallet], item, about, now)
        for item, about in zip(charges, known, strict=True)
    ]
    await _save(db, charges, before, tills, now)
    return answers


def _answer(till: Till, item: Charge, known: Known, now: datetime) -> Receipt | Refused:
    try:
        return decide(till, item, known, new_id(now), now)
    except Refused as refused:
        return refused


async def _save(
    db: Connection,
    charges: Sequence[Charge],
    before: dict[LicenseId, Wallet],
    tills: dict[LicenseId, Till],
    now: datetime,
) -> None:
    moved = [
        till.wallet
        for key, till in tills.items()
        if till.wallet is not None and till.wallet is not before[key]
    ]
    await wallets.move_wallets(db, moved)
    await entries.insert_entries(db, [item for till in tills.values() for item in till.fresh])
    origins = {item.wallet: item.origin for item in charges}
    told: list[tuple[Event, Origin]] = [
        (crossing_event(kind, after), origins[after.key])
        for after in moved
        for kind in crossings(before[after.key], after)
    ]
    await record_batch(db, told, now)


async def _look_around(db: Connection, charges: Sequence[Charge]) -> list[Known]:
    devices = await find_named(
        db, [(*item.wallet, item.hardware_id, item.activation_id) for item in charges]
    )
    entitled = await reading.features_of(db, [item.license for item in charges])
    priced = await _find_prices(
        db, {_feature_key(item) for item in charges if item.mode is MeterMode.TOKEN}
    )
    known: list[Known] = []
    for item, named in zip(charges, devices, strict=True):
        found = _Priced(item.feature_name, None)
        if item.mode is MeterMode.TOKEN:  # the key may be in it for somebody else in the batch
            found = priced.get(_feature_key(item), found)
        known.append(Known(named, entitled.get(item.license.id), found.name, found.token_cost))
    return known


async def _find_prices(db: Connection, keys: set[FeatureKey]) -> dict[FeatureKey, _Priced]:
    if not keys:
        return {}
    features = await find_features_named(db, list(keys))
    ids = {(feature.institution_id, feature.id) for feature in features.values()}
    active = await prices.fetch_active(db, list(ids))
    return {key: _Priced(item.name, active.get(item.id)) for key, item in features.items()}


def _feature_key(item: Charge) -> FeatureKey:
    return (item.license.institution_id, item.license.product_id, item.feature_name)
