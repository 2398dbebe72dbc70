"""Whether statements wait for locks in the database of a test."""

from sqlalchemy import text

WAITING = text(
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
)
"""Counts those statements. The server has the databases of other processes as well, and a wait for
a row names none, so that only its backend tells where it waits."""
