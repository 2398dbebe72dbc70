"""A migrated database cluster that one run keeps for the next, since making one takes 2 seconds.

It is a data folder whose database is stopped. Its name is a fingerprint of everything that makes
it, so a run never takes one of another schema. Runs that start at the same time wait for the one
that makes it, and a folder is complete when it gets its name.
"""

import asyncio
import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import licet_server
from licet_server.kit.postgres import EmbeddedPostgres, find_binaries

_SOURCE = Path(licet_server.__file__).parent
MADE_BY = ("migrations/**/*.py", "migrations/versions/*.sql", "kit/postgres/*.py")
"""The code that the content of a cluster depends on: migrations use no code of features."""
_KEPT = 2


def provide(target: Path, keep: Path | None) -> None:
    """Make `target` a data folder with a migrated database, from the folder of kept ones if given.

    The target may exist, but has to be empty.
    """
    if keep is None:
        _make(target)
        return
    kept = keep / fingerprint()
    while not _copy_kept(kept, target):
        with _locked(keep, fcntl.LOCK_EX):
            if not kept.exists():
                _keep(kept)


def _copy_kept(kept: Path, target: Path) -> bool:
    with _locked(kept.parent, fcntl.LOCK_SH):  # so that no other run removes it meanwhile
        if not kept.exists():
            return False
        copy(kept, target)
        return True


def copy(source: Path, target: Path) -> None:
    """Copy a data folder with its owners; the target may exist, but has to be empty."""
    target.mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", f"{source}/.", target], check=True)


def fingerprint() -> str:
    """Return a name that changes with the migrations, the server's version and its account."""
    digest = sha256(f"{find_binaries().version} {os.geteuid()}".encode())
    for pattern in MADE_BY:
        for path in sorted(_SOURCE.glob(pattern)):
            digest.update(str(path.relative_to(_SOURCE)).encode() + b"\0" + path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:32]


def _make(target: Path) -> None:
    from licet_server.migrations import migrate

    with EmbeddedPostgres(target, log=lambda _: None, fsync=False) as cluster:
        asyncio.run(migrate(cluster.url))


def _keep(kept: Path) -> None:
    """Make a cluster where the server's account can enter, and move it among the kept ones."""
    with tempfile.TemporaryDirectory(prefix="licet-run-") as folder:
        root = Path(folder)
        root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        made = root / "data"
        _make(made)
        if not (made / "postgres").exists():  # the account's place for it is elsewhere
            raise RuntimeError(f"The cluster is not in {made}.")
        partial = kept.with_name(f"{kept.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        copy(made, partial)
        partial.rename(kept)
    for old in sorted(kept.parent.glob("*/"), key=lambda item: item.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, how: int) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, how)
        yield
