"""Leases: seats that devices borrow.

Revision ID: 0048_leases
Revises: 0047_orders_by_clock
"""

import sqlalchemy as sa
from alembic import op

revision = "0048_leases"
down_revision = "0047_orders_by_clock"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("policies", sa.Column("max_borrow_days", sa.Integer()))
    op.add_column("policies", sa.Column("max_borrowed_seats", sa.Integer()))
    op.add_column(
        "licenses", sa.Column("max_borrow_days", sa.Integer(), server_default="0", nullable=False)
    )
    op.add_column("licenses", sa.Column("max_borrowed_seats", sa.Integer()))
    op.add_column("session_slots", sa.Column("lease_id", sa.Uuid()))
    op.create_table(
        "leases",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("jkt", sa.Text(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("device_name", sa.Text()),
        sa.Column("license_key_hash", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("signed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("issue_key", sa.Text(), nullable=False),
        sa.Column("issue_days", sa.Integer(), nullable=False),
        sa.Column("renewal_key", sa.Text()),
        sa.Column("renewal_days", sa.Integer()),
        sa.Column("recalled_at", sa.DateTime(timezone=True)),
        sa.Column("forked_at", sa.DateTime(timezone=True)),
        sa.Column("acknowledged_at", sa.DateTime(timezone=True)),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("end_reason", sa.Text()),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("leases_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("leases_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint(
            "institution_id", "license_id", "jkt", "issue_key", name="leases_issue_key"
        ),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (end_reason IS NULL)", name=op.f("leases_end_reason_check")
        ),
        sa.CheckConstraint("seq >= 1 AND quantity >= 1", name=op.f("leases_seq_check")),
    )
    op.create_index(
        "leases_open_key",
        "leases",
        ["institution_id", "license_id", "jkt", "kind"],
        unique=True,
        postgresql_where=sa.text("ended_at IS NULL AND forked_at IS NULL"),
    )
    op.create_index("leases_license_idx", "leases", ["institution_id", "license_id", "id"])
    op.create_index(
        "leases_ends_at_idx",
        "leases",
        ["ends_at"],
        postgresql_where=sa.text("ended_at IS NULL"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
