"""The embedded PostgreSQL: binaries from a wheel or the system, run by our own supervisor.

It owns the server process, its cluster and its socket, and guarantees: one server per data folder;
no server outlives its supervisor; after a crash, the next start recovers all committed data without
manual steps; existing data is never deleted.
"""

import sys

if sys.platform == "win32":
    raise ImportError(
        "The embedded database does not run on Windows. Set DATABASE_URL to your own PostgreSQL "
        "database, for example postgresql://user:password@host:5432/licet."
    )

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.backup import Schema, backup, restore
from licet_server.kit.postgres.binaries import Binaries, find_binaries
from licet_server.kit.postgres.cluster import STATE_DIR, EmbeddedPostgres, temporary_postgres
from licet_server.kit.postgres.errors import (
    InUse,
    NoBinaries,
    NotOurs,
    PostgresError,
    StartFailed,
    ToolFailed,
    VersionMismatch,
)
from licet_server.kit.postgres.upgrade import upgrade_database

__all__ = [
    "STATE_DIR",
    "Address",
    "Binaries",
    "EmbeddedPostgres",
    "InUse",
    "NoBinaries",
    "NotOurs",
    "PostgresError",
    "Schema",
    "StartFailed",
    "ToolFailed",
    "VersionMismatch",
    "backup",
    "find_binaries",
    "restore",
    "temporary_postgres",
    "upgrade_database",
]
