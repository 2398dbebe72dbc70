"""The metrics of charges."""

from collections import Counter as Tally
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter

from licet_server.metering.rules.charging import Receipt


class ChargeMetrics:
    """Counts charges by outcome."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._charges = Counter(
            "licet_charges_total",
            "Charges: charged, without_balance, replayed with an earlier result, or refused.",
            ["outcome"],
            registry=registry,
        )
        for outcome in ("charged", "without_balance", "replayed", "refused"):
            self._charges.labels(outcome)

    def count(self, results: Sequence[Receipt | Exception]) -> None:
        """Count the results of a batch."""
        for outcome, number in Tally(map(_outcome, results)).items():
            self._charges.labels(outcome).inc(number)


def _outcome(result: Receipt | Exception) -> str:
    if isinstance(result, Exception):
        return "refused"
    if result.replayed:
        return "replayed"
    return "charged" if result.entry.sequence is not None else "without_balance"
