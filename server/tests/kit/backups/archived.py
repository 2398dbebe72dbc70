"""A store of backups, and what is done to it."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kit.postgres.place import Place, rows
from patience import PATIENCE_S

from licet_server.kit.backups.archiver import Archiver
from licet_server.kit.backups.recovery import Recovery, recover
from licet_server.kit.backups.vault import Vault
from licet_server.kit.clock import system_clock
from licet_server.kit.files import FilesUnavailable, ListedObject, Objects, open_objects
from licet_server.kit.keyring import Keyring
from licet_server.kit.postgres import Address
from licet_server.kit.settings import Settings

KEY = b"k" * 32


class Away(Objects):
    """A store that can be away."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self.is_away = False

    def write(self, name: str, content: bytes) -> None:
        if self.is_away:
            raise FilesUnavailable("nobody is there")
        self._objects.write(name, content)

    def read(self, name: str) -> bytes:
        return self._objects.read(name)

    def list_below(self, prefix: str) -> list[ListedObject]:
        return self._objects.list_below(prefix)

    def delete(self, names: Any) -> None:
        self._objects.delete(names)


@dataclass
class Backups:
    """Backups in a folder."""

    folder: Path
    key: bytes = KEY
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = Away(open_objects(Settings(), self.folder.absolute().as_uri()))
        self.vault = Vault(self.store, lambda: Keyring([self.key]))

    def archiver(self, **options: Any) -> Archiver:
        given = {"seconds": 1, "settle_seconds": 0, "retry_seconds": 0.5, **options}
        return Archiver(self.vault, system_clock, self.said.append, **given)

    @property
    def bases(self) -> list[Any]:
        return self.vault.list_backups()[0]

    @property
    def series(self) -> list[str]:
        """The series, oldest first."""
        below = self.folder / "backups"
        found = below.iterdir() if below.is_dir() else []
        return [path.name for path in sorted(found, key=lambda path: path.stat().st_ctime_ns)]

    def wait_for_base(self, number: int = 1) -> None:
        eventually(lambda: len(self.bases) >= number, f"base backup {number}", self.said)

    def recover(self, place: Place, name: str = "restored", **options: Any) -> Recovery:
        """Restore into an empty folder of the place."""
        target = place.root / name
        return recover(
            self.vault, target, self.said.append, uncounted, state_dir=place.state, **options
        )


def archive_all(backups: Backups, admin: Address) -> str:
    """Wait until all that was changed so far is in the store; answers its last segment."""
    # A switch alone does nothing where nothing was written since the last one.
    message = "SELECT pg_walfile_name(pg_logical_emit_message(true, 'test', 'x'));"
    [[segment]] = rows(admin, message)
    rows(admin, "SELECT pg_switch_wal();")
    eventually(
        lambda: any(segment in backups.vault.list_segments(item) for item in backups.series),
        f"{segment} is stored",
        backups.said,
    )
    return segment


def eventually(holds: Callable[[], Any], what: str, said: list[str]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what}: {said}"
        time.sleep(0.05)


def database_time(address: Address) -> datetime:
    [[text]] = rows(address, "SELECT clock_timestamp();")
    return datetime.fromisoformat(text).astimezone(UTC)


@contextlib.contextmanager
def uncounted(what: str) -> Iterator[Callable[[int, int], None]]:
    yield lambda done, total: None
