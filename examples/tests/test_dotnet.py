from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from examples import tryout
from examples.tests.kit import REASONS, ROOT, Copy, Fake, Running

SDK = ROOT / ".venv/dotnet"
BUILD = ROOT / "sdks/dotnet/toolchain/build.py"
Start = Callable[..., Running]


@pytest.fixture(scope="module")
def fake() -> Iterator[Fake]:
    """One for all: a program contains the product that it was compiled for."""
    running = Fake()
    running.reset(heartbeatIntervalSeconds=0.5, sessionTimeoutSeconds=60)
    yield running
    running.close()


@pytest.fixture(scope="module")
def compiled(fake: Fake, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    if not (SDK / "built.stamp").is_file():
        pytest.skip("the .NET SDK is not compiled; `make dotnet` does that on Linux on x86-64")
    folder = tmp_path_factory.mktemp("dotnet")
    found: dict[str, Path] = {}

    def compile_once(name: str) -> Path:
        if name not in found:
            found[name] = folder / name
            tryout.copy(fake.address, name, found[name], "")
            command = [sys.executable, str(BUILD), str(SDK), "--program", str(found[name])]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return found[name] / "bin"

    return compile_once


@pytest.fixture
def install(fake: Fake, compiled: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Copy]:
    """Installs a program, with a license of its own in its settings."""

    def make(name: str, **terms: object) -> Copy:
        issued = tryout.issue(fake.address, name, terms)
        folder = shutil.copytree(compiled(name), tmp_path / issued["id"])
        settings = {"Licet": {"LicenseKey": issued["licenseKey"]}}
        (folder / tryout.SETTINGS).write_text(json.dumps(settings))
        made = Copy(fake, folder, issued["id"], issued["licenseKey"], tmp_path / "data")
        made.more_environment["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"] = "1"
        return made

    return make


def program(name: str) -> tuple[str, str]:
    found = next((ROOT / ".venv").glob("lib/python3*/site-packages/dnv/net/runtime/.net/dotnet"))
    return str(found), f"{name}.dll"


CHECKSUMS, COMPRESSOR = "Checksums", "Compressor"


def test_the_console_prints_checksums(install: Callable[..., Copy]) -> None:
    console = install("dotnet-console")
    (console.folder / "a").write_bytes(b"a")
    (console.folder / "b").write_bytes(b"b")
    printed = console.run(*program(CHECKSUMS), "a", "b").splitlines()
    assert printed == [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in "ab"]


def test_several_files_need_the_feature(install: Callable[..., Copy]) -> None:
    console = install("dotnet-console", features=[])
    for name in "ab":
        (console.folder / name).touch()
    assert console.run(*program(CHECKSUMS), "a")
    assert "one file" in console.run(*program(CHECKSUMS), "a", "b", fails=True)


@pytest.mark.parametrize("reason", REASONS)
def test_the_console_ends_without_a_license(install: Callable[..., Copy], reason: str) -> None:
    console = install("dotnet-console")
    (console.folder / "a").touch()
    told = console.refuse(reason)
    assert told in console.run(*program(CHECKSUMS), "a", fails=True)


def test_the_worker_holds_a_seat_while_it_runs(install: Callable[..., Copy], start: Start) -> None:
    worker = install("dotnet-worker")
    running = start(worker, *program(COMPRESSOR))
    running.wait_for("Application started")
    assert len(worker.license["sessions"]) == 1
    (worker.folder / "inbox/text.txt").write_text("text " * 1000)
    running.wait_for("Compressed")
    assert 0 < (worker.folder / "inbox/text.txt.gz").stat().st_size < 1000
    assert not (worker.folder / "inbox/text.txt").exists()
    assert running.end() == 0
    assert worker.license["sessions"] == []


def test_the_worker_rests_while_its_license_is_suspended(
    install: Callable[..., Copy], start: Start
) -> None:
    worker = install("dotnet-worker")
    running = start(worker, *program(COMPRESSOR))
    running.wait_for("Application started")
    worker.act("suspend")
    running.wait_for("suspended")
    (worker.folder / "inbox/text.txt").write_text("text")
    worker.wait_for_requests("/sessions/connect", 8)
    assert (worker.folder / "inbox/text.txt").exists()
    worker.act("reinstate")
    running.wait_for("Compressed")


@pytest.mark.parametrize("reason", REASONS)
def test_the_worker_does_not_start_without_a_license(
    install: Callable[..., Copy], reason: str
) -> None:
    worker = install("dotnet-worker")
    told = worker.refuse(reason)
    assert told in worker.run(*program(COMPRESSOR), fails=True)
    assert not (worker.folder / "inbox").exists()


def test_a_second_worker_finds_no_seat(install: Callable[..., Copy], start: Start) -> None:
    worker = install("dotnet-worker")
    start(worker, *program(COMPRESSOR)).wait_for("Application started")
    assert "seat" in worker.run(*program(COMPRESSOR), fails=True)
