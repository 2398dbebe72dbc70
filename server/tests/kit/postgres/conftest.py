"""Real servers in short temporary folders, each ended by its own process id."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.postgres.place import Eventually, Place, Rows
from kit.postgres.place import eventually as eventually_
from kit.postgres.place import rows as rows_

from licet_server.kit.postgres import EmbeddedPostgres


@pytest.fixture(scope="session")
def seed() -> Iterator[Path]:
    """A data folder whose cluster has been made and stopped."""
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    with Place(root).postgres():
        pass
    yield root / "data"
    shutil.rmtree(root)


@pytest.fixture
def made(place: Place, seed: Path) -> Place:
    """A place whose cluster is there already, copied because making one takes a second."""
    subprocess.run(["cp", "-a", seed, place.data], check=True)
    return place


@pytest.fixture(scope="module")
def shared() -> Iterator[EmbeddedPostgres]:
    """One server for the tests that only look at databases."""
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    with EmbeddedPostgres(root / "data", log=print, fsync=False, state_dir=root / "state") as pg:
        yield pg
    shutil.rmtree(root)


@pytest.fixture
def rows() -> Rows:
    return rows_


@pytest.fixture
def eventually() -> Eventually:
    return eventually_
