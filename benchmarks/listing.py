"""The list of licenses with a million rows: the database time of each request.

Each case runs through the feature's own service. Its statements are captured as they are sent, and
run again under EXPLAIN (ANALYZE, BUFFERS); the plans are kept.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import event, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from benchmarks.cases import Case, Facts, all_cases
from benchmarks.report import Report
from benchmarks.seed import VENDOR, fill_licenses
from benchmarks.server import durable_postgres
from benchmarks.size import Size
from licet_server.kit.clock import system_clock
from licet_server.kit.database import create_engine
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.visibility import Visibility
from licet_server.licenses.service import reading
from licet_server.licenses.tables import licenses
from licet_server.migrations import migrate

TARGET_MS = 50.0
_REPEATS = 7  # more than the five after which PostgreSQL may switch to a generic plan


@dataclass(slots=True)
class Statement:
    """A statement of a case: its text and parameters, and its times in milliseconds."""

    text: str
    parameters: Any
    explained_ms: float = 0.0
    sent_ms: list[float] = field(default_factory=list)
    plan: str = ""


def run(report: Report, size: Size, plans: Path) -> None:
    """Print the slowest statement of each case; write the plans to the file `plans`."""
    rows = size.of(1_000_000)
    with durable_postgres() as cluster:
        asyncio.run(migrate(cluster.url))
        seconds = asyncio.run(fill(cluster, rows))
        measured = asyncio.run(measure(cluster, rows))
    _write_plans(plans, measured)
    show(report, rows, measured)
    report.say(f"- seeded in {seconds:.0f} s")


def show(report: Report, rows: int, measured: Mapping[Case, Sequence[Statement]]) -> None:
    """Print the slowest statement of each case."""
    report.title(f"Listing, {rows:,} licenses in one institution")
    report.say("Times are measured by the database, per statement.\n")
    slowest = {case.name: _worst(statements) for case, statements in measured.items()}
    report.table(
        ["case", "statements", "slowest, ms", "as sent, median of 7, ms"],
        [
            [
                case.name,
                str(len(statements)),
                f"{_worst(statements):.1f}",
                f"{max(median(item.sent_ms) for item in statements):.1f}",
            ]
            for case, statements in measured.items()
        ],
    )
    late = [name for name, worst in slowest.items() if worst >= TARGET_MS]
    report.figure(
        "slowest statement of all cases",
        f"{max(slowest.values()):.1f} ms",
        f"under {TARGET_MS:g} ms",
        not late,
    )
    for name in late:
        report.say(f"  - above: {name}, {slowest[name]:.1f} ms")


async def fill(cluster: EmbeddedPostgres, rows: int) -> float:
    """Create this many licenses in an institution of their own; return the seconds it took."""
    started = perf_counter()
    await fill_licenses(cluster.admin.of_database(cluster.address.database).url, rows)
    return perf_counter() - started


async def measure(cluster: EmbeddedPostgres, rows: int) -> dict[Case, list[Statement]]:
    """Send the statements of each case, and explain them."""
    engine = create_engine(cluster.url, 1)
    try:
        async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
            facts = await _facts(db, rows)
            return {case: await _measure_case(engine, db, case, facts) for case in all_cases(facts)}
    finally:
        await engine.dispose()


async def _facts(db: AsyncConnection, rows: int) -> Facts:
    middle = select(licenses).order_by(licenses.c.id).offset(rows // 2).limit(1)
    row = (await db.execute(middle)).one()
    return Facts(row.normal_key, row.issued_to or "", row.id, rows, system_clock())


async def _measure_case(
    engine: AsyncEngine, db: AsyncConnection, case: Case, facts: Facts
) -> list[Statement]:
    visibility = Visibility(institutions=(VENDOR,))
    statements: list[Statement] = []
    for _ in range(_REPEATS):
        with _captured_statements(engine) as taken:
            await reading.list_licenses(db, visibility, case.chosen, case.paging, facts.now)
        statements = statements or taken
        for kept, sent in zip(statements, taken, strict=True):
            kept.sent_ms.append(sent.sent_ms[0])
    for statement in statements:
        explain = f"EXPLAIN (ANALYZE, BUFFERS) {statement.text}"
        lines = (await db.exec_driver_sql(explain, statement.parameters)).scalars().all()
        statement.plan = "\n".join(lines)
        statement.explained_ms = sum(
            float(line.split()[-2])
            for line in lines
            if line.startswith(("Planning T", "Execution"))
        )
    return statements


@contextmanager
def _captured_statements(engine: AsyncEngine) -> Iterator[list[Statement]]:
    """Capture the statements that are sent while the block runs."""
    taken: list[Statement] = []
    started = 0.0

    def before(_c: Any, _cursor: Any, text: str, parameters: Any, *_: Any) -> None:
        nonlocal started
        taken.append(Statement(text, parameters))
        started = perf_counter()

    def after(*_: Any) -> None:
        taken[-1].sent_ms = [1000 * (perf_counter() - started)]

    target = engine.sync_engine
    event.listen(target, "before_cursor_execute", before)
    event.listen(target, "after_cursor_execute", after)
    try:
        yield taken
    finally:
        event.remove(target, "before_cursor_execute", before)
        event.remove(target, "after_cursor_execute", after)


def _worst(statements: Sequence[Statement]) -> float:
    return max(statement.explained_ms for statement in statements)


def _write_plans(path: Path, measured: dict[Case, list[Statement]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        for case, statements in measured.items():
            for statement in statements:
                print(f"== {case.name}: {statement.explained_ms:.1f} ms", file=file)
                print(f"{statement.text}\n{statement.plan}\n", file=file)
