"""Customers, which customer each license belongs to, and salts that let them be erased.

Revision ID: 0015_customers
Revises: 0014_selling
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015_customers"
down_revision = "0014_selling"
branch_labels = None
depends_on = None

_WORDS = (
    "to_tsvector('simple'::regconfig, regexp_replace(name || ' ' || email || ' ' || "
    "coalesce(company, '') || ' ' || coalesce(external_reference, ''), "
    "'[^[:alnum:]]+', ' ', 'g'))"
)
# A user's ID, to which licenses can be issued, stands for the address of the account. The ID of a
# customer is that of its first license but for the random end, so that it tells the same time.
_CREATE = """
    INSERT INTO customers (institution_id, id, name, email, created_at, updated_at)
    SELECT institution_id, (left(first, 24) || left(md5(first), 12))::uuid,
           email, email, created_at, created_at
    FROM (
        SELECT licenses.institution_id, min(licenses.id::text) AS first,
               min(coalesce(users.email, licenses.issued_to)) AS email,
               min(licenses.created_at) AS created_at
        FROM licenses LEFT JOIN users ON users.id::text = lower(licenses.issued_to)
        WHERE users.email IS NOT NULL OR licenses.issued_to LIKE '%@%'
        GROUP BY licenses.institution_id, lower(coalesce(users.email, licenses.issued_to))
    ) AS receivers
"""
_ASSIGN = """
    UPDATE licenses SET customer_id = customers.id
    FROM customers
    WHERE customers.institution_id = licenses.institution_id
      AND lower(customers.email) = coalesce(
          (SELECT lower(users.email) FROM users WHERE users.id::text = lower(licenses.issued_to)),
          lower(licenses.issued_to)
      )
"""


def upgrade() -> None:
    op.create_table(
        "customers",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("external_reference", sa.Text(), nullable=True),
        sa.Column("company", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("metadata", postgresql.JSONB(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("search_words", postgresql.TSVECTOR(), sa.Computed(_WORDS, persisted=True)),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("customers_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("customers_institution_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "customers_email_key",
        "customers",
        ["institution_id", sa.literal_column("lower(email)")],
        unique=True,
    )
    op.create_index("customers_name_idx", "customers", ["institution_id", "name", "id"])
    op.create_index(
        "customers_reference_idx", "customers", ["institution_id", "external_reference"]
    )
    op.create_index("customers_search_idx", "customers", ["search_words"], postgresql_using="gin")
    op.add_column("licenses", sa.Column("customer_id", sa.Uuid(), nullable=True))
    op.execute(_CREATE)
    op.execute(_ASSIGN)
    op.create_index("licenses_of_customer_idx", "licenses", ["institution_id", "customer_id", "id"])
    op.create_foreign_key(
        op.f("licenses_institution_id_customer_id_fkey"),
        "licenses",
        "customers",
        ["institution_id", "customer_id"],
        ["institution_id", "id"],
    )

    op.add_column("events", sa.Column("salt", sa.LargeBinary(), nullable=True))
    op.add_column("events", sa.Column("erasure", postgresql.JSONB(), nullable=True))
    op.create_check_constraint(
        op.f("events_erasure_check"), "events", "salt IS NULL OR erasure IS NULL"
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
