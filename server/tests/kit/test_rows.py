"""Rows of statements, as the items of a list."""

import pytest
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Column, Integer, MetaData, Row, Table, true
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

from licet_server.kit.database import String
from licet_server.kit.fitting import positional
from licet_server.kit.rows import Rows


class Named(Struct, frozen=True, kw_only=True):
    name: str = ""


class Desk(Named, frozen=True, kw_only=True):
    id: int
    drawers: int = 0

    @property
    def is_empty(self) -> bool:
        return not self.drawers


DESKS = Rows[Desk, None](
    Table(
        "desks",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("name", String),
        Column("drawers", Integer),
    ),
    Desk,
    lambda _: true(),
)


def rows_of(keys: list[str], *values: tuple[object, ...]) -> list[Row[*tuple[object, ...]]]:
    return list(IteratorResult(SimpleResultMetaData(keys), iter(values)).all())


def test_the_items_of_a_list_are_those_of_its_rows() -> None:
    """Columns may stand in any order, with others between, and values may not fit."""
    keys = ["wanted", "drawers", "id", "other", "name"]
    rows = rows_of(keys, ("a", 3, 1, None, "Oak"), ("b", None, 2, None, None))
    items = DESKS.items(rows)
    assert items == [DESKS.item(row) for row in rows]
    assert items == [Desk(id=1, name="Oak", drawers=3), Desk(id=2)]
    assert DESKS.items([]) == []


def test_a_struct_that_is_made_by_position_is_the_same_otherwise() -> None:
    made = positional(Desk)("Oak", 1, 0)
    assert isinstance(made, Desk)
    assert asdict(made) == asdict(Desk(id=1, name="Oak"))
    assert made.is_empty


def test_each_field_is_given_by_position() -> None:
    with pytest.raises(TypeError):
        positional(Desk)("Oak", 1)
