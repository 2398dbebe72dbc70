"""Each index of licenses is needed: without it, what it is there for costs more."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from plans import Question, plan_of, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried, vacuum
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import LicenseFilter
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.rules.reminders import Stage, stages_at
from licet_server.licenses.service.reading import find_by_key_hash
from licet_server.licenses.storage import holders, policies, records, reminders
from licet_server.licenses.tables import licenses

pytestmark = pytest.mark.undivided

WORSE = 1.5
"""How many times as much a statement costs without its index: by estimate, or in pages."""
MANY = 20_000
OLD = 4_000
"""The oldest are of a type and of a product of their own, so that newer rows lie before them."""
RARE = 400
CUSTOMER_INSTITUTION = UUID(int=7)
_FILL = f"""
INSERT INTO licenses (institution_id, id, product_id, software_release_id, customer_id, policy_id,
    entitlement_set_id, customer_institution_id, type, license_key, normal_key, license_name,
    issued_to, expiration_date, reminded_for, reminded_days, grace_days, fallback, feature_values,
    tags, revoked_at, suspended_at, offline_key_hash, activation_mode, created_at, updated_at)
SELECT institution_id, uuidv7(),
    CASE WHEN n <= {OLD} THEN :old_product ELSE product_id END,
    CASE WHEN n <= {OLD} THEN :old_release ELSE software_release_id END,
    CASE n % {RARE} WHEN 1 THEN CAST(:customer AS uuid) END,
    CASE n % {RARE} WHEN 2 THEN CAST(:policy AS uuid) END,
    CASE n % {RARE} WHEN 3 THEN CAST(:set AS uuid) END,
    CASE n % {RARE} WHEN 4 THEN CAST('{CUSTOMER_INSTITUTION}' AS uuid) END,
    CASE WHEN n <= {OLD} THEN 'Trial' ELSE 'Subscription' END,
    upper(md5(n::text)), upper(md5(n::text)),
    'Site number' || md5(n::text) || CASE n % {RARE} WHEN 12 THEN ' Größe' ELSE '' END,
    'user' || md5(n::text) || '@old.example', ends,
    ends, CASE WHEN ends IS NOT NULL THEN 0 END,
    CASE n % {RARE} WHEN 5 THEN 10 ELSE 0 END,
    CASE n % {RARE} WHEN 6 THEN 'ReleaseAtTermEnd' ELSE 'None' END,
    CASE n % {RARE} WHEN 7 THEN jsonb_build_object('color', 'red') END,
    CASE WHEN n <= 2500 THEN jsonb_build_array('site ' || n % 500 ||
        CASE n % {RARE} WHEN 12 THEN ' größe' ELSE '' END) END,
    CASE n % {RARE} WHEN 9 THEN now() END, CASE n % {RARE} WHEN 10 THEN now() END,
    CASE n % {RARE} WHEN 11 THEN 'hash ' || n END,
    activation_mode, now(), now()
FROM licenses, generate_series(1, {MANY}) n, LATERAL (
    SELECT CAST(:now AS timestamptz) + CASE
        WHEN n <= {OLD} THEN -n * interval '1 day'
        WHEN n % 2 = 0 THEN (n * 7919 % {MANY} - 19900) * interval '1 hour'
    END
) AS term(ends)
WHERE id = :license
"""


@dataclass(frozen=True)
class Asked:
    """What the questions of an index are about."""

    vendor: Vendor
    db: Connection
    old_product: str
    policy: Policy
    now: datetime
    stages: Sequence[Stage]

    async def get(self, path: str) -> None:
        await self.vendor.owner.ok("GET", path)


def listed(query: str) -> Callable[[Asked], Awaitable[Any]]:
    return lambda asked: asked.get(f"/api/licenses?{query}")


def refers(column: str) -> Callable[[Asked], Awaitable[Any]]:
    """What PostgreSQL asks before it deletes what a foreign key refers to."""

    async def ask(asked: Asked) -> None:
        statement = text(
            f"SELECT 1 FROM licenses WHERE institution_id = :institution AND {column} = :id"
        )
        given = {"institution": UUID(asked.vendor.product["institutionId"]), "id": UUID(int=1)}
        await asked.db.execute(statement, given)

    return ask


async def _received(asked: Asked) -> None:
    of, filters = [CUSTOMER_INSTITUTION], LicenseFilter()
    await holders.list_received(asked.db, of, filters, Paging(), asked.now)


NEEDED: Mapping[str, Callable[[Asked], Awaitable[Any]]] = {
    "licenses_key_start_idx": lambda asked: asked.get("/api/search?q=C4CA4238A0B92"),
    "licenses_search_idx": listed("search=numberless"),
    "licenses_folded_idx": listed("search=grosse"),
    "licenses_name_idx": listed("sort=licenseName"),
    "licenses_name_start_idx": lambda asked: asked.get("/api/search?q=Site%20numberabc"),
    "licenses_folded_name_idx": lambda asked: asked.get("/api/search?q=Site%20numberabc"),
    "licenses_type_idx": listed("sort=type"),
    "licenses_type_expiration_idx": listed("type=Trial&status=Active"),
    "licenses_product_idx": lambda asked: listed(f"productId={asked.old_product}")(asked),
    "licenses_release_idx": refers("software_release_id"),
    "licenses_entitlement_set_idx": refers("entitlement_set_id"),
    "licenses_of_customer_idx": refers("customer_id"),
    "licenses_policy_idx": lambda asked: policies.count_licenses(asked.db, asked.policy),
    "licenses_feature_values_idx": lambda asked: records.count_with(
        asked.db, asked.policy.institution_id, UUID(asked.vendor.product["id"]), "color"
    ),
    "licenses_revoked_idx": listed("status=Revoked"),
    "licenses_suspended_idx": listed("status=Suspended"),
    "licenses_customer_idx": _received,
    "licenses_grace_idx": listed("status=Active"),
    "licenses_fallback_idx": listed("status=Active&type=Trial"),
    "licenses_expiration_idx": listed("sort=expirationDate"),
    "licenses_due_reminders_idx": lambda asked: reminders.claim_due(
        asked.db, [(asked.policy.institution_id, item) for item in asked.stages], 500
    ),
    "licenses_issued_to_idx": listed("sort=issuedTo"),
    "licenses_receiver_idx": lambda asked: records.fetch_receivers(asked.db, ["a@old.example"]),
    "licenses_offline_key_idx": lambda asked: find_by_key_hash(asked.db, "hash 11"),
    "licenses_tags_idx": listed("tag=site%203"),
    "licenses_folded_tags_idx": listed("search=site%203"),
    "licenses_tagged_idx": lambda asked: asked.get("/api/licenses/tags"),
}
"""The non-unique indexes of licenses, and what each is for."""


def test_each_index_says_what_it_is_for() -> None:
    assert {item.name for item in licenses.indexes if not item.unique} == set(NEEDED)


@pytest.fixture
def application(fresh_application: Application) -> Application:
    return fresh_application


async def test_without_an_index_what_it_is_for_costs_more(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor = await open_vendor(owner)
    old = await open_vendor(owner, name="Old")
    policy_id = await _fill(platform, vendor, old, clock())
    institution_id = UUID(vendor.product["institutionId"])
    async with platform.database.transaction() as db:
        found = await policies.fetch_policies(db, institution_id, [policy_id])
    needless = {}
    for index, ask in NEEDED.items():
        async with platform.database.transaction() as db:
            stages = stages_at([30, 7, 1], clock())
            asked = Asked(vendor, db, old.product["id"], found[policy_id], clock(), stages)
            with taken_down("licenses", "WITH", "UPDATE") as taken:
                await ask(asked)
            await db.rollback()
        async with platform.database.transaction() as db:
            before = await _costs(db, taken)
            await db.exec_driver_sql(f"DROP INDEX {index}")
            after = await _costs(db, taken)
            await db.rollback()
        worst = max(b / max(a, 1) for a, b in zip(before, after, strict=True))
        if worst < WORSE:
            needless[index] = worst, before, after
    assert not needless, needless


async def _costs(db: Connection, questions: Sequence[Question]) -> list[float]:
    """Return for each question what the planner estimates, and how many pages it reads."""
    costs = []
    for question in questions:
        async with db.begin_nested() as attempt:
            plan = await plan_of(db, question, "ANALYZE, BUFFERS")
            await attempt.rollback()
        costs += [plan["Total Cost"], plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]]
    return costs


async def _fill(platform: Platform, vendor: Vendor, old: Vendor, now: datetime) -> UUID:
    """Fill the table; return the ID of a policy under which a few licenses were issued."""
    owner, place = vendor.owner, f"/api/products/{vendor.product['id']}"
    policy = await owner.ok(
        "POST",
        "/api/policies",
        {"productId": vendor.product["id"], "name": "Site", "type": "Subscription"},
    )
    kept = await owner.ok("POST", f"{place}/entitlement-sets", {"name": "Pro", "featureNames": []})
    made = await vendor.issue("Trial", expirationDate="2031-02-01T00:00:00Z")
    older = await old.issue("Trial", expirationDate="2031-02-01T00:00:00Z")
    [customer, *_] = (await owner.ok("GET", "/api/customers"))["items"]
    given = {
        "license": made["id"],
        "customer": customer["id"],
        "policy": policy["id"],
        "set": kept["id"],
        "old_product": old.product["id"],
        "old_release": older["softwareReleaseId"],
        "now": now,
    }
    async with unhurried(platform) as db:
        await db.execute(text(_FILL), given)
    await vacuum(platform, "licenses")
    return UUID(policy["id"])
