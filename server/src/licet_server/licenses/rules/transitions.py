"""What operators may do with a license, and what it is afterwards.

A revoked license is frozen: only its notes, metadata and tags can still change. For a day after the
revocation it can be restored.
"""

from collections.abc import Collection
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.rules.model import EntitlementSet, Release
from licet_server.kit.dates import NO_END_YEAR, Period, end_after
from licet_server.kit.errors import bad_field, bad_fields
from licet_server.kit.tags import MAX_TAGS, has_tag, without_tag
from licet_server.licenses import errors
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.terms import end_breaches, end_for

RESTORABLE_FOR = timedelta(hours=24)
"""How long after a revocation it can be undone."""
ALWAYS_EDITABLE = frozenset({"notes", "metadata", "tags"})
"""The fields of `License` that can change even after a revocation."""


class BulkAction(StrEnum):
    """What can be done with many licenses at once."""

    SUSPEND = "suspend"
    REINSTATE = "reinstate"
    REVOKE = "revoke"
    RESTORE = "restore"
    EXTEND = "extend"
    SET_RELEASE = "setRelease"
    APPLY_POLICY = "applyPolicy"
    SET_ENTITLEMENT_SET = "setEntitlementSet"
    CONVERT = "convert"
    ADD_TAG = "addTag"
    REMOVE_TAG = "removeTag"
    UNDO = "undo"


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


def with_end(
    license_: License, end: datetime | None, now: datetime, anchor_day: int | None = None
) -> License:
    """Return the license with this end of its term.

    A new term begins where the one before ended, or now if that is over, if it is longer than what
    was left of the one before. Otherwise the present term becomes longer.
    """
    before, began_at = license_.expiration_date, license_.term_began_at
    paid_since = license_.paid_since
    if end is not None and end == before:
        return license_
    if before is not None and end is not None:
        if end - before > before - now:
            began_at = now if license_.is_unpaid(now) else before
            paid_since = now if license_.is_unpaid(now) else paid_since
        elif began_at is not None and began_at >= end:
            began_at = None
    return replace(
        license_,
        expiration_date=end,
        term_days=None,
        term_months=None,
        term_began_at=began_at,
        paid_since=paid_since,
        term_anchor_day=anchor_day,
    )


def extended_to(license_: License, end: datetime, now: datetime) -> License:
    """Return the license with a term until `end`; unchanged if that is its end already.

    Raises:
        Refused: `Conflict` for a revoked license, one without a term, or one that ends later.
    """
    before = _end_of(license_)
    if before > end:
        raise errors.ends_later(before)
    after = with_end(license_, end_for(license_.type, end), now)
    for breach in end_breaches(after.type, after.expiration_date):
        raise bad_fields([breach])
    return license_ if before == end else after


def extended_by(license_: License, period: Period, now: datetime, zone: tzinfo) -> License:
    """Return the license with a term that is longer, counted from `now` if expired.

    In the grace it counts from the end of the term: the license was valid since then.

    Raises:
        Refused: `Conflict` for a revoked license or one without a term, `InvalidRequest` for a term
            beyond the last year.
    """
    before, anchor_day = _end_of(license_), license_.term_anchor_day
    if license_.is_unpaid(now):
        before, anchor_day = now, None
    if before.year + period.days // 365 + period.months // 12 >= NO_END_YEAR - 1:
        field = "months" if period.months else "days"
        raise bad_field(field, f"must not extend the term to the year {NO_END_YEAR}.")
    end, anchor_day = end_after(before, period, zone, anchor_day)
    return with_end(license_, end, now, anchor_day)


def with_release(license_: License, release: Release) -> License:
    """Return the license for this release; unchanged if it is for it already.

    Raises:
        Refused: `Conflict` for a revoked license, `InvalidRequest` for one of another product.
    """
    require_not_revoked(license_)
    if license_.product_id != release.product_id:
        raise bad_field("softwareReleaseId", "must be a release of this product.")
    return _with(license_, software_release_id=release.id)


def with_entitlement_set(license_: License, entitlements: EntitlementSet | None) -> License:
    """Return the license with this set, or without one; unchanged if that is so already.

    Raises:
        Refused: `Conflict` for a revoked license, `InvalidRequest` for one of another product.
    """
    require_not_revoked(license_)
    if entitlements is None:
        return _with(license_, entitlement_set_id=None)
    if license_.product_id != entitlements.product_id:
        raise bad_field("entitlementSetId", "must be an entitlement set of this product.")
    return _with(license_, entitlement_set_id=entitlements.id)


def _with(license_: License, **changes: UUID | None) -> License:
    after = replace(license_, **changes)
    return license_ if after == license_ else after


def tagged(license_: License, tag: str) -> License:
    """Return the license with this tag; unchanged if it has it already.

    Raises:
        Refused: `Conflict` for a license with as many tags as it may have.
    """
    if has_tag(license_.tags, tag):
        return license_
    if len(license_.tags) >= MAX_TAGS:
        raise errors.too_many_tags(MAX_TAGS)
    return replace(license_, tags=(*license_.tags, tag))


def untagged(license_: License, tag: str) -> License:
    """Return the license without this tag; unchanged if it does not have it."""
    if not has_tag(license_.tags, tag):
        return license_
    return replace(license_, tags=without_tag(license_.tags, tag))


def is_renewal(before: License, after: License) -> bool:
    """Return whether the term ends later than it did."""
    if before.expiration_date is None:
        return False
    return after.expiration_date is None or after.expiration_date > before.expiration_date


def is_maintenance_renewal(before: License, after: License) -> bool:
    """Return whether later releases are covered than before."""
    if before.updates_until is None:
        return False
    return after.updates_until is None or after.updates_until > before.updates_until


def term_is_over(license_: License, now: datetime) -> bool:
    """Return whether the term and its grace have ended, whatever else the status follows from."""
    return license_.valid_until is not None and license_.valid_until <= license_.instant(now)


def _end_of(license_: License) -> datetime:
    require_not_revoked(license_)
    if license_.pending_term is not None:
        raise errors.term_not_begun()
    if license_.expiration_date is None:
        raise errors.no_term()
    return license_.expiration_date
