"""Where the cluster of a data folder lives, and where its socket is.

The cluster stands in the data folder when the account that runs the server can enter it, and
below the state folder otherwise; a text file in the data folder then says where. A cluster is
never made where one is expected but missing: an empty database is no substitute for a lost one.
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
from licet_server.kit.postgres.files import write_durably
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.relocation import create_state_dir

# Linux takes 107 bytes for the path of a socket, macOS 103.
_LONGEST_SOCKET_PATH = 107 if sys.platform == "linux" else 103
_SOCKET_NAME_BYTES = len("/.s.PGSQL.5432")


@dataclass(frozen=True, slots=True)
class DataDir:
    """The data folder, and the names that the embedded database uses in it."""

    path: Path

    @property
    def lock_file(self) -> Path:
        """Whoever locks it runs the server."""
        return self.path / "postgres.lock"

    @property
    def password_file(self) -> Path:
        """The password of the database's roles."""
        return self.path / "postgres.password"

    @property
    def location_file(self) -> Path:
        """Says where the cluster is, when it is not in the data folder."""
        return self.path / "postgres.location"

    @property
    def swap_file(self) -> Path:
        """The journal of a swap that an upgrade has begun."""
        return self.path / "postgres.swap"

    @property
    def local_cluster(self) -> Path:
        """The cluster, when it is in the data folder."""
        return self.path / "postgres"

    def make(self) -> None:
        """Make the folder where it is missing; one that is there stays as it is.

        Root lets other users pass, but not look around, so that the server's account gets to its
        cluster. Every secret in the folder is a file that its owner alone can read.
        """
        if self.path.is_dir():
            return
        self.path.mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)

    def find_cluster(self) -> Path | None:
        """The existing cluster; None before there is one.

        Raises:
            PostgresError: when the folder names a cluster that is not there.
        """
        if (self.local_cluster / "PG_VERSION").exists():
            return self.local_cluster
        elsewhere = self._recorded()
        if elsewhere is None:
            return None
        if not (elsewhere / "PG_VERSION").exists():
            raise PostgresError(
                f"{self.location_file} says that the database is in {elsewhere}, but it is not "
                "there. Bring it back, or remove that file to begin with an empty database."
            )
        return elsewhere

    def place_for_new(self, account: Account, state_dir: Path) -> Path:
        """Where a new cluster shall be; nothing is there yet."""
        if not account.is_other or account.can_enter(self.path):
            return self.local_cluster
        create_state_dir(state_dir)
        clusters = state_dir / "clusters"
        clusters.mkdir(mode=0o711, exist_ok=True)
        name = sha256(os.fsencode(self.path)).hexdigest()[:16]
        # A cluster of that name may be that of a data folder which was moved away.
        taken = {entry.name for entry in clusters.iterdir()}
        candidates = (f"{name}-{number}" if number else name for number in range(len(taken) + 1))
        return clusters / next(candidate for candidate in candidates if candidate not in taken)

    def cluster_lock(self, cluster: Path) -> contextlib.AbstractContextManager[object]:
        """A lock on a cluster elsewhere: a copied data folder names it too, but locks only itself.

        Entering it raises `InUse` when another data folder's process holds it.
        """
        if cluster == self.local_cluster:
            return contextlib.nullcontext()
        return FileLock(cluster.with_name(f"{cluster.name}.lock"))

    def record(self, cluster: Path) -> None:
        """Write down where the cluster is, if it is not in the data folder."""
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
    """A private folder for the socket: beside the cluster, or a short one where that is too deep.

    Raises:
        PostgresError: when no place is short enough.
    """
    beside = cluster.with_name(f"{cluster.name}.sockets")
    if _fits(beside) and _own(beside, account):
        return beside
    name = f"licet-{sha256(os.fsencode(cluster)).hexdigest()[:10]}-{account.uid}"
    for root in ("" if account.is_other else os.environ.get("XDG_RUNTIME_DIR", ""), *_temporary()):
        folder = Path(root) / name
        usable = root and Path(root).is_dir() and _fits(folder) and account.can_enter(Path(root))
        if usable and _own(folder, account):
            return folder
    raise PostgresError(
        "There is no place for the database's socket: each temporary folder is too deep, or the "
        f"user {account.name} cannot enter it. Set TMPDIR to a folder with a short path."
    )


def _temporary() -> tuple[str, ...]:
    return tempfile.gettempdir(), "/tmp", "/var/tmp"  # noqa: S108 - `_own` refuses a planted folder


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder)) + _SOCKET_NAME_BYTES <= _LONGEST_SOCKET_PATH


def _own(folder: Path, account: Account) -> bool:
    """Make the folder, or accept one that is private to the account already."""
    try:
        account.create_folder(folder)
    except FileExistsError:
        found = folder.lstat()
        private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
        return private and found.st_uid == account.uid
    except OSError:
        return False
    return True
