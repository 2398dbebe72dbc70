"""When and how users proved themselves in a session, its end after 90 days, disabled accounts.

Revision ID: 0007_sessions
Revises: 0006_telemetry_bytes
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007_sessions"
down_revision = "0006_telemetry_bytes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("refresh_tokens", sa.Column("successor_salt", sa.LargeBinary(), nullable=True))
    op.add_column(
        "sign_ins",
        sa.Column(
            "methods",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default=sa.text("'[]'"),
            nullable=False,
        ),
    )
    op.add_column(
        "sign_ins", sa.Column("authenticated_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.execute(
        "UPDATE sign_ins SET authenticated_at = created_at, "
        "expires_at = LEAST(expires_at, created_at + INTERVAL '90 days')"
    )
    op.alter_column("sign_ins", "authenticated_at", nullable=False)


def downgrade() -> None:
    raise RuntimeError("Restore a backup of the earlier release instead.")
