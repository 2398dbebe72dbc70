"""names and licenses of events, and the outbox in its own words

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_LICENSE_ID = """
    CASE WHEN split_part(kind, '.', 1) IN ('license', 'meter') OR kind IN
        ('activation.limit_reached', 'session.limit_reached') THEN subject_id
    ELSE CAST(data ->> 'licenseId' AS uuid) END
"""
_SUBJECT_NAME = """
    coalesce(data ->> 'licenseName', data ->> 'deviceName', data ->> 'name', data ->> 'version',
        data ->> 'email')
"""


def upgrade() -> None:
    op.alter_column("event_topics", "told_at", new_column_name="recorded_at")
    op.drop_index("events_untold_idx", table_name="events")
    op.drop_index("events_license_idx", table_name="events")
    op.alter_column("events", "is_told", new_column_name="dispatched")
    op.add_column("events", sa.Column("subject_name", sa.Text(), nullable=True))
    op.add_column("events", sa.Column("license_id", sa.Uuid(), nullable=True))
    op.execute(
        f"UPDATE events SET license_id = {_LICENSE_ID}, subject_name = {_SUBJECT_NAME}"  # noqa: S608
    )
    op.create_index(
        "events_license_idx",
        "events",
        ["institution_id", "license_id", "id"],
        unique=False,
        postgresql_where=sa.text("license_id IS NOT NULL"),
    )
    op.create_index(
        "events_undispatched_idx",
        "events",
        ["id"],
        unique=False,
        postgresql_where=sa.text("NOT dispatched"),
    )


def downgrade() -> None:
    op.drop_index("events_undispatched_idx", table_name="events")
    op.drop_index("events_license_idx", table_name="events")
    op.drop_column("events", "license_id")
    op.drop_column("events", "subject_name")
    op.alter_column("events", "dispatched", new_column_name="is_told")
    op.create_index(
        "events_license_idx",
        "events",
        ["institution_id", sa.text("(coalesce(data ->> 'licenseId', subject_id::text))"), "id"],
        unique=False,
    )
    op.create_index(
        "events_untold_idx",
        "events",
        ["id"],
        unique=False,
        postgresql_where=sa.text("NOT is_told"),
    )
    op.alter_column("event_topics", "recorded_at", new_column_name="told_at")
