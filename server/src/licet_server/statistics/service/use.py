"""The usage of licenses, collected from the features above them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.model import DeviceCounters
from licet_server.devices.storage.counters import fetch_counters
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.traits import SeatKind
from licet_server.licenses.service.hooks import CurrentUsage
from licet_server.metering.rules.model import Wallet
from licet_server.metering.storage.wallets import fetch_wallets
from licet_server.sessions.storage.counts import count_live


async def read_usage(
    db: Connection, licenses: Sequence[License], now: datetime
) -> dict[UUID, CurrentUsage]:
    """Read seats in use, unreviewed access attempts and balances of many licenses."""
    counters = await fetch_counters(db, [(item.institution_id, item.id) for item in licenses], now)
    pools = [item for item in licenses if item.traits.seat_kind is SeatKind.SESSION]
    live = await count_live(db, [(item.institution_id, item.id) for item in pools], now)
    metered = [item for item in licenses if item.traits.is_metered]
    found = await fetch_wallets(db, [(item.institution_id, item.id) for item in metered])
    wallets = {license_id: item for (_, license_id), item in found.items()}
    return {
        item.id: _use(item, counters.get(item.id), live, wallets.get(item.id)) for item in licenses
    }


def _use(
    license_: License,
    counters: DeviceCounters | None,
    live: Mapping[UUID, int],
    wallet: Wallet | None,
) -> CurrentUsage:
    seats_used = None
    if license_.traits.seat_kind is SeatKind.DEVICE:
        seats_used = counters.seats_used if counters is not None else 0
    elif license_.traits.seat_kind is SeatKind.SESSION:
        seats_used = live[license_.id]
    return CurrentUsage(
        seats_used=seats_used,
        unreviewed_access_attempts=counters.unreviewed_attempts if counters is not None else 0,
        meter_balance=wallet.balance if wallet is not None else None,
        low_balance_threshold=wallet.low_balance_threshold if wallet is not None else None,
    )
