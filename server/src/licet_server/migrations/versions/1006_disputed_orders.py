"""Say of an order since when a payment of it is disputed.

Revision ID: 1006_disputed_orders
Revises: 1005_words_of_orders
"""

import sqlalchemy as sa
from alembic import op

revision = "1006_disputed_orders"
down_revision = "1005_words_of_orders"
branch_labels = None
depends_on = None

FILL = """
WITH told AS (
    SELECT e.institution_id, e.order_id, e.fact->>'dispute' AS dispute,
        CAST(e.fact->>'occurred_at' AS timestamptz) AS at,
        coalesce(CAST(e.fact->>'rank' AS integer), 0) AS rank,
        coalesce(CAST(e.fact->>'is_open' AS boolean), false) AS is_open
    FROM connector_events e
    JOIN orders o ON o.institution_id = e.institution_id AND o.id = e.order_id
    WHERE e.fact->>'kind' = 'Dispute'
    AND (o.is_test OR NOT coalesce(CAST(e.fact->>'is_test' AS boolean), false))
), disputes AS (
    SELECT institution_id, order_id, min(at) FILTER (WHERE is_open) AS at,
        (array_agg(is_open ORDER BY at DESC, rank DESC))[1] AS is_open
    FROM told GROUP BY institution_id, order_id, dispute
), begun AS (
    SELECT institution_id, order_id, min(at) AS at
    FROM disputes WHERE is_open GROUP BY institution_id, order_id
)
UPDATE orders SET disputed_at = begun.at FROM begun
WHERE orders.institution_id = begun.institution_id AND orders.id = begun.order_id
"""


def upgrade() -> None:
    op.add_column("orders", sa.Column("disputed_at", sa.DateTime(timezone=True)))
    op.create_index(
        "orders_disputed_idx",
        "orders",
        ["institution_id", "id"],
        postgresql_where=sa.text("disputed_at IS NOT NULL"),
    )
    op.execute(FILL)


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
