"""The tables of connectors."""

from typing import Any

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    false,
    func,
    text,
)

from licet_server.kit.database import (
    SEALED,
    Amount,
    Bytes,
    Id,
    Instant,
    Json,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
    refers_to,
)
from licet_server.kit.stored_json import JsonOf
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.kit.word_search import Words

ORDER_WORDS = Words(
    "(((((external_id || ' ') || COALESCE(email, '')) || ' ')"
    " || jsonb_path_query_array(lines, '$[*].\"product\"?(@ != null)')::text) || ' ')"
    " || jsonb_path_query_array(lines, '$[*].\"price\"?(@ != null)')::text"
)
"""The words of an order; the SQL is written as PostgreSQL shows that of the index."""

ORDER_POLICIES = "jsonb_path_query_array(lines, '$[*].\"policyId\"')"
"""The SQL of the policies that the lines of an order name, written likewise."""

connectors = Table(
    "connectors",
    metadata,
    *own_key(),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("is_enabled", Boolean, nullable=False),
    Column("rules", JsonOf(list[dict[str, Any]]), nullable=False),
    Column("on_refund", String, nullable=False),
    Column("on_dispute", String, nullable=False),
    Column("on_payment_failed", String, nullable=False),
    Column("grace_days", Integer, nullable=False),
    Column("secret", Bytes, nullable=False, info=SEALED),
    Column("previous_secret", Bytes, info=SEALED),
    Column("previous_until", Instant),
    Column("api_key", Bytes, info=SEALED),
    Column("api_url", String),
    Column("last_rejected_at", Instant),
    Column("last_rejection", String),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    CheckConstraint("grace_days >= 0", name="grace_days"),
    Index("connectors_id_idx", "id"),
)

orders = Table(
    "orders",
    metadata,
    *own_key(),
    Column("connector_id", Id, nullable=False),
    Column("external_id", String, nullable=False),
    Column("customer_id", Id),
    Column("buyer_reference", String, info=personal()),
    Column("email", String, info=personal(ERASED_ADDRESS)),
    Column("amount", Amount),
    Column("currency", String),
    Column("refunded_amount", Amount),
    Column("disputed_at", Instant),
    Column("is_test", Boolean, nullable=False, server_default=false()),
    Column("status", String, nullable=False),
    Column("problem", String),
    Column("lines", JsonOf(list[dict[str, Any]]), nullable=False),
    Column("due_at", Instant),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    belongs_to("connector_id", "connectors.id"),
    # For the list of the orders of a period, and the sums of sales.
    Index("orders_created_at_idx", "institution_id", "created_at"),
    Index("orders_connector_idx", "institution_id", "connector_id", "id"),
    Index("orders_customer_idx", "institution_id", "customer_id", "id"),
    Index("orders_buyer_idx", "institution_id", "connector_id", "buyer_reference"),
    Index("orders_due_idx", "due_at", postgresql_where=text("due_at IS NOT NULL")),
    Index(
        "orders_disputed_idx",
        "institution_id",
        "id",
        postgresql_where=text("disputed_at IS NOT NULL"),
    ),
    Index("orders_search_idx", text(ORDER_WORDS.sql), postgresql_using="gin"),
    ORDER_WORDS.folded_index("orders_folded_idx"),
    Index("orders_policies_idx", text(ORDER_POLICIES), postgresql_using="gin"),
)

Index(
    "orders_number_start_idx",
    orders.c.institution_id,
    func.lower(orders.c.external_id).label("number_start"),
    postgresql_ops={"number_start": "text_pattern_ops"},
)
Index(
    "orders_email_start_idx",
    orders.c.institution_id,
    func.lower(orders.c.email).label("email_start"),
    postgresql_ops={"email_start": "text_pattern_ops"},
    postgresql_where=orders.c.email.is_not(None),
)

order_references = Table(
    "order_references",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("connector_id", Id, nullable=False),
    Column("reference", String, nullable=False),
    Column("order_id", Id, nullable=False),
    PrimaryKeyConstraint("institution_id", "connector_id", "reference"),
    belongs_to("order_id", "orders.id"),
    Index("order_references_order_idx", "institution_id", "order_id"),
)

order_licenses = Table(
    "order_licenses",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("order_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("plan", JsonOf(dict[str, Any]), nullable=False),
    Column("use", String, nullable=False),
    Column("is_suspended", Boolean, nullable=False),
    Column("is_revoked", Boolean, nullable=False, server_default=false()),
    Column("granted", Json),
    PrimaryKeyConstraint("institution_id", "order_id", "license_id"),
    belongs_to("order_id", "orders.id"),
    Index("order_licenses_license_idx", "institution_id", "license_id"),
)

order_payments = Table(
    "order_payments",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("order_id", Id, nullable=False),
    Column("place", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("happened_at", Instant, nullable=False),
    Column("amount", Amount, nullable=False),
    Column("currency", String, nullable=False),
    PrimaryKeyConstraint("institution_id", "order_id", "place"),
    belongs_to("order_id", "orders.id"),
    CheckConstraint("kind IN ('New', 'Renewal', 'Refund')", name="kind"),
    Index("order_payments_happened_idx", "institution_id", "happened_at"),
)
"""What was paid and paid back, each at the time that the shop says; `place` is that in the order.

It is computed from the facts of the order, and replaced with them."""

order_deadlines = Table(
    "order_deadlines",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("order_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("due_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "order_id", "product_id"),
    belongs_to("order_id", "orders.id"),
    belongs_to("product_id", "products.id"),
    Index("order_deadlines_due_idx", "due_at"),
    Index("order_deadlines_product_idx", "institution_id", "product_id", "due_at"),
)
"""When an order of test mode is decided again without a new event, by the time of each product."""

order_reports = Table(
    "order_reports",
    metadata,
    *own_key(),
    Column("user_id", Id),
    Column("email", String, info=personal()),
    Column("period", String, nullable=False),
    Column("time_of_day", String, nullable=False, server_default="00:00"),
    Column("due_on", Date),
    Column("due_at", Instant),
    Column("stopped_at", Instant),
    Column("last_at", Instant),
    Column("last_mail_id", Id),
    Column("last_status", String),
    Column("last_error", String),
    ForeignKeyConstraint(
        ["institution_id", "user_id"],
        ["memberships.institution_id", "memberships.user_id"],
        ondelete="CASCADE",
    ),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    CheckConstraint("period IN ('Day', 'Week', 'Month')", name="period"),
    CheckConstraint("(user_id IS NULL) <> (email IS NULL)", name="reader"),
    UniqueConstraint("institution_id", "user_id", name="order_reports_user_id_key"),
    Index("order_reports_due_idx", "due_at"),
    Index("order_reports_mail_idx", "institution_id", "last_mail_id"),
)
"""Who receives the orders of each day, week or month by email: a member, or another address.

A report of a member ends with the membership, and its ID is that of the user.
"""
Index(
    "order_reports_email_key",
    order_reports.c.institution_id,
    func.lower(order_reports.c.email),
    unique=True,
)

connector_events = Table(
    "connector_events",
    metadata,
    *own_key(),
    Column("connector_id", Id, nullable=False),
    Column("external_id", String, nullable=False),
    Column("type", String, nullable=False),
    Column("occurred_at", Instant),
    Column("received_at", Instant, nullable=False),
    Column("status", String, nullable=False),
    Column("error", String),
    Column("order_id", Id),
    Column("fact", Json, info=personal()),
    Column("body", String, nullable=False, info=personal("")),
    UniqueConstraint(
        "institution_id", "connector_id", "external_id", name="connector_events_external_id_key"
    ),
    belongs_to("connector_id", "connectors.id"),
    refers_to("order_id", "orders.id"),
    CheckConstraint("status IN ('Pending', 'Processed', 'Ignored', 'Failed')", name="status"),
    Index("connector_events_connector_idx", "institution_id", "connector_id", "id"),
    Index("connector_events_order_idx", "institution_id", "order_id"),
    Index(
        "connector_events_pending_idx",
        "institution_id",
        "connector_id",
        "id",
        postgresql_where=text("status = 'Pending'"),
    ),
)

connector_buyers = Table(
    "connector_buyers",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("connector_id", Id, nullable=False),
    Column("reference", String, nullable=False),
    Column("email", String, info=personal()),
    Column("name", String, info=personal()),
    Column("locale", String, info=personal()),
    Column("event_time", Json, nullable=False),
    PrimaryKeyConstraint("institution_id", "connector_id", "reference"),
    belongs_to("connector_id", "connectors.id"),
)
