"""The devices that have used a Trial, and the license of the first one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.devices.rules.admission import TrialKey
from licet_server.devices.tables import activations, trial_devices
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, hardware_id=String)
_FIRST = select(trial_devices).join(
    _WANTED.table,
    and_(
        trial_devices.c.institution_id == _WANTED.c.institution_id,
        trial_devices.c.product_id == _WANTED.c.product_id,
        trial_devices.c.hardware_id == _WANTED.c.hardware_id,
    ),
)


async def fetch_first_trials(db: Connection, keys: Sequence[TrialKey]) -> dict[TrialKey, UUID]:
    """Fetch the license of the first Trial of each device; devices without one are omitted."""
    rows = await db.execute(_FIRST, _WANTED.given(dict.fromkeys(keys)))
    return {(row.institution_id, row.product_id, row.hardware_id): row.license_id for row in rows}


async def insert_first_trial(
    db: Connection, key: TrialKey, license_id: UUID, now: datetime
) -> None:
    """Store the license as that of the device's first Trial, unless it had one.

    Of several transactions, one succeeds; the others wait until it has committed.
    """
    institution_id, product_id, hardware_id = key
    statement = insert(trial_devices).values(
        institution_id=institution_id,
        product_id=product_id,
        hardware_id=hardware_id,
        license_id=license_id,
        first_used_at=now,
    )
    await db.execute(statement.on_conflict_do_nothing())


async def count_trial_devices(db: Connection, license_id: LicenseId, since: datetime) -> int:
    """Count the devices whose first Trial was that of the license, and began since."""
    statement = (
        select(func.count())
        .select_from(trial_devices)
        .where(
            trial_devices.c.institution_id == license_id[0],
            trial_devices.c.license_id == license_id[1],
            trial_devices.c.first_used_at >= since,
        )
    )
    return int((await db.execute(statement)).scalar_one())


async def fetch_licenses_of_device(db: Connection, key: TrialKey) -> list[UUID]:
    """Fetch the licenses of the product that the device is activated on, oldest first."""
    institution_id, product_id, hardware_id = key
    statement = (
        select(activations.c.license_id)
        .where(
            activations.c.institution_id == institution_id,
            activations.c.product_id == product_id,
            func.lower(activations.c.hardware_id) == hardware_id.lower(),
            activations.c.hardware_id == hardware_id,
        )
        .order_by(activations.c.id)
    )
    return list((await db.execute(statement)).scalars())
