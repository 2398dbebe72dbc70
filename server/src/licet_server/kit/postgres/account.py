"""The operating-system account that the server runs as: an existing one, never root."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from licet_server.kit.postgres.errors import PostgresError

SYSTEM_ACCOUNTS = ("postgres", "_postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """An operating-system user: name, user ID and group ID."""

    name: str
    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        """Whether this process runs as a different user, which must be root."""
        return self.uid != os.geteuid()

    def subprocess_options(self) -> dict[str, Any]:
        """Return the `subprocess` arguments that run a program as this account."""
        if not self.is_other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a program as this account, from `/`, and return its output."""
        return subprocess.run(  # noqa: S603 - the programs are PostgreSQL's and /bin/sh
            command,
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            cwd="/",
            env=plain_environment(),
            umask=0o077,
            **self.subprocess_options(),
        )

    def can_enter(self, folder: Path) -> bool:
        """Return whether the account can enter `folder`, determined by trying."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)]).returncode == 0

    def create_folder(self, folder: Path, mode: int = 0o700) -> None:
        """Create a folder that belongs to the account.

        Raises:
            FileExistsError: when it exists already.
        """
        folder.mkdir(mode=mode)
        if self.is_other:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)

    def take_ownership(self, file: IO[Any]) -> None:
        """Make the account the owner of an open file."""
        if self.is_other:
            os.fchown(file.fileno(), self.uid, self.gid)


def plain_environment() -> dict[str, str]:
    """Return an environment without variables that change how PostgreSQL behaves."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/"}


def server_account(wanted: str | None = None) -> Account:
    """Return the account for a new cluster: this user or, for root, an existing system account.

    `wanted` is the one to use for root, unless that is root itself.

    Raises:
        PostgresError: when this process is root and no such account exists.
    """
    if os.geteuid() != 0:
        return account_of(os.geteuid())
    names = SYSTEM_ACCOUNTS if wanted in {None, "root"} else (str(wanted),)
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(name, entry.pw_uid, entry.pw_gid)
    raise PostgresError(
        "PostgreSQL does not run as root, and this machine has no account `postgres` or `nobody` "
        "to run it as. Start the service as a regular user, or set DATABASE_URL."
    )


def account_of(uid: int) -> Account:
    """Return the account with this user ID; in containers it may have no name."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(str(uid), uid, os.getegid())
    return Account(entry.pw_name, uid, entry.pw_gid)


def owner_of(cluster: Path) -> Account:
    """Return the account that must run an existing cluster, which is the owner of its folder.

    Raises:
        PostgresError: when this process cannot run programs as that user.
    """
    owner = account_of(cluster.stat().st_uid)
    if owner.is_other and (os.geteuid() != 0 or owner.uid == 0):
        raise PostgresError(
            f"The database in {cluster} belongs to the user {owner.name}. "
            "Start the service as that user, or as root."
        )
    return owner
