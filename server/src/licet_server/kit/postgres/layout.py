"""Where the cluster of a data folder and its socket are.

The cluster is in the data folder if the server's account can enter it. Otherwise it is below the
state folder, and a text file in the data folder says where. If an existing cluster is missing, no
new one is created: an empty database must not silently replace a lost one.
"""

import contextlib
import os
import stat
import sys
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.errors import PostgresError
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.relocation import create_state_dir


def write_durably(path: Path, content: str | bytes, owner: Account | None = None) -> None:
    """Replace the file atomically, readable only by its owner; it is on disk when this returns."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
        if owner is not None:
            owner.take_ownership(file)
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    rename_durably(partial, path)


def rename_durably(source: Path, target: Path) -> None:
    """Rename a file; the new name is on disk when this returns."""
    source.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Linux allows 107 bytes for the path of a socket, macOS 103.
_LONGEST_SOCKET_PATH = 107 if sys.platform == "linux" else 103
_SOCKET_NAME_BYTES = len("/.s.PGSQL.5432")


@dataclass(frozen=True, slots=True)
class DataDir:
    """The data folder, and the files of the embedded database in it."""

    path: Path

    @property
    def lock_file(self) -> Path:
        """The process that holds this lock runs the server."""
        return self.path / "postgres.lock"

    @property
    def password_file(self) -> Path:
        """The superuser's password."""
        return self.path / "postgres.password"

    @property
    def service_password_file(self) -> Path:
        """The password of the role that the service itself has."""
        return self.path / "postgres.service-password"

    @property
    def location_file(self) -> Path:
        """The location of the cluster if it is not in the data folder."""
        return self.path / "postgres.location"

    @property
    def swap_file(self) -> Path:
        """The journal of a swap that an upgrade has started."""
        return self.path / "postgres.swap"

    @property
    def local_cluster(self) -> Path:
        """The location of a cluster in the data folder."""
        return self.path / "postgres"

    def create(self) -> None:
        """Create the folder if it is missing; an existing one is left unchanged.

        If this process is root, other users may traverse but not list the folder, so the server's
        account can reach its cluster. Every secret is in a file that only its owner can read.
        """
        if self.path.is_dir():
            return
        self.path.mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)

    def find_cluster(self) -> Path | None:
        """Find the existing cluster; None before the first start.

        Raises:
            PostgresError: when the recorded location holds no cluster.
        """
        if (self.local_cluster / "PG_VERSION").exists():
            return self.local_cluster
        elsewhere = self._recorded()
        if elsewhere is None:
            return None
        if not (elsewhere / "PG_VERSION").exists():
            raise PostgresError(
                f"{self.location_file} says that the database is in {elsewhere}, but it is not "
                "there. Restore it, or remove that file to start with an empty database."
            )
        return elsewhere

    def new_cluster_path(self, account: Account, state_dir: Path) -> Path:
        """Return an unused path for a new cluster."""
        if not account.is_other or account.can_enter(self.path):
            return self.local_cluster
        create_state_dir(state_dir)
        clusters = state_dir / "clusters"
        clusters.mkdir(mode=0o711, exist_ok=True)
        name = sha256(os.fsencode(self.path)).hexdigest()[:16]
        # A cluster of that name may belong to a data folder that was moved.
        taken = {entry.name for entry in clusters.iterdir()}
        candidates = (f"{name}-{number}" if number else name for number in range(len(taken) + 1))
        return clusters / next(candidate for candidate in candidates if candidate not in taken)

    def cluster_lock(self, cluster: Path) -> contextlib.AbstractContextManager[object]:
        """Return a lock for a cluster outside the data folder, which copies of the folder share.

        Entering it raises `InUse` if a process of another data folder holds it.
        """
        if cluster == self.local_cluster:
            return contextlib.nullcontext()
        return FileLock(cluster.with_name(f"{cluster.name}.lock"))

    def record(self, cluster: Path) -> None:
        """Record the location of the cluster if it is not in the data folder."""
        if cluster != self.local_cluster and self._recorded() != cluster:
            write_durably(
                self.location_file,
                f"{cluster}\n\nThe embedded database of this data folder is in the folder named "
                "above, because the\naccount that runs it cannot enter this one. Keep both.\n",
            )

    def _recorded(self) -> Path | None:
        try:
            first = self.location_file.read_text().partition("\n")[0].strip()
        except FileNotFoundError:
            return None
        return Path(first) if first else None


def socket_folder(cluster: Path, account: Account) -> Path:
    """Create a private folder for the socket: beside the cluster, or elsewhere if that is too long.

    Raises:
        PostgresError: when no usable path is short enough.
    """
    beside = cluster.with_name(f"{cluster.name}.sockets")
    if _fits(beside) and _claim(beside, account):
        return beside
    name = f"licet-{sha256(os.fsencode(cluster)).hexdigest()[:10]}-{account.uid}"
    for root in ("" if account.is_other else os.environ.get("XDG_RUNTIME_DIR", ""), *_temporary()):
        folder = Path(root) / name
        usable = root and Path(root).is_dir() and _fits(folder) and account.can_enter(Path(root))
        if usable and _claim(folder, account):
            return folder
    raise PostgresError(
        "There is no folder for the database's socket: the path of each temporary folder is too "
        f"long, or the user {account.name} cannot enter it. Set TMPDIR to a short path."
    )


def _temporary() -> tuple[str, ...]:
    return tempfile.gettempdir(), "/tmp", "/var/tmp"  # noqa: S108 - `_claim` refuses a planted folder


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder)) + _SOCKET_NAME_BYTES <= _LONGEST_SOCKET_PATH


def _claim(folder: Path, account: Account) -> bool:
    """Create the folder, or accept an existing one that is private to the account."""
    try:
        account.create_folder(folder)
    except FileExistsError:
        found = folder.lstat()
        private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
        return private and found.st_uid == account.uid
    except OSError:
        return False
    return True
