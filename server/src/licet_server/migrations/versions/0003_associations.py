"""Associations by acceptance; what was associated before counts as accepted.

Revision ID: 0003_associations
Revises: 0002_offline_seats
"""

import sqlalchemy as sa
from alembic import op

revision = "0003_associations"
down_revision = "0002_offline_seats"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "associations",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("invited_institution_id", sa.Uuid(), nullable=True),
        sa.Column("customer_institution_id", sa.Uuid(), nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=True),
        sa.Column("link_token", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(accepted_at IS NULL) = (customer_institution_id IS NULL)",
            name=op.f("associations_accepted_at_check"),
        ),
        sa.CheckConstraint(
            "(email IS NULL) <> (invited_institution_id IS NULL)",
            name=op.f("associations_invited_check"),
        ),
        sa.CheckConstraint(
            "accepted_at IS NULL OR (token_hash IS NULL AND link_token IS NULL)",
            name=op.f("associations_token_check"),
        ),
        sa.ForeignKeyConstraint(
            ["customer_institution_id"],
            ["institutions.id"],
            name=op.f("associations_customer_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("associations_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("associations_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "product_id",
            "customer_institution_id",
            name="associations_customer_key",
        ),
        sa.UniqueConstraint(
            "institution_id", "token_hash", name=op.f("associations_institution_id_token_hash_key")
        ),
    )
    is_open = sa.text("accepted_at IS NULL")
    op.create_index("associations_customer_idx", "associations", ["customer_institution_id"])
    op.create_index(
        "associations_invited_idx",
        "associations",
        ["invited_institution_id"],
        postgresql_where=is_open,
    )
    op.create_index(
        "associations_open_email_key",
        "associations",
        ["institution_id", "product_id", "email"],
        unique=True,
        postgresql_where=is_open,
    )
    op.create_index(
        "associations_open_institution_key",
        "associations",
        ["institution_id", "product_id", "invited_institution_id"],
        unique=True,
        postgresql_where=is_open,
    )
    op.create_index(
        "licenses_customer_idx",
        "licenses",
        ["customer_institution_id", "id"],
        postgresql_where=sa.text("customer_institution_id IS NOT NULL"),
    )
    op.execute(
        "INSERT INTO associations (institution_id, id, product_id, invited_institution_id, "
        "customer_institution_id, created_at, expires_at, accepted_at) "
        "SELECT institution_id, gen_random_uuid(), product_id, associated_institution_id, "
        "associated_institution_id, now(), now(), now() FROM product_associations"
    )
    op.drop_table("product_associations")
