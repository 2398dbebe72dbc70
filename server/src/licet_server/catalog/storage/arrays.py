"""Many keys in one statement: arrays, so that the statement is the same for every number."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import TableValuedAlias, bindparam, column, func
from sqlalchemy.dialects.postgresql import ARRAY

from licet_server.kit.database import Bytes, Id, String

TenantKey = tuple[UUID, UUID]
"""An institution, and the id of something in it."""


def wanted_keys(keys: Sequence[TenantKey]) -> TableValuedAlias:
    """A table `wanted(institution_id, id)`, each key once."""
    distinct = list(dict.fromkeys(keys))
    return func.unnest(
        _array([institution_id for institution_id, _ in distinct], Id),
        _array([key for _, key in distinct], Id),
    ).table_valued(column("institution_id", Id), column("id", Id), name="wanted")


def wanted_hashes(hashes: Sequence[tuple[UUID, bytes]]) -> TableValuedAlias:
    """A table `wanted(institution_id, key_hash)`, each pair once."""
    distinct = list(dict.fromkeys(hashes))
    return func.unnest(
        _array([institution_id for institution_id, _ in distinct], Id),
        _array([key_hash for _, key_hash in distinct], Bytes),
    ).table_valued(column("institution_id", Id), column("key_hash", Bytes), name="wanted")


def wanted_names(names: Sequence[str]) -> TableValuedAlias:
    """A table `wanted(name, position)`, in the order given, from 1."""
    return func.unnest(_array(list(names), String)).table_valued(
        column("name", String), with_ordinality="position", name="wanted"
    )


def _array(values: list[Any], kind: Any) -> Any:
    return bindparam(None, values, type_=ARRAY(kind), unique=True)
