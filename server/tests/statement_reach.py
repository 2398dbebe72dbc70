"""How many partitions a statement touches, as the plan of one of its runs tells."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
from partitions import PARTITIONS

from licet_server.kit.database import metadata
from licet_server.kit.placement import Placement, tables_of
from licet_server.kit.routing import TENANT

_TABLES = "|".join(table.name for table in tables_of(metadata, Placement.DISTRIBUTED))
_PARTITION = re.compile(rf"({_TABLES})_([0-{PARTITIONS - 1}])")
_CHILD = re.compile(r"_\d+$")
_OF_TENANT = re.compile(rf"\b{TENANT} = ")
_CONDITIONS = ("Index Cond", "Recheck Cond", "Filter", "One-Time Filter")

# What the planner may do with a few rows only hides what it does with many.
_SETTINGS = "; ".join(
    f"SET LOCAL enable_{name} = off" for name in ("seqscan", "hashjoin", "mergejoin")
)
# Tables that are spread alike can be joined partition by partition. Such a join is not limited to
# the partitions that are found while it runs, so that some statements need it and others do not.
_JOINS = ("off", "on")
# Those of deleted institutions, and of the instance, only have a chain in the audit log.
_COUNT_TENANTS = """
    SELECT count(*) FROM unnest($1::uuid[]) AS named(id)
    WHERE EXISTS (SELECT FROM institutions WHERE institutions.id = named.id)
    OR EXISTS (SELECT FROM audit_chains WHERE institution_id = named.id)
"""


class Reach(IntEnum):
    """What a statement needs, from the best to the worst."""

    NO_TENANT = 0
    """No table that is spread."""
    ONE = 1
    """One partition, which the planner derives from its values."""
    FOUND = 2
    """One partition, which is found while it runs: from the row that a subquery is for."""
    SEVERAL = 3
    """For each institution among its values, the partition of that one."""
    MORE = 4
    """Other partitions, too."""


class Scan(NamedTuple):
    """A partition in a plan."""

    number: int
    was_run: bool
    names_tenant: bool


class Run(NamedTuple):
    """What one run of a statement has shown; it `proves` nothing if a part was not run."""

    reach: Reach
    proves: bool


async def observe(raw: Any, statement: str, values: Any) -> Run | None:
    """Run a statement without an effect, on a connection of the driver, and judge its best plan.

    Returns `None` if the statement fails.
    """
    best = None
    for join in _JOINS:
        run = await _observe(raw, statement, values, join)
        if run is None or run.reach is not Reach.MORE:
            return run
        best = run
    return best


async def _observe(raw: Any, statement: str, values: Any, join: str) -> Run | None:
    transaction = raw.transaction()
    try:
        await transaction.start()
    except asyncpg.PostgresError:
        return None
    try:
        await raw.execute(f"{_SETTINGS}; SET LOCAL enable_partitionwise_join = {join}")
        plan = await raw.fetchval(
            f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement}", *values
        )
        named = await raw.fetchval(_COUNT_TENANTS, list(_ids_in(values)))
    except (asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
        return None
    finally:
        if not raw.is_closed():
            await transaction.rollback()
    return reach_of(plan, named)


def _ids_in(values: Any) -> set[UUID]:
    if isinstance(values, UUID):
        return {UUID(bytes=values.bytes)}
    if isinstance(values, (list, tuple)):
        return {found for value in values for found in _ids_in(value)}
    return set()


def reach_of(plan: Any, institutions: int) -> Run:
    """Judge the plan of a run, of `EXPLAIN (ANALYZE, FORMAT JSON)`.

    `institutions` is how many institutions the statement's values name. If the planner has left
    more partitions of a table than that, each must look for its institution, and no more of them
    may run.
    """
    [root] = json.loads(plan) if isinstance(plan, str) else plan
    tables: defaultdict[str, list[Scan]] = defaultdict(list)
    for name, scan in _scans(root["Plan"]):
        tables[name].append(scan)
    allowed = max(1, institutions)
    reach, proves, touched = Reach.NO_TENANT, True, set()
    for scans in tables.values():
        left = {scan.number for scan in scans}
        if len(left) <= allowed:
            reach = max(reach, Reach.ONE)
            touched |= left
        elif all(scan.names_tenant for scan in scans):
            reach = Reach.FOUND
            ran = {scan.number for scan in scans if scan.was_run}
            touched |= ran
            proves = proves and bool(ran)
        else:
            return Run(Reach.MORE, proves=True)
    if len(touched) > allowed:
        return Run(Reach.MORE, proves=True)
    if len(touched) > 1:
        # With as many institutions as partitions, any plan would do.
        return Run(Reach.SEVERAL, proves and institutions < PARTITIONS)
    return Run(reach, proves)


def _scans(node: dict[str, Any]) -> Iterator[tuple[str, Scan]]:
    partition = _PARTITION.fullmatch(node.get("Relation Name", ""))
    if partition and node["Node Type"] != "ModifyTable":
        conditions = " ".join(str(node.get(name, "")) for name in _CONDITIONS)
        alias = _CHILD.sub("", node.get("Alias", ""))
        yield (
            f"{partition[1]} {alias}",
            Scan(int(partition[2]), node["Actual Loops"] > 0, bool(_OF_TENANT.search(conditions))),
        )
    for inner in node.get("Plans", []):
        yield from _scans(inner)
