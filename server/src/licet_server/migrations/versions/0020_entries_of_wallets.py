"""entries of wallets

Revision ID: 0020
Revises: 0019
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Where most wallets and institutions have one entry, the planner takes a wallet for one row
    # and may read all of a busy one to find a key. Told that a wallet has a hundred, and that it
    # knows its institution, it goes by the index of keys, whenever the table was counted last.
    op.execute(
        "ALTER TABLE meter_entries ALTER COLUMN institution_id SET (n_distinct = -0.001), "
        "ALTER COLUMN license_id SET (n_distinct = -0.01)"
    )
    op.execute(
        "CREATE STATISTICS meter_entries_wallet (dependencies) "
        "ON institution_id, license_id FROM meter_entries"
    )


def downgrade() -> None:
    op.execute("DROP STATISTICS meter_entries_wallet")
    op.execute(
        "ALTER TABLE meter_entries ALTER COLUMN institution_id RESET (n_distinct), "
        "ALTER COLUMN license_id RESET (n_distinct)"
    )
