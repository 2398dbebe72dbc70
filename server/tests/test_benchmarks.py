"""Benchmarks run on tiny sizes. Their figures are not judged: a second proves no rate."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from benchmarks import __main__ as benchmarks
from benchmarks import load, server, wrk
from benchmarks.rates import BARE_ROUTE, bare_route
from benchmarks.report import Report
from benchmarks.server import temporary_folder
from benchmarks.size import TINY
from e2e.forked import Forked
from e2e.process import free_port
from outside_programs import required

from licet_server.kit.postgres import EmbeddedPostgres

_FIRST_ROW = re.compile(r"^\| scenario .*\n\|[-|]+\n\| (.*?) +\|", re.MULTILINE)


def _run(command: Sequence[str]) -> None:
    sys.argv = list(command[1:])
    runpy.run_module(command[1], run_name="__main__", alter_sys=True)


def _forked(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Forked:
    ours = ("LICET_", "DATABASE_URL")
    variables = {name: text for name, text in environment.items() if name.startswith(ours)}
    return Forked(_run, command, variables=variables, output=log, folder=Path.cwd())


@pytest.fixture(autouse=True)
def _quick_start(monkeypatch: pytest.MonkeyPatch, seed: Path) -> None:
    """Servers are forked, instead of importing the service; databases are migrated already."""

    def migrated(folder: Path, settings: Mapping[str, str] | None) -> EmbeddedPostgres:
        subprocess.run(["cp", "-a", f"{seed}/.", folder], check=True)
        return EmbeddedPostgres(folder, log=lambda _: None, fsync=False, settings=settings)

    monkeypatch.setattr(server, "start", _forked)
    monkeypatch.setattr(server, "postgres_in", migrated)


ALWAYS = {"heartbeats", "listing", "validate"}
"""A rate against the bare route, the costs of a statement, and plans: each kind of figure once."""
NAMES = sorted({*benchmarks.NAMES, benchmarks.SCALE} - {"dashboard"})


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.long) for name in NAMES],
)
def test_a_benchmark_runs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmarks.run(name, Report(), TINY, tmp_path / "plans.txt")
    printed = capsys.readouterr().out
    assert "\n## " in printed
    assert set(_FIRST_ROW.findall(printed)) <= {BARE_ROUTE}, "every rate is compared with it"


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@required("wrk")
def test_wrk_counts_what_it_sends(folder: Path) -> None:
    with bare_route(folder) as bare:
        expected = load.LoadSpec(bare.server.port, "/health/live", expect='"ok"', seconds=1)
        assert load.run_load(expected).failed == 0
        found = load.run_load(load.LoadSpec(bare.server.port, "/nowhere", seconds=1))
        assert found.failed == found.total > 0
        bodies = folder / "bodies.jsonl"
        bodies.write_text('{"a": 1}\n{"a": 2}')
        sent = load.LoadSpec(
            bare.server.port, "/health/live", bodies=str(bodies), status=405, seconds=1
        )
        assert load.run_load(sent).failed == 0


@required("wrk")
def test_wrk_without_a_server_is_an_error() -> None:
    with pytest.raises(Exception, match="non-zero exit status"):
        load.run_load(load.LoadSpec(free_port(), "/", seconds=1))


def test_our_own_client_takes_the_place_of_wrk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wrk, "program", lambda: None)
    with bare_route(folder) as bare:
        spec = load.LoadSpec(bare.server.port, "/health/live", expect='"ok"', seconds=1)
        found = load.run_load(spec)
    assert found.measured > 0
    assert found.failed == 0
