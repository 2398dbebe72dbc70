"""Use cases of metering, and the look-ups that other features make in it."""

from licet_server.metering.service.meters import ConsumeRequest, Meters
from licet_server.metering.service.operators import (
    adjust,
    fetch_wallet,
    fetch_wallet_of,
    grant,
    list_ledger,
    set_threshold,
)
from licet_server.metering.service.pricing import list_prices, set_price
from licet_server.metering.service.reconciling import (
    Reconciliation,
    reconcile_all,
    reconcile_for,
)
from licet_server.metering.service.rollups import roll_up
from licet_server.metering.service.usage import find_low, find_low_of, sum_usage, sum_usage_of
from licet_server.metering.service.wallets import WalletKeeper, find_wallets

__all__ = [
    "ConsumeRequest",
    "Meters",
    "Reconciliation",
    "WalletKeeper",
    "adjust",
    "fetch_wallet",
    "fetch_wallet_of",
    "find_low",
    "find_low_of",
    "find_wallets",
    "grant",
    "list_ledger",
    "list_prices",
    "reconcile_all",
    "reconcile_for",
    "roll_up",
    "set_price",
    "set_threshold",
    "sum_usage",
    "sum_usage_of",
]
