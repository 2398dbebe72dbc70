"""The threads that bring archived WAL, and a base backup a day, to the object store.

They run beside the server's supervisor, so in one process at a time. Nothing waits for them: while
the store is away, segments wait in the spool, up to a limit. Past that, they are given up, and a
new series begins. PostgreSQL's own program copies the cluster for a base backup.
"""

import gzip
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec

from licet_server.kit.backups.model import (
    BackupChanged,
    BackupError,
    BackupMissing,
    BaseBackup,
    kept,
    segment_after,
    segment_of,
)
from licet_server.kit.backups.spool import Progress, Spool, segment_in
from licet_server.kit.backups.vault import Vault, place_of
from licet_server.kit.clock import Clock
from licet_server.kit.files import open_objects
from licet_server.kit.keyring import MasterKeyMissing, load_keyring
from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.programs import Program, tool_environment
from licet_server.kit.postgres.settings import RunningServer
from licet_server.kit.settings import Settings

MANIFEST = "backup_manifest"
CLUSTER, WAL = "base.tar.gz", "pg_wal.tar.gz"
PARTS = (MANIFEST, CLUSTER, WAL)
PIECE_BYTES = 8 * 1024 * 1024

_VERIFIES_ARCHIVES_SINCE = 18
_LOOK_S = 0.1


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
            if stopping.wait(_LOOK_S):
                return False
        if running.has_failed:
            raise BackupError(f"{name} failed: {running.reason()[-1000:]}")
    return True


def _end_of_wal(manifest: Path) -> tuple[int, str]:
    content = msgspec.json.decode(manifest.read_bytes())
    last = content["WAL-Ranges"][-1]
    return last["Timeline"], last["End-LSN"]


def delete_old(vault: Vault, now: datetime, days: int, current: str) -> int:
    """Delete what is not needed to restore any time of the last `days`; returns how many objects.

    The `current` series stays, and so does whatever was written within these days and belongs to no
    complete backup yet.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    since = now - timedelta(days=days)
    backups, _ = vault.list_backups()
    needed = kept(backups, since)
    ids = {(item.series, item.id) for item in needed}
    known = {(item.series, item.id) for item in backups}
    first: dict[str, str] = {}
    for backup in sorted(needed, key=lambda item: item.last_segment, reverse=True):
        first[backup.series] = backup.last_segment
    old = []
    for item in vault.list_objects():
        series, kind, name = place_of(item.name)
        if kind == "base":
            is_old = (series, name) in known - ids
            is_left = (series, name) not in known and item.written_at < since
            is_unneeded = is_old or is_left
        elif series in first:
            is_unneeded = name < first[series]
        else:
            is_unneeded = series != current and item.written_at < since
        if is_unneeded:
            old.append(item.name)
    vault.delete(old)
    return len(old)


BASE_EVERY = timedelta(days=1)
SPOOL_LIMIT_BYTES = 4 * 1024**3
LEAVING_ROOT_S = 60.0

_POLL_S = 1.0
_BASE_PAUSE_S = 60.0
_LONGEST_BASE_PAUSE_S = 900.0
_LAST_PASS_S = 8.0


class Archiver:
    """Archives the WAL of the server that this process runs, from `begin` to `finish`.

    `seconds` is how long a change may be on this machine only, besides the time of an upload.
    `days` is how far back a restore may go. `settle_seconds` is for how long to wait for root to
    become another user, so that everything has one owner. `retry_seconds` is the pause after the
    store has failed. `log` receives messages for the operator.
    """

    def __init__(
        self,
        vault: Vault,
        clock: Clock,
        log: Callable[[str], None],
        *,
        seconds: int = 30,
        days: int = 7,
        settle_seconds: float = LEAVING_ROOT_S,
        retry_seconds: float = 15.0,
        spool_limit: int = SPOOL_LIMIT_BYTES,
    ) -> None:
        self._vault = vault
        self._clock = clock
        self._log = log
        self._seconds = seconds
        self._days = days
        self._settle_seconds = settle_seconds
        self._retry_seconds = retry_seconds
        self._spool_limit = spool_limit
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._fault: str | None = None
        self._checked = threading.Event()
        self._lock = threading.RLock()

    def server_settings(self, cluster: Path, account: Account) -> dict[str, str]:
        """Return the settings of a server that is archived, after creating its spool."""
        spool = Spool(cluster, account)
        spool.create()
        return spool.server_settings(self._seconds)

    def begin(self, server: RunningServer) -> None:
        """Begin to archive a server that has just started."""
        self._stopping.clear()
        self._checked.clear()
        spool = Spool(server.command.cluster, server.command.account)
        work = (("wal-archiver", self._archive), ("base-backups", self._take_base_backups))
        self._threads = [
            threading.Thread(target=run, args=(server, spool), name=name, daemon=True)
            for name, run in work
        ]
        for thread in self._threads:
            thread.start()

    def interrupt(self) -> None:
        """Stop what needs the server; called before it is stopped."""
        self._stopping.set()

    def finish(self) -> None:
        """Archive what the server has left, within seconds; called after it was stopped."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(_LAST_PASS_S)
        self._threads = []

    def _archive(self, server: RunningServer, spool: Spool) -> None:
        if not self._settled(server):
            return
        pause = _POLL_S
        while not self._stopping.wait(pause):
            pause = _POLL_S if self._pass(server, spool) else self._retry_seconds
        self._pass_after_stop(server, spool)

    def _pass_after_stop(self, server: RunningServer, spool: Spool) -> None:
        # The server's last segment is in the spool once its process has ended.
        deadline = time.monotonic() + _LAST_PASS_S / 2
        pidfile = server.command.cluster / "postmaster.pid"
        while pidfile.exists() and time.monotonic() < deadline:
            time.sleep(_POLL_S / 10)
        self._pass(server, spool)

    def _take_base_backups(self, server: RunningServer, spool: Spool) -> None:
        if not self._settled(server):
            return
        pause, again = _POLL_S, _BASE_PAUSE_S
        while not self._stopping.wait(pause):
            pause = _POLL_S
            if not self._checked.is_set():
                continue
            try:
                self._take_base_backup_if_due(server, spool)
                again = _BASE_PAUSE_S
            except Exception as error:  # noqa: BLE001 - whatever it is, the next may succeed
                # Each attempt copies the whole cluster.
                pause, again = again, min(again * 2, _LONGEST_BASE_PAUSE_S)
                self._log(f"Backup: {error} The base backup is tried again in {pause:g} s.")

    def _settled(self, server: RunningServer) -> bool:
        deadline = time.monotonic() + self._settle_seconds
        while server.command.account.is_other and time.monotonic() < deadline:
            if self._stopping.wait(_POLL_S / 5):
                return False
        return True

    def _pass(self, server: RunningServer, spool: Spool) -> bool:
        """Store every segment that waits, and return whether all went well."""
        try:
            spool.compress()
            self._bound(server, spool)
            self._check_newest(server, spool)
            for path in spool.waiting():
                self._store(server, spool, path)
        except MasterKeyMissing:  # the first start has not created it yet
            return True
        except Exception as error:  # noqa: BLE001 - whatever it is, the next pass may succeed
            if self._fault != str(error):
                self._fault = str(error)
                self._log(f"Backup: archived WAL waits. {error}")
            return False
        if self._fault is not None:
            self._fault = None
            self._log("Backup: all archived WAL is in the store.")
        return True

    def _check_newest(self, server: RunningServer, spool: Spool) -> None:
        """Begin a new series if this process cannot read what the last one has stored."""
        if self._checked.is_set():
            return
        self._vault.require_key()
        progress = self._current(server, spool)
        try:
            if progress.last is not None:
                self._vault.read_segment(progress.series, progress.last)
        except BackupError as error:
            self._log(f"Backup: {error} A new series begins.")
            self._begin_series(server, spool)
        self._checked.set()

    def _bound(self, server: RunningServer, spool: Spool) -> None:
        size = spool.size()
        if size <= self._spool_limit:
            return
        spool.give_up()
        self._begin_series(server, spool)
        self._log(
            f"Backup: {size:,} bytes of archived WAL waited for the store, and were given up. "
            "A base backup will be taken once the store responds."
        )

    def _store(self, server: RunningServer, spool: Spool, path: Path) -> None:
        segment, content = segment_in(path), path.read_bytes()
        progress = self._current(server, spool)
        if progress.last is not None and not _continues(progress.last, segment):
            self._log(f"Backup: the WAL before {segment} is missing; a new series begins.")
            progress = self._begin_series(server, spool)
        elif self._is_other(progress.series, segment, content):
            self._log(f"Backup: the store has another {segment}; a new series begins.")
            progress = self._begin_series(server, spool)
        if progress.last is None or segment > progress.last:
            self._vault.write_segment(progress.series, segment, content)
            self._advance(spool, progress.series, last=segment)
        path.unlink()

    def _is_other(self, series: str, segment: str, content: bytes) -> bool:
        try:
            stored = self._vault.read_segment(series, segment)
        except BackupMissing:
            return False
        except BackupChanged:
            return True
        return gzip.decompress(stored) != gzip.decompress(content)

    def _take_base_backup_if_due(self, server: RunningServer, spool: Spool) -> None:
        progress = self._current(server, spool)
        now = self._clock()
        if progress.base_at is not None and now < progress.base_at + BASE_EVERY:
            return
        self._vault.list_segments(progress.series)  # does the store respond?
        backup = take_base_backup(
            server, spool, self._vault, progress.series, self._clock, self._stopping
        )
        if backup is None:
            return
        self._advance(spool, progress.series, base_at=backup.finished_at)
        self._log(f"Backup: base backup {backup.id} is stored ({backup.size:,} bytes).")
        delete_old(self._vault, self._clock(), self._days, progress.series)

    def _current(self, server: RunningServer, spool: Spool) -> Progress:
        with self._lock:
            progress = spool.read_progress()
            if progress is not None and progress.system == server.system:
                return progress
            return self._begin_series(server, spool)

    def _begin_series(self, server: RunningServer, spool: Spool) -> Progress:
        with self._lock:
            now = self._clock()
            series = f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
            progress = Progress(series=series, system=server.system, began_at=now)
            spool.write_progress(progress)
        return progress

    def _advance(
        self, spool: Spool, series: str, *,
        last: str | None = None, base_at: datetime | None = None,
    ) -> None:  # fmt: skip
        """Record progress, unless another series has begun meanwhile."""
        with self._lock:
            progress = spool.read_progress()
            if progress is None or progress.series != series:
                return
            spool.write_progress(
                msgspec.structs.replace(
                    progress, last=last or progress.last, base_at=base_at or progress.base_at
                )
            )


def _continues(last: str, segment: str) -> bool:
    same_timeline = last[:8] == segment[:8]
    return same_timeline and (segment <= last or segment == segment_after(last))


def open_archiver(settings: Settings, clock: Clock, log: Callable[[str], None]) -> Archiver | None:
    """Return what archives the embedded database; None if no backups are wanted.

    Raises:
        InvalidSetting: when the store cannot be opened.
    """
    vault = open_vault(settings)
    if vault is None:
        return None
    return Archiver(
        vault,
        clock,
        log,
        seconds=settings.backup_seconds,
        days=settings.backup_days,
        settle_seconds=0.0 if settings.run_as == "root" else LEAVING_ROOT_S,
    )


def open_vault(settings: Settings) -> Vault | None:
    """Return the backups in the store; None if no backups are wanted.

    Raises:
        InvalidSetting: when the store cannot be opened.
    """
    if settings.backup_url is None:
        return None
    # Leaving root may change the current folder.
    located = replace(settings, data_dir=settings.data_dir.resolve())
    objects = open_objects(settings, settings.backup_url)
    return Vault(objects, partial(load_keyring, located))
