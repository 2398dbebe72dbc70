"""Locks of a migration: one process at a time, and no queue of requests behind it.

A statement that waits for a table makes every request to that table wait behind it. So it gives up
soon, the migration rolls back, and requests go on until the next try.
"""

from collections.abc import Sequence
from typing import Any

from alembic import op
from sqlalchemy import text
from sqlalchemy.engine import Connection

LOCK_TIMEOUT_MS = 2_000


class TurnLost(Exception):
    """Another process went on with the migration meanwhile; begin again with what is left."""


def take_turn(connection: Connection) -> None:
    """Wait for other processes that migrate, at the beginning of a transaction."""
    connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}"))
    connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))


def create_index_concurrently(
    name: str, table: str, columns: Sequence[Any], **options: Any
) -> None:
    """Create an index while the table is written to, which may take long but blocks nobody.

    Call it first in `upgrade`: everything before it is committed. After a crash, the next start
    begins the revision again; the remains of an index are replaced.

    Raises:
        TurnLost: when another process has taken over in the meantime.
    """
    context = op.get_context()
    before = context.get_current_heads()
    with context.autocommit_block():
        # It waits for another process that is creating the same index.
        create = {"postgresql_concurrently": True, "if_not_exists": True, **options}
        op.create_index(name, table, columns, **create)
        if not _is_valid(name):
            op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
            op.create_index(name, table, columns, **create)
    take_turn(op.get_bind())
    if context.get_current_heads() != before:
        raise TurnLost


def _is_valid(name: str) -> bool:
    valid = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    return bool(op.get_bind().execute(valid, {"name": name}).scalar())
