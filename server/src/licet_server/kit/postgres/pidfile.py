"""Reads `postmaster.pid`, and checks whether its server is still running."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from licet_server.kit.postgres.account import Account

_NAME = "postmaster.pid"


@dataclass(frozen=True, slots=True)
class RunningServer:
    """The relevant lines of the file."""

    pid: int
    sockets: Path | None
    is_ready: bool


def read_pidfile(cluster: Path) -> RunningServer | None:
    """Return the server in the file, which may have exited; None without a complete file."""
    try:
        lines = (cluster / _NAME).read_text(errors="replace").splitlines()
        pid = int(lines[0])
    except (OSError, ValueError, IndexError):
        return None
    sockets = Path(lines[4]) if len(lines) > 4 and lines[4] else None
    return RunningServer(pid, sockets, len(lines) > 7 and lines[7].strip() == "ready")


def running_server(cluster: Path) -> RunningServer | None:
    """Return the server of this cluster if its process is alive and belongs to the cluster.

    After a crash, the process ID in the file may belong to an unrelated process.
    """
    server = read_pidfile(cluster)
    if server is None:
        return None
    return server if _is_server_of(server.pid, cluster) else None


def _is_server_of(pid: int, cluster: Path) -> bool:
    if sys.platform == "linux":
        try:
            # A server's working directory is its cluster.
            return Path(f"/proc/{pid}/cwd").readlink() == cluster.resolve()
        except OSError:
            return False
    else:
        result = subprocess.run(  # noqa: S603 - a number, not text from outside
            ["/bin/ps", "-o", "command=", "-p", str(pid)],
            check=False,
            capture_output=True,
            text=True,
        )
        return str(cluster) in result.stdout


def neutralize_stale_pidfile(cluster: Path, account: Account) -> None:
    """Let the next server start even if an unrelated process has reused the old process ID.

    The file is not removed, because its other lines let the server detect orphans that still use
    the old shared memory. A server accepts the process ID of its own parent, so the ID of this
    process replaces the old one.
    """
    path = cluster / _NAME
    try:
        lines = path.read_text(errors="replace").splitlines(keepends=True)
    except FileNotFoundError:
        return
    lines[:1] = [f"{os.getpid()}\n"]
    # Written to a new file and renamed: the folder belongs to another user, and root must not
    # follow a link that this user may have planted.
    with tempfile.NamedTemporaryFile("w", dir=cluster, delete=False) as copy:
        copy.write("".join(lines))
        account.take_ownership(copy)
    Path(copy.name).replace(path)
