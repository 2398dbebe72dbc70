"""Features have kinds and values, and licenses are issued under policies.

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
    _add_policies()


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


def _add_policies() -> None:
    op.create_table(
        "policies",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("duration_days", sa.Integer(), nullable=True),
        sa.Column("max_active_users_count", sa.Integer(), nullable=True),
        sa.Column("activation_mode", sa.Text(), nullable=True),
        sa.Column("device_binding_mode", sa.Text(), nullable=True),
        sa.Column("entitlement_set_id", sa.Uuid(), nullable=True),
        sa.Column("initial_meter_balance", sa.Numeric(24, 6), nullable=True),
        sa.Column("license_name_pattern", sa.Text(), nullable=True),
        sa.Column("metadata", _JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("policies_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("policies_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "entitlement_set_id"],
            ["entitlement_sets.institution_id", "entitlement_sets.id"],
            name="policies_entitlement_set_fkey",
        ),
        sa.CheckConstraint("duration_days > 0", name=op.f("policies_duration_days_check")),
    )
    op.create_index("policies_product_idx", "policies", ["institution_id", "product_id", "id"])
    op.create_index(
        "policies_entitlement_set_idx", "policies", ["institution_id", "entitlement_set_id"]
    )
    op.create_index(
        "policies_name_key",
        "policies",
        ["institution_id", "product_id", sa.text("lower(name)")],
        unique=True,
    )
    op.add_column("licenses", sa.Column("policy_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        "licenses_policy_fkey",
        "licenses",
        "policies",
        ["institution_id", "policy_id"],
        ["institution_id", "id"],
    )
    op.create_index("licenses_policy_idx", "licenses", ["institution_id", "policy_id", "id"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
