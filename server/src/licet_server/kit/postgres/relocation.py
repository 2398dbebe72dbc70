"""Copies the programs if the server's account cannot enter the folder of the wheel.

Root's virtual environment may be in root's home folder. Instead of loosening permissions there, the
programs are copied once to a folder that root owns and everyone may read.
"""

import os
import shutil
from dataclasses import replace
from pathlib import Path

from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import wait_until

_COPY_TIMEOUT_S = 60.0


def reachable_binaries(
    binaries: Binaries, account: Account, state_dir: Path
) -> tuple[Binaries, bool]:
    """Return programs that `account` can run, and whether they are a copy.

    Raises:
        PostgresError: when the account cannot reach them and they cannot be copied.
    """
    if not account.is_other or _can_run(binaries, account):
        return binaries, False
    if binaries.wheel is None:
        raise PostgresError(
            f"The user {account.name} cannot run PostgreSQL in {binaries.folder}. Install it "
            "where every user can run it, or set DATABASE_URL."
        )
    copy = state_dir / f"postgresql-{binaries.version}-{binaries.wheel.fingerprint}"
    if not copy.is_dir():
        create_state_dir(state_dir)
        _copy_once(binaries, copy)
    folder = copy / binaries.wheel.folder.name / "pginstall" / "bin"
    relocated = replace(binaries, folder=folder, wheel=None)
    if copy.stat().st_uid != os.geteuid() or not _can_run(relocated, account):
        raise PostgresError(
            f"The copy of PostgreSQL in {copy} is damaged, or {account.name} cannot enter it. "
            "Remove that folder and start again."
        )
    return relocated, True


def create_state_dir(state_dir: Path) -> None:
    """Create the state folder: everyone may traverse it, and only root may write."""
    try:
        state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as error:
        raise PostgresError(
            f"{state_dir} cannot be created ({error.strerror}), and the server's account "
            "cannot reach the data folder. Choose a data folder that every user may enter, or "
            "start the service as a regular user."
        ) from error


def _can_run(binaries: Binaries, account: Account) -> bool:
    # The server also reads files beside its programs, which a strict umask may have closed.
    script = '"$1" --version && "$2" --version && cd -- "$3"/../lib'
    postgres, initdb = str(binaries.program("postgres")), str(binaries.program("initdb"))
    command = ["/bin/sh", "-c", script, "sh", postgres, initdb, str(binaries.folder)]
    if account.run(command).returncode != 0:
        return False
    share = binaries.folder.parent / "share" / "postgres.bki"
    readable = ["/bin/sh", "-c", 'test -r "$1"', "sh", str(share)]
    return not share.exists() or account.run(readable).returncode == 0


def _copy_once(binaries: Binaries, copy: Path) -> None:
    lock = FileLock(copy.with_name(f".{copy.name}.lock"))
    if not wait_until(lock.try_acquire, _COPY_TIMEOUT_S):
        raise PostgresError(f"{lock.holder()} has been copying PostgreSQL to {copy} for a minute.")
    partial = copy.with_name(f".{copy.name}.partial")
    try:
        if copy.is_dir():
            return
        shutil.rmtree(partial, ignore_errors=True)
        _copy(binaries, partial)
        partial.rename(copy)
    finally:
        lock.release()


def _copy(binaries: Binaries, target: Path) -> None:
    wheel = binaries.wheel
    if wheel is None:
        raise PostgresError("Only programs from a wheel can be copied.")
    # The programs find their libraries by a relative path.
    install = target / wheel.folder.name / "pginstall"
    for part in ("bin", "lib", "share"):
        shutil.copytree(
            wheel.folder / "pginstall" / part,
            install / part,
            ignore=shutil.ignore_patterns("*.a", "pgxs", "pkgconfig", "doc"),
            copy_function=shutil.copyfile,
        )
    if wheel.libraries.is_dir():
        shutil.copytree(
            wheel.libraries, target / wheel.libraries.name, copy_function=shutil.copyfile
        )
    for path in (target, *target.rglob("*")):
        if path.is_symlink():
            continue
        executable = path.is_dir() or path.parent.name == "bin" or ".so" in path.name
        path.chmod(0o755 if executable else 0o644)
