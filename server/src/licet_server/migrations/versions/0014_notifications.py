"""reminders of ends of terms, notifications

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("notifications_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("notifications_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("notifications_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "user_id",
            "event_id",
            name=op.f("notifications_institution_id_user_id_event_id_key"),
        ),
    )
    op.create_index("notifications_created_at_idx", "notifications", ["created_at"])
    op.create_index("notifications_user_idx", "notifications", ["user_id", "id"])
    op.create_index(
        "notifications_unread_idx",
        "notifications",
        ["user_id", "id"],
        postgresql_where=sa.text("read_at IS NULL"),
    )
    op.create_table(
        "notification_preferences",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("in_app", sa.Boolean(), nullable=True),
        sa.Column("email", sa.Boolean(), nullable=True),
        sa.CheckConstraint(
            "in_app IS NOT NULL OR email IS NOT NULL",
            name=op.f("notification_preferences_chosen_check"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("notification_preferences_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", name=op.f("notification_preferences_pkey")),
    )
    op.add_column(
        "institutions",
        sa.Column(
            "expiry_reminder_days",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default=sa.text("'[30, 7, 1]'"),
            nullable=False,
        ),
    )
    op.add_column("licenses", sa.Column("reminded_for", sa.DateTime(timezone=True)))
    op.add_column("licenses", sa.Column("reminded_days", sa.Integer()))
    op.create_check_constraint(
        op.f("licenses_reminded_check"),
        "licenses",
        "(reminded_for IS NULL) = (reminded_days IS NULL)",
    )
    # Terms that ended before there were reminders are old news.
    op.execute(
        "UPDATE licenses SET reminded_for = expiration_date, reminded_days = 0 "
        "WHERE expiration_date <= now()"
    )
    op.create_index(
        "licenses_reminder_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        postgresql_include=["id", "reminded_for", "reminded_days"],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL"
            " AND (reminded_for IS DISTINCT FROM expiration_date OR reminded_days > 0)"
        ),
    )


def downgrade() -> None:
    op.drop_index("licenses_reminder_idx", table_name="licenses")
    op.drop_column("licenses", "reminded_days")
    op.drop_column("licenses", "reminded_for")
    op.drop_column("institutions", "expiry_reminder_days")
    op.drop_table("notification_preferences")
    op.drop_table("notifications")
