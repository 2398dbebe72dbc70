"""release files

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "product_images",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("product_images_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "product_id", name=op.f("product_images_pkey")),
    )
    op.create_index("product_images_product_idx", "product_images", ["product_id"], unique=False)
    op.create_table(
        "release_files",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(sha256) = 32", name=op.f("release_files_sha256_check")),
        sa.CheckConstraint("size_bytes > 0", name=op.f("release_files_size_bytes_check")),
        sa.ForeignKeyConstraint(
            ["institution_id", "release_id"],
            ["releases.institution_id", "releases.id"],
            name=op.f("release_files_institution_id_release_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("release_files_pkey")),
    )
    op.create_index(
        "release_files_name_key",
        "release_files",
        [
            "institution_id",
            "release_id",
            sa.text("lower(name)"),
            sa.text("lower(coalesce(platform, ''))"),
        ],
        unique=True,
    )
    op.create_index(
        "release_files_release_idx",
        "release_files",
        ["institution_id", "release_id", "id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("release_files_release_idx", table_name="release_files")
    op.drop_index("release_files_name_key", table_name="release_files")
    op.drop_table("release_files")
    op.drop_index("product_images_product_idx", table_name="product_images")
    op.drop_table("product_images")
