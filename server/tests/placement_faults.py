"""Whether every table can be spread by institution, and which rows are known by theirs."""

from collections.abc import Iterator

from sqlalchemy import ForeignKeyConstraint, MetaData, PrimaryKeyConstraint, Table, UniqueConstraint

from licet_server.kit.placement import Placement, foreign_keys, placement_of
from licet_server.kit.routing import TENANT

_MAY_REFER_TO = {
    Placement.DISTRIBUTED: {Placement.DISTRIBUTED, Placement.REFERENCE},
    Placement.REFERENCE: {Placement.REFERENCE},
    Placement.LOCAL: {Placement.REFERENCE, Placement.LOCAL},
}


def is_of_tenants(table: Table) -> bool:
    """Check whether the rows of a table are known by their institution, wherever it is placed."""
    return placement_of(table) is Placement.DISTRIBUTED or TENANT in table.primary_key


def placement_faults(metadata: MetaData) -> list[str]:
    """Return, in sentences, why the tables cannot be spread by institution; none if they can."""
    return [fault for table in metadata.sorted_tables for fault in _faults(table)]


def _faults(table: Table) -> Iterator[str]:
    placement = placement_of(table)
    if placement is Placement.DISTRIBUTED:
        if TENANT not in table.c or table.c[TENANT].nullable:
            yield (
                f"{table.name} has no required column {TENANT}. Add it to the table and its keys, "
                "or mark a table that belongs to no institution as GLOBAL or REFERENCE."
            )
            return
        for name, columns in _unique_keys(table):
            if TENANT not in columns:
                yield f"{name} of {table.name} is unique without {TENANT}: add it to the key."
    for key in foreign_keys(table):
        yield from _foreign_key_faults(table, key)


def _foreign_key_faults(table: Table, key: ForeignKeyConstraint) -> Iterator[str]:
    source, target = placement_of(table), placement_of(key.referred_table)
    if target not in _MAY_REFER_TO[source]:
        yield (
            f"{key.name}: {table.name} is {source}, and cannot refer to {key.referred_table.name}, "
            f"which is {target}."
        )
    elif target is Placement.DISTRIBUTED:
        pairs = [(item.parent.name, item.column.name) for item in key.elements]
        if (TENANT, TENANT) not in pairs:
            yield f"{key.name} of {table.name} refers to another institution's rows: add {TENANT}."


def _unique_keys(table: Table) -> Iterator[tuple[str, list[str]]]:
    for constraint in table.constraints:
        if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint):
            yield str(constraint.name), [column.name for column in constraint.columns]
    for index in table.indexes:
        if index.unique:
            # An index on an expression names its columns all the same.
            yield str(index.name), [column.name for column in index.columns]
