"""The event catalog: every kind of event, and what follows from it. There is no second list.

A new kind is a member of `EventKind`, and a line in each mapping or set below that it belongs to.
Those that are sent to webhooks are described in `DELIVERED`: `make openapi` writes their lists in
the documentation and in the dashboard. A notification also needs its wording. Every kind is in the
audit log. `EventKind` accepts unknown kinds, since a newer release may have recorded events in the
same database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self
from uuid import UUID

from licet_server.kit.origin import Origin


class OpenStrEnum(StrEnum):
    """A string enum that accepts any text: what it does not know is a member named `UNKNOWN`."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_, unknown._value_ = "UNKNOWN", value
        return unknown


class EventKind(OpenStrEnum):
    """The kind of an event."""

    ACCESS_ATTEMPT_ACKNOWLEDGED = "access_attempt.acknowledged"
    ACCESS_ATTEMPT_DETECTED = "access_attempt.detected"
    ACCESS_ATTEMPT_REOPENED = "access_attempt.reopened"
    ACTIVATION_APPROVED = "activation.approved"
    ACTIVATION_BLOCKED = "activation.blocked"
    ACTIVATION_CHANGE_ACCEPTED = "activation.change_accepted"
    ACTIVATION_CLONE_DETECTED = "activation.clone_detected"
    ACTIVATION_CREATED = "activation.created"
    ACTIVATION_DELETED = "activation.deleted"
    ACTIVATION_DRIFTED = "activation.drifted"
    ACTIVATION_LIMIT_REACHED = "activation.limit_reached"
    ACTIVATION_OFFLINE_ANSWERED = "activation.offline_answered"
    ACTIVATION_OFFLINE_REJECTED = "activation.offline_rejected"
    ACTIVATION_OFFLINE_REQUESTED = "activation.offline_requested"
    ACTIVATION_OVER_LIMIT = "activation.over_limit"
    ACTIVATION_PENDING = "activation.pending"
    ACTIVATION_RECLAIMED = "activation.reclaimed"
    ACTIVATION_REKEYED = "activation.rekeyed"
    ACTIVATION_UNBLOCKED = "activation.unblocked"
    API_KEY_CREATED = "api_key.created"
    API_KEY_REVOKED = "api_key.revoked"
    API_KEY_ROTATED = "api_key.rotated"
    ARCHIVE_CREATED = "archive.created"
    ARCHIVE_REWRITTEN = "archive.rewritten"
    ASSOCIATION_ACCEPTED = "association.accepted"
    ASSOCIATION_INVITED = "association.invited"
    ASSOCIATION_REMOVED = "association.removed"
    ASSOCIATION_RESENT = "association.resent"
    CONNECTOR_CREATED = "connector.created"
    CONNECTOR_DELETED = "connector.deleted"
    CONNECTOR_EVENT_REPLAYED = "connector.event_replayed"
    CONNECTOR_REJECTED = "connector.rejected"
    CONNECTOR_SECRET_ROTATED = "connector.secret_rotated"  # noqa: S105 - an event kind
    CONNECTOR_UPDATED = "connector.updated"
    CUSTOMER_CREATED = "customer.created"
    CUSTOMER_DELETED = "customer.deleted"
    CUSTOMER_ERASED = "customer.erased"
    CUSTOMER_MERGED = "customer.merged"
    CUSTOMER_NOTED = "customer.noted"
    CUSTOMER_PORTAL_LINK_SENT = "customer.portal_link_sent"
    CUSTOMER_PORTAL_VIEWED = "customer.portal_viewed"
    CUSTOMER_UPDATED = "customer.updated"
    ENROLLMENT_KEY_CREATED = "enrollment_key.created"
    ENROLLMENT_KEY_DELETED = "enrollment_key.deleted"
    ENTITLEMENT_SET_CREATED = "entitlement_set.created"
    ENTITLEMENT_SET_DELETED = "entitlement_set.deleted"
    ENTITLEMENT_SET_UPDATED = "entitlement_set.updated"
    FEATURE_CREATED = "feature.created"
    FEATURE_DELETED = "feature.deleted"
    FEATURE_PRICED = "feature.priced"
    FEATURE_UPDATED = "feature.updated"
    INSTANCE_CLOCK_CONFIRMED = "instance.clock_confirmed"
    INSTANCE_REPAIRED = "instance.repaired"
    INSTANCE_MASTER_KEY_ROTATED = "instance.master_key_rotated"
    INSTITUTION_CREATED = "institution.created"
    INSTITUTION_DELETED = "institution.deleted"
    INSTITUTION_PLAN_CHANGED = "institution.plan_changed"
    INSTITUTION_SETTINGS_CHANGED = "institution.settings_changed"
    INSTITUTION_SSO_CHANGED = "institution.sso_changed"
    INSTITUTION_SSO_DOMAIN_CONFIRMED = "institution.sso_domain_confirmed"
    INSTITUTION_SSO_DOMAIN_MAILED = "institution.sso_domain_mailed"
    INSTITUTION_SSO_REMOVED = "institution.sso_removed"
    INSTITUTION_UPDATED = "institution.updated"
    INVITATION_RESENT = "invitation.resent"
    INVITATION_REVOKED = "invitation.revoked"
    LEASE_ACKNOWLEDGED = "lease.acknowledged"
    LEASE_ENDED = "lease.ended"
    LEASE_FORKED = "lease.forked"
    LEASE_ISSUED = "lease.issued"
    LEASE_RECALLED = "lease.recalled"
    LEASE_RETURNED = "lease.returned"
    LICENSE_CONVERTED = "license.converted"
    LICENSE_CREATED = "license.created"
    LICENSE_DELETED = "license.deleted"
    LICENSE_EVENTS_OMITTED = "license.events_omitted"
    LICENSE_EXPIRED = "license.expired"
    LICENSE_EXPIRING = "license.expiring"
    LICENSE_MAINTENANCE_RENEWED = "license.maintenance_renewed"
    LICENSE_MAIL_FAILED = "license.mail_failed"
    LICENSE_MAILED = "license.mailed"
    LICENSE_NOTED = "license.noted"
    LICENSE_REINSTATED = "license.reinstated"
    LICENSE_RENEWED = "license.renewed"
    LICENSE_RESTORED = "license.restored"
    LICENSE_REKEYED = "license.rekeyed"
    LICENSE_REVOKED = "license.revoked"
    LICENSE_SUSPENDED = "license.suspended"
    LICENSE_UPDATED = "license.updated"
    MAIL_TEMPLATE_DELETED = "mail_template.deleted"
    MAIL_TEMPLATE_UPDATED = "mail_template.updated"
    MEMBER_INVITED = "member.invited"
    MEMBER_JOINED = "member.joined"
    MEMBER_REMOVED = "member.removed"
    MEMBER_UPDATED = "member.updated"
    METER_ADJUSTED = "meter.adjusted"
    METER_DEPLETED = "meter.depleted"
    METER_GRANTED = "meter.granted"
    METER_LOW_BALANCE = "meter.low_balance"
    METER_WALLET_RESTORED = "meter.wallet_restored"
    ORDER_CANCELED = "order.canceled"
    ORDER_FAILED = "order.failed"
    ORDER_FULFILLED = "order.fulfilled"
    ORDER_REFUNDED = "order.refunded"
    ORDER_REPORT_CREATED = "order_report.created"
    ORDER_REPORT_DELETED = "order_report.deleted"
    ORDER_REPORT_STOPPED = "order_report.stopped"
    ORDER_REPORT_UPDATED = "order_report.updated"
    ORDER_UNMATCHED = "order.unmatched"
    ORDER_UPDATED = "order.updated"
    POLICY_CREATED = "policy.created"
    POLICY_DELETED = "policy.deleted"
    POLICY_UPDATED = "policy.updated"
    PRODUCT_CREATED = "product.created"
    PRODUCT_DELETED = "product.deleted"
    PRODUCT_KEY_REVOKED = "product.key_revoked"
    PRODUCT_KEY_ROTATED = "product.key_rotated"
    PRODUCT_KEYS_DISCARDED = "product.keys_discarded"
    PRODUCT_KEYS_GENERATED = "product.keys_generated"
    PRODUCT_KEYS_PREPARED = "product.keys_prepared"
    PRODUCT_KEYS_ROTATED = "product.keys_rotated"
    PRODUCT_LICENSES_IMPORTED = "product.licenses_imported"
    PRODUCT_UPDATED = "product.updated"
    RELEASE_CREATED = "release.created"
    RELEASE_DELETED = "release.deleted"
    RELEASE_PUBLISHED = "release.published"
    RELEASE_UPDATED = "release.updated"
    RELEASE_FILE_ADDED = "release_file.added"
    RELEASE_FILE_DELETED = "release_file.deleted"
    SESSION_ENDED = "session.ended"
    SESSION_LIMIT_REACHED = "session.limit_reached"
    SESSION_STARTED = "session.started"
    USER_ALL_SESSIONS_ENDED = "user.all_sessions_ended"
    USER_DISABLED = "user.disabled"
    USER_EMAIL_VERIFIED = "user.email_verified"
    USER_ENABLED = "user.enabled"
    USER_PASSKEY_ADDED = "user.passkey_added"
    USER_PASSKEY_REMOVED = "user.passkey_removed"
    USER_PASSWORD_CHANGED = "user.password_changed"  # noqa: S105 - an event kind
    USER_PASSWORD_RESET = "user.password_reset"  # noqa: S105 - an event kind
    USER_RECOVERY_CODE_USED = "user.recovery_code_used"
    USER_RECOVERY_CODES_RENEWED = "user.recovery_codes_renewed"
    USER_REGISTERED = "user.registered"
    USER_SESSION_ENDED = "user.session_ended"
    USER_TOTP_DISABLED = "user.totp_disabled"
    USER_TOTP_ENABLED = "user.totp_enabled"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_DELETED = "webhook.deleted"
    WEBHOOK_DELIVERY_REPLAYED = "webhook.delivery_replayed"
    WEBHOOK_DISABLED = "webhook.disabled"
    WEBHOOK_SECRET_ROTATED = "webhook.secret_rotated"  # noqa: S105 - an event kind
    WEBHOOK_TEST = "webhook.test"
    WEBHOOK_UPDATED = "webhook.updated"


class SubjectKind(StrEnum):
    """What an event is about: the kind of thing that its `subject_id` identifies."""

    ACCESS_ATTEMPT = "AccessAttempt"
    API_KEY = "ApiKey"
    ARCHIVE = "Archive"
    ASSOCIATION = "Association"
    CONNECTOR = "Connector"
    CUSTOMER = "Customer"
    DEVICE = "Device"
    ENROLLMENT_KEY = "EnrollmentKey"
    ENTITLEMENT_SET = "EntitlementSet"
    FEATURE = "Feature"
    INSTANCE = "Instance"
    INSTITUTION = "Institution"
    INVITATION = "Invitation"
    LEASE = "Lease"
    LICENSE = "License"
    MAIL_TEMPLATE = "MailTemplate"
    MEMBER = "Member"
    ORDER = "Order"
    ORDER_REPORT = "OrderReport"
    POLICY = "Policy"
    PRODUCT = "Product"
    RELEASE = "Release"
    RELEASE_FILE = "ReleaseFile"
    SESSION = "Session"
    USER = "User"
    WEBHOOK = "Webhook"


class NotificationKind(StrEnum):
    """The kind of a notification, which each user can turn on and off."""

    LICENSE_EXPIRING = "LicenseExpiring"
    LICENSE_EXPIRED = "LicenseExpired"
    DEVICE_ACTIVATED = "DeviceActivated"
    ACCESS_ATTEMPT = "AccessAttempt"
    LOW_BALANCE = "LowBalance"
    WEBHOOK_DISABLED = "WebhookDisabled"
    CONNECTOR_REJECTED = "ConnectorRejected"
    MAIL_FAILED = "MailFailed"
    INVITATION = "Invitation"


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
    SubjectKind.ORDER_REPORT: SubjectTraits("email", admins_only=True),
    SubjectKind.POLICY: SubjectTraits("name"),
    SubjectKind.PRODUCT: SubjectTraits("name"),
    SubjectKind.RELEASE: SubjectTraits("version"),
    SubjectKind.RELEASE_FILE: SubjectTraits("name"),
    SubjectKind.SESSION: SubjectTraits("deviceName", license_field="licenseId", admins_only=True),
    SubjectKind.USER: SubjectTraits("email", admins_only=True),
    SubjectKind.WEBHOOK: SubjectTraits(),
}

_BY_FAMILY = {
    **{item.name.lower(): item for item in SubjectKind},
    "activation": SubjectKind.DEVICE,
    "meter": SubjectKind.LICENSE,
}
_ABOUT_ANOTHER = {
    EventKind.ACTIVATION_LIMIT_REACHED: SubjectKind.LICENSE,
    EventKind.ACTIVATION_OFFLINE_ANSWERED: SubjectKind.LICENSE,
    EventKind.ACTIVATION_OFFLINE_REJECTED: SubjectKind.LICENSE,
    EventKind.ACTIVATION_OFFLINE_REQUESTED: SubjectKind.LICENSE,
    EventKind.MEMBER_INVITED: SubjectKind.INVITATION,
    EventKind.SESSION_LIMIT_REACHED: SubjectKind.LICENSE,
}


def _family_of(kind: str) -> str:
    return kind.partition(".")[0]


SUBJECTS_OF_KINDS: Mapping[EventKind, SubjectKind] = {
    kind: _ABOUT_ANOTHER.get(kind) or _BY_FAMILY[_family_of(kind)] for kind in EventKind
}
"""What events of each kind are about: what its family is named after, with a few exceptions."""

TAKEN_BACK_BY: Mapping[EventKind, str] = {
    EventKind.LICENSE_REVOKED: "revokedAt",
    EventKind.LICENSE_RENEWED: "expirationDate",
    EventKind.LICENSE_CONVERTED: "type",
    EventKind.LICENSE_MAINTENANCE_RENEWED: "updatesUntil",
}
"""The field by which events are taken back: a later event gives it the value of before."""

DELIVERED: Mapping[EventKind, str] = {
    EventKind.LICENSE_CREATED: "A license was issued.",
    EventKind.LICENSE_UPDATED: "The name, limits or other terms of a license were changed.",
    EventKind.LICENSE_RENEWED: "The term of a license was extended.",
    EventKind.LICENSE_MAINTENANCE_RENEWED: (
        "The maintenance of a license was extended, so that later releases are covered."
    ),
    EventKind.LICENSE_EXPIRING: (
        "A license expires soon. Sent on the reminder days of the institution."
    ),
    EventKind.LICENSE_EXPIRED: "A license has expired.",
    EventKind.LICENSE_REVOKED: "A license was revoked.",
    EventKind.LICENSE_SUSPENDED: "A license was suspended.",
    EventKind.LICENSE_RESTORED: "A revocation was undone within a day.",
    EventKind.LICENSE_REKEYED: "It got a new key.",
    EventKind.LICENSE_REINSTATED: "A suspended license works again.",
    EventKind.LICENSE_MAILED: "An email about the license was sent to its holder.",
    EventKind.LICENSE_MAIL_FAILED: "An email about the license could not be delivered.",
    EventKind.LICENSE_CONVERTED: "A license was converted to another model.",
    EventKind.LICENSE_DELETED: "A license was deleted with its devices.",
    EventKind.ACTIVATION_CREATED: "A device uses the license for the first time.",
    EventKind.ACTIVATION_CLONE_DETECTED: (
        "Two devices have the same hardware ID: one showed another key."
    ),
    EventKind.ACTIVATION_OFFLINE_ANSWERED: (
        "The request of a machine without a network was answered."
    ),
    EventKind.ACTIVATION_OFFLINE_REJECTED: (
        "The request of a machine without a network was rejected."
    ),
    EventKind.ACTIVATION_OFFLINE_REQUESTED: "A machine without a network is waiting for approval.",
    EventKind.ACTIVATION_DRIFTED: "A device has changed and kept its seat.",
    EventKind.ACTIVATION_REKEYED: "A device that lost its key took a new one.",
    EventKind.ACTIVATION_OVER_LIMIT: "A device lost its seat because the license has fewer now.",
    EventKind.ACTIVATION_PENDING: "A device is waiting for approval.",
    EventKind.ACTIVATION_APPROVED: "A pending device was approved.",
    EventKind.ACTIVATION_BLOCKED: "A device was blocked.",
    EventKind.ACTIVATION_UNBLOCKED: "A blocked device was unblocked.",
    EventKind.ACTIVATION_DELETED: "A device was removed and its seat freed.",
    EventKind.ACTIVATION_RECLAIMED: "An idle device gave its seat to a new one.",
    EventKind.ACTIVATION_LIMIT_REACHED: "A device was rejected because all seats are in use.",
    EventKind.ENROLLMENT_KEY_CREATED: "A deployment key was created.",
    EventKind.ENROLLMENT_KEY_DELETED: "A deployment key was deleted.",
    EventKind.SESSION_STARTED: "An application connected.",
    EventKind.SESSION_ENDED: "A session ended, with the reason.",
    EventKind.SESSION_LIMIT_REACHED: "An application was rejected because all seats are in use.",
    EventKind.LEASE_ISSUED: "A device borrowed a seat or reserved credits, or keeps them longer.",
    EventKind.LEASE_RETURNED: "A device returned a borrowed seat or reserved credits.",
    EventKind.LEASE_ENDED: "A borrowed seat or reservation ended without having been returned.",
    EventKind.LEASE_FORKED: "A borrowed seat or reservation was used by a copy of its device.",
    EventKind.METER_GRANTED: "Credits or uses were granted.",
    EventKind.METER_ADJUSTED: "A balance was adjusted.",
    EventKind.METER_LOW_BALANCE: "A balance reached its threshold.",
    EventKind.METER_DEPLETED: "A balance is used up.",
    EventKind.ACCESS_ATTEMPT_DETECTED: "Another device tried to use a node-locked license.",
    EventKind.RELEASE_PUBLISHED: "A release was published.",
    EventKind.PRODUCT_KEYS_PREPARED: "The next RSA keys of a product were prepared.",
    EventKind.PRODUCT_KEYS_ROTATED: "The RSA keys of a product were rotated.",
    EventKind.ORDER_FULFILLED: "An order was fulfilled.",
    EventKind.ORDER_UNMATCHED: "No rule of the connector matches what was sold.",
    EventKind.ORDER_REFUNDED: "A payment was fully refunded.",
    EventKind.ORDER_CANCELED: "A subscription was canceled. It ends with its paid term.",
    EventKind.ORDER_FAILED: "An order could not be fulfilled, with the reason. It will be retried.",
    EventKind.ORDER_UPDATED: "An order is waiting, for example for the address of its buyer.",
    EventKind.CUSTOMER_CREATED: "A customer was created, possibly by a sale.",
    EventKind.CUSTOMER_UPDATED: "Name, address or other details were changed.",
    EventKind.CUSTOMER_MERGED: "A duplicate customer was merged into this one.",
    EventKind.CUSTOMER_ERASED: "The personal data of a customer was erased.",
    EventKind.CUSTOMER_DELETED: "A customer was deleted.",
    EventKind.MEMBER_INVITED: "Someone was invited.",
    EventKind.MEMBER_JOINED: "Someone accepted an invitation.",
    EventKind.MEMBER_REMOVED: "A member left or was removed.",
    EventKind.ASSOCIATION_INVITED: "An institution was invited to receive licenses.",
    EventKind.ASSOCIATION_ACCEPTED: "An institution accepted the invitation.",
    EventKind.ASSOCIATION_REMOVED: "An association ended, or an invitation was withdrawn.",
}
"""The kinds that are sent to the webhooks that subscribe to them, and when. No other leaves the
service."""

NOTIFICATIONS: Mapping[EventKind, NotificationKind] = {
    EventKind.ACCESS_ATTEMPT_DETECTED: NotificationKind.ACCESS_ATTEMPT,
    EventKind.ACTIVATION_CREATED: NotificationKind.DEVICE_ACTIVATED,
    EventKind.ACTIVATION_OFFLINE_REQUESTED: NotificationKind.DEVICE_ACTIVATED,
    EventKind.ACTIVATION_PENDING: NotificationKind.DEVICE_ACTIVATED,
    EventKind.ASSOCIATION_ACCEPTED: NotificationKind.INVITATION,
    EventKind.ASSOCIATION_INVITED: NotificationKind.INVITATION,
    EventKind.ASSOCIATION_REMOVED: NotificationKind.INVITATION,
    EventKind.CONNECTOR_REJECTED: NotificationKind.CONNECTOR_REJECTED,
    EventKind.LICENSE_EXPIRED: NotificationKind.LICENSE_EXPIRED,
    EventKind.LICENSE_EXPIRING: NotificationKind.LICENSE_EXPIRING,
    EventKind.LICENSE_MAIL_FAILED: NotificationKind.MAIL_FAILED,
    EventKind.MEMBER_INVITED: NotificationKind.INVITATION,
    EventKind.MEMBER_JOINED: NotificationKind.INVITATION,
    EventKind.METER_DEPLETED: NotificationKind.LOW_BALANCE,
    EventKind.METER_LOW_BALANCE: NotificationKind.LOW_BALANCE,
    EventKind.WEBHOOK_DISABLED: NotificationKind.WEBHOOK_DISABLED,
}
"""The kinds that cause notifications of Owners and Admins, and the kind that each causes."""

_UNBOUNDED = frozenset(
    {
        EventKind.ACCESS_ATTEMPT_DETECTED,
        EventKind.ACTIVATION_CLONE_DETECTED,
        EventKind.ACTIVATION_CREATED,
        EventKind.ACTIVATION_DELETED,
        EventKind.ACTIVATION_DRIFTED,
        EventKind.ACTIVATION_LIMIT_REACHED,
        EventKind.ACTIVATION_OFFLINE_ANSWERED,
        EventKind.ACTIVATION_OFFLINE_REQUESTED,
        EventKind.ACTIVATION_PENDING,
        EventKind.ACTIVATION_RECLAIMED,
        EventKind.ACTIVATION_REKEYED,
        EventKind.LEASE_ENDED,
        EventKind.LEASE_ISSUED,
        EventKind.LEASE_RETURNED,
        EventKind.SESSION_ENDED,
        EventKind.SESSION_LIMIT_REACHED,
        EventKind.SESSION_STARTED,
    }
)
"""Applications can cause any number of these, so only a number of them per hour is permanent."""

_OF_INSTANCE = frozenset(
    {
        EventKind.INSTANCE_CLOCK_CONFIRMED,
        EventKind.INSTANCE_REPAIRED,
        EventKind.INSTANCE_MASTER_KEY_ROTATED,
        EventKind.INSTITUTION_CREATED,
        EventKind.INSTITUTION_DELETED,
    }
)
"""Kinds that are recorded for the instance as well, whoever caused them."""

PERMANENT_PER_HOUR = 100
"""How many events of a license are permanent per clock hour, before what applications cause in
that hour is only counted."""

TRANSIENT_DAYS = 7
"""For how many days an event is kept that is not permanent."""

_UNATTENDED = frozenset({"ProductKey", "System"})

ADMINS_ONLY = frozenset(
    _family_of(kind) for kind, subject in SUBJECTS_OF_KINDS.items() if SUBJECTS[subject].admins_only
)
"""Families of kinds, such as `member`, that only Owners and Admins see."""


def is_of_instance(kind: EventKind, origin: Origin) -> bool:
    """Check whether an event is recorded for the instance as well."""
    return origin.of_instance or kind in _OF_INSTANCE


def is_bounded(kind: EventKind, origin: Origin) -> bool:
    """Check whether only a number of events like this one per hour is permanent."""
    return origin.actor_kind in _UNATTENDED and kind in _UNBOUNDED


def subject_traits(kind: EventKind) -> SubjectTraits:
    """Return what holds for the subject of a kind; nothing for the kinds of a newer release."""
    subject = SUBJECTS_OF_KINDS.get(kind)
    return SubjectTraits() if subject is None else SUBJECTS[subject]


def subject_name(kind: EventKind, data: Mapping[str, object]) -> str | None:
    """Return the name of an event's subject, as its data has it."""
    field = subject_traits(kind).name_field
    name = None if field is None else data.get(field)
    return None if name is None else str(name)


def license_id(kind: EventKind, subject_id: UUID, data: Mapping[str, object]) -> UUID | None:
    """Return the license that an event concerns: its subject, or what the subject belongs to."""
    if SUBJECTS_OF_KINDS.get(kind) is SubjectKind.LICENSE:
        return subject_id
    field = subject_traits(kind).license_field
    try:
        return None if field is None else UUID(str(data.get(field)))
    except ValueError:
        return None
