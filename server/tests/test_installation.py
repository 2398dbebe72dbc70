"""The commands of docs/install.md: wheels into a new virtual environment, in a clean folder.

Without a network, so the dependencies are those of this environment.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PROJECTS = {"server": "licet_server", "sdks/python": "licet"}


def ran(*command: str | Path, cwd: Path) -> str:
    ended = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def sources(project: str, folder: Path) -> Path:
    """A copy of a project as an sdist has it: with a dashboard, and without its sources."""
    copy = folder / project
    shutil.copytree(REPOSITORY / project, copy, ignore=shutil.ignore_patterns("tests", "_*__"))
    if project == "server":
        built = copy / "src" / "licet_server" / "_dashboard"
        built.mkdir(exist_ok=True)
        (built / "index.html").touch()
    return copy


@pytest.mark.long
def test_the_wheels_of_a_checkout_are_installed_without_a_network(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    projects = [sources(project, tmp_path / "checkout") for project in PROJECTS]
    build = ("wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w")
    for folder in ("dist", "again"):
        ran(*pip, *build, tmp_path / folder, *projects, cwd=tmp_path)
    wheels = sorted((tmp_path / "dist").glob("*.whl"))
    assert [wheel.name.partition("-")[0] for wheel in wheels] == sorted(PROJECTS.values())
    assert [w.read_bytes() for w in wheels] == [
        (tmp_path / "again" / w.name).read_bytes() for w in wheels
    ]

    ran(sys.executable, "-m", "venv", "--without-pip", "opt", cwd=tmp_path)
    python = tmp_path / "opt" / "bin" / "python"
    site = Path(
        ran(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path).strip()
    )
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    ran(*pip, "--python", python, "install", "-q", "--no-index", "--no-deps", *wheels, cwd=tmp_path)

    clean = tmp_path / "clean"
    clean.mkdir()
    for command, package in (("licet-server", "licet-server"), ("licet", "licet")):
        assert version(package) in ran(python.parent / command, "--version", cwd=clean)
    where = "import licet, licet_server; print(licet.__file__, licet_server.__file__)"
    assert ran(python, "-I", "-c", where, cwd=clean).count(str(site)) == 2
    assert not list(clean.iterdir())


def test_the_page_names_the_version_that_is_built() -> None:
    page = (REPOSITORY / "docs" / "install.md").read_text()
    named = set(re.findall(r"(licet(?:_server)?)-(\d[\d.]*)-py3", page))
    assert named == {("licet", version("licet")), ("licet_server", version("licet-server"))}
