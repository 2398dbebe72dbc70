"""The event catalog: what follows from each kind of event. There is no second list of kinds.

A new kind is a member of `EventKind` and a row here; a notification also needs its wording. Every
kind is in the audit log.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from licet_server.events.rules.kinds import EventKind, NotificationKind, SubjectKind
from licet_server.kit.origin import Origin


@dataclass(frozen=True, slots=True)
class SubjectTraits:
    """What holds for all events about one kind of subject.

    `name_field` and `license_field` are the fields of an event's data that hold the name of the
    subject and the ID of the license it belongs to. Events that are `admins_only` are left out of
    what other members see.
    """

    name_field: str | None = None
    license_field: str | None = None
    admins_only: bool = False


SUBJECTS: Mapping[SubjectKind, SubjectTraits] = {
    SubjectKind.ACCESS_ATTEMPT: SubjectTraits(license_field="licenseId", admins_only=True),
    SubjectKind.API_KEY: SubjectTraits("name", admins_only=True),
    SubjectKind.ARCHIVE: SubjectTraits(admins_only=True),
    SubjectKind.ASSOCIATION: SubjectTraits("name", admins_only=True),
    SubjectKind.CONNECTOR: SubjectTraits("name", admins_only=True),
    SubjectKind.CUSTOMER: SubjectTraits("name"),
    SubjectKind.DEVICE: SubjectTraits("deviceName", license_field="licenseId", admins_only=True),
    SubjectKind.ENROLLMENT_KEY: SubjectTraits("name", license_field="licenseId", admins_only=True),
    SubjectKind.ENTITLEMENT_SET: SubjectTraits("name"),
    SubjectKind.FEATURE: SubjectTraits("name"),
    SubjectKind.INSTANCE: SubjectTraits(admins_only=True),
    SubjectKind.INSTITUTION: SubjectTraits("name"),
    SubjectKind.INVITATION: SubjectTraits("email", admins_only=True),
    SubjectKind.LEASE: SubjectTraits("deviceName", license_field="licenseId", admins_only=True),
    SubjectKind.LICENSE: SubjectTraits("licenseName"),
    SubjectKind.MAIL_TEMPLATE: SubjectTraits("kind"),
    SubjectKind.MEMBER: SubjectTraits("email", admins_only=True),
    SubjectKind.ORDER: SubjectTraits("externalId"),
    SubjectKind.POLICY: SubjectTraits("name"),
    SubjectKind.PRODUCT: SubjectTraits("name"),
    SubjectKind.RELEASE: SubjectTraits("version"),
    SubjectKind.RELEASE_FILE: SubjectTraits("name"),
    SubjectKind.SESSION: SubjectTraits("deviceName", license_field="licenseId", admins_only=True),
    SubjectKind.USER: SubjectTraits("email", admins_only=True),
    SubjectKind.WEBHOOK: SubjectTraits(),
}


@dataclass(frozen=True, slots=True)
class EventTraits:
    """What follows from an event of one kind.

    `delivered` kinds are sent to the webhooks that subscribe to them. `notification` is the kind of
    notification that Owners and Admins receive. Applications can cause any number of `unbounded`
    kinds, so only a number of them per hour is permanent. Kinds `of_instance` are recorded
    for the instance as well, whoever caused them.
    """

    subject: SubjectKind
    delivered: bool = False
    notification: NotificationKind | None = None
    unbounded: bool = False
    of_instance: bool = False


CATALOG: Mapping[EventKind, EventTraits] = {
    EventKind.ACCESS_ATTEMPT_ACKNOWLEDGED: EventTraits(SubjectKind.ACCESS_ATTEMPT),
    EventKind.ACCESS_ATTEMPT_DETECTED: EventTraits(
        SubjectKind.ACCESS_ATTEMPT,
        delivered=True,
        notification=NotificationKind.ACCESS_ATTEMPT,
        unbounded=True,
    ),
    EventKind.ACTIVATION_APPROVED: EventTraits(SubjectKind.DEVICE, delivered=True),
    EventKind.ACTIVATION_BLOCKED: EventTraits(SubjectKind.DEVICE, delivered=True),
    EventKind.ACTIVATION_CHANGE_ACCEPTED: EventTraits(SubjectKind.DEVICE),
    EventKind.ACTIVATION_CLONE_DETECTED: EventTraits(
        SubjectKind.DEVICE, delivered=True, unbounded=True
    ),
    EventKind.ACTIVATION_CREATED: EventTraits(
        SubjectKind.DEVICE,
        delivered=True,
        notification=NotificationKind.DEVICE_ACTIVATED,
        unbounded=True,
    ),
    EventKind.ACTIVATION_DELETED: EventTraits(SubjectKind.DEVICE, delivered=True, unbounded=True),
    EventKind.ACTIVATION_DRIFTED: EventTraits(SubjectKind.DEVICE, delivered=True, unbounded=True),
    EventKind.ACTIVATION_LIMIT_REACHED: EventTraits(
        SubjectKind.LICENSE, delivered=True, unbounded=True
    ),
    EventKind.ACTIVATION_OFFLINE_ANSWERED: EventTraits(
        SubjectKind.LICENSE, delivered=True, unbounded=True
    ),
    EventKind.ACTIVATION_OFFLINE_REJECTED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.ACTIVATION_OFFLINE_REQUESTED: EventTraits(
        SubjectKind.LICENSE,
        delivered=True,
        notification=NotificationKind.DEVICE_ACTIVATED,
        unbounded=True,
    ),
    EventKind.ACTIVATION_OVER_LIMIT: EventTraits(SubjectKind.DEVICE, delivered=True),
    EventKind.ACTIVATION_PENDING: EventTraits(
        SubjectKind.DEVICE,
        delivered=True,
        notification=NotificationKind.DEVICE_ACTIVATED,
        unbounded=True,
    ),
    EventKind.ACTIVATION_RECLAIMED: EventTraits(SubjectKind.DEVICE, delivered=True, unbounded=True),
    EventKind.ACTIVATION_REKEYED: EventTraits(SubjectKind.DEVICE, delivered=True, unbounded=True),
    EventKind.ACTIVATION_UNBLOCKED: EventTraits(SubjectKind.DEVICE, delivered=True),
    EventKind.API_KEY_CREATED: EventTraits(SubjectKind.API_KEY),
    EventKind.API_KEY_REVOKED: EventTraits(SubjectKind.API_KEY),
    EventKind.API_KEY_ROTATED: EventTraits(SubjectKind.API_KEY),
    EventKind.ARCHIVE_CREATED: EventTraits(SubjectKind.ARCHIVE),
    EventKind.ARCHIVE_REWRITTEN: EventTraits(SubjectKind.ARCHIVE),
    EventKind.ASSOCIATION_ACCEPTED: EventTraits(
        SubjectKind.ASSOCIATION, delivered=True, notification=NotificationKind.INVITATION
    ),
    EventKind.ASSOCIATION_INVITED: EventTraits(
        SubjectKind.ASSOCIATION, delivered=True, notification=NotificationKind.INVITATION
    ),
    EventKind.ASSOCIATION_REMOVED: EventTraits(
        SubjectKind.ASSOCIATION, delivered=True, notification=NotificationKind.INVITATION
    ),
    EventKind.ASSOCIATION_RESENT: EventTraits(SubjectKind.ASSOCIATION),
    EventKind.CONNECTOR_CREATED: EventTraits(SubjectKind.CONNECTOR),
    EventKind.CONNECTOR_DELETED: EventTraits(SubjectKind.CONNECTOR),
    EventKind.CONNECTOR_EVENT_REPLAYED: EventTraits(SubjectKind.CONNECTOR),
    EventKind.CONNECTOR_REJECTED: EventTraits(
        SubjectKind.CONNECTOR, notification=NotificationKind.CONNECTOR_REJECTED
    ),
    EventKind.CONNECTOR_SECRET_ROTATED: EventTraits(SubjectKind.CONNECTOR),
    EventKind.CONNECTOR_UPDATED: EventTraits(SubjectKind.CONNECTOR),
    EventKind.CUSTOMER_CREATED: EventTraits(SubjectKind.CUSTOMER, delivered=True),
    EventKind.CUSTOMER_DELETED: EventTraits(SubjectKind.CUSTOMER, delivered=True),
    EventKind.CUSTOMER_ERASED: EventTraits(SubjectKind.CUSTOMER, delivered=True),
    EventKind.CUSTOMER_MERGED: EventTraits(SubjectKind.CUSTOMER, delivered=True),
    EventKind.CUSTOMER_PORTAL_LINK_SENT: EventTraits(SubjectKind.CUSTOMER),
    EventKind.CUSTOMER_PORTAL_VIEWED: EventTraits(SubjectKind.CUSTOMER),
    EventKind.CUSTOMER_UPDATED: EventTraits(SubjectKind.CUSTOMER, delivered=True),
    EventKind.ENROLLMENT_KEY_CREATED: EventTraits(SubjectKind.ENROLLMENT_KEY, delivered=True),
    EventKind.ENROLLMENT_KEY_DELETED: EventTraits(SubjectKind.ENROLLMENT_KEY, delivered=True),
    EventKind.ENTITLEMENT_SET_CREATED: EventTraits(SubjectKind.ENTITLEMENT_SET),
    EventKind.ENTITLEMENT_SET_DELETED: EventTraits(SubjectKind.ENTITLEMENT_SET),
    EventKind.ENTITLEMENT_SET_UPDATED: EventTraits(SubjectKind.ENTITLEMENT_SET),
    EventKind.FEATURE_CREATED: EventTraits(SubjectKind.FEATURE),
    EventKind.FEATURE_DELETED: EventTraits(SubjectKind.FEATURE),
    EventKind.FEATURE_PRICED: EventTraits(SubjectKind.FEATURE),
    EventKind.FEATURE_UPDATED: EventTraits(SubjectKind.FEATURE),
    EventKind.INSTANCE_CLOCK_CONFIRMED: EventTraits(SubjectKind.INSTANCE, of_instance=True),
    EventKind.INSTANCE_REPAIRED: EventTraits(SubjectKind.INSTANCE, of_instance=True),
    EventKind.INSTANCE_MASTER_KEY_ROTATED: EventTraits(SubjectKind.INSTANCE, of_instance=True),
    EventKind.INSTITUTION_CREATED: EventTraits(SubjectKind.INSTITUTION, of_instance=True),
    EventKind.INSTITUTION_DELETED: EventTraits(SubjectKind.INSTITUTION, of_instance=True),
    EventKind.INSTITUTION_PLAN_CHANGED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_SETTINGS_CHANGED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_SSO_CHANGED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_SSO_DOMAIN_CONFIRMED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_SSO_DOMAIN_MAILED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_SSO_REMOVED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INSTITUTION_UPDATED: EventTraits(SubjectKind.INSTITUTION),
    EventKind.INVITATION_RESENT: EventTraits(SubjectKind.INVITATION),
    EventKind.INVITATION_REVOKED: EventTraits(SubjectKind.INVITATION),
    EventKind.LEASE_ACKNOWLEDGED: EventTraits(SubjectKind.LEASE),
    EventKind.LEASE_ENDED: EventTraits(SubjectKind.LEASE, delivered=True, unbounded=True),
    EventKind.LEASE_FORKED: EventTraits(SubjectKind.LEASE, delivered=True),
    EventKind.LEASE_ISSUED: EventTraits(SubjectKind.LEASE, delivered=True, unbounded=True),
    EventKind.LEASE_RECALLED: EventTraits(SubjectKind.LEASE),
    EventKind.LEASE_RETURNED: EventTraits(SubjectKind.LEASE, delivered=True, unbounded=True),
    EventKind.LICENSE_CONVERTED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_CREATED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_DELETED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_EVENTS_OMITTED: EventTraits(SubjectKind.LICENSE),
    EventKind.LICENSE_EXPIRED: EventTraits(
        SubjectKind.LICENSE, delivered=True, notification=NotificationKind.LICENSE_EXPIRED
    ),
    EventKind.LICENSE_EXPIRING: EventTraits(
        SubjectKind.LICENSE, delivered=True, notification=NotificationKind.LICENSE_EXPIRING
    ),
    EventKind.LICENSE_MAINTENANCE_RENEWED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_MAIL_FAILED: EventTraits(
        SubjectKind.LICENSE, delivered=True, notification=NotificationKind.MAIL_FAILED
    ),
    EventKind.LICENSE_MAILED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_REINSTATED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_RENEWED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_RESTORED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_REKEYED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_REVOKED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_SUSPENDED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.LICENSE_UPDATED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.MAIL_TEMPLATE_DELETED: EventTraits(SubjectKind.MAIL_TEMPLATE),
    EventKind.MAIL_TEMPLATE_UPDATED: EventTraits(SubjectKind.MAIL_TEMPLATE),
    EventKind.MEMBER_INVITED: EventTraits(
        SubjectKind.INVITATION, delivered=True, notification=NotificationKind.INVITATION
    ),
    EventKind.MEMBER_JOINED: EventTraits(
        SubjectKind.MEMBER, delivered=True, notification=NotificationKind.INVITATION
    ),
    EventKind.MEMBER_REMOVED: EventTraits(SubjectKind.MEMBER, delivered=True),
    EventKind.MEMBER_UPDATED: EventTraits(SubjectKind.MEMBER),
    EventKind.METER_ADJUSTED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.METER_DEPLETED: EventTraits(
        SubjectKind.LICENSE, delivered=True, notification=NotificationKind.LOW_BALANCE
    ),
    EventKind.METER_GRANTED: EventTraits(SubjectKind.LICENSE, delivered=True),
    EventKind.METER_LOW_BALANCE: EventTraits(
        SubjectKind.LICENSE, delivered=True, notification=NotificationKind.LOW_BALANCE
    ),
    EventKind.METER_WALLET_RESTORED: EventTraits(SubjectKind.LICENSE),
    EventKind.ORDER_CANCELED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.ORDER_FAILED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.ORDER_FULFILLED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.ORDER_REFUNDED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.ORDER_UNMATCHED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.ORDER_UPDATED: EventTraits(SubjectKind.ORDER, delivered=True),
    EventKind.POLICY_CREATED: EventTraits(SubjectKind.POLICY),
    EventKind.POLICY_DELETED: EventTraits(SubjectKind.POLICY),
    EventKind.POLICY_UPDATED: EventTraits(SubjectKind.POLICY),
    EventKind.PRODUCT_CREATED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_DELETED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_KEY_REVOKED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_KEY_ROTATED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_KEYS_DISCARDED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_KEYS_GENERATED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_KEYS_PREPARED: EventTraits(SubjectKind.PRODUCT, delivered=True),
    EventKind.PRODUCT_KEYS_ROTATED: EventTraits(SubjectKind.PRODUCT, delivered=True),
    EventKind.PRODUCT_LICENSES_IMPORTED: EventTraits(SubjectKind.PRODUCT),
    EventKind.PRODUCT_UPDATED: EventTraits(SubjectKind.PRODUCT),
    EventKind.RELEASE_CREATED: EventTraits(SubjectKind.RELEASE),
    EventKind.RELEASE_DELETED: EventTraits(SubjectKind.RELEASE),
    EventKind.RELEASE_PUBLISHED: EventTraits(SubjectKind.RELEASE, delivered=True),
    EventKind.RELEASE_UPDATED: EventTraits(SubjectKind.RELEASE),
    EventKind.RELEASE_FILE_ADDED: EventTraits(SubjectKind.RELEASE_FILE),
    EventKind.RELEASE_FILE_DELETED: EventTraits(SubjectKind.RELEASE_FILE),
    EventKind.SESSION_ENDED: EventTraits(SubjectKind.SESSION, delivered=True, unbounded=True),
    EventKind.SESSION_LIMIT_REACHED: EventTraits(
        SubjectKind.LICENSE, delivered=True, unbounded=True
    ),
    EventKind.SESSION_STARTED: EventTraits(SubjectKind.SESSION, delivered=True, unbounded=True),
    EventKind.USER_ALL_SESSIONS_ENDED: EventTraits(SubjectKind.USER),
    EventKind.USER_DISABLED: EventTraits(SubjectKind.USER),
    EventKind.USER_EMAIL_VERIFIED: EventTraits(SubjectKind.USER),
    EventKind.USER_ENABLED: EventTraits(SubjectKind.USER),
    EventKind.USER_PASSKEY_ADDED: EventTraits(SubjectKind.USER),
    EventKind.USER_PASSKEY_REMOVED: EventTraits(SubjectKind.USER),
    EventKind.USER_PASSWORD_CHANGED: EventTraits(SubjectKind.USER),
    EventKind.USER_PASSWORD_RESET: EventTraits(SubjectKind.USER),
    EventKind.USER_RECOVERY_CODE_USED: EventTraits(SubjectKind.USER),
    EventKind.USER_RECOVERY_CODES_RENEWED: EventTraits(SubjectKind.USER),
    EventKind.USER_REGISTERED: EventTraits(SubjectKind.USER),
    EventKind.USER_SESSION_ENDED: EventTraits(SubjectKind.USER),
    EventKind.USER_TOTP_DISABLED: EventTraits(SubjectKind.USER),
    EventKind.USER_TOTP_ENABLED: EventTraits(SubjectKind.USER),
    EventKind.WEBHOOK_CREATED: EventTraits(SubjectKind.WEBHOOK),
    EventKind.WEBHOOK_DELETED: EventTraits(SubjectKind.WEBHOOK),
    EventKind.WEBHOOK_DELIVERY_REPLAYED: EventTraits(SubjectKind.WEBHOOK),
    EventKind.WEBHOOK_DISABLED: EventTraits(
        SubjectKind.WEBHOOK, notification=NotificationKind.WEBHOOK_DISABLED
    ),
    EventKind.WEBHOOK_SECRET_ROTATED: EventTraits(SubjectKind.WEBHOOK),
    EventKind.WEBHOOK_TEST: EventTraits(SubjectKind.WEBHOOK),
    EventKind.WEBHOOK_UPDATED: EventTraits(SubjectKind.WEBHOOK),
}

PERMANENT_PER_HOUR = 100
"""How many events of a license are permanent per clock hour, before what applications cause in
that hour is only counted."""

TRANSIENT_DAYS = 7
"""For how many days an event is kept that is not permanent."""

_UNATTENDED = frozenset({"ProductKey", "System"})

ADMINS_ONLY = frozenset(
    kind.partition(".")[0] for kind, item in CATALOG.items() if SUBJECTS[item.subject].admins_only
)
"""Families of kinds, such as `member`, that only Owners and Admins see."""

DELIVERED = frozenset(kind for kind, item in CATALOG.items() if item.delivered)
"""Kinds that are sent to webhooks. All others never leave the service."""

NOTIFICATIONS: Mapping[EventKind, NotificationKind] = {
    kind: item.notification for kind, item in CATALOG.items() if item.notification is not None
}
"""The kinds that cause notifications, and the kind of notification that each causes."""


def is_of_instance(kind: EventKind, origin: Origin) -> bool:
    """Check whether an event is recorded for the instance as well."""
    traits = CATALOG.get(kind)
    return origin.of_instance or (traits is not None and traits.of_instance)


def is_bounded(kind: EventKind, origin: Origin) -> bool:
    """Check whether only a number of events like this one per hour is permanent."""
    traits = CATALOG.get(kind)
    return origin.actor_kind in _UNATTENDED and traits is not None and traits.unbounded


def subject_traits(kind: EventKind) -> SubjectTraits:
    """Return what holds for the subject of a kind; nothing for the kinds of a newer release."""
    traits = CATALOG.get(kind)
    return SubjectTraits() if traits is None else SUBJECTS[traits.subject]


def subject_name(kind: EventKind, data: Mapping[str, object]) -> str | None:
    """Return the name of an event's subject, as its data has it."""
    field = subject_traits(kind).name_field
    name = None if field is None else data.get(field)
    return None if name is None else str(name)


def license_id(kind: EventKind, subject_id: UUID, data: Mapping[str, object]) -> UUID | None:
    """Return the license that an event concerns: its subject, or what the subject belongs to."""
    if (traits := CATALOG.get(kind)) is not None and traits.subject is SubjectKind.LICENSE:
        return subject_id
    field = subject_traits(kind).license_field
    try:
        return None if field is None else UUID(str(data.get(field)))
    except ValueError:
        return None
