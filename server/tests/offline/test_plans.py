"""Requests are found by indexes, however many there are: by hash, by device, and in lists."""

from datetime import timedelta
from uuid import UUID

from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import open_vendor

from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.licenses.service.reading import find_by_key_hash
from licet_server.offline import storage
from licet_server.offline.rules.requests import StoredState

ROWS = 20_000

_LICENSES = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, created_at, updated_at, offline_activation,
    offline_key_hash)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'FILL-' || n, 'FILL-' || n,
    license_name, activation_mode, created_at, updated_at,
    CASE WHEN n % 2 = 0 THEN 'SelfService' ELSE 'Off' END,
    CASE WHEN n % 2 = 0 THEN 'hash-' || n END
FROM licenses, generate_series(1, :rows) AS n WHERE id = :license
"""
_REQUESTS = """
INSERT INTO offline_requests (institution_id, id, license_id, product_id, jkt, key_x, key_y,
    hardware_id, kind, nonce, seq, key_hash, file_jti, file_made_at, file_ends_at, state, asked_at,
    decided_at)
SELECT :institution, uuidv7(), :license, :product, 'jkt-' || n, 'x', 'y', 'machine-' || n,
    'Activate', 'nonce', 1, 'hash', CASE WHEN n % 10 > 0 THEN CAST(:file AS uuid) END,
    CASE WHEN n % 10 > 0 THEN CAST(:now AS timestamptz) END,
    CASE WHEN n % 10 > 0 THEN CAST(:now AS timestamptz) END,
    CASE WHEN n % 10 > 0 THEN 'Answered' ELSE 'Waiting' END,
    CAST(:now AS timestamptz) - n * interval '1 minute',
    CASE WHEN n % 10 > 0 THEN CAST(:now AS timestamptz) END
FROM generate_series(1, 500) AS n
"""
_OTHERS = """
INSERT INTO offline_requests (institution_id, id, license_id, product_id, jkt, key_x, key_y,
    hardware_id, kind, nonce, seq, key_hash, file_jti, file_made_at, file_ends_at, state, asked_at,
    decided_at)
SELECT institution_id, uuidv7(), id, product_id, 'jkt', 'x', 'y', 'machine', 'Activate', 'nonce', 1,
    'hash', :file, :now, :now, 'Answered', :now, :now
FROM licenses WHERE product_id = :product AND id <> :license
"""


async def test_requests_are_found_by_indexes(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor = await open_vendor(owner)
    license_ = await vendor.issue("Perpetual")
    institution = UUID(owner.institution_id)
    ids = (institution, UUID(license_["id"]))
    given = {
        "institution": institution,
        "license": ids[1],
        "product": UUID(vendor.product["id"]),
        "file": UUID(int=1),
        "now": clock.now,
        "rows": ROWS,
    }
    async with platform.database.transaction() as db:
        await db.execute(text(_LICENSES), given)
        await db.execute(text(_REQUESTS), given)
        await db.execute(text(_OTHERS), given)
        await db.execute(text("ANALYZE licenses"))
        await db.execute(text("ANALYZE offline_requests"))
    page = Paging(page_size=25)
    with taken_down("offline_key_hash") as taken:
        async with platform.database.reading() as db:
            assert len(await find_by_key_hash(db, "hash-500")) == 1
    with taken_down("offline_requests") as more:
        async with platform.database.reading() as db:
            assert await storage.fetch_of_device(db, ids, "jkt-7") is not None
            assert len(await storage.fetch_answered(db, ids)) == 100
            waiting = await storage.list_of_institutions(
                db, [institution], StoredState.WAITING, page
            )
            assert len(waiting.items) == 25
            assert len((await storage.list_of_license(db, ids, None, page)).items) == 25
            assert await storage.count_since(db, ids, clock.now - timedelta(hours=1)) == 60
    for question in [*taken, *more]:
        explained = await explain(platform, question)
        assert not {"licenses", "offline_requests"} & explained.scanned, explained
