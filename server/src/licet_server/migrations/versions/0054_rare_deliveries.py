"""Failed deliveries, and those of one kind of event, of a webhook that has very many.

Revision ID: 0054_rare_deliveries
Revises: 0050_key_endings
"""

from sqlalchemy import text

from licet_server.migrations.turns import create_index_concurrently

revision = "0054_rare_deliveries"
down_revision = "0050_key_endings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "webhook_deliveries_failed_idx",
        "webhook_deliveries",
        ["institution_id", "webhook_id", "id"],
        postgresql_where=text("status = 'Failed'"),
    )
    create_index_concurrently(
        "webhook_deliveries_event_type_idx",
        "webhook_deliveries",
        ["institution_id", "webhook_id", "event_type"],
        postgresql_ops={"event_type": "text_pattern_ops"},
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
