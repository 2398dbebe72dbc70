"""The cores that a process may use."""

import os
from pathlib import Path

import pytest

from licet_server import serving
from licet_server.kit.process import usable_cores
from licet_server.kit.settings import Settings


@pytest.mark.parametrize(
    ("quota", "cores"),
    [("max 100000", 8), ("200000 100000", 2), ("150000 100000", 2), ("1000 100000", 1), ("", 8)],
)
def test_a_containers_quota_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    (tmp_path / "cpu.max").write_text(quota)
    assert usable_cores(tmp_path / "cpu.max") == cores
    assert usable_cores(tmp_path / "none") == 8


@pytest.mark.parametrize(
    ("cores", "pool_size", "count"), [(1, 8, 1), (2, 8, 2), (64, 8, 5), (64, 2, 8), (64, 64, 1)]
)
def test_there_is_a_process_per_core_as_long_as_their_connections_fit(
    monkeypatch: pytest.MonkeyPatch, cores: int, pool_size: int, count: int
) -> None:
    monkeypatch.setattr(serving, "usable_cores", lambda: cores)
    assert serving.processes(Settings(pool_size=pool_size)) == count
    assert serving.processes(Settings(pool_size=pool_size, workers=7)) == 7
