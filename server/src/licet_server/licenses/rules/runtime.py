"""What applications ask: whether a license may be used, with which credentials, and for what.

The note of a request says what it is about, and is taken while the request is served.
"""

from datetime import datetime
from enum import StrEnum, auto
from uuid import UUID

from msgspec import Struct, field

from licet_server.kit.errors import Refused
from licet_server.licenses import errors
from licet_server.licenses.rules.model import Dated, License, LicenseId, LicenseStatus


def refusal_of(license_: Dated, now: datetime) -> Refused | None:
    """Why the license may not be used at `now`; `None` while it is active."""
    status, end = license_.status(now), license_.valid_until
    if status is LicenseStatus.REVOKED:
        return errors.revoked()
    if status is LicenseStatus.SUSPENDED:
        return errors.suspended()
    if status is LicenseStatus.EXPIRED and end is not None:
        return errors.expired(end)
    return None


def require_active(license_: Dated, now: datetime) -> None:
    """Raise the refusal of a license that is not active.

    Raises:
        Refused: `LicenseInvalid`, `LicenseExpired`.
    """
    refused = refusal_of(license_, now)
    if refused is not None:
        raise refused


def lives_longer(before: License, after: License, now: datetime) -> bool:
    """Return whether a change lets a license live that did not, or live longer than it would have.

    A license lives until it is revoked or its term and its grace end; a suspended one may be
    reinstated. A longer term gives more than a fallback.
    """
    if not _is_live(after, now):
        return False
    end, new_end = before.paid_until, after.paid_until
    is_extended = end is not None and (new_end is None or new_end > end)
    return is_extended or not _is_live(before, now)


def _is_live(license_: License, now: datetime) -> bool:
    end = license_.valid_until
    return license_.revoked_at is None and (end is None or end > now)


class Credentials(Struct, frozen=True):
    """What an application sent; `None` for what it left out, and the fields that carry them."""

    username: str | None = None
    password: str | None = None
    username_field: str = "username"
    password_field: str = "password"  # noqa: S105 - a field's name

    @property
    def missing(self) -> list[str]:
        """The fields that were left out."""
        given = {self.username_field: self.username, self.password_field: self.password}
        return [name for name, value in given.items() if value is None]


NO_CREDENTIALS = Credentials()


class CredentialsCheck(StrEnum):
    """The result of checking the user name and password of a request."""

    NOT_CHECKED = auto()
    MISSING = auto()
    CORRECT = auto()
    WRONG = auto()


ACCEPTED = "Accepted"
"""The status of a request that was served and has no verdict."""


class RequestNote(Struct, eq=False):
    """The license of a request, once it is found, and what the application says about itself.

    `status` is the verdict, where there is one. `parts` are the notes of requests that were sent
    together.
    """

    license_id: LicenseId | None = None
    hardware_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    status: str | None = None
    parts: "list[RequestNote]" = field(default_factory=list)

    def is_of(self, institution_id: UUID, license_id: UUID, hardware_id: str | None) -> None:
        """Note the license and the device, for a request that names neither."""
        self.license_id = (institution_id, license_id)
        self.hardware_id = hardware_id
