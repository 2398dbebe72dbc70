"""Idempotency records are purged in the background, by their time.

Revision ID: 0012_idempotency_times
Revises: 0010_evidence
"""

from alembic import op

revision = "0012_idempotency_times"
down_revision = "0010_evidence"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("idempotency_records_created_at_idx", "idempotency_records", ["created_at"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
