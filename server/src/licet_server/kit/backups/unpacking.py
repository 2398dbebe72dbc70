"""Unpacks a base backup: the pieces in the store, joined, are compressed tar files."""

import gzip
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from licet_server.kit.backups.base import CLUSTER, MANIFEST, WAL
from licet_server.kit.backups.errors import BackupError
from licet_server.kit.backups.model import BaseBackup
from licet_server.kit.backups.vault import Vault
from licet_server.kit.postgres.account import Account


class _Pieces(io.RawIOBase):
    """A file whose pieces are fetched one after the other."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        """Whether it can be read: always."""
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
