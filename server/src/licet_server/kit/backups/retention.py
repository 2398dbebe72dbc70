"""Deletes the backups that no time of the last days needs, and the WAL before the others."""

from datetime import datetime, timedelta

from licet_server.kit.backups.model import kept
from licet_server.kit.backups.vault import Vault, place_of


def delete_old(vault: Vault, now: datetime, days: int, current: str) -> int:
    """Delete what is not needed to restore any time of the last `days`; returns how many objects.

    The `current` series stays, and so does whatever was written within these days and belongs to no
    complete backup yet.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    since = now - timedelta(days=days)
    backups, _ = vault.list_backups()
    needed = kept(backups, since)
    ids = {(item.series, item.id) for item in needed}
    known = {(item.series, item.id) for item in backups}
    first: dict[str, str] = {}
    for backup in sorted(needed, key=lambda item: item.last_segment, reverse=True):
        first[backup.series] = backup.last_segment
    old = []
    for item in vault.list_objects():
        series, kind, name = place_of(item.name)
        if kind == "base":
            is_old = (series, name) in known - ids
            is_left = (series, name) not in known and item.written_at < since
            is_unneeded = is_old or is_left
        elif series in first:
            is_unneeded = name < first[series]
        else:
            is_unneeded = series != current and item.written_at < since
        if is_unneeded:
            old.append(item.name)
    vault.delete(old)
    return len(old)
