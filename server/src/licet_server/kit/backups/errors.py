"""Errors of backups, each with a message for the operator."""


class BackupError(Exception):
    """A backup cannot be taken, read or restored."""


class BackupMissing(BackupError):
    """A part of a backup does not exist."""


class BackupChanged(BackupError):
    """A part of a backup is not what was stored, or is sealed under another master key."""
