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


class Reach(IntEnum):
    """What a statement needs, from the best to the worst."""

    NO_TENANT = 0
    """No table of tenants."""
    ONE = 1
    """One partition, which its values name."""
    BATCH = 2
    """For each institution among its values, the partition of that one."""
    MORE = 3
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
    """Run a statement without an effect, on a connection of the driver, and judge its plan.

    Returns `None` if the statement fails.
    """
    transaction = raw.transaction()
    try:
        await transaction.start()
    except asyncpg.PostgresError:
        return None
    try:
        await raw.execute(_SETTINGS)
        plan = await raw.fetchval(
            f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement}", *values
        )
        ids = list(_ids_in(values))
        named = await raw.fetchval("SELECT count(*) FROM institutions WHERE id = ANY($1)", ids)
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

    `institutions` is how many institutions the statement's values name. A scan that the planner has
    limited to one partition is of one institution. If several are left, each must look for its
    institution, and no more of them may run than institutions are named.
    """
    [root] = json.loads(plan) if isinstance(plan, str) else plan
    tables: defaultdict[str, list[Scan]] = defaultdict(list)
    for name, scan in _scans(root["Plan"]):
        tables[name].append(scan)
    reach, proves, touched = Reach.NO_TENANT, True, set()
    for scans in tables.values():
        numbers = {scan.number for scan in scans}
        ran = {scan.number for scan in scans if scan.was_run}
        if len(numbers) == 1:
            reach = max(reach, Reach.ONE)
            touched |= numbers
        elif all(scan.names_tenant for scan in scans):
            reach = max(reach, Reach.BATCH)
            touched |= ran
            proves = proves and bool(ran)
        else:
            return Run(Reach.MORE, proves=True)
    if len(touched) > max(1, institutions):
        return Run(Reach.MORE, proves=True)
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
