"""The kinds of events, of the subjects that they are about, and of notifications.

`catalog` says what follows from each kind of event. `EventKind` accepts unknown kinds, since a
newer release may have recorded events in the same database.
"""

from enum import StrEnum
from typing import Self


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

    ACCESS_ATTEMPT_DETECTED = "access_attempt.detected"
    ACTIVATION_APPROVED = "activation.approved"
    ACTIVATION_BLOCKED = "activation.blocked"
    ACTIVATION_CREATED = "activation.created"
    ACTIVATION_DELETED = "activation.deleted"
    ACTIVATION_LIMIT_REACHED = "activation.limit_reached"
    ACTIVATION_PENDING = "activation.pending"
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
    CUSTOMER_CREATED = "customer.created"
    CUSTOMER_DELETED = "customer.deleted"
    CUSTOMER_ERASED = "customer.erased"
    CUSTOMER_MERGED = "customer.merged"
    CUSTOMER_PORTAL_LINK_SENT = "customer.portal_link_sent"
    CUSTOMER_UPDATED = "customer.updated"
    ENTITLEMENT_SET_CREATED = "entitlement_set.created"
    ENTITLEMENT_SET_DELETED = "entitlement_set.deleted"
    ENTITLEMENT_SET_UPDATED = "entitlement_set.updated"
    FEATURE_CREATED = "feature.created"
    FEATURE_DELETED = "feature.deleted"
    FEATURE_PRICED = "feature.priced"
    FEATURE_UPDATED = "feature.updated"
    INSTANCE_MASTER_KEY_ROTATED = "instance.master_key_rotated"
    INSTITUTION_CREATED = "institution.created"
    INSTITUTION_DELETED = "institution.deleted"
    INSTITUTION_PLAN_CHANGED = "institution.plan_changed"
    INSTITUTION_SETTINGS_CHANGED = "institution.settings_changed"
    INSTITUTION_SSO_CHANGED = "institution.sso_changed"
    INSTITUTION_SSO_DOMAIN_CONFIRMED = "institution.sso_domain_confirmed"
    INSTITUTION_SSO_REMOVED = "institution.sso_removed"
    INSTITUTION_UPDATED = "institution.updated"
    INVITATION_RESENT = "invitation.resent"
    INVITATION_REVOKED = "invitation.revoked"
    LICENSE_CONVERTED = "license.converted"
    LICENSE_CREATED = "license.created"
    LICENSE_DELETED = "license.deleted"
    LICENSE_EVENTS_OMITTED = "license.events_omitted"
    LICENSE_EXPIRED = "license.expired"
    LICENSE_EXPIRING = "license.expiring"
    LICENSE_MAIL_FAILED = "license.mail_failed"
    LICENSE_MAILED = "license.mailed"
    LICENSE_REINSTATED = "license.reinstated"
    LICENSE_RENEWED = "license.renewed"
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
    POLICY_CREATED = "policy.created"
    POLICY_DELETED = "policy.deleted"
    POLICY_UPDATED = "policy.updated"
    PRODUCT_CREATED = "product.created"
    PRODUCT_DELETED = "product.deleted"
    PRODUCT_KEY_REVOKED = "product.key_revoked"
    PRODUCT_KEY_ROTATED = "product.key_rotated"
    PRODUCT_KEYS_GENERATED = "product.keys_generated"
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
    CUSTOMER = "Customer"
    DEVICE = "Device"
    ENTITLEMENT_SET = "EntitlementSet"
    FEATURE = "Feature"
    INSTANCE = "Instance"
    INSTITUTION = "Institution"
    INVITATION = "Invitation"
    LICENSE = "License"
    MAIL_TEMPLATE = "MailTemplate"
    MEMBER = "Member"
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
    MAIL_FAILED = "MailFailed"
    INVITATION = "Invitation"
