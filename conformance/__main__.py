"""``python -m conformance``: check an SDK against the requirements."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from conformance.real import RealTarget
from conformance.report import as_json, as_text
from conformance.requirements import Requirement, requirements
from conformance.run import Outcome, run
from conformance.targets import FakeTarget, Target


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; 1 if a check has failed that is not known to fail."""
    given = parser().parse_args(arguments)
    chosen = select(given.only)
    if not chosen:
        print(f"no requirement matches {', '.join(given.only)}", file=sys.stderr)
        return 2
    url = None if given.server == "fake" else given.server
    shared = url is not None and given.operator is None
    report = run(
        given.driver,
        chosen,
        lambda: make_target(url, given.operator),
        workers=1 if shared else given.workers,
        progress=show if given.verbose else lambda _: None,
    )
    print(as_text(report, chosen))
    if given.json is not None:
        given.json.write_text(json.dumps(as_json(report, chosen), indent=2) + "\n")
    return 1 if report.failures else 0


def make_target(url: str | None, operator: str | None) -> Target:
    """The server of one worker: its own fake, a fake that runs, or a real one."""
    if url is None or operator is None:
        return FakeTarget(url)
    return RealTarget(url, operator, os.environ["LICET_OPERATOR_PASSWORD"])


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument("--driver", required=True, help="the command that starts a driver")
    parser.add_argument(
        "--server",
        default="fake",
        help="fake (started here, the default), the address of a running licet-fake, or, with "
        "--operator, of a real server, ending in /api",
    )
    parser.add_argument(
        "--operator",
        metavar="EMAIL",
        help="an Owner or Admin on the real server; the password is in LICET_OPERATOR_PASSWORD",
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="an ID or pattern; repeatable"
    )
    parser.add_argument("--json", type=Path, help="write the outcome to this file, too")
    parser.add_argument("--workers", type=int, default=4, help="checks that run at once")
    parser.add_argument("--verbose", action="store_true", help="print each check as it ends")
    return parser


def select(patterns: Sequence[str]) -> list[Requirement]:
    """The requirements whose ID matches one of the patterns; all without patterns."""
    return [
        item
        for item in requirements()
        if not patterns or any(fnmatchcase(item.id, pattern) for pattern in patterns)
    ]


def show(outcome: Outcome) -> None:
    line = f"{outcome.verdict:8} {outcome.requirement} {outcome.label} {outcome.reason}"
    print(line.rstrip(), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
