"""The estimated number of ledger entries that the totals lack."""

from sqlalchemy import and_, func, select

from licet_server.kit.backlogs import Backlog, sample_of, sampled_percent
from licet_server.kit.database import Connection
from licet_server.metering.tables import meter_counts, meter_wallets

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
