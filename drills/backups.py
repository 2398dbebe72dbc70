"""A service with the embedded database, and a store of its backups that goes away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from e2e.process import ADMIN, Service
from patience import eventually

_SECONDS = "2"


@contextmanager
def backed_up_service() -> Iterator[Service]:
    """Run a service that has stored a base backup, and nothing of it at the end."""
    service = Service(ADMIN, in_fresh_interpreter=True)
    service.variables |= {
        "LICET_BACKUP_URL": _store_of(service).as_uri(),
        "LICET_BACKUP_SECONDS": _SECONDS,
        "LICET_USER": "root",
    }
    try:
        service.start()
        eventually(lambda: [*_store_of(service).glob("backups/*/base/*/manifest")], "a backup")
        yield service
    finally:
        service.remove()


def lost_store(service: Service) -> Iterator[None]:
    """The store of backups is gone, and so is what was known of it."""
    store = _store_of(service)
    shutil.rmtree(store)
    store.touch()
    for progress in service.folder.glob("*.wal/progress.json"):
        progress.unlink()
    yield


def _store_of(service: Service) -> Path:
    return service.root / "store"


BACKED_UP = ((lost_store, ("LicetBackupLate", "LicetBaseBackupOld")),)
