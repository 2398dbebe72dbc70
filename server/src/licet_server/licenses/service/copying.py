"""Copies a product, with what licenses of it are made of, as a Test product."""

from dataclasses import replace
from uuid import UUID

from msgspec.structs import replace as replace_fields

from licet_server.catalog.rules.model import DEFAULT_KEY_SIZE, Product
from licet_server.catalog.service.copying import copy_contents
from licet_server.catalog.service.products import check_product, copy_as_test
from licet_server.catalog.service.signing import SigningKeys, install_pair
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.policies import add_policy
from licet_server.licenses.storage.policies import fetch_policies_of


async def copy_to_test(
    platform: Platform,
    signing_keys: SigningKeys,
    origin: Origin,
    operator: Operator,
    product_id: UUID,
    name: str | None,
) -> Product:
    """Copy a product as a Test product: what as-code declares of it, and its published releases.

    The copy has a product key and a signing key of its own, so that no application accepts a
    license of both. No connection is open while the key is generated.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the name is taken, or for too many Test
            products, `Unavailable` if too many pairs of keys are pending.
    """
    await check_product(platform, operator, product_id)
    pair = await signing_keys.generate_pair(DEFAULT_KEY_SIZE)
    async with platform.unit_of_work(origin) as work:
        source, copy = await copy_as_test(work, operator, product_id, name)
        sets = await copy_contents(work, source, copy)
        await _copy_policies(work, source, copy, sets)
        await install_pair(work, copy, pair, DEFAULT_KEY_SIZE)
    return replace(copy, has_keys=True)


async def _copy_policies(
    work: UnitOfWork, source: Product, copy: Product, sets: dict[UUID, UUID]
) -> None:
    for policy in await fetch_policies_of(work.db, source.institution_id, source.id):
        set_id = policy.entitlement_set_id
        copied = replace_fields(
            policy,
            id=work.new_id(),
            product_id=copy.id,
            entitlement_set_id=None if set_id is None else sets[set_id],
            created_at=work.now,
            updated_at=work.now,
        )
        await add_policy(work, copied)
