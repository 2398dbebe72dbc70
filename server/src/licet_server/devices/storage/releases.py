"""What limits devices, as it is stored: releases, refusals of seats, and the first Trial of each.

Holders or applications release seats.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, or_, select, true
from sqlalchemy.dialects.postgresql import insert

from licet_server.devices.rules.admission import ReleasedBy, TrialKey
from licet_server.devices.tables import activations, trial_devices
from licet_server.devices.tables import device_releases as releases
from licet_server.devices.tables import seat_refusals as refusals
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId

REFUSALS_KEPT = 200

_OF_LICENSES = Arrays("wanted", institution_id=Id, license_id=Id)
_BY = {
    ReleasedBy.HOLDER: or_(releases.c.user_id.is_not(None), releases.c.rekeyed),
    ReleasedBy.APPLICATION: and_(releases.c.user_id.is_(None), ~releases.c.rekeyed),
}
_COUNTED = (
    select(func.count().label("number"))
    .where(
        _OF_LICENSES.same(releases, "institution_id", "license_id"),
        releases.c.released_at > bindparam("since", type_=Instant),
        _BY[ReleasedBy.HOLDER],
    )
    .lateral("counted")
)
_COUNTS = select(_OF_LICENSES.c.license_id, _COUNTED.c.number).select_from(
    _OF_LICENSES.table.join(_COUNTED, true())
)


async def count_releases(
    db: Connection, ids: Sequence[LicenseId], since: datetime
) -> dict[UUID, int]:
    """Count the releases of holders after `since` by license; every license is included."""
    rows = await db.execute(_COUNTS, {**_OF_LICENSES.given(ids), "since": since})
    return {row.license_id: row.number for row in rows}


async def fetch_releases(
    db: Connection, license_id: LicenseId, by: ReleasedBy, since: datetime
) -> Sequence[datetime]:
    """Fetch the times of the releases after `since`, newest first."""
    statement = (
        select(releases.c.released_at)
        .where(
            releases.c.institution_id == license_id[0],
            releases.c.license_id == license_id[1],
            releases.c.released_at > since,
            _BY[by],
        )
        .order_by(releases.c.released_at.desc())
    )
    return (await db.execute(statement)).scalars().all()


async def insert_release(
    db: Connection, *, release_id: UUID, license_id: LicenseId, user_id: UUID | None, now: datetime
) -> None:
    await db.execute(
        insert(releases).values(
            institution_id=license_id[0],
            id=release_id,
            license_id=license_id[1],
            user_id=user_id,
            released_at=now,
        )
    )


async def insert_rekey(
    db: Connection, *, release_id: UUID, license_id: LicenseId, now: datetime
) -> None:
    """Store that a device took a new key, which counts as a release by a holder."""
    await db.execute(
        insert(releases).values(
            institution_id=license_id[0],
            id=release_id,
            license_id=license_id[1],
            rekeyed=True,
            released_at=now,
        )
    )


async def insert_refusal(
    db: Connection, license_id: LicenseId, hardware_id: str, now: datetime, since: datetime
) -> None:
    """Store that a device was refused a seat, and delete the refusals until `since`.

    Of each license the newest are kept, so that invented devices do not fill the table.
    """
    institution_id, of_license = license_id
    fresh = insert(refusals).values(
        institution_id=institution_id,
        license_id=of_license,
        hardware_id=hardware_id,
        refused_at=now,
    )
    key = list(refusals.primary_key.columns)
    await db.execute(fresh.on_conflict_do_update(index_elements=key, set_={"refused_at": now}))
    same = (refusals.c.institution_id == institution_id, refusals.c.license_id == of_license)
    surplus = (
        select(refusals.c.hardware_id)
        .where(*same)
        .order_by(refusals.c.refused_at.desc(), refusals.c.hardware_id)
        .offset(REFUSALS_KEPT)
    )
    is_old = or_(refusals.c.refused_at <= since, refusals.c.hardware_id.in_(surplus))
    await db.execute(delete(refusals).where(*same, is_old))


async def was_refused(
    db: Connection, license_id: LicenseId, hardware_id: str, since: datetime
) -> bool:
    """Return whether the device was refused a seat after `since`."""
    statement = select(refusals.c.refused_at).where(
        refusals.c.institution_id == license_id[0],
        refusals.c.license_id == license_id[1],
        refusals.c.hardware_id == hardware_id,
        refusals.c.refused_at > since,
    )
    return (await db.execute(statement)).first() is not None


_DEVICES = Arrays("wanted", institution_id=Id, product_id=Id, hardware_id=String)
_FIRST = select(trial_devices).join(
    _DEVICES.table, _DEVICES.same(trial_devices, "institution_id", "product_id", "hardware_id")
)


async def fetch_first_trials(db: Connection, keys: Sequence[TrialKey]) -> dict[TrialKey, UUID]:
    """Fetch the license of the first Trial of each device; devices without one are omitted."""
    rows = await db.execute(_FIRST, _DEVICES.given(dict.fromkeys(keys)))
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
