"""The tests of what was changed: its own first, then those of the features that import it.

Imports between features go one way, so a change reaches those above and nothing else. Only direct
dependents are chosen; `make test` runs all of them.
"""

import argparse
import re
import resource
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
TESTS = "server/tests"
FLOWS = f"{TESTS}/dashboard"
FEW = 75
"""Test functions that one process runs sooner than two have started."""
EVERYWHERE = {"kit", "app", "migrations", "worker", "cli"}
"""Packages that all others use or that use all others: the quick run samples every feature."""
SETTLED = re.compile(r"(Makefile|pyproject\.toml|\.ci/.*|requirements/.*|server/pyproject\.toml)")
FLOWS_OF = {
    "access": ("access", "signing_in_otherwise", "associations"),
    "admin": ("emails", "confirming"),
    "keys": ("api_keys",),
    "licenses": ("licenses", "license", "license_changes", "issue", "issue_drafts"),
    "products": ("products", "policies"),
    "profile": ("profile", "signing_in_otherwise"),
    "sales": ("orders",),
}
"""Browser tests of a folder of the dashboard, where their names are not that of the folder."""

COMMANDS = {"sdks/typescript/": "test-typescript", "sdks/dotnet/": "test-dotnet"}
OTHERS = {
    "sdks/python/": ["sdks/python/tests"],
    "conformance/": [
        "sdks/python/tests/test_own_sdk.py",
        "sdks/python/tests/test_sdk_conformance.py",
        "sdks/python/tests/test_sdk_conformance_command.py",
    ],
    "examples/": ["examples/tests"],
    "benchmarks/": [f"{TESTS}/test_benchmarks.py"],
    "deploy/": [f"{TESTS}/deploy"],
    "testruns/": [f"{TESTS}/runs"],
}
"""Tests of what is neither the service nor the dashboard, by how its paths start."""
PAGES = [f"{TESTS}/test_docsite.py", "sdks/python/tests/test_docs_snippets.py"]

Dependents = Mapping[str, Iterable[str]]
"""The packages that import a package directly."""


@dataclass
class Choice:
    """What to run; each part in its order."""

    own: list[str] = field(default_factory=list)
    flows: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    """Targets of the Makefile."""
    dependents: list[str] = field(default_factory=list)
    quick: bool = False

    def settle(self) -> "Choice":
        """Leave out what is chosen twice."""
        own = _without_parts(self.own)
        dependents = [path for path in _without_parts(self.dependents) if not _within(path, own)]
        flows, commands = _without_parts(self.flows), sorted(set(self.commands))
        return Choice(own, flows, commands, dependents, self.quick)


def choose(changed: Iterable[str], dependents: Dependents, root: Path = ROOT) -> Choice:
    """Return the tests for these files, named from the root of the repository."""
    choice = Choice()
    for path in changed:
        _add(choice, path, dependents, root)
    return choice.settle()


def _add(choice: Choice, path: str, dependents: Dependents, root: Path) -> None:
    if SETTLED.fullmatch(path):
        choice.quick = True
    elif path.startswith("server/src/licet_server/"):
        _add_feature(choice, path.split("/")[3:], dependents, root)
    elif path.startswith(f"{FLOWS}/"):
        choice.flows += [path] if _is_test(path) and (root / path).exists() else [FLOWS]
    elif path.startswith(f"{TESTS}/"):
        _add_tests(choice, path, root)
    elif path.startswith("dashboard/"):
        _add_flows(choice, path.split("/")[1:], root)
    else:
        _add_other(choice, path)


def _add_other(choice: Choice, path: str) -> None:
    for start, target in COMMANDS.items():
        if path.startswith(start):
            choice.commands.append(target)
    for start, tests in OTHERS.items():
        if path.startswith(start):
            choice.own += tests
    if path.endswith(".md"):
        choice.own += PAGES


def _add_feature(choice: Choice, parts: list[str], dependents: Dependents, root: Path) -> None:
    feature = parts[0].removesuffix(".py")
    if feature in EVERYWHERE:
        choice.quick = True
        inner = [f"{TESTS}/{feature}/{parts[1]}"] if len(parts) > 2 else []
        choice.own += [path for path in inner if (root / path).is_dir()]
        return
    choice.own += _tests_of(feature, root)
    for name in sorted(set(dependents.get(feature, ())) - EVERYWHERE):
        choice.dependents += _tests_of(name, root)


def _tests_of(feature: str, root: Path) -> list[str]:
    """Return the tests that bear the name of a package."""
    named = [f"{TESTS}/{feature}", f"{TESTS}/test_{feature}.py", f"{TESTS}/e2e/test_{feature}.py"]
    return [path for path in named[:2] if (root / path).exists()] or [
        path for path in named[2:] if (root / path).exists()
    ]


def _add_tests(choice: Choice, path: str, root: Path) -> None:
    folder = path.rsplit("/", 1)[0]
    if _is_test(path):
        choice.own += [path] if (root / path).exists() else []
    elif folder == TESTS or (path.endswith("conftest.py") and folder == f"{TESTS}/e2e"):
        choice.quick = True
    elif (root / folder).is_dir():
        choice.own.append(folder)
        choice.dependents += _importing(path, root)


def _importing(path: str, root: Path) -> list[str]:
    """Return the test files that import a module of the tests."""
    module = path.removeprefix(f"{TESTS}/").removesuffix(".py").replace("/", ".")
    imports = re.compile(rf"^\s*(from|import) {re.escape(module)}\b", re.MULTILINE)
    found = sorted((root / TESTS).rglob("test_*.py"))
    alone = (file for file in found if not file.is_relative_to(root / FLOWS))
    return [str(file.relative_to(root)) for file in alone if imports.search(file.read_text())]


def _add_flows(choice: Choice, parts: list[str], root: Path) -> None:
    folder = parts[1] if parts[0] == "src" and len(parts) > 2 else ""
    names = FLOWS_OF.get(folder, (folder,))
    found = [path for name in names if (root / (path := f"{FLOWS}/test_{name}.py")).exists()]
    choice.flows += found or [f"{FLOWS}/test_walk.py"]


def _is_test(path: str) -> bool:
    return path.rsplit("/", 1)[-1].startswith("test_") and path.endswith(".py")


def _without_parts(paths: Iterable[str]) -> list[str]:
    """Return each path once, without those inside of another one."""
    unique = dict.fromkeys(paths)
    return [path for path in unique if not _within(path, [each for each in unique if each != path])]


def _within(path: str, others: Iterable[str]) -> bool:
    return any(path == other or path.startswith(f"{other}/") for other in others)


def import_graph() -> Dependents:
    """Return which packages of the service import which."""
    graph = grimp.build_graph("licet_server")
    found: defaultdict[str, set[str]] = defaultdict(set)
    for imported in graph.modules:
        for importer in graph.find_modules_that_directly_import(imported):
            found[_package(imported)].add(_package(importer))
    return {package: importers - {package} for package, importers in found.items()}


def _package(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def changed_files(base: str) -> list[str]:
    """Return what differs from the commit, committed or not."""
    fresh = _git("ls-files", "--others", "--exclude-standard")
    return sorted({*_git("diff", "--name-only", base), *fresh})


def find_base(given: str | None) -> str:
    """Return the commit that the work began from: where it left the named or the main branch."""
    for name in [given] if given else ["origin/main", "main", "HEAD"]:
        if found := _git("merge-base", "HEAD", name, fails_quietly=True):
            return found[0]
    raise SystemExit(f"There is no commit {given}.")


def _git(*arguments: str, fails_quietly: bool = False) -> list[str]:
    command = ["git", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if run.returncode and not fails_quietly:
        raise SystemExit(run.stderr.strip())
    return run.stdout.split("\n")[:-1]


def main(arguments: Sequence[str]) -> int:
    """Run the tests of what was changed; stop at the first part that fails."""
    parser = argparse.ArgumentParser(prog="make test-changed", description=__doc__)
    parser.add_argument("--base", help="the commit to compare with (where main was left)")
    parser.add_argument("--own", action="store_true", help="leave out what depends on the change")
    given = parser.parse_args(arguments)
    base = find_base(given.base)
    choice = choose(changed_files(base), import_graph())
    parts = _parts(choice, own=given.own)
    if not parts:
        print(f"Nothing that has tests was changed since {base[:8]}.")
    for said, command in parts:
        print(f"==> {said}", flush=True)
        if status := subprocess.run(command, cwd=ROOT, check=False).returncode:  # noqa: S603
            return status
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"<== {used.ru_utime + used.ru_stime:.0f} s of processor so far", flush=True)
    return 0


def _parts(choice: Choice, *, own: bool) -> list[tuple[str, list[str]]]:
    """Return what to say before each command, and the command."""
    parts: list[tuple[str, list[str]]] = []
    if choice.own:
        parts.append((f"tests of the change: {_short(choice.own)}", _pytest(choice.own)))
    if choice.flows:
        parts.append(("the dashboard, built", _make("dashboard", "chromium")))
        parts.append(
            (f"browser tests: {_short(choice.flows)}", _pytest(choice.flows, browsers=True))
        )
    parts += [(f"make {target}", _make(target)) for target in choice.commands]
    if choice.dependents and not own:
        said = f"tests of what imports it: {_short(choice.dependents)}"
        parts.append((said, _pytest(choice.dependents)))
    if choice.quick:
        parts.append(("quick tests of all features", _make("test-quick")))
    return parts


def _make(*targets: str) -> list[str]:
    return ["make", "--no-print-directory", *targets]


def _short(paths: Iterable[str]) -> str:
    return ", ".join(path.removeprefix(f"{TESTS}/") for path in paths)


def _pytest(paths: Sequence[str], *, browsers: bool = False) -> list[str]:
    """Start a second process only where it pays."""
    spread = ["-n", "2", "--dist", "loadfile" if browsers else "worksteal"]
    few = sum(map(_count, paths)) <= FEW
    return [sys.executable, "-m", "pytest", "-q", *(["-n", "0"] if few else spread), *paths]


def _count(path: str) -> int:
    found = ROOT / path
    files = found.rglob("test_*.py") if found.is_dir() else [found]
    pattern = re.compile(r"^ *(async )?def test_", re.MULTILINE)
    return sum(len(pattern.findall(file.read_text())) for file in files)
