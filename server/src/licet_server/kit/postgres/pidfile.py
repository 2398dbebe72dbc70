"""What a running server says about itself in `postmaster.pid`, and whether it still runs."""

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
    """The lines of the file that matter here."""

    pid: int
    sockets: Path | None
    is_ready: bool


def read_pidfile(cluster: Path) -> RunningServer | None:
    """The server that the file names, which may be gone; None without a (complete) file."""
    try:
        lines = (cluster / _NAME).read_text(errors="replace").splitlines()
        pid = int(lines[0])
    except (OSError, ValueError, IndexError):
        return None
    sockets = Path(lines[4]) if len(lines) > 4 and lines[4] else None
    return RunningServer(pid, sockets, len(lines) > 7 and lines[7].strip() == "ready")


def running_server(cluster: Path) -> RunningServer | None:
    """The server of this cluster, when its process lives and is really a server of this cluster.

    A number in a file left by a crash may belong to an unrelated process by now.
    """
    server = read_pidfile(cluster)
    if server is None:
        return None
    return server if _is_server_of(server.pid, cluster) else None


def _is_server_of(pid: int, cluster: Path) -> bool:
    if sys.platform == "linux":
        try:
            # A server's working folder is its cluster.
            return Path(f"/proc/{pid}/cwd").readlink() == cluster.resolve()
        except OSError:
            return False
    else:
        answer = subprocess.run(  # noqa: S603 - a number, not text from outside
            ["/bin/ps", "-o", "command=", "-p", str(pid)],
            check=False,
            capture_output=True,
            text=True,
        )
        return str(cluster) in answer.stdout


def neutralize_stale_pidfile(cluster: Path, account: Account) -> None:
    """Let the next server start although an unrelated process bears the old one's number.

    The file is not removed, because its other lines let the server see whether orphans of the
    old one still use its shared memory. A server forgives the number of its own parent, so the
    number of this process takes the place of the old one.
    """
    path = cluster / _NAME
    try:
        lines = path.read_text(errors="replace").splitlines(keepends=True)
    except FileNotFoundError:
        return
    lines[:1] = [f"{os.getpid()}\n"]
    # Written beside and renamed: the folder belongs to another user, and root follows no link
    # that this one may have laid.
    with tempfile.NamedTemporaryFile("w", dir=cluster, delete=False) as copy:
        copy.write("".join(lines))
        account.give(copy)
    Path(copy.name).replace(path)
