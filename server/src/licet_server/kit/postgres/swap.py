"""Swaps a new cluster with the old one, safely even if a crash interrupts it.

The two renames are not atomic. They are recorded in a journal first, and every start completes the
journal before it looks for the cluster.
"""

import json
from collections.abc import Callable
from pathlib import Path

from licet_server.kit.postgres.files import rename_durably, sync_folder, write_durably
from licet_server.kit.postgres.layout import DataDir


def begin_swap(data: DataDir, *, cluster: Path, new: Path, keep_as: Path) -> None:
    """Record that `cluster` will become `keep_as`, and `new` will become `cluster`."""
    journal = {"cluster": str(cluster), "new": str(new), "keep_as": str(keep_as)}
    write_durably(data.swap_file, json.dumps(journal) + "\n")


def finish_swap(data: DataDir, log: Callable[[str], None]) -> None:
    """Complete the recorded swap, if any. Only the holder of the lock may call this."""
    try:
        journal = json.loads(data.swap_file.read_text())
    except FileNotFoundError:
        return
    cluster, new, keep_as = (Path(journal[name]) for name in ("cluster", "new", "keep_as"))
    if new.exists():
        if not keep_as.exists():
            rename_durably(cluster, keep_as)
        rename_durably(new, cluster)
    data.swap_file.unlink()
    sync_folder(data.path)
    log(f"The upgraded database is in place; the old one is kept in {keep_as}.")
