"""`python -m benchmarks [NAME ...] [--quick] [--plans FILE]`."""

import argparse
from pathlib import Path

from benchmarks import access, connect, consume, heartbeats, listing, start, validate, webhooks
from benchmarks.report import Report, machine

RESULTS = Path(__file__).parent / "results"
NAMES = ("start", "access", "validate", "heartbeats", "connect", "consume", "listing", "webhooks")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(NAMES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, short rounds")
    parser.add_argument("--plans", type=Path, default=RESULTS / "plans.txt")
    options = parser.parse_args()
    unknown = set(options.names) - set(NAMES)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    chosen = options.names or NAMES
    report = Report()
    report.say("# Figures\n")
    report.say(machine())
    if "start" in chosen:
        start.run(report)
    if "access" in chosen:
        access.run(report, quick=options.quick)
    if "validate" in chosen:
        validate.run(report, quick=options.quick)
    if "heartbeats" in chosen:
        heartbeats.run(report, quick=options.quick)
    if "connect" in chosen:
        connect.run(report, quick=options.quick)
    if "consume" in chosen:
        consume.run(report, quick=options.quick)
    if "listing" in chosen:
        listing.run(report, quick=options.quick, plans=options.plans)
    if "webhooks" in chosen:
        webhooks.run(report, quick=options.quick)
    if not options.quick and set(chosen) == set(NAMES):
        report.write(RESULTS / "latest.md")


if __name__ == "__main__":
    main()
