"""The schema of the first release, as its SQL beside this file.

Revision ID: 1001_first_release
Revises:
"""

from pathlib import Path

from alembic import op

revision = "1001_first_release"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    script = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    for statement in script.split(";\n"):
        if statement.strip():
            op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
