"""Enrollment keys, device tokens, and devices that applications release.

Revision ID: 0043_fleet
Revises: 0042_hot
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0043_fleet"
down_revision = "0042_hot"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("device_releases", "user_id", nullable=True)
    op.create_table(
        "seat_refusals",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "license_id", "hardware_id", name="seat_refusals_pkey"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name="seat_refusals_institution_id_license_id_fkey",
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "enrollment_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.Column("max_devices", sa.Integer()),
        sa.Column("enrolled_devices", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ip_allow_list", JSONB(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name="enrollment_keys_pkey"),
        sa.UniqueConstraint(
            "institution_id", "secret_hash", name="enrollment_keys_institution_id_secret_hash_key"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name="enrollment_keys_institution_id_license_id_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "enrolled_devices BETWEEN 0 AND max_devices",
            name=op.f("enrollment_keys_enrolled_devices_check"),
        ),
    )
    op.create_index(
        "enrollment_keys_license_idx", "enrollment_keys", ["institution_id", "license_id", "id"]
    )
    op.create_table(
        "device_tokens",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("activation_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "token_hash", name="device_tokens_pkey"),
        sa.ForeignKeyConstraint(
            ["institution_id", "activation_id"],
            ["activations.institution_id", "activations.id"],
            name="device_tokens_institution_id_activation_id_fkey",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "device_tokens_activation_idx",
        "device_tokens",
        ["institution_id", "activation_id", "created_at"],
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
