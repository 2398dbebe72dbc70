"""Kept statements are built once for each shape, and run with the values of each call."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import ColumnElement, Select, column, literal, select

from licet_server.kit.database import Id
from licet_server.kit.kept import MOST_ITEMS, MOST_SHAPES, kept
from licet_server.kit.platform import Platform

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LATER = datetime(2030, 1, 2, tzinfo=UTC)


class _Side(Enum):
    LEFT = "Left"
    RIGHT = "Right"


@dataclass(frozen=True)
class _Wish:
    side: _Side
    ids: tuple[UUID, ...]
    name: str | None = None


class _Builder:
    """Counts how often it builds."""

    def __init__(self) -> None:
        self.built = 0
        self.find = kept(self._build)

    def _build(self, wish: _Wish, at: datetime, most: int) -> Select[Any]:
        self.built += 1
        wanted: list[ColumnElement[bool]] = [column("id", Id).in_(wish.ids)]
        if wish.name is not None:
            wanted.append(literal("Ada") == wish.name)
        shown = select(literal(wish.side.value)).where(at > NOW, *wanted[1:])
        return shown.limit(most)


def test_nothing_is_kept_for_a_long_collection() -> None:
    @kept
    def build(ids: tuple[UUID, ...], at: datetime) -> Select[Any]:
        return select(literal(1)).where(column("id", Id).in_(ids), at > NOW)

    ids = tuple(UUID(int=n) for n in range(MOST_ITEMS + 1))
    one, given = build(ids, NOW)
    assert given == {"at": NOW}
    assert list(ids) in one.compile().params.values()
    assert build(ids, NOW)[0] is not one
    assert build(ids[1:], NOW)[0] is build(ids[:-1], NOW)[0]


def test_a_statement_is_built_once_for_each_shape() -> None:
    builder = _Builder()
    one, _ = builder.find(_Wish(_Side.LEFT, (UUID(int=1),)), NOW, 1)
    same, given = builder.find(_Wish(_Side.LEFT, (UUID(int=2),)), NOW, 2)
    assert same is one
    assert given == {"wish_ids_0": UUID(int=2), "at": NOW, "most": 2}
    shapes = [
        _Wish(_Side.RIGHT, (UUID(int=1),)),
        _Wish(_Side.LEFT, (UUID(int=1), UUID(int=2))),
        _Wish(_Side.LEFT, (UUID(int=1),), "Ada"),
    ]
    assert len({id(builder.find(shape, NOW, 1)[0]) for shape in shapes} | {id(one)}) == 4
    assert builder.built == 4


async def test_it_runs_with_the_values_of_the_call(platform: Platform) -> None:
    builder = _Builder()
    async with platform.database.reading() as db:
        for name, rows in (("Ada", 1), ("Grace", 0)):
            wish = _Wish(_Side.RIGHT, (), name)
            assert len((await db.execute(*builder.find(wish, LATER, 5))).all()) == rows
    assert builder.built == 1


def test_what_is_kept_is_bounded() -> None:
    builder = _Builder()
    wishes = [_Wish(_Side.LEFT, (UUID(int=1),) * count) for count in range(MOST_SHAPES + 1)]
    for wish in [*wishes, wishes[-1], wishes[0]]:
        builder.find(wish, NOW, 1)
    assert builder.built == MOST_SHAPES + 2


def test_what_has_no_shape_is_rejected() -> None:
    with pytest.raises(TypeError, match="object"):
        _Builder().find(object(), NOW, 1)  # type: ignore[arg-type]
