"""Opens the archiver and the vault that the settings ask for."""

from collections.abc import Callable
from dataclasses import replace

from licet_server.kit.backups.archiver import LEAVING_ROOT_S, Archiver
from licet_server.kit.backups.vault import Vault
from licet_server.kit.clock import Clock
from licet_server.kit.files import open_objects
from licet_server.kit.keyring import load_keyring
from licet_server.kit.settings import Settings


def open_archiver(settings: Settings, clock: Clock, log: Callable[[str], None]) -> Archiver | None:
    """Return what archives the embedded database; None if no backups are wanted.

    Raises:
        InvalidSetting: when the store cannot be opened.
    """
    vault = open_vault(settings)
    if vault is None:
        return None
    return Archiver(
        vault,
        clock,
        log,
        seconds=settings.backup_seconds,
        days=settings.backup_days,
        settle_seconds=0.0 if settings.run_as == "root" else LEAVING_ROOT_S,
    )


def open_vault(settings: Settings) -> Vault | None:
    """Return the backups in the store; None if no backups are wanted.

    Raises:
        InvalidSetting: when the store cannot be opened.
    """
    if settings.backup_url is None:
        return None
    # Leaving root may change the current folder.
    located = replace(settings, data_dir=settings.data_dir.resolve())
    objects = open_objects(settings, settings.backup_url)
    return Vault(objects, lambda: load_keyring(located.key_file, located.master_keys))
