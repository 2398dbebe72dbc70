"""The programs outside the project that decide which tests run.

A test names what it needs with `required`. A run ends with the programs that its tests met, and
with what did not run because one is missing. With `--require-programs`, as for a release, a missing
one fails the run.
"""

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import pytest

from licet_server.kit.postgres import NoBinaries, find_binaries

MARK = "needs_program"
_MET, _MISSED = "met_program", "missed_program"
_OLDER = (15, 16, 17)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class OutsideProgram:
    """How a program is called, found, and asked for its version."""

    title: str
    find: Callable[[], str | None]
    arguments: tuple[str, ...] = ("--version",)

    def version(self) -> str:
        """Return the version that the program prints."""
        path = self.find()
        with suppress(OSError, subprocess.TimeoutExpired):
            ended = subprocess.run(
                [str(path), *self.arguments],
                check=False,
                capture_output=True,
                text=True,
                timeout=30,
            )
            if found := _NUMBER.search(ended.stdout or ended.stderr):
                return found[0]
        return "of an unknown version"


@cache
def _on_path(*names: str) -> str | None:
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/bin:/opt/homebrew/bin"
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


@cache
def _postgres(major: int | None = None) -> str | None:
    try:
        return str(find_binaries(major).program("pg_dump"))
    except NoBinaries:
        return None


def _chromium() -> str | None:
    names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    return _on_path(*filter(None, [os.environ.get("LICET_CHROMIUM")]), *names)


def _command(title: str, name: str, *arguments: str) -> OutsideProgram:
    return OutsideProgram(title, partial(_on_path, name), arguments or ("--version",))


PROGRAMS = {
    "postgresql": OutsideProgram("PostgreSQL", _postgres),
    **{
        f"postgresql-{major}": OutsideProgram(f"PostgreSQL {major}", partial(_postgres, major))
        for major in _OLDER
    },
    "caddy": _command("Caddy", "caddy", "version"),
    "chromium": OutsideProgram("Chromium", _chromium),
    "curl": _command("curl", "curl"),
    "etcd": _command("etcd", "etcd"),
    "haproxy": _command("HAProxy", "haproxy", "-v"),
    "nginx": _command("nginx", "nginx", "-v"),
    "openssh": _command("OpenSSH", "ssh", "-V"),
    "openssl": _command("OpenSSL", "openssl", "version"),
    "patroni": _command("Patroni", "patroni"),
    "pgbackrest": _command("pgBackRest", "pgbackrest", "version"),
    "pgbouncer": _command("PgBouncer", "pgbouncer"),
    "promtool": _command("promtool", "promtool"),
    "systemd-analyze": _command("systemd-analyze", "systemd-analyze"),
    "wrk": _command("wrk", "wrk", "-v"),
}
FOR_A_RELEASE = tuple(name for name in PROGRAMS if name not in {"postgresql-16", "postgresql-17"})
"""What a release must have met. Debian 12 has all of them."""
_OF_FIXTURES = {"postgres": "postgresql", "place": "postgresql", "shared_chromium": "chromium"}


def required(*names: str) -> pytest.MarkDecorator:
    """Return the mark of tests that do not run without these programs."""
    unknown = set(names) - PROGRAMS.keys()
    assert not unknown, f"{unknown} are not in PROGRAMS"
    mark: pytest.MarkDecorator = getattr(pytest.mark, MARK)
    return mark(*names)


def found(name: str) -> str:
    """Return where a program is, in a test that requires it."""
    path = PROGRAMS[name].find()
    assert path is not None, f"{name} is missing: mark the test with required({name!r})"
    return path


def missing(names: Iterable[str] = FOR_A_RELEASE) -> list[str]:
    """Return the titles of those programs that this machine does not have."""
    return [PROGRAMS[name].title for name in names if PROGRAMS[name].find() is None]


def describe(reports: Iterable[Any]) -> Iterator[str]:
    """Describe in a line each what the tests met, and what did not run."""
    met: set[str] = set()
    missed: Counter[str] = Counter()
    for report in reports:
        if getattr(report, "when", None) == "setup":
            noted = set(map(tuple, report.user_properties))
            met.update(name for kind, name in noted if kind == _MET)
            missed.update(name for kind, name in noted if kind == _MISSED)
    if met:
        ordered = [name for name in PROGRAMS if name in met]
        yield "Outside programs: " + ", ".join(map(_with_version, ordered))
    if missed:
        each = (
            f"{PROGRAMS[name].title} ({count} test{'s' if count > 1 else ''} did not run)"
            for name, count in sorted(missed.items())
        )
        yield "Missing programs: " + ", ".join(each)


def _with_version(name: str) -> str:
    program, version = PROGRAMS[name], PROGRAMS[name].version()
    return f"{program.title.split()[0]} {version}"


def add_option(parser: pytest.Parser) -> None:
    """Offer to fail a run on a machine that lacks a program."""
    text = f"fail if one of these programs is missing: {', '.join(FOR_A_RELEASE)}"
    parser.addoption("--require-programs", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{MARK}(*names): runs only where these programs are")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose programs are missing, and note what it meets."""
    names = {name for mark in item.iter_markers(MARK) for name in mark.args}
    absent = sorted(name for name in names if PROGRAMS[name].find() is None)
    if absent:
        item.user_properties += [(_MISSED, name) for name in absent]
        pytest.skip(f"not installed: {', '.join(PROGRAMS[name].title for name in absent)}")
    fixtures = getattr(item, "fixturenames", ())
    names |= {name for fixture, name in _OF_FIXTURES.items() if fixture in fixtures}
    item.user_properties += [(_MET, name) for name in sorted(names)]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that must meet all programs and cannot."""
    if hasattr(session.config, "workerinput"):
        return
    if session.config.getoption("--require-programs") and (lacking := missing()):
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"\nThis run must meet: {', '.join(lacking)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
