"""Orders have the address, the amounts and the mode of the sale; connectors note rejections.

Revision ID: 0031_amounts
Revises: 0030_next_keys
"""

import sqlalchemy as sa
from alembic import op

revision = "0031_amounts"
down_revision = "0030_next_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", sa.Column("email", sa.Text()))
    op.add_column("orders", sa.Column("amount", sa.Numeric(24, 6)))
    op.add_column("orders", sa.Column("currency", sa.Text()))
    op.add_column("orders", sa.Column("refunded_amount", sa.Numeric(24, 6)))
    op.add_column(
        "orders", sa.Column("is_test", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("connectors", sa.Column("last_rejected_at", sa.DateTime(timezone=True)))
    op.add_column("connectors", sa.Column("last_rejection", sa.Text()))
    # As the buyer was named when the order was last processed; amounts come with the next event.
    op.execute(
        """
        UPDATE orders o SET email = (
            SELECT l.plan ->> 'issued_to' FROM order_licenses l
            WHERE l.institution_id = o.institution_id AND l.order_id = o.id
            ORDER BY l.license_id DESC LIMIT 1
        )
        """
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
