"""From `licet-server demo` on an empty folder to the first answer of /health/ready."""

from benchmarks.report import Report
from benchmarks.server import running, temporary_folder

DEMO = ("-m", "licet_server", "demo")
PROMISED_SECONDS = 8.0


def run(report: Report) -> None:
    """Print the first start, which makes database and demonstration, and the second."""
    with temporary_folder() as folder:
        with running(DEMO, folder / "demo") as first:
            first_seconds = first.seconds_to_ready
        with running(DEMO, folder / "demo") as second:
            second_seconds = second.seconds_to_ready
    report.title("From start to ready, `licet-server demo`")
    report.table(
        ["start", "seconds"],
        [
            ["first, empty folder: initdb, schema, demonstration", f"{first_seconds:.2f}"],
            ["second", f"{second_seconds:.2f}"],
        ],
    )
    report.figure(
        "first start",
        f"{first_seconds:.1f} s",
        f"under {PROMISED_SECONDS:g} s",
        first_seconds < PROMISED_SECONDS,
    )
