"""The time from `licet-server demo` on an empty folder to the first 200 of /health/ready."""

from benchmarks.report import Report
from benchmarks.server import running, temporary_folder

DEMO = ("-m", "licet_server", "demo")
TARGET_SECONDS = 30.0


def run(report: Report) -> None:
    """Time the first start, which creates the database and the demo, and the second."""
    with temporary_folder() as folder:
        with running(DEMO, folder / "demo") as first:
            first_seconds = first.seconds_to_ready
        with running(DEMO, folder / "demo") as second:
            second_seconds = second.seconds_to_ready
    report.title("Time to ready, `licet-server demo`")
    report.table(
        ["start", "seconds"],
        [
            ["first, empty folder: initdb, schema, demo data", f"{first_seconds:.2f}"],
            ["second", f"{second_seconds:.2f}"],
        ],
    )
    report.figure(
        "first start",
        f"{first_seconds:.1f} s",
        f"under {TARGET_SECONDS:g} s",
        first_seconds < TARGET_SECONDS,
    )
