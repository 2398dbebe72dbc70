"""The events of metering."""

from collections.abc import Mapping

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.kit.amounts import plain
from licet_server.metering.rules.model import FeaturePrice, LedgerEntry, LedgerEntryType, Wallet

_KINDS = {
    LedgerEntryType.ADMIN_GRANT: EventKind.METER_GRANTED,
    LedgerEntryType.ADJUST: EventKind.METER_ADJUSTED,
}


def low_balance_event(kind: EventKind, wallet: Wallet) -> Event:
    """Return the event of a balance that fell to its threshold, or to 0."""
    return _event(kind, wallet, {})


def balance_changed_event(wallet: Wallet, entry: LedgerEntry) -> Event:
    """Return the event of a grant or an adjustment."""
    details = {
        "amount": plain(entry.amount),
        "ledgerEntryId": entry.id,
        "reason": entry.reason,
        "externalReference": entry.external_reference,
    }
    before = plain(entry.balance_after - entry.amount)
    changes = {"balance": [before, plain(entry.balance_after)]}
    return _event(_KINDS[entry.type], wallet, details, changes)


def wallet_restored_event(wallet: Wallet) -> Event:
    """Return the event of a lost wallet that was rebuilt from its ledger."""
    return _event(
        EventKind.METER_WALLET_RESTORED, wallet, {}, {"balance": [None, plain(wallet.balance)]}
    )


def priced_event(price: FeaturePrice, previous: FeaturePrice | None) -> Event:
    """Return the event of a feature's new price."""
    before = plain(previous.token_cost) if previous is not None else None
    after = plain(price.token_cost)
    return Event(
        kind=EventKind.FEATURE_PRICED,
        institution_id=price.institution_id,
        subject_id=price.feature_id,
        data={"id": price.feature_id, "productId": price.product_id, "tokenCost": after},
        product_id=price.product_id,
        changes={"tokenCost": [before, after]},
    )


def _event(
    kind: EventKind,
    wallet: Wallet,
    details: Mapping[str, object],
    changes: Mapping[str, object] | None = None,
) -> Event:
    threshold = wallet.low_balance_threshold
    data: dict[str, object] = {
        "licenseId": wallet.license_id,
        "productId": wallet.product_id,
        "mode": wallet.mode,
        "balance": plain(wallet.balance),
        "lowBalanceThreshold": plain(threshold) if threshold is not None else None,
        **details,
    }
    return Event(
        kind=kind,
        institution_id=wallet.institution_id,
        subject_id=wallet.license_id,
        data=data,
        product_id=wallet.product_id,
        changes=changes,
    )
