"""Keep what was paid by its own date, so that a renewal counts in the month that it was paid in.

What is stored is dated by the facts of events. Where these do not add up to what the order says,
its sum is dated at its creation, and what was paid back at the last refund.

Revision ID: 1004_dated_payments
Revises: 1003_facts_of_notifications
"""

import sqlalchemy as sa
from alembic import op

revision = "1004_dated_payments"
down_revision = "1003_facts_of_notifications"
branch_labels = None
depends_on = None

FILL = """
WITH told AS (
    SELECT e.institution_id, e.order_id, e.id, e.fact->>'kind' AS kind,
        CAST(e.fact->>'occurred_at' AS timestamptz) AS at,
        coalesce(e.fact->>'charge', e.fact->>'payment', e.fact->>'event_id') AS charge,
        CAST(e.fact->'money'->>'amount' AS numeric) AS amount,
        e.fact->'money'->>'currency' AS currency,
        coalesce(CAST(e.fact->>'is_undone' AS boolean), false) AS is_undone,
        coalesce(e.fact->>'charge' LIKE 'supplement:%', false)
            OR (e.fact->'lines' IS NOT NULL AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(e.fact->'lines') line
                WHERE NOT coalesce(CAST(line->>'is_supplement' AS boolean), false)
            )) AS is_more
    FROM connector_events e
    JOIN orders o ON o.institution_id = e.institution_id AND o.id = e.order_id
    WHERE e.fact->>'kind' IN ('Payment', 'Refund')
    AND (o.is_test OR NOT coalesce(CAST(e.fact->>'is_test' AS boolean), false))
), charged AS (
    SELECT institution_id, order_id, charge, min(at) AS at, bool_or(is_more) AS is_more,
        (array_agg(amount ORDER BY at DESC, id DESC) FILTER (WHERE amount IS NOT NULL))[1]
            AS amount,
        (array_agg(currency ORDER BY at DESC, id DESC) FILTER (WHERE amount IS NOT NULL))[1]
            AS currency
    FROM told WHERE kind = 'Payment'
    GROUP BY institution_id, order_id, charge
), moved AS (
    SELECT institution_id, order_id, at, amount, currency, false AS is_back,
        NOT is_more AND coalesce(bool_or(amount > 0) OVER (
            PARTITION BY institution_id, order_id ORDER BY at, charge
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), false) AS is_renewal
    FROM charged WHERE amount IS NOT NULL
    UNION ALL
    SELECT institution_id, order_id, at, amount - lag(amount, 1, 0.0) OVER (
        PARTITION BY institution_id, order_id, charge, currency ORDER BY at, amount
    ), currency, true, false
    FROM told WHERE kind = 'Refund' AND amount IS NOT NULL AND NOT is_undone
), undone AS (
    SELECT DISTINCT institution_id, order_id FROM told WHERE is_undone
), added_up AS (
    SELECT institution_id, order_id, is_back, sum(amount) AS amount, min(currency) AS currency,
        max(at) AS last_at, count(DISTINCT currency) AS currencies
    FROM moved GROUP BY institution_id, order_id, is_back
), said AS (
    SELECT institution_id, id AS order_id, false AS is_back, amount, currency, created_at
    FROM orders WHERE amount IS NOT NULL AND currency IS NOT NULL
    UNION ALL
    SELECT institution_id, id, true, refunded_amount, currency, created_at
    FROM orders WHERE refunded_amount > 0 AND currency IS NOT NULL
), undated AS (
    SELECT s.institution_id, s.order_id, s.is_back, s.amount, s.currency,
        CASE WHEN s.is_back THEN coalesce(a.last_at, s.created_at) ELSE s.created_at END AS at
    FROM said s
    LEFT JOIN added_up a ON a.institution_id = s.institution_id AND a.order_id = s.order_id
        AND a.is_back = s.is_back
    LEFT JOIN undone u ON u.institution_id = s.institution_id AND u.order_id = s.order_id
    WHERE a.amount IS NULL OR round(a.amount, 6) <> s.amount OR a.currency <> s.currency
        OR a.currencies > 1 OR (s.is_back AND u.order_id IS NOT NULL)
), found AS (
    SELECT m.institution_id, m.order_id, m.is_back, m.is_renewal, m.at, m.amount, m.currency
    FROM moved m
    LEFT JOIN undated u ON u.institution_id = m.institution_id AND u.order_id = m.order_id
        AND u.is_back = m.is_back
    WHERE u.order_id IS NULL AND (m.amount <> 0 OR NOT m.is_back)
    UNION ALL
    SELECT institution_id, order_id, is_back, false, at, amount, currency FROM undated
)
INSERT INTO order_payments
    (institution_id, order_id, place, kind, happened_at, amount, currency)
SELECT institution_id, order_id,
    row_number() OVER (PARTITION BY institution_id, order_id ORDER BY at, is_back, is_renewal) - 1,
    CASE WHEN is_back THEN 'Refund' WHEN is_renewal THEN 'Renewal' ELSE 'New' END,
    at, amount, currency
FROM found
"""


def upgrade() -> None:
    op.create_table(
        "order_payments",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.Numeric(24, 6), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "order_id", "place", name="order_payments_pkey"),
        sa.ForeignKeyConstraint(
            ["institution_id", "order_id"],
            ["orders.institution_id", "orders.id"],
            name="order_payments_institution_id_order_id_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "kind IN ('New', 'Renewal', 'Refund')", name=op.f("order_payments_kind_check")
        ),
    )
    op.create_index(
        "order_payments_happened_idx", "order_payments", ["institution_id", "happened_at"]
    )
    op.execute(FILL)


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
