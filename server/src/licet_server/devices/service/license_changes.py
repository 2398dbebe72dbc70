"""What becomes of the devices of a license that is given another cap or another model."""

from collections.abc import Sequence

from licet_server.devices.rules.admission import seats_total
from licet_server.devices.rules.model import Activation, masked
from licet_server.devices.service.events import device_event
from licet_server.devices.service.removal import DeviceHooks
from licet_server.devices.service.seats import fit_to_cap, fit_to_machine, lock_pool
from licet_server.devices.storage import counters, over_limit
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service.hooks import DeviceOverLimit, LicenseHooks, TermsChange

NAMED = 100
"""How many devices over the limit a response names, at most."""


class DeviceLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of devices."""

    def __init__(self, hooks: DeviceHooks) -> None:
        self._hooks = hooks

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Fit the devices to the new cap or model, and name those that have no seat.

        Raises:
            Refused: `InvalidRequest` for devices to keep that are not of the license, or too many.
        """
        for change in changes:
            await _require_chosen(work, change)
        # No device is added meanwhile, because that locks the license first.
        ids = [(item.after.institution_id, item.after.id) for item in changes]
        used = await counters.fetch_counters(work.db, ids, work.now)
        for change in changes:
            if change.after.id in used:
                await _fit(work, change)
        pools = [item.after for item in changes if seats_total(item.after) is not None]
        ended = await self._hooks.seats_taken(work, pools)
        for change in changes:
            change.sessions_ended += ended.get(change.after.id, 0)


async def _fit(work: UnitOfWork, change: TermsChange) -> None:
    license_ = change.after
    ids = (license_.institution_id, license_.id)
    counts = await lock_pool(work, ids)
    if change.is_conversion and change.before.traits.is_node_locked:
        claims = await over_limit.unbind(work.db, ids, work.now)
        counts = await counters.move_seats(work.db, ids, over_limit=claims)
        await _forget_pending(work, ids)
    if license_.traits.is_node_locked:
        counts = await fit_to_machine(work, license_, counts, change.keep)
    else:
        counts = await fit_to_cap(work, license_, counts, change.keep)
    if counts.over_limit:
        newest = await over_limit.fetch_newest(work.db, ids, NAMED)
        change.over_limit += [_named(item) for item in newest]


async def _require_chosen(work: UnitOfWork, change: TermsChange) -> None:
    if not change.keep:
        return
    cap = seats_total(change.after)
    if cap is not None and len(change.keep) > cap:
        raise bad_field("keepActivationIds", f"must be at most {cap:,}, the number of seats.")
    ids = (change.after.institution_id, change.after.id)
    found = await over_limit.fetch_chosen(work.db, ids, change.keep)
    if unknown := set(change.keep) - {item.id for item in found}:
        names = ", ".join(sorted(map(str, unknown)))
        raise bad_field(
            "keepActivationIds",
            f"must be devices of this license that are Active or OverLimit, not {names}.",
        )


async def _forget_pending(work: UnitOfWork, license_id: LicenseId) -> None:
    """Delete the devices that waited for an approval which the new model does not need."""
    deleted = [
        item.removed(work.now) for item in await over_limit.delete_pending(work.db, license_id)
    ]
    await record_events(
        work,
        [device_event(EventKind.ACTIVATION_DELETED, item, reason="Converted") for item in deleted],
    )


def _named(item: Activation) -> DeviceOverLimit:
    return DeviceOverLimit(
        id=item.id,
        hardware_id=masked(item.hardware_id),
        device_name=item.device_name,
        activated_at=item.activated_at,
        last_seen_at=item.last_seen_at,
    )
