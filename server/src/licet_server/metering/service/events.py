"""What the rest of the world is told about meters."""

from collections.abc import Mapping

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.kit.amounts import plain
from licet_server.metering.rules.model import Entry, EntryType, FeaturePrice, Wallet

_KINDS = {
    EntryType.ADMIN_GRANT: EventKind.METER_GRANTED,
    EntryType.ADJUST: EventKind.METER_ADJUSTED,
}


def crossing_event(kind: EventKind, wallet: Wallet) -> Event:
    """A balance fell to its threshold, or to nothing."""
    return _event(kind, wallet, {})


def moved_event(wallet: Wallet, entry: Entry) -> Event:
    """Somebody granted or adjusted."""
    told = {
        "amount": plain(entry.amount),
        "ledgerEntryId": entry.id,
        "reason": entry.reason,
        "externalReference": entry.external_reference,
    }
    before = plain(entry.balance_after - entry.amount)
    changes = {"balance": [before, plain(entry.balance_after)]}
    return _event(_KINDS[entry.type], wallet, told, changes)


def priced_event(price: FeaturePrice, earlier: FeaturePrice | None) -> Event:
    """A feature has a new price."""
    before = plain(earlier.token_cost) if earlier is not None else None
    after = plain(price.token_cost)
    return Event(
        EventKind.FEATURE_PRICED,
        price.institution_id,
        price.feature_id,
        {"id": price.feature_id, "productId": price.product_id, "tokenCost": after},
        price.product_id,
        {"tokenCost": [before, after]},
    )


def _event(
    kind: EventKind,
    wallet: Wallet,
    told: Mapping[str, object],
    changes: Mapping[str, object] | None = None,
) -> Event:
    threshold = wallet.low_balance_threshold
    data: dict[str, object] = {
        "licenseId": wallet.license_id,
        "productId": wallet.product_id,
        "mode": wallet.mode,
        "balance": plain(wallet.balance),
        "lowBalanceThreshold": plain(threshold) if threshold is not None else None,
        **told,
    }
    return Event(kind, wallet.institution_id, wallet.license_id, data, wallet.product_id, changes)
