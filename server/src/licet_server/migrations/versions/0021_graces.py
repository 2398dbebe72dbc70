"""The longest grace of an institution, which bounds what a list of active licenses reads.

Revision ID: 0021_graces
Revises: 0020_connectors
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "0021_graces"
down_revision = "0020_connectors"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "licenses_grace_idx",
        "licenses",
        ["institution_id", "grace_days"],
        postgresql_where=sa.text("grace_days > 0"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
