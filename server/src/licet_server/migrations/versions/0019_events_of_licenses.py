"""events of licenses

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "events_license_idx",
        "events",
        [
            "institution_id",
            sa.text("(coalesce(data ->> 'licenseId', subject_id::text))"),
            "id",
        ],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("events_license_idx", table_name="events")
