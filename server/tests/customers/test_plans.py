"""Among many customers and invitations, who else knows an address is found by an index."""

from uuid import UUID

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from unhurried import unhurried
from volumes import is_long

from licet_server.app import Application
from licet_server.catalog.storage import associations as catalog
from licet_server.customers.storage import fetch_known_elsewhere
from licet_server.institutions.storage import personal_data as institutions
from licet_server.kit.database import Connection

INSTITUTIONS, EACH = 40, 2_000 if is_long() else 300
KNOWN = {"person7@example.com", "person8@example.com"}
INDEXES = {
    fetch_known_elsewhere: {"customers_address_idx", "former_addresses_email_idx"},
    institutions.fetch_invited_elsewhere: {"invitations_address_idx"},
    catalog.fetch_invited_elsewhere: {"associations_address_idx"},
}

_FILL = """
WITH vendors AS (
    INSERT INTO institutions (id, name, created_at)
    SELECT uuidv7(), 'Vendor ' || n, now() FROM generate_series(1, :institutions) AS n
    RETURNING id
), everybody AS (
    SELECT id, n, 'person' || n || '@example.com' AS email
    FROM vendors, generate_series(1, :each) AS n
), present AS (
    INSERT INTO customers (institution_id, id, name, email, metadata, created_at, updated_at)
    SELECT id, uuidv7(), 'Person ' || n, 'Person' || n || '@Example.com', '{}', now(), now()
    FROM everybody
), former AS (
    INSERT INTO former_addresses (institution_id, email) SELECT id, email FROM everybody
), products_of_vendors AS (
    INSERT INTO products (institution_id, id, name, access_type, settings, created_at, updated_at)
    SELECT id, uuidv7(), 'Aurora', 'Opened', '{}', now(), now() FROM vendors
    RETURNING institution_id, id
), offered AS (
    INSERT INTO associations (institution_id, id, product_id, email, created_at, expires_at)
    SELECT item.institution_id, uuidv7(), item.id, email, now(), now()
    FROM products_of_vendors item JOIN everybody ON everybody.id = item.institution_id
)
INSERT INTO invitations (institution_id, id, email, role, created_at, expires_at)
SELECT id, uuidv7(), email, 'Viewer', now(), now() FROM everybody
"""


async def fill(db: Connection) -> None:
    await db.execute(text(_FILL), {"institutions": INSTITUTIONS, "each": EACH})
    await db.execute(text("ANALYZE customers, former_addresses, invitations, associations"))


@pytest.mark.undivided  # the pages are those of whole indexes
async def test_who_else_knows_an_address_is_found_by_an_index(
    fresh_application: Application,
) -> None:
    platform, own = fresh_application.platform, UUID(int=9)
    async with unhurried(platform) as db:
        await fill(db)
    for fetch, indexes in INDEXES.items():
        with taken_down("") as taken:
            async with platform.database.reading() as db:
                assert await fetch(db, own, KNOWN) == KNOWN
        [question] = [item for item in taken if "IN (" in item.statement]
        explained = await explain(platform, question)
        assert explained.scanned == indexes, explained
