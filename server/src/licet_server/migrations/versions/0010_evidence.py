"""Events and chains outlive their institution; heads are anchored, excess events not permanent.

Revision ID: 0010_evidence
Revises: 0009_companies
"""

import sqlalchemy as sa
from alembic import op

revision = "0010_evidence"
down_revision = "0009_companies"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint("events_institution_id_fkey", "events", type_="foreignkey")
    op.drop_constraint("audit_chains_institution_id_fkey", "audit_chains", type_="foreignkey")
    op.add_column(
        "audit_chains",
        sa.Column("anchored", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column(
        "events",
        sa.Column("permanent", sa.Boolean(), server_default=sa.text("true"), nullable=False),
    )
    op.create_check_constraint(
        op.f("events_permanent_check"), "events", "permanent OR seal_number IS NULL"
    )
    op.drop_index("events_unsealed_idx", "events")
    op.create_index(
        "events_unsealed_idx",
        "events",
        ["institution_id", "id"],
        postgresql_where=sa.text("seal_number IS NULL AND permanent"),
    )
    op.create_index(
        "events_transient_idx",
        "events",
        ["institution_id", "license_id", "occurred_at"],
        postgresql_where=sa.text("NOT permanent"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
