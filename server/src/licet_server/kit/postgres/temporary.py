"""A temporary server for tests: fast, and deleted at the end."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from licet_server.kit.postgres.cluster import EmbeddedPostgres


@contextlib.contextmanager
def temporary_postgres(
    log: Callable[[str], None] = lambda _: None, *, settings: dict[str, str] | None = None
) -> Iterator[EmbeddedPostgres]:
    """Run an empty embedded database without fsync."""
    folder = Path(tempfile.mkdtemp(prefix="licet-pg-"))
    try:
        # If this is root, the server's account must be able to traverse the folder.
        folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        with EmbeddedPostgres(folder, log=log, fsync=False, settings=settings) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)
