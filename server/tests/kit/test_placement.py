"""Where tables belong in a distributed database, and what would keep them from it."""

from collections.abc import Set

import pytest
from placement_faults import placement_faults
from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, MetaData, Table

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.kit.database import GLOBAL, REFERENCE, Id, String, metadata
from licet_server.kit.placement import (
    Placement,
    citus_statements,
    placement_of,
    spreading_steps,
    tables_of,
)
from licet_server.kit.routing import TENANT


def tables(*, parent: dict[str, bool] | None = None) -> MetaData:
    made = MetaData(naming_convention=metadata.naming_convention)
    Table("parents", made, _tenant(), Column("id", Id, primary_key=True), info=parent or {})
    return made


def _tenant(**options: bool) -> Column[object]:
    return Column(TENANT, Id, **{"primary_key": True, **options})


def test_our_own_tables_can_be_spread() -> None:
    assert placement_faults(metadata) == []
    assert placement_of(metadata.tables["licenses"]) is Placement.DISTRIBUTED
    assert placement_of(metadata.tables["users"]) is Placement.REFERENCE
    assert placement_of(metadata.tables["rate_counters"]) is Placement.LOCAL


def test_a_table_without_institution_is_named_with_what_to_do() -> None:
    made = tables()
    Table("vouchers", made, Column("id", Id, primary_key=True))
    [fault] = placement_faults(made)
    assert fault.startswith("vouchers has no required column institution_id. Add it")
    assert "GLOBAL or REFERENCE" in fault


def test_an_institution_that_may_be_missing_is_named() -> None:
    made = tables()
    key = Column("id", Id, primary_key=True)
    Table("vouchers", made, _tenant(primary_key=False, nullable=True), key)
    assert len(placement_faults(made)) == 1


def test_unique_keys_and_indexes_without_institution_are_named() -> None:
    made = tables()
    Table(
        "vouchers",
        made,
        _tenant(),
        Column("id", Id, primary_key=True),
        Column("code", String, unique=True),
        Index("vouchers_lower", "code", unique=True),
        Index("vouchers_found", "code"),
    )
    assert sorted(fault.split(" ")[0] for fault in placement_faults(made)) == [
        "vouchers_code_key",
        "vouchers_lower",
    ]


def test_a_foreign_key_that_leaves_the_institution_is_named() -> None:
    made = tables()
    Table(
        "vouchers",
        made,
        _tenant(),
        Column("other", Id, primary_key=True),
        Column("id", Id),
        ForeignKeyConstraint(["other", "id"], ["parents.institution_id", "parents.id"]),
    )
    [fault] = placement_faults(made)
    assert "refers to another institution's rows" in fault


@pytest.mark.parametrize(
    ("source", "target", "is_possible"),
    [
        ({}, REFERENCE, True),
        ({}, GLOBAL, False),
        (REFERENCE, REFERENCE, True),
        (REFERENCE, GLOBAL, False),
        (GLOBAL, REFERENCE, True),
        (GLOBAL, GLOBAL, True),
    ],
)
def test_what_may_refer_to_what(
    source: dict[str, bool], target: dict[str, bool], is_possible: bool
) -> None:
    made = MetaData(naming_convention=metadata.naming_convention)
    Table("targets", made, Column("id", Id, primary_key=True), info=target)
    Table(
        "sources",
        made,
        _tenant(),
        Column("target_id", ForeignKey("targets.id"), primary_key=True),
        info=source,
    )
    assert (placement_faults(made) == []) is is_possible


@pytest.mark.parametrize("source", [REFERENCE, GLOBAL])
def test_nothing_refers_to_a_table_that_is_spread(source: dict[str, bool]) -> None:
    made = tables()
    Table(
        "sources",
        made,
        _tenant(),
        Column("parent_id", Id, primary_key=True),
        ForeignKeyConstraint([TENANT, "parent_id"], ["parents.institution_id", "parents.id"]),
        info=source,
    )
    [fault] = placement_faults(made)
    assert "cannot refer to parents" in fault


def test_the_statements_spread_every_table_once() -> None:
    statements = citus_statements(metadata)
    for placement, function in (
        (Placement.DISTRIBUTED, "create_distributed_table"),
        (Placement.REFERENCE, "create_reference_table"),
    ):
        named = [item.split("'")[1] for item in statements if function in item]
        assert named == [table.name for table in tables_of(metadata, placement)]
    assert not any("rate_counters" in item for item in statements)


def test_all_tables_are_spread_alike_and_foreign_keys_come_back_last() -> None:
    statements = citus_statements(metadata)
    kinds = [
        "drop" if " DROP " in item else "add" if " ADD " in item else item.split("(")[0].split()[1]
        for item in statements
    ]
    order = ["drop", "create_reference_table", "create_distributed_table", "add"]
    assert kinds == sorted(kinds, key=order.index)
    assert kinds.count("drop") == kinds.count("add") > 40
    first, *others = [item for item in statements if "create_distributed_table" in item]
    anchor = first.split("'")[1]
    assert first.endswith("colocate_with => 'none')")
    assert all(item.endswith(f"colocate_with => '{anchor}')") for item in others)
    assert all(f"', '{TENANT}', " in item for item in (first, *others))


def test_reference_tables_come_after_those_that_they_refer_to() -> None:
    named = [table.name for table in tables_of(metadata, Placement.REFERENCE)]
    assert named.index("users") < named.index("memberships")
    assert named.index("institutions") < named.index("memberships")


def test_an_interrupted_spreading_goes_on_with_what_is_left() -> None:
    parents = tables()
    Table(
        "vouchers",
        parents,
        _tenant(),
        Column("id", Id, primary_key=True),
        ForeignKeyConstraint([TENANT], ["parents.institution_id"]),
    )
    [drop, first, second, add] = citus_statements(parents)
    key = "vouchers_institution_id_fkey"

    def left(*spread: str, keys: Set[str] = frozenset()) -> list[str]:
        steps = spreading_steps(parents, spread=set(spread), keys=keys)
        return [step.statement for step in steps]

    assert left(keys={key}) == [drop, first, second, add]
    assert left() == [first, second, add]
    assert left("parents") == [second, add]
    assert left("parents", keys={key}) == [drop, second, add]
    assert left("parents", "vouchers") == [add]
    assert left("parents", "vouchers", keys={key}) == []
