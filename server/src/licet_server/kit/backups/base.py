"""Takes a base backup: PostgreSQL's own program copies the cluster, and the copy is stored."""

import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec

from licet_server.kit.backups.model import BackupError, BaseBackup, segment_of
from licet_server.kit.backups.spool import Spool
from licet_server.kit.backups.vault import Vault
from licet_server.kit.clock import Clock
from licet_server.kit.postgres.programs import Program, tool_environment
from licet_server.kit.postgres.settings import RunningServer

MANIFEST = "backup_manifest"
CLUSTER, WAL = "base.tar.gz", "pg_wal.tar.gz"
PARTS = (MANIFEST, CLUSTER, WAL)
PIECE_BYTES = 8 * 1024 * 1024

_VERIFIES_ARCHIVES_SINCE = 18
_POLL_S = 0.1


def take_base_backup(
    server: RunningServer, spool: Spool, vault: Vault, series: str, clock: Clock,
    stopping: threading.Event,
) -> BaseBackup | None:  # fmt: skip
    """Copy the running cluster to the store; None if `stopping` was set meanwhile.

    Raises:
        BackupError: when the copy fails, or differs from what the server says that it sent.
        FilesUnavailable: when the store does not respond, or is full.
    """
    spool.create_staging()
    try:
        started_at = clock()
        if not _copy(server, spool, stopping):
            return None
        finished_at = clock()
        backup_id = f"{started_at:%Y%m%dT%H%M%SZ}"
        timeline, position = _end_of_wal(spool.staging / MANIFEST)
        parts, size = {}, 0
        for part in PARTS:
            pieces = 0
            with (spool.staging / part).open("rb") as file:
                while piece := file.read(PIECE_BYTES):
                    if stopping.is_set():
                        return None
                    vault.write_part(series, backup_id, part, pieces, piece)
                    pieces, size = pieces + 1, size + len(piece)
            parts[part] = pieces
        backup = BaseBackup(
            id=backup_id,
            series=series,
            major=server.command.binaries.major,
            started_at=started_at,
            finished_at=finished_at,
            last_segment=segment_of(timeline, position),
            parts=parts,
            size=size,
        )
        vault.write_manifest(backup)
    finally:
        shutil.rmtree(spool.staging, ignore_errors=True)
    return backup


def _copy(server: RunningServer, spool: Spool, stopping: threading.Event) -> bool:
    folder = str(spool.staging)
    options = ["--format=tar", "--wal-method=stream", "--compress=client-gzip:1"]
    copy = ["pg_basebackup", f"--pgdata={folder}", *options, "--checkpoint=fast", "--no-sync"]
    if not _run(server, [*copy, "--no-password"], stopping):
        return False
    if server.command.binaries.major < _VERIFIES_ARCHIVES_SINCE:
        return True
    verify = ["pg_verifybackup", "--quiet", "--no-parse-wal", folder]
    return _run(server, verify, stopping)


def _run(server: RunningServer, command: Sequence[str], stopping: threading.Event) -> bool:
    name, *arguments = command
    program = Program(
        [server.command.binaries.program(name), *arguments],
        tool_environment(server.admin),
        server.command.account,
    )
    with program.running() as running:
        while running.process.poll() is None:
            if stopping.wait(_POLL_S):
                return False
        if running.has_failed:
            raise BackupError(f"{name} failed: {running.reason()[-1000:]}")
    return True


def _end_of_wal(manifest: Path) -> tuple[int, str]:
    content = msgspec.json.decode(manifest.read_bytes())
    last = content["WAL-Ranges"][-1]
    return last["Timeline"], last["End-LSN"]
