"""Credits that devices reserve, and spend without a network.

Revision ID: 0049_credit_leases
Revises: 0048_leases
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0049_credit_leases"
down_revision = "0048_leases"
branch_labels = None
depends_on = None

_AMOUNT = sa.Numeric(24, 6)


def upgrade() -> None:
    op.add_column("policies", sa.Column("max_offline_credits", _AMOUNT))
    op.add_column("policies", sa.Column("on_unreturned", sa.Text()))
    op.add_column("licenses", sa.Column("max_offline_credits", _AMOUNT))
    op.add_column(
        "licenses",
        sa.Column("on_unreturned", sa.Text(), server_default="Charge", nullable=False),
    )
    _extend_leases()
    op.add_column("meter_wallets", sa.Column("held", _AMOUNT, server_default="0", nullable=False))
    op.create_check_constraint(op.f("meter_wallets_held_check"), "meter_wallets", "held >= 0")
    op.add_column("meter_openings", sa.Column("held", _AMOUNT, server_default="0", nullable=False))
    _extend_ledger()


def _extend_leases() -> None:
    op.alter_column("leases", "session_id", nullable=True)
    op.drop_constraint(op.f("leases_seq_check"), "leases")
    op.alter_column("leases", "quantity", type_=_AMOUNT)
    op.add_column("leases", sa.Column("prices", JSONB()))
    op.add_column("leases", sa.Column("spent", _AMOUNT, server_default="0", nullable=False))
    op.add_column("leases", sa.Column("refunded", _AMOUNT, server_default="0", nullable=False))
    op.add_column("leases", sa.Column("settled", sa.Integer(), server_default="0", nullable=False))
    op.add_column("leases", sa.Column("settled_head", sa.Text()))
    op.add_column("leases", sa.Column("last_report_at", sa.DateTime(timezone=True)))
    op.create_check_constraint(op.f("leases_seq_check"), "leases", "seq >= 1 AND quantity > 0")
    op.create_check_constraint(
        op.f("leases_session_check"), "leases", "(kind = 'Seat') = (session_id IS NOT NULL)"
    )
    op.create_check_constraint(
        op.f("leases_spent_check"),
        "leases",
        "spent >= 0 AND refunded >= 0 AND spent + refunded <= quantity AND settled >= 0",
    )
    op.create_index(
        "leases_held_idx",
        "leases",
        ["institution_id", "license_id"],
        postgresql_where=sa.text("ended_at IS NULL"),
    )


def _extend_ledger() -> None:
    op.add_column("meter_entries", sa.Column("lease_id", sa.Uuid()))
    checks = {
        "amount": (
            "CASE type WHEN 'Consume' THEN amount <= 0 WHEN 'Adjust' THEN amount <> 0 "
            "WHEN 'LeaseHold' THEN amount < 0 WHEN 'LeaseCharge' THEN amount < 0 "
            "ELSE amount > 0 END"
        ),
        "type": (
            "type IN ('InitialGrant', 'Consume', 'AdminGrant', 'Adjust', "
            "'LeaseHold', 'LeaseSettle', 'LeaseCharge') AND "
            "(type = 'Consume') = (feature_name IS NOT NULL AND quantity IS NOT NULL)"
        ),
        "lease": (
            "CASE WHEN type LIKE 'Lease%' THEN lease_id IS NOT NULL "
            "ELSE lease_id IS NULL OR type = 'Consume' END"
        ),
    }
    # In one statement, which reads the ledger once.
    changes = [f"DROP CONSTRAINT meter_entries_{name}_check" for name in ("amount", "type")]
    changes += [
        f"ADD CONSTRAINT meter_entries_{name}_check CHECK ({condition})"
        for name, condition in checks.items()
    ]
    op.execute(f"ALTER TABLE meter_entries {', '.join(changes)}")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
