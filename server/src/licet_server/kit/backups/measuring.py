"""How late backups are, read from the files beside the cluster."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from licet_server.kit.backups.spool import Spool
from licet_server.kit.postgres import PostgresError
from licet_server.kit.postgres.account import owner_of
from licet_server.kit.postgres.layout import DataDir


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """Since when the oldest WAL waits for the store, and how old the newest base backup is.

    Without one, `base_age_seconds` is since when the first is awaited.
    """

    waiting_seconds: float
    waiting_bytes: int
    base_age_seconds: float | None


def measure_backups(data_dir: Path, now: datetime) -> BackupStatus | None:
    """Measure the backups of a data folder; None if they cannot be looked at from here."""
    try:
        cluster = DataDir(data_dir).find_cluster()
        if cluster is None:
            return None
        spool = Spool(cluster, owner_of(cluster))
        if not spool.folder.is_dir():
            return None
        ready = list((cluster / "pg_wal" / "archive_status").glob("*.ready"))
        files = [item.stat() for item in (*ready, *spool.waiting())]
        progress = spool.read_progress()
    except (OSError, PostgresError):
        return None
    oldest = min((item.st_mtime for item in files), default=now.timestamp())
    base_at = None if progress is None else progress.base_at or progress.began_at
    return BackupStatus(
        max(now.timestamp() - oldest, 0.0),
        sum(item.st_size for item in files),
        None if base_at is None else (now - base_at).total_seconds(),
    )
