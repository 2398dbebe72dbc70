"""`python -m benchmarks [NAME ...] [--quick] [--plans FILE]`; `scale` runs only if it is named."""

import argparse
import subprocess
from pathlib import Path
from time import perf_counter

from benchmarks import (
    access,
    connect,
    connectors,
    consume,
    dashboard,
    events,
    heartbeats,
    importing,
    listing,
    neighbors,
    policies,
    scale,
    sdks,
    search,
    spread,
    start,
    validate,
    webhooks,
)
from benchmarks.load import client_name
from benchmarks.report import Report, machine
from benchmarks.size import FULL, QUICK, Size

RESULTS = Path(__file__).parent / "results"
NAMES = (
    "start",
    "spread",
    "access",
    "validate",
    "heartbeats",
    "connect",
    "consume",
    "neighbors",
    "listing",
    "search",
    "webhooks",
    "events",
    "connectors",
    "importing",
    "policies",
    "dashboard",
    "sdks",
)
SCALE = "scale"
MEASURED = {
    "spread": spread,
    "access": access,
    "validate": validate,
    "heartbeats": heartbeats,
    "connect": connect,
    "consume": consume,
    "neighbors": neighbors,
    "search": search,
    "webhooks": webhooks,
    "events": events,
    "connectors": connectors,
    "importing": importing,
    "policies": policies,
    "dashboard": dashboard,
    "sdks": sdks,
    SCALE: scale,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        help=f"any of {', '.join(NAMES)}; all by default; or {SCALE} (an hour, 70 GB)",
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, short rounds")
    parser.add_argument("--plans", type=Path, default=RESULTS / "plans.txt")
    options = parser.parse_args()
    unknown = set(options.names) - {*NAMES, SCALE}
    if unknown:
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    chosen = options.names or NAMES
    report = Report()
    report.say("# Results\n")
    report.say(machine(client_name()))
    size = QUICK if options.quick else FULL
    for name in (*NAMES, SCALE):
        if name in chosen:
            started = perf_counter()
            run(name, report, size, options.plans)
            report.say(f"\nThis took {(perf_counter() - started) / 60:.1f} minutes.")
    if not options.quick and set(chosen) == set(NAMES):
        report.write(RESULTS / "latest.md")
        report.remember(RESULTS / "history", _state())
    if not options.quick and chosen == [SCALE]:
        report.write(RESULTS / "scale.md")


def _state() -> str:
    """Return the commit that was measured, with its time."""
    command = ["git", "log", "-1", "--format=%cs %h"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run(name: str, report: Report, size: Size, plans: Path) -> None:
    """Run the benchmark of this name."""
    if name == "start":
        start.run(report)
    elif name == "listing":
        listing.run(report, size, plans)
    else:
        MEASURED[name].run(report, size)


if __name__ == "__main__":
    main()
