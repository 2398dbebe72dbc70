"""Runs keep a migrated cluster for the next: one that is complete, and of the same schema."""

import ast
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kept_cluster
import pytest

from licet_server import migrations

MIGRATIONS = Path(migrations.__file__).parent


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The places where a cluster was made, without a server."""
    places: list[Path] = []

    def make(target: Path) -> None:
        places.append(target)
        (target / "postgres").mkdir(parents=True)
        time.sleep(0.2)  # others that look meanwhile must not find a part of it
        (target / "postgres" / "PG_VERSION").write_text("18")

    monkeypatch.setattr(kept_cluster, "_make", make)
    return places


def test_runs_that_start_together_make_one_cluster(tmp_path: Path, made: list[Path]) -> None:
    targets = [tmp_path / f"run-{n}" for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda target: kept_cluster.provide(target, tmp_path / "kept"), targets))
    assert len(made) == 1
    assert {(target / "postgres" / "PG_VERSION").read_text() for target in targets} == {"18"}


def test_without_a_cache_each_run_makes_its_own(tmp_path: Path, made: list[Path]) -> None:
    kept_cluster.provide(tmp_path / "run", None)
    assert made == [tmp_path / "run"]


def test_a_changed_migration_needs_another_cluster(
    tmp_path: Path, made: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, keep = tmp_path / "source", tmp_path / "kept"
    shutil.copytree(MIGRATIONS, source / "migrations")
    monkeypatch.setattr(kept_cluster, "_SOURCE", source)
    newest = max((source / "migrations" / "versions").glob("1*.sql"))
    for number in range(4):
        with newest.open("a") as file:
            file.write(f"-- {number}\n")
        for run in "ab":
            kept_cluster.provide(tmp_path / f"{number}{run}", keep)
        assert len(made) == number + 1
    assert len(list(keep.glob("*/"))) == 2, "what no run needs any more is removed"


def test_migrations_depend_on_nothing_but_themselves() -> None:
    """Else a cluster could be taken for one of the same schema when it is not."""
    files = [MIGRATIONS / "turns.py", *(MIGRATIONS / "versions").glob("*.py")]
    imported = {
        node.module or ""
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
    } | {
        name.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import)
        for name in node.names
    }
    ours = {name for name in imported if name.startswith("licet")}
    assert ours <= {"licet_server.migrations.turns"}
