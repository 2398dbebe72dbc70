"""Offline requests: machines that never have a connection are activated and released.

Revision ID: 0051_offline_requests
Revises: 0050_key_endings
"""

import sqlalchemy as sa
from alembic import op

revision = "0051_offline_requests"
down_revision = "0050_key_endings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("policies", sa.Column("offline_activation", sa.Text()))
    op.add_column(
        "licenses",
        sa.Column("offline_activation", sa.Text(), server_default="Off", nullable=False),
    )
    op.add_column("licenses", sa.Column("offline_key_hash", sa.Text()))
    op.create_index(
        "licenses_offline_key_idx",
        "licenses",
        ["offline_key_hash"],
        postgresql_where=sa.text("offline_key_hash IS NOT NULL"),
    )
    op.create_table(
        "compact_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("private_key", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("compact_keys_pkey")),
        sa.UniqueConstraint("institution_id", "product_id", name="compact_keys_product_key"),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("compact_keys_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "offline_requests",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("jkt", sa.Text(), nullable=False),
        sa.Column("key_x", sa.Text(), nullable=False),
        sa.Column("key_y", sa.Text(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("device_name", sa.Text()),
        sa.Column("app_version", sa.Text()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text()),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("base", sa.Text()),
        sa.Column("installed_jti", sa.Text()),
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("file_jti", sa.Uuid()),
        sa.Column("file_made_at", sa.DateTime(timezone=True)),
        sa.Column("file_ends_at", sa.DateTime(timezone=True)),
        sa.Column("seat_until", sa.DateTime(timezone=True)),
        sa.Column("other_file_until", sa.DateTime(timezone=True)),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("decided_by", sa.Uuid()),
        sa.Column("reason", sa.Text()),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("offline_requests_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("offline_requests_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint(
            "institution_id", "license_id", "jkt", name="offline_requests_device_key"
        ),
        sa.CheckConstraint("seq >= 1", name=op.f("offline_requests_seq_check")),
        sa.CheckConstraint(
            "(state = 'Waiting') = (decided_at IS NULL)",
            name=op.f("offline_requests_decided_at_check"),
        ),
        sa.CheckConstraint(
            "(file_jti IS NULL) = (file_made_at IS NULL)"
            " AND (file_jti IS NULL) = (file_ends_at IS NULL)"
            " AND (state <> 'Answered' OR file_jti IS NOT NULL)",
            name=op.f("offline_requests_file_check"),
        ),
    )
    op.create_index(
        "offline_requests_license_idx", "offline_requests", ["institution_id", "license_id", "id"]
    )
    op.create_index(
        "offline_requests_asked_idx",
        "offline_requests",
        ["institution_id", "license_id", "asked_at"],
    )
    op.create_index(
        "offline_requests_waiting_idx",
        "offline_requests",
        ["institution_id", "product_id", "id"],
        postgresql_where=sa.text("state = 'Waiting'"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
