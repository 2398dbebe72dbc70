"""Features have kinds, and values in entitlement sets and licenses.

Revision ID: 0014_selling
Revises: 0013_archives
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014_selling"
down_revision = "0013_archives"
branch_labels = None
depends_on = None

_JSON = postgresql.JSONB(none_as_null=True, astext_type=sa.Text())
_FEATURE = ["institution_id", "product_id", "feature_id", "kind"]


def upgrade() -> None:
    _add_kinds()
    _add_values()


def _add_kinds() -> None:
    op.add_column("features", sa.Column("kind", sa.Text(), server_default="Flag", nullable=False))
    op.create_check_constraint(
        op.f("features_kind_check"), "features", "kind IN ('Flag', 'Number', 'Text')"
    )
    op.create_unique_constraint(
        "features_kind_key", "features", ["institution_id", "product_id", "id", "kind"]
    )


def _add_values() -> None:
    table = "entitlement_set_features"
    op.add_column(table, sa.Column("kind", sa.Text(), server_default="Flag", nullable=False))
    op.add_column(table, sa.Column("value", _JSON, nullable=True))
    op.create_check_constraint(
        op.f("entitlement_set_features_value_check"),
        table,
        "CASE kind WHEN 'Flag' THEN value IS NULL"
        " WHEN 'Number' THEN coalesce(jsonb_typeof(value) = 'number', false)"
        " ELSE coalesce(jsonb_typeof(value) = 'string', false) END",
    )
    op.drop_constraint("entitlement_set_features_feature_fkey", table, type_="foreignkey")
    op.create_foreign_key(
        "entitlement_set_features_feature_fkey",
        table,
        "features",
        _FEATURE,
        ["institution_id", "product_id", "id", "kind"],
    )
    op.add_column("licenses", sa.Column("feature_values", _JSON, nullable=True))
    op.create_index(
        "licenses_feature_values_idx",
        "licenses",
        ["institution_id", "product_id"],
        postgresql_where=sa.text("feature_values IS NOT NULL"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
