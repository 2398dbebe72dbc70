"""One PostgreSQL server for a whole test run, however many processes the run has.

The process that distributes the tests starts the server; the workers attach to it, and each has
its own names for databases. The server does not wait for the disk. Its cluster was migrated by this
run or by one before, and each database is a copy of the one in it.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import kept_cluster

from licet_server.kit.postgres import Address, EmbeddedPostgres
from licet_server.kit.postgres.initialize import DATABASE
from licet_server.kit.postgres.process import wait_until

TEMPLATE = DATABASE
"""The migrated database that others are copies of."""
CreateSchema = Callable[[str], Awaitable[None]]
"""Brings the schema into the empty database at a URL, where it is not the migrated one."""
_PATIENCE_S = 120.0
_SETTINGS = {
    "max_connections": "600",
    "max_wal_size": "8GB",
    # There are hundreds of databases, each used for seconds: looking after them is wasted work.
    "autovacuum": "off",
}


class SharedPostgres:
    """The server of the run, as the tests of one process see it."""

    def __init__(self, cluster: EmbeddedPostgres, folder: Path, prefix: str) -> None:
        self.folder = folder
        """A folder that all processes of the run share, and that goes with it."""
        self._cluster = cluster
        self._prefix = prefix

    def create_database(self, name: str, *, template: str | None = None) -> Address:
        """Create a database. Two processes may use the same name for a database of their own."""
        return self._cluster.create_database(f"{self._prefix}_{name}", template=template)


class Host:
    """Runs the server in the background, so that workers start meanwhile."""

    def __init__(self, keep: Path | None, create_schema: CreateSchema | None = None) -> None:
        self.folder = create_folder("licet-run-")
        self._keep = keep
        self._create_schema = create_schema
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="shared-postgres", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the server and remove its folder."""
        self._stop.set()
        self._thread.join()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self) -> None:
        try:
            with _running(self.folder, self._keep, self._create_schema):
                _ready(self.folder).touch()
                self._stop.wait()
        except Exception as error:
            partial = self.folder / "partial"
            partial.write_text(str(error))
            partial.rename(_failed(self.folder))
            raise


@contextlib.contextmanager
def attached(folder: Path, prefix: str) -> Iterator[SharedPostgres]:
    """Use the server that a `Host` runs in `folder`."""
    ready, failed = _ready(folder), _failed(folder)
    assert wait_until(lambda: ready.exists() or failed.exists(), _PATIENCE_S), "no PostgreSQL"
    assert not failed.exists(), failed.read_text()
    with EmbeddedPostgres(folder, log=lambda _: None) as cluster:
        assert cluster.attached
        yield SharedPostgres(cluster, folder, prefix)


@contextlib.contextmanager
def alone(keep: Path | None, create_schema: CreateSchema | None = None) -> Iterator[SharedPostgres]:
    """Run the server for the tests of this process alone."""
    folder = create_folder("licet-run-")
    try:
        with _running(folder, keep, create_schema) as cluster:
            yield SharedPostgres(cluster, folder, "main")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def create_folder(prefix: str) -> Path:
    """Create a temporary folder that PostgreSQL's account can pass through when this is root."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    return folder


@contextlib.contextmanager
def _running(
    folder: Path, keep: Path | None, create_schema: CreateSchema | None
) -> Iterator[EmbeddedPostgres]:
    if create_schema is None:
        kept_cluster.provide(folder, keep)
    with EmbeddedPostgres(folder, log=lambda _: None, fsync=False, settings=_SETTINGS) as cluster:
        if create_schema is not None:
            asyncio.run(_create(create_schema, cluster.url))
        yield cluster


async def _create(create_schema: CreateSchema, url: str) -> None:
    await create_schema(url)


def _ready(folder: Path) -> Path:
    return folder / "ready"


def _failed(folder: Path) -> Path:
    return folder / "failed"
