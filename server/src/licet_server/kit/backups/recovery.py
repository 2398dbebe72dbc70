"""Restores a backup into a folder without a database, by PostgreSQL's own recovery.

Everything happens beside the final place of the cluster, and the last step renames it. So a restore
that fails or is killed leaves no database, and the next one starts over.
"""

import contextlib
import gzip
import io
import os
import re
import shlex
import shutil
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from licet_server.kit.backups.archiver import CLUSTER, MANIFEST, WAL
from licet_server.kit.backups.model import (
    BackupError,
    BaseBackup,
    newest_before,
    segment_after,
    unbroken,
)
from licet_server.kit.backups.vault import Vault
from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account, server_account
from licet_server.kit.postgres.binaries import Binaries, find_binaries
from licet_server.kit.postgres.cluster import STATE_DIR
from licet_server.kit.postgres.errors import StartFailed
from licet_server.kit.postgres.initialize import ADMIN_ROLE, create_password
from licet_server.kit.postgres.layout import DataDir, rename_durably, socket_folder, write_durably
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import ServerCommand, ServerProcess
from licet_server.kit.postgres.programs import identifier, literal, query
from licet_server.kit.postgres.relocation import reachable_binaries
from licet_server.kit.postgres.settings import server_settings


class _Pieces(io.RawIOBase):
    """A file whose pieces are fetched one after the other."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        """Return whether it can be read: always."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer from the current piece, or the next one."""
        view = memoryview(buffer)  # type: ignore[arg-type]
        if not self._rest:
            self._rest = next(self._pieces, b"")
        part = self._rest[: len(view)]
        view[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)


def unpack(
    vault: Vault,
    backup: BaseBackup,
    cluster: Path,
    account: Account,
    counted: Callable[[str], AbstractContextManager[Callable[[int, int], None]]],
) -> None:
    """Write the files of a base backup into an empty folder, owned by the account.

    Raises:
        BackupError: when a piece is missing or was changed.
        FilesUnavailable: when the store does not respond.
    """
    total = sum(backup.parts.values())
    with counted("Fetching the base backup") as count:
        done = 0

        def fetch(part: str) -> Iterator[bytes]:
            nonlocal done
            for number in range(backup.parts[part]):
                yield vault.read_part(backup, part, number)
                done += 1
                count(done, total)

        (cluster / MANIFEST).write_bytes(b"".join(fetch(MANIFEST)))
        _extract(fetch(CLUSTER), cluster)
        _extract(fetch(WAL), cluster / "pg_wal")
    for folder, folders, files in os.walk(cluster):
        for name in (*folders, *files):
            path = Path(folder, name)
            path.chmod(0o700 if path.is_dir() else 0o600)
            if account.is_other:
                os.chown(path, account.uid, account.gid)


def _extract(pieces: Iterator[bytes], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    file = io.BufferedReader(_Pieces(pieces), 1024 * 1024)
    try:
        # PostgreSQL writes several members of gzip, of which tarfile itself would read the first.
        with (
            gzip.GzipFile(fileobj=file) as content,
            tarfile.open(fileobj=content, mode="r|") as archive,
        ):
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError, gzip.BadGzipFile) as error:
        raise BackupError(f"The base backup cannot be unpacked ({error}).") from error


_PATIENCE_S = 7 * 86_400.0
_LAST_CHANGE = re.compile(r"last completed transaction was at log time (\S+ \S+)")

Counted = Callable[[str], contextlib.AbstractContextManager[Callable[[int, int], None]]]
"""Shows the progress of what it names, as a number of a total."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was restored: the cluster, and the time of the last change in it, if there is any.

    `newest_object_at` is when the newest object was written, by the clock of the store.
    """

    cluster: Path
    last_change: datetime | None
    newest_object_at: datetime | None


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a cluster is restored."""

    account: Account
    binaries: Binaries
    cluster: Path

    @property
    def wal(self) -> Path:
        return self.cluster.with_name(f"{self.cluster.name}.archived")


def recover(
    vault: Vault,
    data_dir: Path,
    say: Callable[[str], None],
    counted: Counted,
    *,
    at: datetime | None = None,
    backup_id: str | None = None,
    expect_after: datetime | None = None,
    user: str | None = None,
    state_dir: Path = STATE_DIR,
) -> Recovery:
    """Restore the database of `at`, or the newest, into a data folder that has none.

    `backup_id` is the base backup to begin with, by default the newest that is old enough. With
    `expect_after`, nothing is restored unless there is a change at that time or later: a store that
    has lost its newest objects looks like one that is older.

    Raises:
        BackupError: when there is no such backup, or a part of it is missing or was changed.
        FilesUnavailable: when the store does not respond.
        InUse: when another process uses the folder.
        MasterKeyMissing: when there is no master key.
        PostgresError: when the programs of its version are not installed, or fail.
    """
    if shutil.which("gzip") is None:
        raise BackupError("A restore needs the program gzip. Install it, and try again.")
    data = DataDir(data_dir.resolve())
    data.create()
    with FileLock(data.lock_file):
        if (found := data.find_cluster()) is not None:
            raise BackupError(
                f"{found} is a database already. Restore into a folder without one; only "
                "master.key must be there."
            )
        backup = _choose(vault, say, at, backup_id)
        account = server_account(user)
        final = data.new_cluster_path(account, state_dir)
        binaries, _ = reachable_binaries(find_binaries(backup.major), account, state_dir)
        site = _Site(account, binaries, final.with_name(f"{final.name}.restoring"))
        with _cleared(site):
            unpack(vault, backup, site.cluster, account, counted)
            _verify(site, say)
            missing = _fetch_wal(vault, backup, site, counted)
            if missing is not None and at is None:
                raise BackupError(
                    f"{missing} Nothing was restored. With --at, a time before that can be "
                    "restored; if it is too late, a message names the last one."
                )
            say("Applying the changes since the base backup")
            password = create_password(data.password_file)
            last_change = _replay(site, at, missing, password)
            _require_after(last_change, expect_after)
            rename_durably(site.cluster, final)
        data.record(final)
    newest = max((item.written_at for item in vault.list_objects()), default=None)
    return Recovery(final, last_change, newest)


def _require_after(last_change: datetime | None, expected: datetime | None) -> None:
    if expected is not None and (last_change is None or last_change < expected):
        found = last_change.isoformat() if last_change else "before the base backup"
        raise BackupError(
            f"The last change in the backup was at {found}, and not at {expected.isoformat()} or "
            "later: the store has lost its newest objects, or has none of that time. Nothing was "
            "restored."
        )


def _choose(
    vault: Vault, say: Callable[[str], None], at: datetime | None, backup_id: str | None
) -> BaseBackup:
    backups, unreadable = vault.list_backups()
    for reason in unreadable:
        say(f"A base backup cannot be read: {reason}")
    if backup_id is not None:
        backups = [item for item in backups if item.id == backup_id]
    chosen = newest_before(backups, at)
    if chosen is None:
        when = "" if at is None else f" that was finished before {at.isoformat()}"
        oldest = f" The oldest is of {backups[0].finished_at.isoformat()}." if backups else ""
        raise BackupError(f"There is no base backup{when}.{oldest}")
    say(f"Base backup {chosen.id} of series {chosen.series} ({chosen.size:,} bytes)")
    return chosen


@contextlib.contextmanager
def _cleared(site: _Site) -> Iterator[None]:
    _clear(site)
    try:
        site.account.create_folder(site.cluster)
        site.account.create_folder(site.wal)
        yield
    finally:
        _clear(site)


def _clear(site: _Site) -> None:
    for folder in (site.cluster, site.wal):
        shutil.rmtree(folder, ignore_errors=True)


def _verify(site: _Site, say: Callable[[str], None]) -> None:
    """Compare each file with the checksum that the server gave when it was copied."""
    say("Verifying the base backup")
    program = str(site.binaries.program("pg_verifybackup"))
    ended = site.account.run([program, "--quiet", str(site.cluster)])
    if ended.returncode != 0:
        raise BackupError(f"The base backup is damaged. {ended.stderr.strip()[-1000:]}")


def _fetch_wal(vault: Vault, backup: BaseBackup, site: _Site, counted: Counted) -> str | None:
    """Fetch the segments after the base backup, and return what is wrong with the first bad one."""
    first = backup.last_segment
    stored = [item for item in vault.list_segments(backup.series) if item >= first]
    following = unbroken(first, stored)
    with counted("Fetching changes") as count:
        for number, segment in enumerate(following):
            try:
                content = vault.read_segment(backup.series, segment)
            except BackupError as error:
                return str(error)
            path = site.wal / f"{segment}.gz"
            path.write_bytes(content)
            _hand_over(site.account, [path])
            count(number + 1, len(following))
    if len(stored) > len(following):
        missing = segment_after(following[-1]) if following else first
        return f"{backup.series}/wal/{missing} is missing, but later ones are there."
    return None


def _replay(site: _Site, at: datetime | None, fault: str | None, password: str) -> datetime | None:
    """Run PostgreSQL's recovery, and return the time of the last change."""
    trust = site.wal / "pg_hba.conf"
    write_durably(trust, "local all all trust\n")
    signal = site.cluster / "recovery.signal"
    write_durably(signal, "")
    _hand_over(site.account, [trust, signal])
    sockets = socket_folder(site.cluster, site.account)
    settings = server_settings(fsync=True, overrides=_recovery_settings(site, trust, at))
    command = ServerCommand(site.binaries, site.cluster, sockets, site.account, settings)
    try:
        server = ServerProcess(command)
        try:
            server.wait_ready(_PATIENCE_S, threading.Event())
            admin = Address(str(sockets), ADMIN_ROLE, "", "postgres")
            role = f"ALTER ROLE {identifier(ADMIN_ROLE)} PASSWORD {literal(password)};"
            sql = "SELECT to_json(pg_last_xact_replay_timestamp()) #>> '{}';"
            [[last_change]] = query(site.binaries, admin, f"{sql} {role} CHECKPOINT;")
        finally:
            server.stop()
    except StartFailed as error:
        raise _explained(error, at, fault) from error
    finally:
        with contextlib.suppress(OSError):
            sockets.rmdir()
    return datetime.fromisoformat(last_change) if last_change else None


def _recovery_settings(site: _Site, trust: Path, at: datetime | None) -> dict[str, str]:
    segment = f"{shlex.quote(str(site.wal)).replace('%', '%%')}/%f.gz"
    target = {} if at is None else {"recovery_target_time": at.astimezone(UTC).isoformat(" ")}
    return {
        "hba_file": str(trust),  # no other user reaches the socket, and the passwords are unknown
        "restore_command": f"test -e {segment} && gzip -dc {segment} > %p",
        "recovery_target_timeline": "current",
        "recovery_target_action": "promote",
        "hot_standby": "off",
        "archive_mode": "off",
        **target,
    }


def _explained(error: StartFailed, at: datetime | None, fault: str | None) -> Exception:
    if "recovery ended before configured recovery target" not in str(error) or at is None:
        return error
    found = _LAST_CHANGE.search(str(error))
    newest = f" The last change in it was at {found[1]}." if found else ""
    return BackupError(
        f"The backup ends before {at.isoformat()}.{newest} Nothing was restored. {fault or ''}"
    )


def _hand_over(account: Account, paths: Sequence[Path]) -> None:
    for path in paths:
        with path.open("rb") as file:
            account.take_ownership(file)
