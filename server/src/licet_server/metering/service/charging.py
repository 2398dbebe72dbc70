"""Charging of a batch of wallets in the caller's transaction, with a few statements for all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.reading import find_features_named
from licet_server.catalog.rules.model import FeatureKey
from licet_server.devices.service.lookup import find_named
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import changes_of_batch
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import Dated, LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.service import reading
from licet_server.metering.rules.charging import (
    Charge,
    ChargeContext,
    Receipt,
    WalletBatch,
    decide,
)
from licet_server.metering.rules.model import Wallet, low_balance_events
from licet_server.metering.service.events import low_balance_event
from licet_server.metering.storage import entries, prices, wallets
from licet_server.metering.storage.entries import insert_charges


@dataclass(frozen=True, slots=True)
class _PricedFeature:
    """A feature's name as its vendor spells it, and its current price."""

    name: str
    token_cost: Decimal | None


async def charge(
    db: Connection, charges: Sequence[Charge], clock: Clock, present: Clock
) -> list[Receipt | Refused]:
    """Return the result of each charge, by position; charges of one wallet are decided in order.

    Devices, entitlements and prices are read before the wallets are locked, to keep the locks
    short. The status of each license is read again with the lock, so a revocation that has been
    committed by then wins. Idempotency keys are looked up under the lock, when no one can add one.
    `clock` is that of the products, and `present` the real one, for events.
    """
    contexts = await _fetch_contexts(db, charges)
    before, dates = await wallets.lock_for_charges(db, {item.wallet for item in charges})
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
    batches = {
        item.wallet: WalletBatch(before.get(item.wallet), used.get(item.wallet, {}))
        for item in charges
    }
    results = [
        _decide(batches[item.wallet], item, context, dates.get(item.wallet, item.license), now)
        for item, context in zip(charges, contexts, strict=True)
    ]
    spellings = await _save(db, charges, before=before, batches=batches, now=present())
    return [_spelled(result, spellings) for result in results]


def _spelled(result: Receipt | Refused, spellings: Mapping[UUID, str]) -> Receipt | Refused:
    """Return the result with its feature as it was stored."""
    if isinstance(result, Refused) or result.entry.id not in spellings:
        return result
    entry = replace(result.entry, feature_name=spellings[result.entry.id])
    return replace(result, entry=entry)


def _decide(
    batch: WalletBatch, item: Charge, context: ChargeContext, dates: Dated, now: datetime
) -> Receipt | Refused:
    try:
        return decide(batch, item, context, dates=dates, entry_id=new_id(now), now=now)
    except Refused as refused:
        return refused


async def _save(
    db: Connection,
    charges: Sequence[Charge],
    *,
    before: Mapping[LicenseId, Wallet],
    batches: Mapping[LicenseId, WalletBatch],
    now: datetime,
) -> dict[UUID, str]:
    """Store what was decided; return the spelling of the feature of each new entry.

    Events happen `now`, which is the present.
    """
    changed = [
        batch.wallet
        for key, batch in batches.items()
        if batch.wallet is not None and batch.wallet is not before[key]
    ]
    origins = {item.wallet: item.origin for item in charges}
    events: list[tuple[Event, Origin]] = [
        (low_balance_event(kind, after), origins[after.key])
        for after in changed
        for kind in low_balance_events(before[after.key], after)
    ]
    return await insert_charges(
        db,
        [
            (batch.wallet.product_id, entry)
            for batch in batches.values()
            if batch.wallet is not None
            for entry in batch.new_entries
        ],
        *wallets.saving_balances(changed),
        *changes_of_batch(events, now),
    )


async def _fetch_contexts(db: Connection, charges: Sequence[Charge]) -> list[ChargeContext]:
    devices = await find_named(
        db, [(*item.wallet, item.hardware_id, item.activation_id) for item in charges]
    )
    entitled = await reading.find_entitlements(db, [item.license for item in charges])
    priced = await _fetch_prices(
        db, {_feature_key(item) for item in charges if item.mode is MeterMode.TOKEN}
    )
    contexts: list[ChargeContext] = []
    for item, named in zip(charges, devices, strict=True):
        feature = _PricedFeature(item.feature_name, None)
        # A count-mode charge of this product may have the same feature key as a token-mode one.
        if item.mode is MeterMode.TOKEN:
            feature = priced.get(_feature_key(item), feature)
        contexts.append(
            ChargeContext(
                devices=named,
                entitled=entitled[item.license.id].features,
                feature_name=feature.name,
                unit_price=feature.token_cost,
            )
        )
    return contexts


async def _fetch_prices(db: Connection, keys: set[FeatureKey]) -> dict[FeatureKey, _PricedFeature]:
    if not keys:
        return {}
    features = await find_features_named(db, list(keys))
    ids = {(feature.institution_id, feature.id) for feature in features.values()}
    active = await prices.fetch_active(db, list(ids))
    return {key: _PricedFeature(item.name, active.get(item.id)) for key, item in features.items()}


def _feature_key(item: Charge) -> FeatureKey:
    return (item.license.institution_id, item.license.product_id, item.feature_name)
