"""`python -m testruns NAME`: run the tests, and end with a table and a line that counts them."""

import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testruns import outcomes, record, second_tries
from testruns.changed import main as run_changed
from testruns.lanes import Lanes, Stage
from testruns.record import Row
from testruns.second_tries import SecondTry
from testruns.stages import LONG, RUNS, Lane, PytestStage, outcomes_file

FAILURES_TRIED_AGAIN = 25
"""More than these are no accident of a busy machine."""
INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case ["release-check"]:
            return record.check_release()
        case ["test-changed", *rest]:
            return run_changed(rest)
        case [name] if name in RUNS:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with tempfile.TemporaryDirectory(prefix="licet-testrun-") as folder:
                return Run(name, Path(folder)).run(RUNS[name])
    print(f"usage: python -m testruns {'|'.join(RUNS)}|test-changed|release-check", file=sys.stderr)
    return 2


@dataclass
class Run:
    """A run of all stages, with second tries at its end."""

    name: str
    folder: Path
    """For what stages print and what becomes of tests."""
    listed: Path = second_tries.LIST
    page: Path = record.PAGE

    def run(self, plan: Sequence[Lane]) -> int:
        """Return the status of the process; 0 if all that failed passed at its second try."""
        began = record.begin()
        stages = [stage for lane in plan for stage in lane]
        try:
            lanes = self._lanes()
            lanes.run(*([as_stage(stage, self.folder) for stage in lane] for lane in plan))
            rows = [row_of(stage, lanes, self.folder) for stage in stages]
            rows = [self._try_again(*pair) for pair in zip(rows, stages, strict=True)]
        except KeyboardInterrupt:
            print("Stopped.")
            return INTERRUPTED
        late = [
            SecondTry(test, began.date, began.commit, self.name, cause)
            for row in rows
            for test, cause in row.late
        ]
        second_tries.add(late, self.listed)
        print(*record.table(rows), *second_tries.describe(late), sep="\n")
        repeated = second_tries.repeated(second_tries.read(self.listed))
        for test in repeated:
            print(f"{test} has passed only at its second try more than once.")
        green = all(row.green for row in rows) and not (repeated and self._is_long)
        if self._is_long:
            record.write(self.page, began, rows, green=green)
        print(record.closing_line(rows), flush=True)
        return 0 if green else 1

    @property
    def _is_long(self) -> bool:
        return self.name == LONG

    def _lanes(self) -> Lanes:
        variables = {"LICET_TESTS": "long"} if self._is_long else {}
        return Lanes(
            self.folder,
            progress=lambda stage: progress(self.folder, stage),
            variables=variables,
        )

    def _try_again(self, row: Row, stage: Stage | PytestStage) -> Row:
        """Run the tests of the stage that failed once more, with nothing beside them."""
        if isinstance(stage, Stage):
            return self._run_again(row, stage)
        found = row.outcomes
        if found is None or not may_be_tried_again(row):
            return row
        print(f"Running {len(row.failed)} of {stage.name} once more, alone.")
        again, lanes = stage.second_try(self.folder, found.failed), self._lanes()
        lanes.run([again])
        seen = outcomes.read(outcomes_file(self.folder, again.name)).seen
        passed = [(test, found.causes[test]) for test in row.failed if seen.get(test) == "passed"]
        return row.after(lanes.ended[again.name], passed)

    def _run_again(self, row: Row, stage: Stage) -> Row:
        """Run a stage that names no tests once more, if it ran and failed."""
        if row.green or row.ended.lacks:
            return row
        print(f"Running {stage.name} once more, alone.")
        again, lanes = Stage(f"{stage.name}-again", stage.command), self._lanes()
        cause = record.cause_in(lanes.output(stage.name).read_text(errors="replace"))
        lanes.run([again])
        ended = lanes.ended[again.name]
        if ended.status == 0:
            return row.after(ended, [(stage.name, cause)])
        return replace(row.after(ended, []), failed=[f"{stage.name}: {cause}"])


def as_stage(stage: Stage | PytestStage, folder: Path) -> Stage:
    return stage.stage(folder) if isinstance(stage, PytestStage) else stage


def progress(folder: Path, stage: str) -> str:
    """Return how many of the tests of a stage have ended."""
    found = outcomes.read(outcomes_file(folder, stage))
    failed = f", {len(found.failed)} failed" if found.failed else ""
    return f"({len(found.seen)} of {len(found.collected)} tests{failed})" if found.collected else ""


def row_of(stage: Stage | PytestStage, lanes: Lanes, folder: Path) -> Row:
    """Return what the table says of a stage, before second tries."""
    how = lanes.ended[stage.name]
    if not isinstance(stage, PytestStage):
        return Row(how, None, failed=[] if how.status == 0 else [stage.name])
    found = outcomes.read(outcomes_file(folder, stage.name))
    lost = [*found.failed, *found.never_ran]
    failed = lost if lost or how.status == 0 else [stage.name]
    said = lanes.output(stage.name).read_text(errors="replace") if not how.lacks else ""
    return Row(how, found, failed=failed, programs=record.programs_in(said))


def may_be_tried_again(row: Row) -> bool:
    """Return whether all tests ran to their end, and a few failed."""
    found = row.outcomes
    return (
        found is not None
        and 0 < len(found.failed) <= FAILURES_TRIED_AGAIN
        and row.ended.status == 1
        and bool(found.collected)
        and not found.unread
        and not found.never_ran
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
