"""What a run says at its end, and the page in `docs/` that keeps it for the release."""

import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from testruns import second_tries
from testruns.lanes import Ended
from testruns.outcomes import Outcomes

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "test-runs.md"
_KEPT = ("docs/test-runs.md", "testruns/second-tries.jsonl")
"""Files that a run writes itself."""
MET, MISSING = "Outside programs:", "Missing programs:"
"""How the lines of `server/tests/outside_programs.py` begin."""


_FAILURE = re.compile(r"(FAILED|not ok|✖|failed +[A-Z]+-\d+) ")
"""How NUnit, Node (in two forms) and the conformance suite begin the line of a failure."""


@dataclass(frozen=True)
class Row:
    """A stage in the table at the end of a run."""

    ended: Ended
    outcomes: Outcomes | None
    """Of a stage of pytest's."""
    failed: Sequence[str]
    """Tests that failed in the end, or never ran; or the stage, if it has no tests to name."""
    late: Sequence[tuple[str, str]] = ()
    """Tests that passed only at their second try, each with the cause of the first failure."""
    programs: Sequence[str] = ()
    """What the stage printed of programs outside the project that it met or missed."""

    @property
    def green(self) -> bool:
        return not self.failed

    @property
    def passed(self) -> int:
        return (self.outcomes.count("passed") if self.outcomes else 0) + len(self.late)

    @property
    def skipped(self) -> int:
        return self.outcomes.count("skipped") if self.outcomes else 0

    def after(self, again: Ended, late: Sequence[tuple[str, str]]) -> "Row":
        """Return the row with the second try of its failed tests."""
        passed = {test for test, _ in late}
        ended = replace(
            self.ended,
            wall_s=self.ended.wall_s + again.wall_s,
            processor_s=self.ended.processor_s + again.processor_s,
        )
        left = [test for test in self.failed if test not in passed]
        return replace(self, ended=ended, failed=left, late=late)


class Began(NamedTuple):
    """When a run began, and on what."""

    date: str
    commit: str
    changed: bool
    """Whether files differed from the commit."""


def begin() -> Began:
    now = datetime.now(UTC)  # noqa: TID251 - the date of a run is the real one
    commit = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--", ".", *_excluded(_KEPT))
    return Began(f"{now:%Y-%m-%d %H:%M}", commit, bool(changed))


def table(rows: Sequence[Row]) -> list[str]:
    """Return the table of stages, in Markdown that is also read well in a terminal."""
    heads = ("stage", "result", "tests", "second tries", "wall s", "processor s")
    lines = [heads, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = ["| " + " | ".join(_padded(line, widths)) + " |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    programs = [f"- {row.ended.name}: {line}" for row in rows for line in row.programs]
    failed = [f"- FAILED {test}" for row in rows for test in row.failed]
    return ["", texts[0], rule, *texts[1:], "", *programs, *failed]


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.ended.name,
        ("passed" if row.green else "FAILED") if not row.ended.lacks else f"no {row.ended.lacks}",
        str(len(row.outcomes.seen)) if row.outcomes else "",
        str(len(row.late)) if row.late else "",
        f"{row.ended.wall_s:.0f}",
        f"{row.ended.processor_s:.0f}",
    )


def _padded(line: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    for number, (text, width) in enumerate(zip(line, widths, strict=True)):
        yield text.ljust(width) if number < 2 else text.rjust(width)


def programs_in(said: str) -> list[str]:
    """Return the lines that name programs outside the project."""
    return [line for line in said.splitlines() if line.startswith((MET, MISSING))]


def cause_in(said: str) -> str:
    """Return the line that names the first failure, or else the last line that a stage printed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or [""]
    return next((line for line in lines if _FAILURE.match(line)), lines[-1])


def closing_line(rows: Sequence[Row]) -> str:
    """Return the count of all tests; a stage that failed without naming a test counts as one."""
    skipped = sum(row.skipped for row in rows)
    counts = (
        f"{sum(row.passed for row in rows)} passed, {sum(len(row.failed) for row in rows)} failed"
    )
    return counts + (f", {skipped} skipped" if skipped else "")


def write(page: Path, began: Began, rows: Sequence[Row], *, green: bool) -> None:
    """Write the page of the last whole run."""
    changes = "files were changed, so it counts for no release" if began.changed else "none"
    page.write_text(
        "# The last run of all tests\n\n"
        "`make test-all` writes this page, and `make release-check` reads it. "
        "[CONTRIBUTING.md](../CONTRIBUTING.md#which-run-proves-what) says which run proves what."
        "\n\n"
        f"- Result: {'green' if green else 'red'}, {closing_line(rows)}\n"
        f"- Date: {began.date} UTC\n"
        f"- Commit: `{began.commit}`\n"
        f"- Changes beside it: {changes}\n" + "\n".join(line for line in table(rows)) + "\n"
    )


def check_release() -> int:
    """Return 0 if the last run of all tests proves what is about to be released."""
    problems = [*problems_of(PAGE.read_text()), *_listed_twice()]
    for problem in problems:
        print(f"No release: {problem}")
    if not problems:
        print("The last run of all tests is green, of these sources.")
    return 1 if problems else 0


def problems_of(page: str) -> Iterable[str]:
    if "\n- Commit: " not in page:
        yield "`make test-all` has not run yet."
        return
    if "\n- Result: green," not in page:
        yield "the last `make test-all` is not green (docs/test-runs.md)."
    if "\n- Changes beside it: none\n" not in page:
        yield "the last `make test-all` ran with files that were not committed."
    for missing in re.findall(rf"^- .*: {MISSING} (.*)$", page, re.MULTILINE):
        yield f"the last `make test-all` ran without {missing}."
    commit = re.search(r"^- Commit: `([0-9a-f]{40})`$", page, re.MULTILINE)
    if commit is None or not _is_ancestor(commit[1]):
        yield "the last `make test-all` was of a commit that is not in this history."
        return
    since = _git("diff", "--name-only", commit[1], "--", ".", *_excluded((*_KEPT, "*.md")))
    if since:
        yield f"changed since the last `make test-all`: {', '.join(since.splitlines()[:5])}."


def _listed_twice() -> Iterable[str]:
    for test in second_tries.repeated(second_tries.read()):
        yield f"{test} passed only at its second try more than once."


def _is_ancestor(commit: str) -> bool:
    command = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0  # noqa: S603


def _excluded(paths: Iterable[str]) -> list[str]:
    return [f":(exclude){path}" for path in paths]


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return run.stdout.strip()
