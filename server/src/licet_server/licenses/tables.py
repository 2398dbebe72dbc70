"""Licenses, and the policies that they are issued under."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Computed,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    func,
    text,
)
from sqlalchemy.types import TypeDecorator

from licet_server.kit.database import (
    ABOUT_HOLDER,
    Amount,
    Bytes,
    Id,
    Instant,
    Process,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
    refers_to,
)
from licet_server.kit.folded_columns import folded_index
from licet_server.kit.stored_json import JsonOf
from licet_server.kit.tag_search import TagList, tag_indexes
from licet_server.kit.text import ERASED, ERASED_ADDRESS
from licet_server.kit.word_search import SearchWords, Words
from licet_server.licenses.rules.model import EXACT, AtLeast, MachineMatch


class Matching(TypeDecorator[MachineMatch]):
    """How devices are recognized, as `Exact`, or as `3/5`: at least 3 of 5."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: MachineMatch | None, dialect: Dialect) -> str | None:
        """Return what is stored."""
        return f"{value.at_least}/{value.of}" if isinstance(value, AtLeast) else value

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        """Return what reads a stored text."""
        return _matching


def _matching(value: str | None) -> MachineMatch | None:
    if value is None or value == EXACT:
        return value
    at_least, _, of = value.partition("/")
    return AtLeast(int(at_least), int(of))


MATCHING = "(Exact|[2-8]/[2-8])"
"""What a constraint of the database holds stored texts to, so that each can be read."""

WORDS = Words(
    "(((((license_name || ' ') || COALESCE(issued_to, '')) || ' ') || COALESCE(issuer, '')) || ' ')"
    " || right(normal_key, 5)",
    "search_words",
)
"""The last group of a key is what people read out of a log or over the phone."""

REMINDER_PENDING = (
    "licenses.revoked_at IS NULL AND licenses.suspended_at IS NULL"
    " AND (licenses.reminded_for IS DISTINCT FROM licenses.expiration_date"
    " OR licenses.reminded_days > 0)"
)

policies = Table(
    "policies",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("type", String, nullable=False),
    Column("duration_days", Integer),
    Column("duration_months", Integer),
    Column("term_starts", String, nullable=False, server_default="Issue"),
    Column("grace_days", Integer, nullable=False, server_default="0"),
    Column("updates_days", Integer),
    Column("fallback", String, nullable=False, server_default="None"),
    Column("fallback_after_months", Integer, nullable=False, server_default="12"),
    Column("max_active_users_count", Integer),
    Column("activation_mode", String),
    Column("device_proof", String),
    Column("machine_match", Matching),
    Column("on_clone", String),
    Column("max_borrow_days", Integer),
    Column("max_borrowed_seats", Integer),
    Column("max_offline_credits", Amount),
    Column("on_unreturned", String),
    Column("offline_activation", String),
    Column("device_binding_mode", String),
    Column("entitlement_set_id", Id),
    Column("initial_meter_balance", Amount),
    Column("renewal_grant", Amount),
    Column("license_name_pattern", String),
    Column("metadata", JsonOf(dict[str, str]), key="labels"),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    # Deletes the policies of a product before its sets, which could not be deleted otherwise.
    belongs_to("product_id", "products.id"),
    refers_to("entitlement_set_id", "entitlement_sets.id", name="policies_entitlement_set_fkey"),
    CheckConstraint("duration_days > 0", name="duration_days"),
    CheckConstraint(
        "duration_months IS NULL OR (duration_months > 0 AND duration_days IS NULL)",
        name="duration_months",
    ),
    CheckConstraint("grace_days >= 0", name="grace_days"),
    CheckConstraint(f"machine_match ~ '^{MATCHING}$'", name="machine_match"),
    CheckConstraint("updates_days > 0", name="updates_days"),
    CheckConstraint("fallback_after_months >= 0", name="fallback_after_months"),
    Index("policies_product_idx", "institution_id", "product_id", "id"),
    Index("policies_entitlement_set_idx", "institution_id", "entitlement_set_id"),
)
Index(
    "policies_name_key",
    policies.c.institution_id,
    policies.c.product_id,
    func.lower(policies.c.name),
    unique=True,
)

licenses = Table(
    "licenses",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("software_release_id", Id, nullable=False),
    Column("customer_institution_id", Id),
    Column("customer_id", Id),
    Column("policy_id", Id),
    Column("test", Boolean, nullable=False, server_default=text("false")),
    Column("type", String, nullable=False),
    Column("license_key", String, nullable=False),
    Column("normal_key", String, nullable=False),
    Column("license_name", String, nullable=False, info=personal(ERASED)),
    Column("issued_to", String, info=personal(ERASED_ADDRESS)),
    Column("issuer", String),
    Column("expiration_date", Instant),
    Column("term_days", Integer),
    Column("term_months", Integer),
    Column("term_began_at", Instant),
    Column("term_anchor_day", Integer),
    Column("grace_days", Integer, nullable=False, server_default="0"),
    Column("updates_until", Instant),
    Column("fallback", String, nullable=False, server_default="None"),
    Column("fallback_after_months", Integer, nullable=False, server_default="12"),
    Column("paid_since", Instant),
    Column("max_active_users_count", Integer),
    Column("activation_mode", String, nullable=False),
    Column("device_proof", String, nullable=False, server_default="Off"),
    Column("machine_match", Matching, nullable=False, server_default="Exact"),
    Column("on_clone", String, nullable=False, server_default="Refuse"),
    Column("max_borrow_days", Integer, nullable=False, server_default="0"),
    Column("max_borrowed_seats", Integer),
    Column("max_offline_credits", Amount),
    Column("on_unreturned", String, nullable=False, server_default="Charge"),
    Column("offline_activation", String, nullable=False, server_default="Off"),
    Column("offline_key_hash", String),
    Column("device_binding_mode", String),
    Column("entitlement_set_id", Id),
    Column("feature_values", JsonOf(dict[str, bool | int | float | str])),
    Column("initial_meter_balance", Amount),
    Column("username", String, info=personal(ERASED)),
    Column("password_hash", String),
    Column("blocked_devices", Integer, nullable=False, server_default="0"),
    Column("notes", String, info=personal()),
    Column("metadata", JsonOf(dict[str, str]), key="labels", info=personal()),
    Column("tags", TagList, info=personal()),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("suspended_at", Instant),
    Column("revoked_at", Instant),
    Column("reminded_for", Instant),
    Column("reminded_days", Integer),
    Column("grace_reminded_for", Instant),
    Column("search_words", SearchWords, Computed(WORDS.sql, persisted=True)),
    ForeignKeyConstraint(
        ["institution_id", "product_id", "test"],
        ["products.institution_id", "products.id", "products.test"],
        name="licenses_product_fkey",
    ),
    refers_to("software_release_id", "releases.id"),
    refers_to("entitlement_set_id", "entitlement_sets.id"),
    refers_to("customer_id", "customers.id"),
    refers_to("policy_id", "policies.id", name="licenses_policy_fkey"),
    CheckConstraint("max_active_users_count > 0", name="max_active_users_count"),
    CheckConstraint(f"machine_match ~ '^{MATCHING}$'", name="machine_match"),
    CheckConstraint("initial_meter_balance > 0", name="initial_meter_balance"),
    CheckConstraint("blocked_devices >= 0", name="blocked_devices"),
    CheckConstraint("grace_days >= 0", name="grace_days"),
    CheckConstraint("fallback_after_months >= 0", name="fallback_after_months"),
    CheckConstraint(
        "term_days IS NULL OR (term_days > 0 AND expiration_date IS NULL)", name="term_days"
    ),
    CheckConstraint(
        "term_months IS NULL OR "
        "(term_months > 0 AND term_days IS NULL AND expiration_date IS NULL)",
        name="term_months",
    ),
    CheckConstraint("(reminded_for IS NULL) = (reminded_days IS NULL)", name="reminded"),
    Index("licenses_normal_key_key", "institution_id", "product_id", "normal_key", unique=True),
    Index(
        "licenses_key_start_idx",
        "institution_id",
        "normal_key",
        postgresql_ops={"normal_key": "text_pattern_ops"},
    ),
    Index("licenses_search_idx", "search_words", postgresql_using="gin"),
    WORDS.folded_index("licenses_folded_idx"),
    Index(
        "licenses_offline_key_idx",
        "offline_key_hash",
        postgresql_where=text("offline_key_hash IS NOT NULL"),
    ),
    Index("licenses_name_idx", "institution_id", "license_name", "id"),
    Index("licenses_type_idx", "institution_id", "type", "id"),
    Index("licenses_type_expiration_idx", "institution_id", "type", "expiration_date"),
    Index("licenses_product_idx", "institution_id", "product_id", "id"),
    Index("licenses_release_idx", "institution_id", "software_release_id"),
    Index(
        "licenses_of_customer_idx",
        "institution_id",
        "customer_id",
        "id",
        postgresql_where=text("customer_id IS NOT NULL"),
    ),
    Index(
        "licenses_entitlement_set_idx",
        "institution_id",
        "entitlement_set_id",
        postgresql_where=text("entitlement_set_id IS NOT NULL"),
    ),
    Index(
        "licenses_policy_idx",
        "institution_id",
        "policy_id",
        "id",
        postgresql_where=text("policy_id IS NOT NULL"),
    ),
    Index(
        "licenses_feature_values_idx",
        "institution_id",
        "product_id",
        postgresql_where=text("feature_values IS NOT NULL"),
    ),
    Index(
        "licenses_revoked_idx",
        "institution_id",
        "id",
        postgresql_where=text("revoked_at IS NOT NULL"),
    ),
    Index(
        "licenses_suspended_idx",
        "institution_id",
        "id",
        postgresql_where=text("suspended_at IS NOT NULL AND revoked_at IS NULL"),
    ),
    Index(
        "licenses_customer_idx",
        "customer_institution_id",
        "id",
        postgresql_where=text("customer_institution_id IS NOT NULL"),
    ),
    Index(
        "licenses_grace_idx",
        "institution_id",
        "grace_days",
        postgresql_where=text("grace_days > 0"),
    ),
    Index(
        "licenses_fallback_idx",
        "institution_id",
        "id",
        postgresql_where=text("fallback <> 'None'"),
    ),
    Index("licenses_expiration_idx", "institution_id", "expiration_date", "id"),
    Index(
        "licenses_due_reminders_idx",
        "institution_id",
        "expiration_date",
        postgresql_include=[
            "id",
            "reminded_for",
            "reminded_days",
            "created_at",
            "term_began_at",
            "grace_days",
            "grace_reminded_for",
        ],
        postgresql_where=text(REMINDER_PENDING.replace("licenses.", "")),
    ),
    postgresql_with={"fillfactor": 50},
    info=ABOUT_HOLDER,
)
"""`reminded_for` is the end of the term that the last reminder was about, and `reminded_days` how
many days before it that reminder was due: 0 for the notice of expiry itself. `grace_reminded_for`
is the end of the term at which the grace was last told of.

`blocked_devices` stands here, so that every request that finds the license knows it without another
statement; the feature `devices` counts it, in the transaction that blocks or unblocks one.

Each index is there for something that costs more without it: a test says what, and tries.

Half of each page is kept free, so that a change of all licenses of a page at once, such as that of
their policy, stays within it (HOT) and writes to no index, unless a column of one changes.
"""
Index(
    "licenses_name_start_idx",
    licenses.c.institution_id,
    func.lower(licenses.c.license_name).label("name_start"),
    postgresql_ops={"name_start": "text_pattern_ops"},
)
folded_index("licenses_folded_name_idx", licenses.c.license_name, licenses.c.institution_id)
Index(
    "licenses_issued_to_idx",
    licenses.c.institution_id,
    func.lower(licenses.c.issued_to),
    licenses.c.id,
)
tag_indexes("licenses", licenses.c.tags)
Index(
    "licenses_receiver_idx",
    func.lower(licenses.c.issued_to),
    licenses.c.id,
    postgresql_where=licenses.c.issued_to.is_not(None),
)
"""This index and `licenses_customer_idx` cross institutions: end users, and the institutions of
customers, see their licenses, whoever issued them."""

license_former_keys = Table(
    "license_former_keys",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("normal_key", String, nullable=False),
    Column("license_key", String, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("expires_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "normal_key"),
    belongs_to("license_id", "licenses.id"),
    Index("license_former_keys_license_idx", "institution_id", "license_id"),
)
"""Keys that were replaced, and until when they still work."""

device_tokens = Table(
    "device_tokens",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("token_hash", Bytes, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("activation_id", Id, nullable=False),
    Column("created_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "token_hash"),
    belongs_to("activation_id", "activations.id"),
    Index("device_tokens_activation_idx", "institution_id", "activation_id", "created_at"),
)
"""What enrolled devices send in place of the key of their license.

The hash covers the hardware ID as well. A token ends with the activation of its device.
"""
