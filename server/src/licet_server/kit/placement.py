"""Where each table belongs in a database that is spread over several nodes by institution.

The `info` of a table says so: nothing for a table of tenants, otherwise `REFERENCE` or `GLOBAL`.
Rows of one institution are on one node, so that a statement about one institution stays there.
"""

from collections.abc import Set
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ForeignKeyConstraint, MetaData, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import AddConstraint

from licet_server.kit.database import GLOBAL, REFERENCE
from licet_server.kit.routing import TENANT


class Placement(StrEnum):
    """The three kinds of tables that a distributed PostgreSQL knows."""

    DISTRIBUTED = "spread by institution"
    REFERENCE = "copied to every node"
    LOCAL = "on the coordinator only"


_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


def placement_of(table: Table) -> Placement:
    """Return where a table belongs."""
    if table.info == GLOBAL:
        return Placement.LOCAL
    return Placement.REFERENCE if table.info == REFERENCE else Placement.DISTRIBUTED


def tables_of(metadata: MetaData, placement: Placement) -> list[Table]:
    """Return the tables of a placement, each after those that it refers to."""
    return [table for table in metadata.sorted_tables if placement_of(table) is placement]


class Step(NamedTuple):
    """A statement that is one step of spreading a database; `table` is the one that it spreads."""

    statement: str
    table: str | None = None


def citus_statements(metadata: MetaData) -> list[str]:
    """Return the statements that spread a migrated database by institution, for Citus."""
    keys = {str(key.name) for table in metadata.tables.values() for key in foreign_keys(table)}
    return [step.statement for step in spreading_steps(metadata, spread=set(), keys=keys)]


def spreading_steps(metadata: MetaData, *, spread: Set[str], keys: Set[str]) -> list[Step]:
    """Return what is left to do where the tables in `spread` are done, and have foreign `keys`.

    Foreign keys of tenant tables are dropped before and added again afterwards: Citus refuses to
    distribute a table while a foreign key connects it with one that is not distributed yet.
    """
    distributed = tables_of(metadata, Placement.DISTRIBUTED)
    references = tables_of(metadata, Placement.REFERENCE)
    left = {table.name for table in (*references, *distributed)} - spread
    of_tenants = [key for table in distributed for key in foreign_keys(table)]
    in_the_way = [
        key for key in of_tenants if key.name in keys and {key.table.name, _target(key)} & left
    ]
    missing = [key for key in of_tenants if key in in_the_way or key.name not in keys]
    first = distributed[0].name if distributed else ""
    return [
        *(Step(f"ALTER TABLE {key.table.name} DROP CONSTRAINT {key.name}") for key in in_the_way),
        *(
            Step(f"SELECT create_reference_table('{table.name}')", table.name)
            for table in references
            if table.name in left
        ),
        *(
            Step(
                f"SELECT create_distributed_table('{table.name}', '{TENANT}', "
                f"colocate_with => '{'none' if table.name == first else first}')",
                table.name,
            )
            for table in distributed
            if table.name in left
        ),
        *(Step(_addition(key)) for key in missing),
    ]


def _target(key: ForeignKeyConstraint) -> str:
    return key.referred_table.name


def _addition(key: ForeignKeyConstraint) -> str:
    statement = AddConstraint(key, isolate_from_table=False).compile(dialect=_DIALECT)
    return " ".join(str(statement).split())


def foreign_keys(table: Table) -> list[ForeignKeyConstraint]:
    """Return the foreign keys of a table, by name."""
    return sorted(table.foreign_key_constraints, key=lambda key: str(key.name))
