"""Second tries of made-up tests: what passes then is recorded and said, and the rest fails."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from testruns import record, second_tries
from testruns.__main__ import Run
from testruns.lanes import Stage
from testruns.second_tries import SecondTry
from testruns.stages import LONG, RUNS, PytestStage

ROOT = Path(__file__).parents[3]
STAGES = {stage.name for plan in RUNS.values() for lane in plan for stage in lane}
LATE = """
from pathlib import Path
def test_late():
    seen = Path(__file__).with_suffix('.seen')
    if not seen.exists():
        seen.touch()
        raise AssertionError('the row is not there yet')
def test_good(): pass
"""
TWICE = "def test_bad(): assert 1 == 2, 'never'\n"
CRASHES = "import os\ndef test_crash(): os._exit(7)\ndef test_good(): pass\n"
TEARDOWN = """
import pytest
@pytest.fixture
def broken():
    yield
    raise RuntimeError('left open')
def test_teardown(broken): pass
"""
Trial = Callable[..., int]


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """Run files of tests as a stage, and return the status of the run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # starts in a third of the time
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "out").mkdir()

    def run(name: str = "test", processes: int = 0, **files: str) -> int:
        for file, code in files.items():
            (tmp_path / f"test_{file}.py").write_text(code)
        made = Run(name, tmp_path / "out", listed=tmp_path / "list", page=tmp_path / "page.md")
        paths = [f"test_{file}.py" for file in files]
        return made.run([[PytestStage("made-up", paths, processes, options=["-p", "xdist"])]])

    return run


def listed(folder: Path) -> list[SecondTry]:
    return second_tries.read(folder / "list")


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("processes", [0, 2])
def test_what_passes_at_the_second_try_is_said_and_recorded(
    trial: Trial, tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: int
) -> None:
    assert trial(late=LATE, processes=processes) == 0
    said = capsys.readouterr().out
    assert "1 PASSED ONLY AT THE SECOND TRY" in said
    assert "the row is not there yet" in said
    assert said.splitlines()[-1] == "2 passed, 0 failed"
    [found] = listed(tmp_path)
    assert (found.test, found.run) == ("test_late.py::test_late", "test")
    assert found.cause == "AssertionError: the row is not there yet"
    assert found.date
    assert found.commit is not None


def test_what_fails_twice_fails(
    trial: Trial, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trial(late=LATE, twice=TWICE) == 1
    said = capsys.readouterr().out
    assert "FAILED test_twice.py::test_bad" in said
    assert said.splitlines()[-1] == "2 passed, 1 failed"
    assert [item.test for item in listed(tmp_path)] == ["test_late.py::test_late"]


def test_an_error_after_a_test_is_a_failure(
    trial: Trial, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trial(teardown=TEARDOWN) == 1
    assert last_line(capsys) == "0 passed, 1 failed"


@pytest.mark.parametrize("processes", [0, 2])
def test_a_file_that_cannot_be_imported_fails_without_a_second_try(
    trial: Trial, capsys: pytest.CaptureFixture[str], processes: int
) -> None:
    """What is in it is not known to have run, even if the import succeeds the next time."""
    late_import = LATE.replace("def test_late():", "if True:") + "\n"
    assert trial(late=late_import, twice="def test_good(): pass\n", processes=processes) == 1
    said = capsys.readouterr().out
    assert "once more" not in said
    assert not said.splitlines()[-1].endswith("0 failed")


def test_a_process_that_crashes_fails_its_test(
    trial: Trial, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trial(crash=CRASHES, processes=2) == 1
    said = capsys.readouterr().out
    assert "FAILED test_crash.py::test_crash" in said
    assert said.splitlines()[-1] == "1 passed, 1 failed"


def test_tests_that_never_ran_fail(trial: Trial, capsys: pytest.CaptureFixture[str]) -> None:
    assert trial(crash=CRASHES, processes=0) == 1
    assert last_line(capsys) == "0 passed, 2 failed"


def test_no_tests_at_all_are_a_failure(trial: Trial, capsys: pytest.CaptureFixture[str]) -> None:
    assert trial(empty="") == 1
    assert last_line(capsys) == "0 passed, 1 failed"


def test_many_failures_are_not_tried_again(
    trial: Trial, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import pytest\n@pytest.mark.parametrize('n', range(26))\ndef test_bad(n): assert 0\n"
    assert trial(many=code) == 1
    said = capsys.readouterr().out
    assert "once more" not in said
    assert said.splitlines()[-1] == "0 passed, 26 failed"


def test_a_stage_that_names_no_tests_has_a_second_try_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*script: str) -> int:
        made = Run("test", tmp_path, listed=tmp_path / "list", page=tmp_path / "page.md")
        return made.run([[Stage("made-up", ["sh", "-c", "; ".join(script)])]])

    seen = tmp_path / "seen"
    assert run("echo FAILED Seats.Late", f"test -f {seen} || {{ touch {seen}; exit 1; }}") == 0
    assert [(item.test, item.cause) for item in listed(tmp_path)] == [
        ("made-up", "FAILED Seats.Late")
    ]
    assert run("echo '✖ a seat is late'", "echo 1 failed", "exit 2") == 1
    assert "- FAILED made-up: ✖ a seat is late" in capsys.readouterr().out
    assert len(listed(tmp_path)) == 1


def test_a_test_that_is_on_the_list_twice_fails_the_run_of_all_tests(
    trial: Trial, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trial(LONG, late=LATE) == 0
    assert "- Result: green, 2 passed, 0 failed" in (tmp_path / "page.md").read_text()
    (tmp_path / "test_late.seen").unlink()
    assert trial("test", late=LATE) == 0
    assert "test_late.py::test_late has passed only at its second try more than once." in (
        capsys.readouterr().out
    )
    assert trial(LONG, late=LATE) == 1
    assert "- Result: red, 2 passed, 0 failed" in (tmp_path / "page.md").read_text()
    assert len(listed(tmp_path)) == 2


def test_the_list_in_the_repository_names_tests_that_are_there() -> None:
    gone = [
        item.test
        for item in second_tries.read()
        if item.test not in STAGES
        and (
            not (source := ROOT / item.test.partition("::")[0]).is_file()
            or item.test.partition("[")[0].rpartition("::")[2] not in source.read_text()
        )
    ]
    assert not gone, "take these off testruns/second-tries.jsonl"


def test_programs_that_a_run_met_and_missed_are_named_at_its_end_and_for_the_release(
    trial: Trial, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "def pytest_terminal_summary(terminalreporter):\n"
    for line in ("Outside programs: curl 7.88", "Missing programs: wrk (2 tests did not run)"):
        code += f"    terminalreporter.write_line({line!r})\n"
    (tmp_path / "conftest.py").write_text(code)
    assert trial(LONG, good="def test_good(): pass\n") == 0
    said = capsys.readouterr().out
    assert "- made-up: Outside programs: curl 7.88" in said
    page = (tmp_path / "page.md").read_text()
    missed = "the last `make test-all` ran without wrk (2 tests did not run)."
    assert missed in record.problems_of(page)


def test_the_release_check_reads_the_page_of_a_run(trial: Trial, tmp_path: Path) -> None:
    trial(LONG, bad=TWICE)
    page = (tmp_path / "page.md").read_text()
    assert re.search(r"^\| made-up +\| FAILED +\| +1 \|", page, re.MULTILINE)
    elsewhere = re.sub("`[0-9a-f]{40}`", f"`{'0' * 40}`", page)
    changed = re.sub("beside it: .*", "beside it: some", elsewhere)
    assert len([*record.problems_of(changed)]) == 3
    green = changed.replace("Result: red", "Result: green").replace("it: some", "it: none")
    assert [*record.problems_of(green)] == [
        "the last `make test-all` was of a commit that is not in this history."
    ]
    assert len([*record.problems_of("- Result: none yet\n")]) == 1
