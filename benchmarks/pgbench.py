"""Runs an SQL script with PostgreSQL's own load generator, as one of the scenarios."""

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.load import Outcome
from benchmarks.rates import Run
from benchmarks.size import Size
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.postgres.programs import tool_environment


@dataclass(frozen=True, slots=True)
class Pgbench:
    """A script that `clients` connections repeat, with these variables."""

    cluster: EmbeddedPostgres
    script: Path
    variables: Mapping[str, object]
    clients: int = 32

    def run(self, size: Size) -> Run:
        """Run it for one round of whole seconds, or once per client, with prepared statements."""
        bound = "--transactions=1" if size.requests else f"--time={round(size.seconds)}"
        with tempfile.TemporaryDirectory(prefix="licet-pgbench-") as folder:
            started = perf_counter()
            self._pgbench(Path(folder) / "log", bound)
            elapsed = perf_counter() - started
            times = sorted(_milliseconds(Path(folder)))
        seconds = elapsed if size.requests else round(size.seconds)
        return Run(Outcome.of(times, len(times), 0, seconds), None)

    def _pgbench(self, log: Path, bound: str) -> None:
        defined = [f"--define={name}={value}" for name, value in self.variables.items()]
        subprocess.run(
            [
                self.cluster.binaries.program("pgbench"),
                "--no-vacuum",
                "--protocol=prepared",
                f"--client={self.clients}",
                bound,
                "--log",
                f"--log-prefix={log}",
                f"--file={self.script}",
                *defined,
            ],
            check=True,
            capture_output=True,
            env=tool_environment(self.cluster.address),
        )


def _milliseconds(folder: Path) -> Iterator[float]:
    for log in folder.iterdir():
        for line in log.read_text().splitlines():
            yield int(line.split()[2]) / 1000
