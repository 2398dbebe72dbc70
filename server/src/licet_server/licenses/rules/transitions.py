"""What operators may do with a license, and what it is afterwards.

A revoked license is frozen: only its notes and metadata can still change. For a day after the
revocation it can be restored.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum

from msgspec.structs import replace

from licet_server.kit.dates import NO_END_YEAR
from licet_server.kit.errors import bad_field, bad_fields
from licet_server.licenses import errors
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.terms import end_breaches, end_for

RESTORABLE_FOR = timedelta(hours=24)
"""How long after a revocation it can be undone."""
ALWAYS_EDITABLE = frozenset({"notes", "metadata"})
"""The fields of `License` that can change even after a revocation."""


class BulkAction(StrEnum):
    """What can be done with many licenses at once."""

    SUSPEND = "suspend"
    REINSTATE = "reinstate"
    REVOKE = "revoke"
    RESTORE = "restore"
    EXTEND = "extend"
    CONVERT = "convert"


def require_editable(license_: License, fields: Collection[str]) -> None:
    """Check that these fields may change.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    if not ALWAYS_EDITABLE.issuperset(fields):
        require_not_revoked(license_)


def require_not_revoked(license_: License) -> None:
    """Check that the license may change at all.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    if license_.revoked_at is not None:
        raise errors.revoked_is_final()


def revoked(license_: License, now: datetime) -> License:
    """Return the license after it was revoked; unchanged if it was revoked before."""
    return license_ if license_.revoked_at is not None else replace(license_, revoked_at=now)


def rekeyed(license_: License, license_key: str) -> License:
    """Return the license with this key, which must be a well-formed one.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    require_not_revoked(license_)
    normal_key = normal_form(license_key)
    if normal_key is None:
        raise ValueError("not a license key")
    return replace(license_, license_key=license_key, normal_key=normal_key)


def restored(license_: License, now: datetime) -> License:
    """Return the license as it was before it was revoked; unchanged if it is not revoked.

    Raises:
        Refused: `Conflict` for a license that was revoked more than a day ago.
    """
    if license_.revoked_at is None:
        return license_
    if now - license_.revoked_at > RESTORABLE_FOR:
        raise errors.revoked_too_long_ago(license_.revoked_at)
    return replace(license_, revoked_at=None)


def suspended(license_: License, now: datetime) -> License:
    """Return the license after it was suspended; unchanged if it was suspended before.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    require_not_revoked(license_)
    return license_ if license_.suspended_at is not None else replace(license_, suspended_at=now)


def reinstated(license_: License) -> License:
    """Return the license after it was reinstated; unchanged if it is not suspended.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    require_not_revoked(license_)
    return license_ if license_.suspended_at is None else replace(license_, suspended_at=None)


def extended_to(license_: License, end: datetime) -> License:
    """Return the license with a term until `end`; unchanged if that is its end already.

    Raises:
        Refused: `Conflict` for a revoked license, one without a term, or one that ends later.
    """
    before = _end_of(license_)
    if before > end:
        raise errors.ends_later(before)
    after = replace(license_, expiration_date=end_for(license_.type, end))
    for breach in end_breaches(after.type, after.expiration_date):
        raise bad_fields([breach])
    return license_ if before == end else after


def extended_by(license_: License, days: int, now: datetime) -> License:
    """Return the license with a term that is days longer, counted from `now` if expired.

    In the grace the days count from the end of the term: the license was valid since then.

    Raises:
        Refused: `Conflict` for a revoked license or one without a term, `InvalidRequest` for a term
            beyond the last year.
    """
    before = now if term_is_over(license_, now) else _end_of(license_)
    if before.year + days // 365 >= NO_END_YEAR - 1:
        raise bad_field("days", f"must not extend the term to the year {NO_END_YEAR}.")
    return replace(license_, expiration_date=before + timedelta(days=days))


def is_renewal(before: License, after: License) -> bool:
    """Return whether the term ends later than it did."""
    if before.expiration_date is None:
        return False
    return after.expiration_date is None or after.expiration_date > before.expiration_date


def term_is_over(license_: License, now: datetime) -> bool:
    """Return whether the term and its grace have ended, whatever else the status follows from."""
    return license_.valid_until is not None and license_.valid_until <= now


def _end_of(license_: License) -> datetime:
    require_not_revoked(license_)
    if license_.term_days is not None:
        raise errors.term_not_begun()
    if license_.expiration_date is None:
        raise errors.no_term()
    return license_.expiration_date
