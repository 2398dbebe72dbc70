"""How often holders and applications may release devices of a license themselves."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum, auto

from licet_server.catalog.rules.model import AppDeviceRelease, ProductSettings
from licet_server.devices import errors
from licet_server.licenses.rules.model import License, LicenseTerms

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
