"""Many keys in one statement: arrays as parameters, so that one statement serves every number.

Statements over these tables are built once, since building one costs more than running it.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import column, func

from licet_server.kit.database import Bytes, Id, String, array_parameter

TenantKey = tuple[UUID, UUID]
"""An institution, and the id of something in it."""

KeyHash = tuple[UUID, bytes]
"""An institution, and the hash of a product key."""


wanted_keys = (
    func.unnest(array_parameter("institution_ids", Id), array_parameter("ids", Id))
    .table_valued(column("institution_id", Id), column("id", Id))
    .render_derived(name="wanted")
)

wanted_hashes = (
    func.unnest(array_parameter("institution_ids", Id), array_parameter("key_hashes", Bytes))
    .table_valued(column("institution_id", Id), column("key_hash", Bytes))
    .render_derived(name="wanted")
)

wanted_names = (
    func.unnest(array_parameter("names", String))
    .table_valued(column("name", String), with_ordinality="position")
    .render_derived(name="wanted")
)
"""In the order given: `position` counts from 1."""


def keys_given(keys: Sequence[TenantKey]) -> dict[str, list[UUID]]:
    """The parameters of a statement over `wanted_keys`, each key once."""
    distinct = list(dict.fromkeys(keys))
    return {
        "institution_ids": [institution_id for institution_id, _ in distinct],
        "ids": [key for _, key in distinct],
    }


def hashes_given(hashes: Sequence[KeyHash]) -> dict[str, list[Any]]:
    """The parameters of a statement over `wanted_hashes`, each pair once."""
    distinct = list(dict.fromkeys(hashes))
    return {
        "institution_ids": [institution_id for institution_id, _ in distinct],
        "key_hashes": [key_hash for _, key_hash in distinct],
    }
