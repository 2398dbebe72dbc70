"""Scenarios that are run in turn, round after round, and how their rates are shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

from benchmarks.load import Order, Outcome, run_load
from benchmarks.report import Report
from benchmarks.server import Server

EMPTY = "empty route"
ROUNDS, SECONDS, WARM_UP = 9, 2.0, 0.5
"""Many short rounds, since a shared machine is busy for a while and then is not."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came back in one round, and what the worker, if any, used of a core for each request."""

    outcome: Outcome
    cpu_us: float | None

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.outcome.rate


Runs = Mapping[str, Sequence[Run]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is asked of which server."""

    server: Server
    order: Order

    def run(self) -> Run:
        """Ask as long as every round does, or until each body was sent that is to be sent once."""
        if not self.order.once:
            self.order.warm_up, self.order.seconds = WARM_UP, SECONDS
        before = self.server.cpu_seconds()
        outcome = run_load(self.order)
        used = self.server.cpu_seconds() - before
        return Run(outcome, 1e6 * used / outcome.in_all)


class Runnable(Protocol):
    """Something that is measured once a round."""

    def run(self) -> Run:
        """What came back."""
        ...


def empty_route(server: Server) -> Scenario:
    """The framework, the edge, the metrics, and no work: what all rates are compared with."""
    return Scenario(server, Order(server.port, "/health/live"))


def in_turn(
    scenarios: Mapping[str, Runnable],
    *,
    quick: bool,
    between: Callable[[str], None] = lambda _: None,
) -> Runs:
    """Run each scenario once a round; `between` is told the name of each before it begins."""
    runs: dict[str, list[Run]] = {name: [] for name in scenarios}
    for _ in range(1 if quick else ROUNDS):
        for name, scenario in scenarios.items():
            between(name)
            runs[name].append(scenario.run())
    return runs


def show_rates(report: Report, runs: Runs) -> None:
    """A table of the medians, with the rate of each round beside them."""
    report.table(
        [
            "scenario",
            "requests/s",
            "of empty",
            "CPU, µs",
            "of empty by CPU",
            "p50 ms",
            "p99 ms",
            "wrong answers",
            "requests/s by round",
        ],
        [
            [
                name,
                f"{rate(each):,.0f}",
                "" if name == EMPTY else f"{ratio(each, runs[EMPTY]):.2f}",
                *_by_cpu(name, runs),
                f"{median(run.outcome.p50_ms for run in each):.1f}",
                f"{median(run.outcome.p99_ms for run in each):.1f}",
                str(sum(run.outcome.wrong for run in each)),
                ", ".join(f"{run.rate:,.0f}" for run in each),
            ]
            for name, each in runs.items()
        ],
    )


def show_share(report: Report, name: str, runs: Runs, promise: float) -> None:
    """The rate of a scenario as a share of the empty route's, beside what was promised."""
    share = ratio(runs[name], runs[EMPTY])
    report.figure(
        f"{name}, of the empty route", f"{share:.2f}", f"at least {promise}", share >= promise
    )


def ratio(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    """Of the same round, since the machine is busier in some rounds than in others."""
    return median(our.rate / their.rate for our, their in zip(ours, theirs, strict=True))


def _by_cpu(name: str, runs: Runs) -> tuple[str, str]:
    ours = [run.cpu_us for run in runs[name] if run.cpu_us is not None]
    if not ours:
        return "", ""
    theirs = [run.cpu_us or 0.0 for run in runs[EMPTY]]
    share = median(their / our for our, their in zip(ours, theirs, strict=True))
    return f"{median(ours):,.0f}", "" if name == EMPTY else f"{share:.2f}"


def rate(runs: Sequence[Run]) -> float:
    return median(run.rate for run in runs)
