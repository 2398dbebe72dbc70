"""Telemetry of a product and day is limited in bytes, and what is dropped is counted.

Revision ID: 0006_telemetry_bytes
Revises: 0005_upgrade_check
"""

import sqlalchemy as sa
from alembic import op

revision = "0006_telemetry_bytes"
down_revision = "0005_upgrade_check"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("bytes", "dropped"):
        column = sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
        op.add_column("telemetry_tallies", column)
