"""Archives: rows that have become old, in compressed files of the object store.

A row is either in its table or in an archive, never in both and never in neither: it leaves the
table in the transaction that records the archive, which was stored and read back before. Each
archive is an event of its institution's audit log, so one that was changed, deleted, added or
exchanged is found by `licet-server audit verify`.
"""
