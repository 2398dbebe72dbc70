"""Who else knows an address is found by an index, among customers and open invitations.

Revision ID: 0027_addresses
Revises: 0026_time_zones
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "0027_addresses"
down_revision = "0026_time_zones"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "customers_address_idx", "customers", [sa.literal_column("lower(email)")]
    )
    create_index_concurrently(
        "invitations_address_idx",
        "invitations",
        ["email"],
        postgresql_where=sa.text("accepted_at IS NULL AND revoked_at IS NULL"),
    )
    create_index_concurrently(
        "associations_address_idx",
        "associations",
        ["email"],
        postgresql_where=sa.text("accepted_at IS NULL"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
