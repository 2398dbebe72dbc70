"""A run of the tests on a database with 8 partitions: `pytest --partitions`.

Each test has to pass there, too, and each statement of the service has to stay within the partition
of its institution, or be among those that are known to cross institutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from shared_postgres import CreateSchema
    from statement_log import StatementLog
    from statement_reach import Reach

MARKER = "undivided"
_OPTION = "--partitions"


def add_options(parser: pytest.Parser) -> None:
    parser.addoption(
        _OPTION,
        action="store_true",
        help="run on a database with every tenant table in 8 partitions, and check each statement",
    )


def configure(config: pytest.Config) -> None:
    """Tell each application of the run that its database is spread by institution."""
    if config.getoption(_OPTION):
        from testkit import database_options

        database_options["distributed"] = "true"


def schema_of(config: pytest.Config) -> CreateSchema | None:
    """Return what creates the schema of the run, unless that is the migrated one."""
    if not config.getoption(_OPTION):
        return None
    from partitions import migrate_partitioned

    return migrate_partitioned


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need whole tables or batches, in a run on partitions."""
    if config.getoption(_OPTION):
        undivided = [item for item in items if item.get_closest_marker(MARKER)]
        config.hook.pytest_deselected(items=undivided)
        items[:] = [item for item in items if item not in undivided]


@contextmanager
def logged(config: pytest.Config) -> Iterator[StatementLog | None]:
    """Log the statements of the service during the block, in a run on partitions."""
    if not config.getoption(_OPTION):
        yield None
        return
    from statement_log import StatementLog, logging_statements

    log = StatementLog()
    with logging_statements(log):
        yield log


def require_known(found: list[tuple[str, str, int]]) -> None:
    """Fail the test whose statement crosses institutions, unless its sender is known to."""
    from crossing import CROSSING
    from statement_reach import Reach

    for kind, sender, reach in found:
        if reach == Reach.MORE and sender not in CROSSING:
            pytest.fail(
                f"{sender} reads partitions of institutions that it does not name. Add "
                "institution_id to its condition, or add it to CROSSING in crossing.py, with the "
                f"reason:\n{kind}",
                pytrace=False,
            )


def describe(config: pytest.Config, reports: list[Any]) -> list[str]:
    """Count the statements of a run, whose reports come from all of its processes.

    They are kept in pytest's cache, as `licet/statements`.
    """
    if not config.getoption(_OPTION):
        return []
    from partitions import PARTITIONS
    from statement_log import PROPERTY, worst
    from statement_reach import Reach

    found = [
        tuple(item)
        for report in reports
        if getattr(report, "when", None) == "teardown"
        for name, items in report.user_properties
        if name == PROPERTY
        for item in items
    ]
    seen = worst(found)
    if not seen:
        return []
    if config.cache is not None:
        kept = sorted((sender, _name(reach), kind) for (kind, sender), reach in seen.items())
        config.cache.set("licet/statements", kept)
    number = Counter(seen.values())
    crossing = {sender for (_, sender), reach in seen.items() if reach is Reach.MORE}
    return [
        f"{len(seen)} statements on {PARTITIONS} partitions:",
        f"{number[Reach.NO_TENANT]:7} read no table that is spread",
        f"{number[Reach.ONE]:7} touch one partition, known from their values",
        f"{number[Reach.FOUND]:7} touch one partition, known while they run",
        f"{number[Reach.SEVERAL]:7} touch one for each of several institutions that they name",
        f"{number[Reach.MORE]:7} cross institutions, from {len(crossing)} known places",
        f"{number[None]:7} were never run as far as their last table",
    ]


def _name(reach: Reach | None) -> str:
    return "UNKNOWN" if reach is None else reach.name
