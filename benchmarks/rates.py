"""Runs scenarios in interleaved rounds and shows their rates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Protocol

from benchmarks.costs import Spent, spent_by
from benchmarks.load import LoadSpec, Outcome, run_load
from benchmarks.report import Report
from benchmarks.server import BARE, Server, running
from benchmarks.size import Size

BARE_ROUTE, EMPTY_ROUTE = "bare Litestar route", "empty route of ours"
SHARE_OF_EMPTY_ROUTE = 0.70
TAIL = 3.0
"""The goal for the 99th percentile of the response times, as a multiple of the median."""
_FEW_UPDATES = 0.1
"""Per request; those are of jobs."""
_ROUTE = "/health/live"


@dataclass(frozen=True, slots=True)
class Run:
    """The outcome of one round; per request, the CPU time of the worker, if any, and what the
    database did.
    """

    outcome: Outcome
    cpu_us: float | None
    database: Spent | None = None

    @property
    def rate(self) -> float:
        """Responses per second."""
        return self.outcome.rate


Runs = Mapping[str, Sequence[Run]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A load and the server it is sent to."""

    server: Server
    spec: LoadSpec

    def run(self, size: Size) -> Run:
        """Run for the duration of a round, or until each body was sent if `once` is set."""
        if not self.spec.once:
            self.spec.warm_up, self.spec.seconds = size.warm_up, size.seconds
            self.spec.requests = size.requests
        return measured(self.server, self.spec)


def measured(server: Server, spec: LoadSpec) -> Run:
    """Send a load to a server, and return what each request has cost it and its database."""
    cluster = server.cluster
    spent = None if cluster is None else spent_by(cluster)
    before = server.cpu_seconds()
    outcome = run_load(spec)
    used = server.cpu_seconds() - before
    if cluster is not None and spent is not None:
        spent = spent_by(cluster).since(spent, outcome.total)
    return Run(outcome, 1e6 * used / outcome.total, spent)


class Runnable(Protocol):
    """Something that is measured once per round."""

    def run(self, size: Size) -> Run:
        """Run once and return the result."""
        ...


@contextmanager
def bare_route(folder: Path) -> Iterator[Scenario]:
    """A route of the framework alone on the same HTTP server, which all rates are compared with."""
    with running(BARE, folder) as server:
        yield Scenario(server, LoadSpec(server.port, _ROUTE))


def empty_route(server: Server) -> Scenario:
    """A route of the service that does nothing: framework, edge and metrics only."""
    return Scenario(server, LoadSpec(server.port, _ROUTE))


def run_rounds(
    scenarios: Mapping[str, Runnable],
    size: Size,
    between: Callable[[str], None] = lambda _: None,
) -> Runs:
    """Run each scenario once per round; `between` is called with its name before each run.

    If there is more than one round, another one comes before them, to warm up.
    """
    runs: dict[str, list[Run]] = {name: [] for name in scenarios}
    for _ in range(size.rounds + (size.rounds > 1)):
        for name, scenario in scenarios.items():
            between(name)
            runs[name].append(scenario.run(size))
    return {name: each[-size.rounds :] for name, each in runs.items()}


def show_rates(report: Report, runs: Runs) -> None:
    """Show a table of the medians, with the rate of each round, and the goals of every table."""
    report.table(
        [
            "scenario",
            "requests/s",
            "of bare",
            "CPU, µs",
            "of bare by CPU",
            "database CPU, µs",
            "statements",
            "round trips",
            "WAL, bytes",
            "HOT",
            "p50 ms",
            "p99 ms",
            "p99 / p50",
            "failed",
            "requests/s by round",
        ],
        [
            [
                name,
                f"{rate(each):,.0f}",
                "" if name == BARE_ROUTE else f"{ratio(each, runs[BARE_ROUTE]):.3f}",
                *_by_cpu(name, runs),
                *_of_database(each),
                f"{_p50(each):.1f}",
                f"{_p99(each):.1f}",
                f"{_tail(each):.1f}",
                str(sum(run.outcome.failed for run in each)),
                ", ".join(f"{run.rate:,.0f}" for run in each),
            ]
            for name, each in runs.items()
        ],
    )
    show_share(report, EMPTY_ROUTE, runs, SHARE_OF_EMPTY_ROUTE)
    tails = {
        name: _tail(each)
        for name, each in runs.items()
        if name != BARE_ROUTE and _is_served(each)  # the tail of the bare route is not ours
    }
    worst = max(tails, key=lambda name: tails[name])
    report.figure(
        f"p99 / p50, longest tail: {worst}",
        f"{tails[worst]:.1f}",
        f"at most {TAIL:g}",
        tails[worst] <= TAIL,
    )


def show_share(report: Report, name: str, runs: Runs, target: float) -> None:
    """Show the rate of a scenario as a share of the bare route's, with its target."""
    share = ratio(runs[name], runs[BARE_ROUTE])
    report.figure(
        f"{name}, of the bare route", f"{share:.3f}", f"at least {target:g}", share >= target
    )


def ratio(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    """Return the median of the ratios within each round, since some rounds are busier."""
    return median(our.rate / their.rate for our, their in zip(ours, theirs, strict=True))


def rate(runs: Sequence[Run]) -> float:
    """Return the median rate."""
    return median(run.rate for run in runs)


def _by_cpu(name: str, runs: Runs) -> tuple[str, str]:
    ours = [run.cpu_us for run in runs[name] if run.cpu_us is not None]
    if not ours:
        return "", ""
    theirs = [run.cpu_us or 0.0 for run in runs[BARE_ROUTE]]
    # A run of a fraction of a second may use less than the system's clock tick.
    share = median(their / max(our, 1) for our, their in zip(ours, theirs, strict=True))
    return f"{median(ours):,.0f}", "" if name == BARE_ROUTE else f"{share:.3f}"


def _of_database(runs: Sequence[Run]) -> tuple[str, str, str, str, str]:
    found = [run.database for run in runs if run.database is not None]
    if not found:
        return "", "", "", "", ""
    updates, hot = sum(item.updates for item in found), sum(item.hot for item in found)
    return (
        f"{1000 * median(item.cpu_ms for item in found):,.0f}",
        f"{median(item.statements for item in found):.2f}",
        f"{median(item.round_trips for item in found):.2f}",
        f"{median(item.wal_bytes for item in found):,.0f}",
        f"{hot / updates:.0%}" if updates / len(found) > _FEW_UPDATES else "",
    )


def _is_served(runs: Sequence[Run]) -> bool:
    """Whether the service responded, and not the database alone."""
    return runs[0].cpu_us is not None


def _p50(runs: Sequence[Run]) -> float:
    return median(run.outcome.p50_ms for run in runs)


def _p99(runs: Sequence[Run]) -> float:
    return median(run.outcome.p99_ms for run in runs)


def _tail(runs: Sequence[Run]) -> float:
    return _p99(runs) / _p50(runs)
