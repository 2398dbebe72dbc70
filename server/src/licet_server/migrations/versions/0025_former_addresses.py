"""Addresses that customers had before are remembered.

Revision ID: 0025_former_addresses
Revises: 0024_places
"""

import sqlalchemy as sa
from alembic import op

revision = "0025_former_addresses"
down_revision = "0024_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_addresses",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "email", name=op.f("former_addresses_pkey")),
    )
    # As far as events tell: what is in archives is not read.
    op.execute(
        """
        INSERT INTO former_addresses (institution_id, email)
        SELECT DISTINCT e.institution_id, lower(told.email)
        FROM events e
        JOIN institutions i ON i.id = e.institution_id
        CROSS JOIN LATERAL (VALUES
            (CASE WHEN e.kind = 'customer.deleted' THEN e.data ->> 'email' END),
            (CASE WHEN e.kind = 'customer.merged' THEN e.data #>> '{merged,email}' END),
            (CASE WHEN e.kind = 'customer.updated' THEN e.changes #>> '{email,0}' END),
            (CASE WHEN e.kind = 'license.deleted' THEN e.data ->> 'issuedTo' END)
        ) told (email)
        WHERE e.kind IN (
            'customer.deleted', 'customer.merged', 'customer.updated', 'license.deleted'
        )
        AND told.email LIKE '%@%' AND told.email <> 'erased@example.invalid'
        """
    )
    op.create_index("former_addresses_email_idx", "former_addresses", ["email"])
    # Last, since it locks the institutions.
    op.create_foreign_key(
        op.f("former_addresses_institution_id_fkey"),
        "former_addresses",
        "institutions",
        ["institution_id"],
        ["id"],
        ondelete="CASCADE",
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
