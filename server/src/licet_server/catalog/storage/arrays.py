"""Parameters for looking up many keys in one statement."""

from uuid import UUID

from sqlalchemy import column, func

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Bytes, Id, String, array_parameter

TenantKey = tuple[UUID, UUID]
"""An institution, and the id of a row in it."""

ReleaseKey = tuple[UUID, UUID, UUID]
"""An institution, one of its products, and a release of that."""

KeyHash = tuple[UUID, bytes]
"""An institution, and the hash of a product key."""


wanted_keys = Arrays("wanted", institution_id=Id, id=Id)

wanted_releases = Arrays("wanted", institution_id=Id, product_id=Id, release_id=Id)

wanted_features = Arrays("wanted", institution_id=Id, product_id=Id, name=String)

wanted_hashes = Arrays("wanted", institution_id=Id, key_hash=Bytes)

wanted_names = (
    func.unnest(array_parameter("names", String))
    .table_valued(column("name", String), with_ordinality="position")
    .render_derived(name="wanted")
)
"""In the order given: `position` counts from 1."""
