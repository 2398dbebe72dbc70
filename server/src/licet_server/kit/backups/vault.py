"""The objects of backups, sealed under the master key: `backups/SERIES/wal/...` and `.../base/...`.

A seal is bound to the name of its object, so an object that was changed, or exchanged with another,
cannot be opened.
"""

from collections.abc import Callable, Sequence

import msgspec

from licet_server.kit.backups.errors import BackupChanged, BackupError, BackupMissing
from licet_server.kit.backups.model import BaseBackup, is_segment
from licet_server.kit.files import FileMissing, ListedObject, Objects
from licet_server.kit.keyring import CannotOpen, Keyring

_AREA = "backups"
_MANIFEST = "manifest"


class Vault:
    """The backups in a store. `load_keyring` is called when the keyring is first needed."""

    def __init__(self, objects: Objects, load_keyring: Callable[[], Keyring]) -> None:
        self._objects = objects
        self._load_keyring = load_keyring
        self._keyring: Keyring | None = None

    def require_key(self) -> None:
        """Raise `MasterKeyMissing` as long as there is no master key."""
        self._keys()

    def write_segment(self, series: str, segment: str, content: bytes) -> None:
        """Store a compressed segment of the WAL, and read it back."""
        self._write(f"{_AREA}/{series}/wal/{segment}", content)

    def read_segment(self, series: str, segment: str) -> bytes:
        """Read a compressed segment of the WAL."""
        return self._read(f"{_AREA}/{series}/wal/{segment}")

    def list_segments(self, series: str) -> list[str]:
        """List the segments of a series, oldest first."""
        names = (item.name for item in self._objects.list_below(f"{_AREA}/{series}/wal"))
        return [name for item in names if is_segment(name := item.rpartition("/")[2])]

    def write_part(self, series: str, backup: str, part: str, number: int, content: bytes) -> None:
        """Store a piece of a file of a base backup, and read it back."""
        self._write(f"{_AREA}/{series}/base/{backup}/{part}.{number:06}", content)

    def read_part(self, backup: BaseBackup, part: str, number: int) -> bytes:
        """Read a piece of a file of a base backup."""
        return self._read(f"{_AREA}/{backup.series}/base/{backup.id}/{part}.{number:06}")

    def write_manifest(self, backup: BaseBackup) -> None:
        """Store the manifest of a base backup, with which it is complete."""
        name = f"{_AREA}/{backup.series}/base/{backup.id}/{_MANIFEST}"
        self._write(name, msgspec.json.encode(backup))

    def list_backups(self) -> tuple[list[BaseBackup], list[str]]:
        """List the complete base backups, oldest first, and why others cannot be read."""
        found, unreadable = [], []
        for item in self.list_objects():
            if item.name.endswith(f"/{_MANIFEST}"):
                try:
                    manifest = self._read(item.name)
                except BackupError as error:
                    unreadable.append(str(error))
                    continue
                found.append(msgspec.json.decode(manifest, type=BaseBackup))
        return sorted(found, key=lambda item: item.finished_at), unreadable

    def list_objects(self) -> list[ListedObject]:
        """List all objects of backups."""
        return self._objects.list_below(_AREA)

    def delete(self, names: Sequence[str]) -> None:
        """Delete objects, manifests first: what has none is no backup."""
        self._objects.delete(sorted(names, key=lambda name: not name.endswith(f"/{_MANIFEST}")))

    def _keys(self) -> Keyring:
        if self._keyring is None:
            self._keyring = self._load_keyring()
        return self._keyring

    def _write(self, name: str, content: bytes) -> None:
        self._objects.write(name, self._keys().seal(content, name))
        if self._read(name) != content:
            raise BackupChanged(f"The store does not return what was stored as {name}.")

    def _read(self, name: str) -> bytes:
        try:
            return self._keys().open(self._objects.read(name), name)
        except FileMissing:
            raise BackupMissing(f"{name} is missing in the store of backups.") from None
        except CannotOpen:
            raise BackupChanged(
                f"{name} in the store of backups was changed, or sealed under another master key."
            ) from None


def place_of(name: str) -> tuple[str, str, str]:
    """Return the series of an object, `wal` or `base`, and the segment or backup."""
    _, series, kind, item, *_ = [*name.split("/"), "", "", ""]
    return series, kind, item
