"""Every column that can hold a text is classified: what it says of persons, and what becomes of it.

A new column fails here until somebody has thought about it.
"""

from typing import Any

from sqlalchemy import Column, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.kit.database import metadata

BY_LEAF = {"events": {"subject_name", "data", "changes", "actor_name", "ip_address"}}
"""Erased where they name the person; the seals cover digests of their leaves."""

WITH_THE_ACCOUNT = {
    "users": {"email", "full_name"},
    "sign_ins": {"ip_address", "user_agent"},
    "passkeys": {"name", "credential_id", "public_key", "transports"},
    "sso_identities": {"subject"},
    "sso_sign_ins": {"subject"},
}
"""Deleted with the account, if it exists for the vendor's licenses alone."""

DELETED = {
    "former_addresses": {"email"},
    "idempotency_records": {"caller", "route", "key", "answer"},
    "mails": {"recipient", "subject"},
    "notifications": {"title", "body", "facts"},
    "order_reports": {"email"},
    "password_reset_requests": {"email"},
    "portal_invitations": {"email"},
    "portal_requests": {"email"},
    "saved_views": {"name", "filters"},
    "webhook_deliveries": {"response_body", "error"},
}
"""Rows about the person are deleted, or the texts in them."""

REPLACED = {"invitations": {"email"}, "associations": {"email"}}
"""Replaced in closed invitations; an open one has to be revoked first."""

REPLACED_WITHIN = {"order_licenses": {"plan"}}
"""A field of the value is replaced: to whom a license of an order is to be issued."""

HARDWARE = {
    "access_attempts": {"attempted_hardware_id", "bound_hardware_id"},
    "activations": {
        "hardware_id",
        "os",
        "app_version",
        "jkt",
        "proof_jti",
        "components_mark",
    },
    "device_components": {"name", "value", "original", "changed_at"},
    "leases": {"hardware_id", "jkt"},
    "license_requests": {"hardware_id", "app_version"},
    "offline_requests": {"hardware_id", "app_version", "jkt", "key_x", "key_y", "key_hash"},
    "session_slots": {"hardware_id", "instance_key", "jkt"},
    "sessions": {"hardware_id", "app_version", "proof_jti"},
    "telemetry_device_months": {"device"},
    "telemetry_events": {"device"},
    "seat_refusals": {"hardware_id"},
    "trial_devices": {"hardware_id"},
}
"""Kept: hashes of a machine's properties and key, without which a kept license would not run."""

OF_APPLICATIONS = {
    "leases": {"issue_key", "renewal_key"},
    "license_requests": {"route"},
    "meter_entries": {"idempotency_key", "feature_name"},
    "meter_feature_days": {"feature_name"},
    "meter_feature_names": {"folded", "name"},
    "offline_requests": {"nonce", "base", "installed_jti"},
    "telemetry_device_months": {"name"},
    "telemetry_events": {"name"},
    "telemetry_name_days": {"name"},
}
"""Names that applications give to features, requests and events, not to persons."""

OF_SHOPS = {
    "connector_buyers": {"reference", "event_time"},
    "connector_events": {"external_id", "error"},
    "order_payments": {"currency"},
    "order_references": {"reference"},
    "orders": {"external_id", "problem", "lines", "currency"},
}
"""Names that shops give to orders, payments and products: they lead to a person in the shop only.

Rows of buyers are deleted with the person."""

OF_THE_VENDOR = {
    "api_keys": {"name", "description", "scopes", "ip_allow_list"},
    "connectors": {"name", "rules", "api_url", "last_rejection"},
    "enrollment_keys": {"ip_allow_list"},
    "entitlement_set_features": {"value"},
    "entitlement_sets": {"name"},
    "features": {"name", "display_name", "description"},
    "institution_appearances": {
        "display_name",
        "color",
        "welcome",
        "welcome_translations",
        "support_email",
        "support_url",
        "renewal_url",
        "logo",
        "logo_media_type",
        "logo_version",
    },
    "institutions": {"name", "ip_allow_list", "expiry_reminder_days", "time_zone"},
    "mail_templates": {"sender_name", "reply_to", "default_locale", "translations"},
    "order_reports": {"time_of_day", "last_error"},
    "compact_keys": {"public_key"},
    "licenses": {"feature_values", "issuer", "license_key", "normal_key", "offline_key_hash"},
    "license_former_keys": {"license_key", "normal_key"},
    "next_rsa_keys": {"kid", "public_key"},
    "policies": {"name", "license_name_pattern", "metadata"},
    "product_images": {"media_type", "content", "version"},
    "products": {"name", "description", "settings"},
    "release_file_sums": {"sums"},
    "release_files": {"name", "platform", "sha256", "content_type"},
    "releases": {"version", "channel", "notes", "token"},
    "rsa_keys": {"kid", "public_key"},
    "saved_views": {"columns", "sort"},
    "sso_attempts": {"issuer", "nonce", "code_verifier"},
    "sso_connections": {"issuer", "client_id", "domains", "role_claim", "role_map"},
    "sso_domain_tokens": {"domain"},
    "sso_domains": {"domain"},
    "sso_identities": {"issuer"},
    "sso_sign_ins": {"issuer"},
    "webhooks": {"url", "event_types", "description"},
}
"""The vendor's own words, and keys."""

OF_THE_SERVICE = {
    "archives": {"sha256"},
    "audit_chains": {"seal", "mark"},
    "event_topics": {"topic"},
    "leases": {"settled_head"},
    "license_mails": {"error"},
    "order_licenses": {"granted"},
    "events": {"request_id", "seal", "salt", "erasure"},
    "master_key_canary": {"sealed"},
    "held_places": {"bucket"},
    "rate_counters": {"bucket"},
    "refresh_tokens": {"successor_salt"},
    "upgrade_check": {"version", "notes_url"},
}
"""Digests, counters, and what the service says of itself."""

CHOICES = {
    "access_attempts.entry_point",
    "activation_mode",
    "coverage",
    "fallback",
    "actor_kind",
    "access_type",
    "default_role",
    "device_binding_mode",
    "device_proof",
    "disabled_reason",
    "end_reason",
    "event_type",
    "key_level",
    "kind",
    "last_status",
    "list_kind",
    "machine_match",
    "methods",
    "mode",
    "on_clone",
    "on_dispute",
    "on_payment_failed",
    "on_refund",
    "on_unreturned",
    "offline_activation",
    "offline_requests.state",
    "order_licenses.use",
    "order_reports.period",
    "plan",
    "purpose",
    "role",
    "status",
    "subject_kind",
    "term_starts",
    "type",
}
"""Columns with one of a few values that the service chooses."""

_CLASSES = (
    BY_LEAF,
    WITH_THE_ACCOUNT,
    DELETED,
    REPLACED,
    REPLACED_WITHIN,
    HARDWARE,
    OF_SHOPS,
    OF_APPLICATIONS,
    OF_THE_VENDOR,
    OF_THE_SERVICE,
)
_TEXTUAL = (Text, JSONB, LargeBinary, TSVECTOR)


def is_classified(column: Any) -> bool:
    table = column.table.name
    return (
        bool(column.info.get("personal"))
        or bool(column.info.get("sealed"))
        or column.computed is not None
        or column.name.endswith("_hash")
        or column.name in CHOICES
        or f"{table}.{column.name}" in CHOICES
        or any(column.name in names.get(table, ()) for names in _CLASSES)
    )


def test_every_column_with_a_text_is_classified() -> None:
    unclassified = [
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if isinstance(column.type, _TEXTUAL) and not is_classified(column)
    ]
    assert unclassified == []


def test_what_is_classified_exists() -> None:
    gone = [
        f"{table}.{name}"
        for names in _CLASSES
        for table, columns in names.items()
        for name in columns
        if name not in {column.name for column in metadata.tables[table].c}
    ]
    assert gone == []


def test_a_new_column_would_be_found() -> None:
    grown = Table("customers", MetaData(), Column("nickname", Text))
    assert not is_classified(grown.c.nickname)
