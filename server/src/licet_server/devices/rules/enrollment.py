"""Enrollment keys: who may enroll devices of a license, without its key."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.devices import errors
from licet_server.institutions.rules.institutions import is_admitted
from licet_server.kit.errors import Refused
from licet_server.licenses.rules.model import License

KEYS_MAX = 100
"""How many enrollment keys a license has at most."""

DEVICES_MAX = 1_000_000
SECRET_PREFIX = "licet_ek_"  # noqa: S105 - what all secrets begin with


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrollmentKey:
    """A key that enrolls devices of a license; without limits, any number and from anywhere.

    `enrolled_devices` counts the seats that were taken with it, and never falls.
    """

    institution_id: UUID
    id: UUID
    license_id: UUID
    name: str
    expires_at: datetime | None
    max_devices: int | None
    enrolled_devices: int
    ip_allow_list: tuple[str, ...]
    last_used_at: datetime | None
    created_at: datetime

    @property
    def is_used_up(self) -> bool:
        """Whether the key has taken as many seats as it may."""
        return self.max_devices is not None and self.enrolled_devices >= self.max_devices


def new_secret() -> str:
    """Return a new secret of an enrollment key; scanners know it by its prefix."""
    return f"{SECRET_PREFIX}{secrets.token_urlsafe(32)}"


def is_enrollment_key(text: str) -> bool:
    """Return whether a text is the secret of an enrollment key, rather than a license key."""
    return text.startswith(SECRET_PREFIX)


def refusal_of_enrollment(
    key: EnrollmentKey, license_: License, address: str, now: datetime
) -> Refused | None:
    """Return why the key enrolls no device from an address at `now`; `None` if it may.

    Whether it was used up is decided when the seat is taken.
    """
    if key.expires_at is not None and key.expires_at <= now:
        return errors.enrollment_key_expired(key.expires_at)
    if not is_admitted(key.ip_allow_list, address):
        return errors.enrollment_address_not_allowed()
    if not license_.traits.activation_required:
        return errors.enrollment_without_seats()
    return None
