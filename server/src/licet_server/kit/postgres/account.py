"""The operating-system account that the server runs as: never root, never a new one."""

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
    """A user of this machine, by name and numbers."""

    name: str
    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        """Whether this process runs as somebody else (then it is root)."""
        return self.uid != os.geteuid()

    def subprocess_options(self) -> dict[str, Any]:
        """The arguments that make `subprocess` run a program as this account."""
        if not self.is_other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a program to its end as this account, from `/`, and hand back what it said."""
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
        """Whether the account gets into `folder`, found out by trying."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)]).returncode == 0

    def create_folder(self, folder: Path, mode: int = 0o700) -> None:
        """Make a folder that belongs to the account.

        Raises `FileExistsError` when it is there already.
        """
        folder.mkdir(mode=mode)
        if self.is_other:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)

    def give(self, file: IO[Any]) -> None:
        """Hand an open file over to the account."""
        if self.is_other:
            os.fchown(file.fileno(), self.uid, self.gid)


def plain_environment() -> dict[str, str]:
    """An environment with nothing in it that changes how PostgreSQL behaves."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/"}


def server_account() -> Account:
    """Who runs a new cluster: this user, or for root an existing system account.

    Raises:
        PostgresError: when this is root and there is no such account.
    """
    if os.geteuid() != 0:
        return account_of(os.geteuid())
    for name in SYSTEM_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(name, entry.pw_uid, entry.pw_gid)
    raise PostgresError(
        "PostgreSQL does not run as root, and there is no account `postgres` or `nobody` to run "
        "it as. Start the service as an ordinary user, or set DATABASE_URL."
    )


def account_of(uid: int) -> Account:
    """The account with this number; containers run under numbers that have no name."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(str(uid), uid, os.getegid())
    return Account(entry.pw_name, uid, entry.pw_gid)


def owner_of(cluster: Path) -> Account:
    """Who must run an existing cluster: the server insists on owning its folder.

    Raises:
        PostgresError: when this process may not run programs as that user.
    """
    owner = account_of(cluster.stat().st_uid)
    if owner.is_other and (os.geteuid() != 0 or owner.uid == 0):
        raise PostgresError(
            f"The database in {cluster} belongs to the user {owner.name}. "
            "Start the service as that user, or as root."
        )
    return owner
