"""The state of a device under a license: admitted, pending approval, or rejected.

Where a product allows each device one Trial, only its first one admits it. Holders and applications
may release devices of a license themselves, but not often.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from enum import Enum, auto
from uuid import UUID

from licet_server.catalog.rules.model import AppDeviceRelease, ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.model import Activation, DeviceFacts
from licet_server.licenses.rules.model import License, LicenseTerms, seat_cap
from licet_server.licenses.rules.traits import DeviceBindingMode, SeatKind


class DeviceState(Enum):
    """The state of a device under a license.

    `FREE`: the license does not require an activated device. `SEATED`: the device holds a seat or
    is the bound machine. `OVER_LIMIT`: it lost its seat to a lower cap. `RELEASED`: it was
    released, and its seat is taken until its license file ends. `ELSEWHERE`: the license is bound
    to another machine. `UNBOUND`: the license is bound to the first device that uses it. `UNKNOWN`:
    the device needs the vendor's approval. `PENDING`: it has been submitted for approval.
    """

    FREE = auto()
    SEATED = auto()
    OVER_LIMIT = auto()
    RELEASED = auto()
    BLOCKED = auto()
    ELSEWHERE = auto()
    UNBOUND = auto()
    UNKNOWN = auto()
    PENDING = auto()


def device_state_of(license_: License | LicenseTerms, facts: DeviceFacts) -> DeviceState:
    """Determine the state of a device; a block takes precedence over everything else."""
    own = facts.own
    if own is not None and (own.blocked_at is not None or own.over_limit_at is not None):
        return DeviceState.OVER_LIMIT if own.blocked_at is None else DeviceState.BLOCKED
    if not license_.traits.is_node_locked:
        return _state_with_seat(own)
    if own is not None and own.bound:
        return DeviceState.SEATED
    if facts.bound_other is not None:
        return DeviceState.ELSEWHERE
    if license_.device_binding_mode is not DeviceBindingMode.OWNER_APPROVAL:
        return DeviceState.UNBOUND
    # A seat of an unbound machine, which an older version left, is not that of a pending device.
    return DeviceState.UNKNOWN if own is None or own.holds_seat else DeviceState.PENDING


def _state_with_seat(own: Activation | None) -> DeviceState:
    if own is None or not own.holds_seat:
        return DeviceState.FREE
    return DeviceState.SEATED if own.is_seated else DeviceState.RELEASED


def may_connect(license_: License | LicenseTerms, state: DeviceState) -> bool:
    """Check whether a device may hold a session; a Concurrent license requires a seat."""
    if license_.traits.activation_required:
        return state is DeviceState.SEATED
    return state in {DeviceState.FREE, DeviceState.SEATED}


def is_reclaimable(item: Activation, idle_days: int | None, now: datetime) -> bool:
    """Check whether a new device may get the place of a device that is not in use.

    One over the limit is in line for a seat, so it makes room, too. Not that of a blocked device,
    which would be free of its block, nor that of one with a license file that works without the
    server. The same in SQL is `storage.activations.is_idle`.
    """
    is_in_line = item.is_seated or item.over_limit_at is not None
    if idle_days is None or not is_in_line or item.bound or item.blocked_at is not None:
        return False
    if item.released_at is not None:
        return False
    if item.works_until(now) is not None:
        return False
    return item.last_seen_at <= now - timedelta(days=idle_days)


MIN_NEW_ROWS_PER_DAY = 200
"""How many activations and access attempts a license may create in a day (UTC), at least."""


def seats_total(license_: License | LicenseTerms) -> int | None:
    """Return how many devices may hold a seat; `None` where there is no limit."""
    is_for_devices = license_.traits.seat_kind in {SeatKind.DEVICE, SeatKind.MACHINE}
    return seat_cap(license_) if is_for_devices else None


def daily_limit(license_: License | LicenseTerms) -> int:
    """Return how many new devices the license accepts in a day.

    Product keys are public, so without a limit anyone could fill the database. A pool of any size
    can still be filled in one day.
    """
    return max(MIN_NEW_ROWS_PER_DAY, seats_total(license_) or 0)


def seconds_until_midnight(now: datetime) -> int:
    """Return after how many seconds the daily limits begin again."""
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
    return max(1, round((midnight - now).total_seconds()))


TrialKey = tuple[UUID, UUID, str]
"""Institution, product and hardware ID."""


def is_once_per_device(settings: ProductSettings, license_: License | LicenseTerms) -> bool:
    """Check whether a device may use the license only if it had no other Trial."""
    return settings.trial_once_per_device and license_.traits.is_trial


def trial_key(license_: License, hardware_id: str) -> TrialKey:
    """Return what identifies the trials of a device."""
    return (license_.institution_id, license_.product_id, hardware_id)


RELEASE_PERIOD = timedelta(days=365)
"""How long a release counts against the limit."""


def require_release_allowed(released: Sequence[datetime], limit: int) -> None:
    """Check that one more release is allowed after those of the last period, newest first.

    Raises:
        Refused: `Conflict`.
    """
    if limit == 0:
        raise errors.releases_not_allowed()
    if len(released) >= limit:
        next_at = released[limit - 1] + RELEASE_PERIOD
        raise errors.release_limit_reached(len(released), limit, next_at)


class ReleasedBy(Enum):
    """Whose limit a release counts against: that of the license's holders, or of applications.

    So a key that became known cannot use up what its owner may release.
    """

    HOLDER = auto()
    APPLICATION = auto()


REFUSED_FOR = timedelta(minutes=10)
"""For how long a device that was refused a seat may release another one."""


def app_releases_left(
    settings: ProductSettings, license_: License | LicenseTerms, released: Sequence[datetime]
) -> int | None:
    """Return how many devices applications may still release; `None` if they never may.

    Only where devices hold the seats: another machine of a node-locked license is bound on purpose.
    """
    is_on = settings.app_device_release is AppDeviceRelease.ON
    if not is_on or not license_.traits.activation_required:
        return None
    return max(0, settings.app_releases_per_year - len(released))
