"""The programs that a machine has decide which tests run, and the run says so."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import outside_programs
import pytest
from outside_programs import PROGRAMS, OutsideProgram, describe, found, missing, required

ABSENT = OutsideProgram("Absent", lambda: None)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one program, which prints its version among its errors."""
    file = tmp_path / "proxy"
    file.write_text("#!/bin/sh\necho 'proxy version 2.6.12-1 of 2023' >&2\nexit 1\n")
    file.chmod(0o700)
    for name in PROGRAMS:
        monkeypatch.setitem(PROGRAMS, name, ABSENT)
    monkeypatch.setitem(PROGRAMS, "haproxy", OutsideProgram("HAProxy", lambda: str(file)))


def _set_up(*marks: pytest.MarkDecorator, fixtures: tuple[str, ...] = ()) -> SimpleNamespace:
    """Return the report of a test with these marks."""
    item: Any = SimpleNamespace(
        user_properties=[],
        fixturenames=fixtures,
        iter_markers=lambda name: [each.mark for each in marks if each.name == name],
    )
    outcome = "passed"
    try:
        outside_programs.pytest_runtest_setup(item)
    except pytest.skip.Exception as skipped:
        outcome = str(skipped)
    properties = [list(each) for each in item.user_properties]  # as another process sends them
    return SimpleNamespace(when="setup", user_properties=properties, outcome=outcome)


@pytest.mark.usefixtures("machine")
def test_a_run_says_what_it_met_and_what_did_not_run() -> None:
    reports = [
        _set_up(required("haproxy")),
        _set_up(required("haproxy")),
        _set_up(required("etcd", "haproxy")),
        _set_up(required("etcd", "nginx")),
        _set_up(),
        "a warning",
    ]
    assert [getattr(each, "outcome", "") for each in reports][2:4] == [
        "not installed: Absent",
        "not installed: Absent, Absent",
    ]
    assert list(describe(reports)) == [
        "Outside programs: HAProxy 2.6.12",
        "Missing programs: Absent (2 tests did not run), Absent (1 test did not run)",
    ]
    assert list(describe([_set_up()])) == []


@pytest.mark.usefixtures("machine")
def test_fixtures_meet_programs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROGRAMS, "postgresql", PROGRAMS["haproxy"])
    report = _set_up(fixtures=("postgres", "clock"))
    assert list(describe([report])) == ["Outside programs: HAProxy 2.6.12"]


@pytest.mark.usefixtures("machine")
def test_a_release_refuses_a_machine_that_lacks_a_program(capsys: Any) -> None:
    assert missing(["haproxy"]) == []
    assert missing(["haproxy", "caddy"]) == ["Absent"]
    for asked, outcome in ((True, pytest.ExitCode.TESTS_FAILED), (False, pytest.ExitCode.OK)):
        session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
        plugins = SimpleNamespace(get_plugin=lambda _: None)
        session.config = SimpleNamespace(
            getoption=lambda _, asked=asked: asked, pluginmanager=plugins
        )
        outside_programs.pytest_sessionfinish(session)
        assert session.exitstatus == outcome


def test_an_undeclared_program_is_refused() -> None:
    with pytest.raises(AssertionError, match="not in PROGRAMS"):
        required("nothing")
    with pytest.raises(KeyError):
        found("nothing")


def test_a_program_without_a_version_is_still_named() -> None:
    assert OutsideProgram("True", lambda: "/bin/true", ()).version() == "of an unknown version"
    assert OutsideProgram("Gone", lambda: "/nowhere").version() == "of an unknown version"
