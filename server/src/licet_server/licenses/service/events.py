"""Events about licenses."""

from collections.abc import Mapping
from datetime import datetime

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.reminders import days_left


def license_facts(license_: License) -> dict[str, object]:
    """The data of a license in events and the audit log: no key, no password, no notes."""
    return {
        "id": license_.id,
        "type": license_.type,
        "licenseName": license_.license_name,
        "productId": license_.product_id,
        "softwareReleaseId": license_.software_release_id,
        "customerInstitutionId": license_.customer_institution_id,
        "customerId": license_.customer_id,
        "policyId": license_.policy_id,
        "issuedTo": license_.issued_to,
        "issuer": license_.issuer,
        "expirationDate": license_.expiration_date,
        "termDays": license_.term_days,
        "graceDays": license_.grace_days,
        "maxActiveUsersCount": license_.max_active_users_count,
        "activationMode": license_.activation_mode,
        "deviceBindingMode": license_.device_binding_mode,
        "entitlementSetId": license_.entitlement_set_id,
        "featureValues": dict(license_.feature_values),
        "initialMeterBalance": license_.initial_meter_balance,
        "username": license_.username,
        "metadata": dict(license_.metadata),
        "suspendedAt": license_.suspended_at,
        "revokedAt": license_.revoked_at,
    }


def license_differences(before: License | None, after: License) -> dict[str, object]:
    """The fields that differ, as `{field: [before, after]}`; `before` is `None` on creation."""
    old = license_facts(before) if before is not None else {}
    new = license_facts(after)
    return {name: [old.get(name), value] for name, value in new.items() if old.get(name) != value}


def term_event(kind: EventKind, license_: License, now: datetime) -> Event:
    """The event that the term of a license ends soon, or has ended."""
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
    """The event of a change of a license, with the fields that differ from `before`."""
    return Event(
        kind,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=_data(license_, now, reason),
        product_id=license_.product_id,
        changes=license_differences(before, license_),
    )


def created_event(license_: License, now: datetime, *, notify: bool | None) -> Event:
    """The event of a license that was just inserted.

    `notify` says whether it is mailed to its receiver; `None` leaves that to the product.
    """
    data = _data(license_, now, None)
    return Event(
        EventKind.LICENSE_CREATED,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=data if notify is None else {**data, "notify": notify},
        product_id=license_.product_id,
        changes=license_differences(None, license_),
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
