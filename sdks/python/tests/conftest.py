from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from licet_seat_server import SeatServer
from licet_testkit import FakeClock, LicenseServer, Vendor

pytest.register_assert_rewrite("client_scenarios")


@pytest.fixture(scope="session")
def vendor() -> Vendor:
    return Vendor()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(vendor: Vendor, clock: FakeClock) -> Iterator[LicenseServer]:
    with LicenseServer(vendor, clock) as running:
        yield running


@pytest.fixture
def seats() -> Iterator[SeatServer]:
    with SeatServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_proxy_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("licet._retries.FIRST_PAUSE", 0.01)


@pytest.fixture(autouse=True)
def data_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder below which applications of this test keep their data by default."""
    home = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    return home
