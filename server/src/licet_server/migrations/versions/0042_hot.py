"""Room for changed licenses and activations in their pages, and smaller indexes of licenses.

Revision ID: 0042_hot
Revises: 0041_desk
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0042_hot"
down_revision = "0041_desk"
branch_labels = None
depends_on = None

_SMALLER: dict[str, tuple[str, list[Any]]] = {
    "licenses_of_customer_idx": ("customer_id", ["institution_id", "customer_id", "id"]),
    "licenses_entitlement_set_idx": (
        "entitlement_set_id",
        ["institution_id", "entitlement_set_id"],
    ),
    "licenses_policy_idx": ("policy_id", ["institution_id", "policy_id", "id"]),
    "licenses_receiver_idx": ("issued_to", [sa.text("lower(issued_to)"), "id"]),
}


def upgrade() -> None:
    for name, (column, columns) in _SMALLER.items():
        create_index_concurrently(
            f"{name}_new", "licenses", columns, postgresql_where=sa.text(f"{column} IS NOT NULL")
        )
    for name in _SMALLER:
        op.drop_index(name, "licenses")
        op.execute(f"ALTER INDEX {name}_new RENAME TO {name}")
    op.execute("ALTER TABLE licenses SET (fillfactor = 50)")
    op.execute("ALTER TABLE activations SET (fillfactor = 90)")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
