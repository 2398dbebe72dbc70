"""Search from anywhere, saved views, peaks of sessions, and the appearance of institutions.

Revision ID: 0019_find
Revises: 0018_erasures
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from licet_server.migrations.turns import create_index_concurrently

revision = "0019_find"
down_revision = "0018_erasures"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_indexes_of_beginnings()
    _create_saved_views()
    _create_session_peaks()
    _create_appearances()


def _create_indexes_of_beginnings() -> None:
    create_index_concurrently(
        "licenses_name_start_idx",
        "licenses",
        ["institution_id", sa.literal_column("lower(license_name) text_pattern_ops")],
    )
    create_index_concurrently(
        "activations_hardware_start_idx",
        "activations",
        ["institution_id", sa.literal_column("lower(hardware_id) text_pattern_ops")],
    )
    create_index_concurrently(
        "activations_name_start_idx",
        "activations",
        ["institution_id", sa.literal_column("lower(device_name) text_pattern_ops")],
        postgresql_where=sa.text("device_name IS NOT NULL"),
    )
    create_index_concurrently(
        "releases_version_start_idx",
        "releases",
        ["institution_id", sa.literal_column("lower(version) text_pattern_ops")],
    )


def _create_saved_views() -> None:
    op.create_table(
        "saved_views",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("list_kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filters", postgresql.JSONB(), nullable=False),
        sa.Column("columns", postgresql.JSONB(), nullable=True),
        sa.Column("sort", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("saved_views_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("saved_views_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("saved_views_user_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "saved_views_name_key",
        "saved_views",
        ["institution_id", "user_id", "list_kind", sa.literal_column("lower(name)")],
        unique=True,
        postgresql_nulls_not_distinct=True,
    )
    op.create_index(op.f("saved_views_user_id_idx"), "saved_views", ["user_id"])


def _create_session_peaks() -> None:
    op.create_table(
        "session_peaks",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("peak", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "license_id", "day", name=op.f("session_peaks_pkey")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("session_peaks_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("peak > 0", name=op.f("session_peaks_peak_check")),
    )
    op.create_index("session_peaks_institution_idx", "session_peaks", ["institution_id", "day"])
    op.create_index("session_peaks_day_idx", "session_peaks", ["day"])


def _create_appearances() -> None:
    op.create_table(
        "institution_appearances",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("color", sa.Text(), nullable=True),
        sa.Column("welcome", sa.Text(), nullable=True),
        sa.Column("support_email", sa.Text(), nullable=True),
        sa.Column("support_url", sa.Text(), nullable=True),
        sa.Column("logo", sa.LargeBinary(), nullable=True),
        sa.Column("logo_media_type", sa.Text(), nullable=True),
        sa.Column("logo_version", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("institution_id", name=op.f("institution_appearances_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("institution_appearances_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "(logo IS NULL) = (logo_media_type IS NULL) AND (logo IS NULL) = "
            "(logo_version IS NULL)",
            name=op.f("institution_appearances_logo_check"),
        ),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
