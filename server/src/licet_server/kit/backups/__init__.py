"""Backups of the embedded database to the minute: base backups and archived WAL in an object store.

A series is one base backup or more, and the WAL since the first of them without a gap. Whatever
breaks it begins a new one: a new cluster, WAL that was lost, a restore.
"""

from licet_server.kit.backups.archiver import Archiver, open_archiver, open_vault
from licet_server.kit.backups.model import BackupError, BaseBackup, unbroken
from licet_server.kit.backups.recovery import Recovery, recover
from licet_server.kit.backups.spool import BackupStatus, measure_backups
from licet_server.kit.backups.vault import Vault, opened, sealed

__all__ = [
    "Archiver",
    "BackupError",
    "BackupStatus",
    "BaseBackup",
    "Recovery",
    "Vault",
    "measure_backups",
    "open_archiver",
    "open_vault",
    "opened",
    "recover",
    "sealed",
    "unbroken",
]
