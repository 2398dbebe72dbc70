"""Whether a license lets anything happen at run time."""

from datetime import datetime

from licet_server.kit.errors import Refused
from licet_server.licenses import errors
from licet_server.licenses.rules.model import License, LicenseTerms


def refusal_of(license_: License | LicenseTerms, now: datetime) -> Refused | None:
    """Why the license lets nothing happen at `now`; `None` while it is active."""
    if license_.revoked_at is not None:
        return errors.revoked()
    if license_.suspended_at is not None:
        return errors.suspended()
    end = license_.expiration_date
    if end is not None and end <= now:
        return errors.expired(end)
    return None


def require_active(license_: License | LicenseTerms, now: datetime) -> None:
    """Raise what `refusal_of` finds.

    Raises:
        Refused: `LicenseInvalid`, `LicenseExpired`.
    """
    refused = refusal_of(license_, now)
    if refused is not None:
        raise refused
