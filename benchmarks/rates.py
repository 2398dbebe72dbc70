"""Runs scenarios in interleaved rounds and shows their rates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

from benchmarks.load import LoadSpec, Outcome, run_load
from benchmarks.report import Report
from benchmarks.server import Server

BASELINE = "baseline"
ROUNDS, SECONDS, WARM_UP = 9, 2.0, 0.5
"""Many short rounds, since a shared machine is busy only some of the time."""


@dataclass(frozen=True, slots=True)
class Run:
    """The outcome of one round, and the CPU time of the worker, if any, per request."""

    outcome: Outcome
    cpu_us: float | None

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

    def run(self) -> Run:
        """Run for the duration of a round, or until each body was sent if `once` is set."""
        if not self.spec.once:
            self.spec.warm_up, self.spec.seconds = WARM_UP, SECONDS
        before = self.server.cpu_seconds()
        outcome = run_load(self.spec)
        used = self.server.cpu_seconds() - before
        return Run(outcome, 1e6 * used / outcome.total)


class Runnable(Protocol):
    """Something that is measured once per round."""

    def run(self) -> Run:
        """Run once and return the result."""
        ...


def baseline(server: Server) -> Scenario:
    """`GET /health/live`, which all rates are compared with: framework, edge and metrics only."""
    return Scenario(server, LoadSpec(server.port, "/health/live"))


def run_rounds(
    scenarios: Mapping[str, Runnable],
    *,
    quick: bool,
    between: Callable[[str], None] = lambda _: None,
) -> Runs:
    """Run each scenario once per round; `between` is called with its name before each run."""
    runs: dict[str, list[Run]] = {name: [] for name in scenarios}
    for _ in range(1 if quick else ROUNDS):
        for name, scenario in scenarios.items():
            between(name)
            runs[name].append(scenario.run())
    return runs


def show_rates(report: Report, runs: Runs) -> None:
    """Show a table of the medians, with the rate of each round."""
    report.table(
        [
            "scenario",
            "requests/s",
            "of baseline",
            "CPU, µs",
            "of baseline by CPU",
            "p50 ms",
            "p99 ms",
            "failed",
            "requests/s by round",
        ],
        [
            [
                name,
                f"{rate(each):,.0f}",
                "" if name == BASELINE else f"{ratio(each, runs[BASELINE]):.2f}",
                *_by_cpu(name, runs),
                f"{median(run.outcome.p50_ms for run in each):.1f}",
                f"{median(run.outcome.p99_ms for run in each):.1f}",
                str(sum(run.outcome.failed for run in each)),
                ", ".join(f"{run.rate:,.0f}" for run in each),
            ]
            for name, each in runs.items()
        ],
    )


def show_share(report: Report, name: str, runs: Runs, target: float) -> None:
    """Show the rate of a scenario as a share of the baseline, with its target."""
    share = ratio(runs[name], runs[BASELINE])
    report.figure(f"{name}, of the baseline", f"{share:.2f}", f"at least {target}", share >= target)


def ratio(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    """Return the median of the ratios within each round, since some rounds are busier."""
    return median(our.rate / their.rate for our, their in zip(ours, theirs, strict=True))


def _by_cpu(name: str, runs: Runs) -> tuple[str, str]:
    ours = [run.cpu_us for run in runs[name] if run.cpu_us is not None]
    if not ours:
        return "", ""
    theirs = [run.cpu_us or 0.0 for run in runs[BASELINE]]
    share = median(their / our for our, their in zip(ours, theirs, strict=True))
    return f"{median(ours):,.0f}", "" if name == BASELINE else f"{share:.2f}"


def rate(runs: Sequence[Run]) -> float:
    return median(run.rate for run in runs)
