"""Events about licenses."""

from collections.abc import Mapping
from datetime import datetime

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, differences, facts_of, facts_that_differ
from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.reminders import days_left

UNRECORDED = frozenset(
    {
        "clock",
        "institution_id",
        "license_key",
        "normal_key",
        "password_hash",
        "notes",
        "created_at",
        "updated_at",
        "blocked_devices",
        "term_began_at",
        "paid_since",
        "term_anchor_day",
    }
)
"""The fields that events leave out: secrets, what is for the vendor's eyes, and what events say."""
_UNCOMPARED = UNRECORDED - {"term_began_at", "paid_since", "term_anchor_day"}
"""The fields whose changes are not recorded. What terms count from is, so that it can be undone."""


def license_facts(license_: License) -> dict[str, object]:
    """Return the data of a license in events and the audit log: no key, no password, no notes."""
    return facts_of(license_, omit=UNRECORDED)


def license_differences(before: License, after: License) -> dict[str, object]:
    """Return the recorded fields that differ."""
    return facts_that_differ(before, after, omit=_UNCOMPARED)


def term_event(kind: EventKind, license_: License, now: datetime) -> Event:
    """Return the event that the term of a license ends soon, or has ended."""
    data = {**license_facts(license_), "status": license_.status(now)}
    if license_.expiration_date is not None:
        data["daysLeft"] = days_left(license_.expiration_date, now)
    grace_end = license_.in_grace_until(now)
    if grace_end is not None:
        data["inGraceUntil"] = grace_end
    return Event(
        kind,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=data,
        product_id=license_.product_id,
    )


def license_event(
    kind: EventKind,
    license_: License,
    now: datetime,
    *,
    before: License,
    reason: str | None = None,
) -> Event:
    """Return the event of a change of a license, with the fields that differ from `before`."""
    return Event(
        kind,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=_data(license_, now, reason),
        product_id=license_.product_id,
        changes=license_differences(before, license_),
    )


def created_event(license_: License, now: datetime, *, notify: bool | None) -> Event:
    """Return the event of a license that was just inserted.

    `notify` says whether it is mailed to its receiver; `None` leaves that to the product.
    """
    facts = license_facts(license_)
    data = {**facts, "status": license_.status(now)}
    return Event(
        EventKind.LICENSE_CREATED,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=data if notify is None else {**data, "notify": notify},
        product_id=license_.product_id,
        changes=differences({}, facts),
    )


async def record_license_event(
    work: UnitOfWork,
    kind: EventKind,
    license_: License,
    *,
    changes: Mapping[str, object] | None = None,
    reason: str | None = None,
) -> None:
    """Record an event about a license, in the transaction of the change."""
    await record_event(
        work,
        kind,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        product_id=license_.product_id,
        data=_data(license_, work.now, reason),
        changes=changes,
    )


def _data(license_: License, now: datetime, reason: str | None) -> dict[str, object]:
    data: dict[str, object] = {**license_facts(license_), "status": license_.status(now)}
    if reason is not None:
        data["reason"] = reason
    return data
