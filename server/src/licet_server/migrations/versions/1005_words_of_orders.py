"""Find orders by the words of what their rows show.

Revision ID: 1005_words_of_orders
Revises: 1004_dated_payments
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "1005_words_of_orders"
down_revision = "1004_dated_payments"
branch_labels = None
depends_on = None

_WORDS = """
to_tsvector('simple'::regconfig, regexp_replace(
    external_id || ' ' || coalesce(email, '') || ' ' ||
    CAST(jsonb_path_query_array(lines, '$[*]."product"?(@ != null)') AS text) || ' ' ||
    CAST(jsonb_path_query_array(lines, '$[*]."price"?(@ != null)') AS text),
    '[^[:alnum:]]+', ' ', 'g'))
"""


def upgrade() -> None:
    create_index_concurrently(
        "orders_search_idx", "orders", [sa.text(_WORDS)], postgresql_using="gin"
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
