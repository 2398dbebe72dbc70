"""Real database servers in short temporary folders, each ended by its own process id."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.postgres.place import Place, end_server_of, end_stopped_server, eventually


@pytest.fixture
def place() -> Iterator[Place]:
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    here = Place(root)
    yield here
    for service in here.services:
        service.kill()
        service.communicate()
    for pid in here.servers:
        end_stopped_server(pid, root)
    for version in root.rglob("PG_VERSION"):
        if version.parent.parent.name != "base":
            end_server_of(version.parent)
    # What a server that was ended has started may write for a moment longer.
    assert eventually(lambda: is_removed(root))


def is_removed(folder: Path) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()
