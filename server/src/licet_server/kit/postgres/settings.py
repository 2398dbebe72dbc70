"""Settings of the embedded server: modest, because it shares the machine with the service."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.process import ServerCommand

_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
_MB = 1024 * 1024
_SHARE = 8
_LEAST_MB, _MOST_MB = 128, 4096
_LEAST_WAL_MB = 1024


def sized(memory: int) -> dict[str, str]:
    """Return the settings that follow the memory of the machine, in bytes.

    PostgreSQL's cache is an eighth of it, between 128 MB and 4 GB. It is only taken page by page,
    as the database grows. The WAL between two checkpoints may be as large as the cache, and has at
    least 1 GB: each checkpoint makes the next change of every page write the whole page.
    """
    cache = min(max(memory // _SHARE // _MB, _LEAST_MB), _MOST_MB)
    return {"shared_buffers": f"{cache}MB", "max_wal_size": f"{max(cache, _LEAST_WAL_MB)}MB"}


def available_memory(limits: Iterable[Path] = _LIMITS) -> int:
    """Return the memory in bytes of this machine, or of the container, if that has less."""
    return min([_physical(), *(found for path in limits if (found := _limit(path)) is not None)])


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on every system
        return _LEAST_MB * _MB * _SHARE


def _limit(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # no such file, or no limit: "max"
        return None


_OURS = {
    "max_connections": "100",
    "synchronous_commit": "on",
    "checkpoint_timeout": "10min",
    "jit": "off",  # compiling costs more than it saves for short statements
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    # A new file at every start and every 10 MB; the supervisor deletes old ones.
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgresql-%Y%m%d-%H%M%S.log",
    "log_file_mode": "0600",
    "log_rotation_size": "10MB",
    "log_rotation_age": "0",
    # The service reports failed statements itself, and their text may contain personal data.
    "log_min_messages": "log",
    "log_line_prefix": "%m [%p] ",
    "log_min_duration_statement": "1s",
    "log_parameter_max_length": "0",
}

_UNSAFE = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "128MB",
}


def server_settings(*, fsync: bool, overrides: Mapping[str, str]) -> dict[str, str]:
    """Return our defaults, overridden by unsafe but fast ones for tests, then by the caller's."""
    sizes = sized(available_memory())
    return {**_OURS, **sizes, **({} if fsync else _UNSAFE), **overrides}


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that this process runs."""

    command: ServerCommand
    admin: Address
    system: str
    """The identifier of the cluster, which PostgreSQL gives to each."""


class WalArchiver(Protocol):
    """Archives the WAL of the server, as long as this process runs it."""

    def server_settings(self, cluster: Path, account: Account) -> dict[str, str]:
        """Return settings for the server, called before it starts."""

    def begin(self, server: RunningServer) -> None:
        """Begin to archive, called once the server is ready."""

    def interrupt(self) -> None:
        """Stop what needs the server, called before it is stopped."""

    def finish(self) -> None:
        """Archive what is left, called after the server was stopped."""
