"""Connectors, the events that they receive, orders, and the licenses of these.

Revision ID: 0020_connectors
Revises: 0019_find
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0020_connectors"
down_revision = "0019_find"
branch_labels = None
depends_on = None

_JSON = postgresql.JSONB()
_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_connectors()
    _create_orders()
    _create_parts_of_orders()
    _create_events()


def _create_connectors() -> None:
    op.create_table(
        "connectors",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("rules", _JSON, nullable=False),
        sa.Column("on_refund", sa.Text(), nullable=False),
        sa.Column("on_dispute", sa.Text(), nullable=False),
        sa.Column("on_payment_failed", sa.Text(), nullable=False),
        sa.Column("grace_days", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("previous_secret", sa.LargeBinary(), nullable=True),
        sa.Column("previous_until", _INSTANT, nullable=True),
        sa.Column("api_key", sa.LargeBinary(), nullable=True),
        sa.Column("api_url", sa.Text(), nullable=True),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("updated_at", _INSTANT, nullable=False),
        sa.CheckConstraint("grace_days >= 0", name=op.f("connectors_grace_days_check")),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("connectors_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("connectors_institution_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_index("connectors_id_idx", "connectors", ["id"])
    op.create_table(
        "connector_buyers",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("connector_id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("locale", sa.Text(), nullable=True),
        sa.Column("event_time", _JSON, nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "connector_id", "reference", name=op.f("connector_buyers_pkey")
        ),
        _of_connector("connector_buyers"),
    )


def _of_connector(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["institution_id", "connector_id"],
        ["connectors.institution_id", "connectors.id"],
        name=op.f(f"{table}_institution_id_connector_id_fkey"),
        ondelete="CASCADE",
    )


def _of_order(table: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["institution_id", "order_id"],
        ["orders.institution_id", "orders.id"],
        name=op.f(f"{table}_institution_id_order_id_fkey"),
        ondelete=ondelete,
    )


def _create_orders() -> None:
    op.create_table(
        "orders",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("connector_id", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("customer_id", sa.Uuid(), nullable=True),
        sa.Column("buyer_reference", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("lines", _JSON, nullable=False),
        sa.Column("due_at", _INSTANT, nullable=True),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("updated_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("orders_pkey")),
        _of_connector("orders"),
    )
    op.create_index("orders_connector_idx", "orders", ["institution_id", "connector_id", "id"])
    op.create_index("orders_customer_idx", "orders", ["institution_id", "customer_id", "id"])
    op.create_index(
        "orders_buyer_idx", "orders", ["institution_id", "connector_id", "buyer_reference"]
    )
    op.create_index(
        "orders_due_idx", "orders", ["due_at"], postgresql_where=sa.text("due_at IS NOT NULL")
    )


def _create_parts_of_orders() -> None:
    op.create_table(
        "order_references",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("connector_id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "connector_id", "reference", name=op.f("order_references_pkey")
        ),
        _of_order("order_references", ondelete="CASCADE"),
    )
    op.create_index(
        "order_references_order_idx", "order_references", ["institution_id", "order_id"]
    )
    op.create_table(
        "order_licenses",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("plan", _JSON, nullable=False),
        sa.Column("use", sa.Text(), nullable=False),
        sa.Column("is_suspended", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "order_id", "license_id", name=op.f("order_licenses_pkey")
        ),
        _of_order("order_licenses", ondelete="CASCADE"),
    )
    op.create_index(
        "order_licenses_license_idx", "order_licenses", ["institution_id", "license_id"]
    )


def _create_events() -> None:
    op.create_table(
        "connector_events",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("connector_id", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("occurred_at", _INSTANT, nullable=True),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("fact", _JSON, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "status IN ('Pending', 'Processed', 'Ignored', 'Failed')",
            name=op.f("connector_events_status_check"),
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("connector_events_pkey")),
        sa.UniqueConstraint(
            "institution_id", "connector_id", "external_id", name="connector_events_external_id_key"
        ),
        _of_connector("connector_events"),
        _of_order("connector_events"),
    )
    op.create_index(
        "connector_events_connector_idx",
        "connector_events",
        ["institution_id", "connector_id", "id"],
    )
    op.create_index(
        "connector_events_order_idx", "connector_events", ["institution_id", "order_id"]
    )
    op.create_index(
        "connector_events_pending_idx",
        "connector_events",
        ["institution_id", "connector_id", "id"],
        postgresql_where=sa.text("status = 'Pending'"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
