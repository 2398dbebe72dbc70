"""Licenses are found by the last five symbols of their keys.

Revision ID: 0050_key_endings
Revises: 0049_credit_leases
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

revision = "0050_key_endings"
down_revision = "0049_credit_leases"
branch_labels = None
depends_on = None

_WORDS = (
    "to_tsvector('simple'::regconfig, regexp_replace(license_name || ' ' || "
    "coalesce(issued_to, '') || ' ' || coalesce(issuer, '') || ' ' || right(normal_key, 5), "
    "'[^[:alnum:]]+', ' ', 'g'))"
)


def upgrade() -> None:
    op.drop_index("licenses_search_idx", "licenses")
    op.drop_column("licenses", "search_words")
    words = sa.Column("search_words", TSVECTOR(), sa.Computed(_WORDS, persisted=True))
    op.add_column("licenses", words)
    op.create_index("licenses_search_idx", "licenses", ["search_words"], postgresql_using="gin")
