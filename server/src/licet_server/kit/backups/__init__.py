"""Backups of the embedded database to the minute: base backups and archived WAL in an object store.

A series is one base backup or more, and the WAL since the first of them without a gap. Whatever
breaks it begins a new one: a new cluster, WAL that was lost, a restore.
"""
