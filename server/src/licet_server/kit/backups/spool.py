"""The folder beside a cluster in which segments of the WAL wait for the object store.

PostgreSQL copies each segment there with a shell command, which is all that it waits for. The
archiver compresses them. What waits survives a crash, and so does how far the series has come.
"""

import gzip
import os
import shlex
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from licet_server.kit.backups.model import is_segment
from licet_server.kit.postgres import PostgresError
from licet_server.kit.postgres.account import Account, owner_of
from licet_server.kit.postgres.layout import DataDir, write_durably

_LEVEL = 1
_COMPRESSED = ".gz"


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a series has come."""

    series: str
    system: str
    """The identifier of the cluster, which PostgreSQL gives to each."""
    began_at: datetime
    last: str | None = None
    """The newest segment in the store."""
    base_at: datetime | None = None
    """When the newest base backup was finished."""


class Spool:
    """The folder of one cluster. Everything in it belongs to the server's account."""

    def __init__(self, cluster: Path, account: Account) -> None:
        self.folder = cluster.with_name(f"{cluster.name}.wal")
        self.account = account

    @property
    def staging(self) -> Path:
        """The folder of a base backup until it is stored."""
        return self.folder / "base"

    def create(self) -> None:
        """Create the folder if it is missing."""
        if not self.folder.is_dir():
            self.account.create_folder(self.folder)

    def server_settings(self, seconds: int) -> dict[str, str]:
        """Return the settings with which PostgreSQL copies each segment, after `seconds` at most.

        A copy gets its name once it is on disk.
        """
        folder = shlex.quote(str(self.folder)).replace("%", "%%")
        partial, target = f"{folder}/.%f.partial", f"{folder}/%f"
        steps = (f"cp %p {partial}", f"sync {partial}", f"mv -f {partial} {target}")
        command = " && ".join((*steps, f"sync {folder}"))
        return {
            "archive_mode": "on",
            "archive_command": command,
            "archive_timeout": str(seconds),
        }

    def read_progress(self) -> Progress | None:
        """Return how far the series has come; None before the first."""
        try:
            return msgspec.json.decode(self._progress_file.read_bytes(), type=Progress)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def write_progress(self, progress: Progress) -> None:
        """Remember how far the series has come."""
        write_durably(self._progress_file, msgspec.json.encode(progress), self.account)

    def compress(self) -> None:
        """Compress the segments that PostgreSQL has copied, and delete what else it copied."""
        for path in sorted(self.folder.iterdir()):
            if is_segment(path.name):
                target = path.with_name(f"{path.name}{_COMPRESSED}")
                written_at = path.stat().st_mtime
                compressed = gzip.compress(path.read_bytes(), _LEVEL, mtime=0)
                write_durably(target, compressed, self.account)
                os.utime(target, (written_at, written_at))
                path.unlink()
            elif _is_of_no_use(path.name):
                path.unlink()

    def waiting(self) -> list[Path]:
        """Return the compressed segments, oldest first."""
        return sorted(self.folder.glob(f"*{_COMPRESSED}"))

    def size(self) -> int:
        """Return the bytes of all segments that wait."""
        return sum(path.stat().st_size for path in self.waiting())

    def give_up(self) -> None:
        """Delete all segments that wait."""
        for path in self.waiting():
            path.unlink()

    def create_staging(self) -> None:
        """Create the folder for a base backup, empty."""
        shutil.rmtree(self.staging, ignore_errors=True)
        self.account.create_folder(self.staging)

    @property
    def _progress_file(self) -> Path:
        return self.folder / "progress.json"


def segment_in(path: Path) -> str:
    """Return the name of the segment that a compressed file holds."""
    return path.name.removesuffix(_COMPRESSED)


def _is_of_no_use(name: str) -> bool:
    """Check whether it is a history of timelines, or a note on a backup."""
    return not name.startswith(".") and name.endswith((".history", ".backup", ".partial"))


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
