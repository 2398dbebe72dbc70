"""Among 200,000 licenses of 40 institutions, a user's own licenses are found by an index."""

from uuid import UUID

import pytest
from identity.people import elsewhere
from plans import explain, taken_down
from portal.people import LICENSES, make_end_user
from sqlalchemy import text
from unhurried import unhurried
from volumes import is_long

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.passwords import Passwords
from licet_server.licenses.service.holders import find_receivers

INSTITUTIONS, EACH = 40, 5_000 if is_long() else 1_500
RESELLER, CUSTOMER = "reseller@example.com", "customer7@example.com"

_FILL = """
WITH vendors AS (
    INSERT INTO institutions (id, name, created_at)
    SELECT uuidv7(), 'Vendor ' || n, now() FROM generate_series(1, :institutions) AS n
    RETURNING id
), aurora AS (
    INSERT INTO products (institution_id, id, name, access_type, settings, created_at, updated_at)
    SELECT id, uuidv7(), 'Aurora', 'Opened', '{}', now(), now() FROM vendors
    RETURNING institution_id, id
), first_release AS (
    INSERT INTO releases (institution_id, id, product_id, version, channel, status, created_at,
        updated_at)
    SELECT institution_id, uuidv7(), id, '1.0.0', 'Stable', 'Draft', now(), now() FROM aurora
    RETURNING institution_id, id, product_id
)
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, issued_to, activation_mode, created_at, updated_at)
SELECT institution_id, uuidv7(), product_id, id, 'Perpetual', 'KEY-' || n, 'KEY-' || n, 'A license',
    CASE WHEN n % 10 = 0 THEN :reseller ELSE 'Customer' || n || '@example.com' END,
    'Online', now(), now()
FROM first_release, generate_series(1, :each) AS n
"""


async def fill(db: Connection) -> None:
    """Issue a tenth of all to the reseller; other users have one in every institution."""
    given = {"institutions": INSTITUTIONS, "each": EACH, "reseller": RESELLER}
    await db.execute(text(_FILL), given)
    await db.execute(text("ANALYZE licenses"))


@pytest.mark.undivided  # the pages are those of whole indexes
async def test_a_users_licenses_are_found_by_an_index(
    fresh_application: Application, fast_passwords: Passwords
) -> None:
    platform = fresh_application.platform
    async with unhurried(platform) as db:
        await fill(db)
    async with elsewhere(fresh_application, "203.0.113.5") as client:
        customer, reseller = [
            await make_end_user(platform, client, fast_passwords, email)
            for email in (CUSTOMER, RESELLER)
        ]
        [one] = (await customer.ok("GET", LICENSES, params={"pageSize": 1}))["items"]
        for user, path, most in (
            (customer, LICENSES, 60),
            (customer, f"{LICENSES}?after=", 60),
            (customer, f"{LICENSES}?sort=licenseName", 60),
            (customer, f"{LICENSES}/{one['id']}", 10),
            (reseller, f"{LICENSES}/{one['id']}", 10),
            (reseller, LICENSES, 10_000),  # all of the reseller's and no others, unordered
        ):
            with taken_down("FROM licenses") as taken:
                await user.send("GET", path)
            assert taken
            for question in taken:
                explained = await explain(platform, question)
                assert explained.scanned == {"licenses_receiver_idx"}, (path, explained)
                assert explained.pages <= most, (path, explained)
        with taken_down("FROM licenses") as taken:
            async with platform.database.reading() as db:
                names = [CUSTOMER, RESELLER, "nobody@example.com", str(UUID(int=7))]
                assert await find_receivers(db, names) == {CUSTOMER, RESELLER}
        [question] = taken
        explained = await explain(platform, question)
        assert explained.scanned == {"licenses_receiver_idx"}
        assert explained.pages <= 20
