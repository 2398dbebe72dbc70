"""Connectors as operators create, change and delete them."""

import base64
from typing import Any

import pytest
from connectors.factories import make_connector, make_policy
from connectors.shops import SECRETS
from licenses.factories import make_product
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import MAX_RULES, ConnectorKind
from licet_server.kit.platform import Platform


async def test_a_connector_is_created_changed_and_deleted(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    policy = await make_policy(owner, product, name="Basic")
    rule = {"match": {"product": "a", "price": None}, "policyId": policy["id"]}
    made = await make_connector(owner, ConnectorKind.STRIPE, rules=[rule])
    assert made.pop("signingSecret") is None
    expected = {
        "institutionId": owner.institution_id,
        "kind": "Stripe",
        "name": "Our shop",
        "enabled": True,
        "rules": [{**rule, "quantityAs": "Licenses", "renews": "Term"}],
        "onRefund": "Revoke",
        "onDispute": "Suspend",
        "onPaymentFailed": "Suspend",
        "graceDays": 7,
        "apiUrl": None,
        "hasApiKey": False,
        "previousSecretUntil": None,
        "unmatchedOrders": 0,
    }
    assert {name: made[name] for name in expected} == expected
    assert made["inboxUrl"].endswith(f"/api/connectors/{made['id']}/inbox")
    path = f"/api/connectors/{made['id']}"
    assert await owner.ok("GET", path) == made
    assert (await owner.ok("GET", "/api/connectors"))["items"] == [made]
    changes = {"name": "Shop", "apiKey": "sk_live_1", "onRefund": "Suspend", "rules": []}
    clock.advance(seconds=1)
    changed = await owner.ok("PUT", path, changes)
    assert (changed["name"], changed["hasApiKey"], changed["rules"]) == ("Shop", True, [])
    assert (await owner.ok("PUT", path, {"apiKey": None}))["hasApiKey"] is False
    await owner.ok("DELETE", path)
    assert (await owner.send("GET", path)).status_code == 404


async def test_secret_of_generic_connector_is_shown_once(owner: Owner) -> None:
    made = await owner.ok("POST", "/api/connectors", {"kind": "Generic", "name": "Shop"})
    prefix, _, encoded = made["signingSecret"].partition("_")
    assert prefix == "whsec"
    assert len(base64.b64decode(encoded, validate=True)) == 32
    path = f"/api/connectors/{made['id']}"
    assert "signingSecret" not in await owner.ok("GET", path)
    rotated = await owner.ok("POST", f"{path}/rotate-secret", {})
    assert rotated["signingSecret"] not in {None, made["signingSecret"]}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"kind": "Stripe"}, "signingSecret"),
    ({"kind": "Paddle", "signingSecret": "short"}, "signingSecret"),
    ({"kind": "Generic", "signingSecret": "not base64 at all!"}, "signingSecret"),
    ({"kind": "Shopify", "signingSecret": "a-secret"}, "kind"),
    ({"kind": "Generic", "apiUrl": "ftp://example.com"}, "apiUrl"),
    ({"kind": "Generic", "graceDays": 366}, "graceDays"),
    ({"kind": "Generic", "onPaymentFailed": "Revoke"}, "onPaymentFailed"),
    ({"kind": "Generic", "rules": [{"match": {"product": ""}}]}, "rules[0].match.product"),
    ({"kind": "Generic", "rules": [{"match": {"vendor": "x"}}]}, "rules[0].match.vendor"),
    ({"kind": "Generic", "rules": [{"policyId": None}]}, "rules[0].match"),
    (
        {"kind": "Generic", "rules": [{"match": {"price": "a"}}, {"match": {"price": "a"}}]},
        "rules[1].match",
    ),
    (
        {
            "kind": "Generic",
            "rules": [{"match": {}, "policyId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"}],
        },
        "rules[0].policyId",
    ),
]


@pytest.mark.parametrize(("body", "field"), BAD)
async def test_invalid_connector_names_the_field(
    body: dict[str, Any], field: str, owner: Owner
) -> None:
    answer = await owner.send("POST", "/api/connectors", {"name": "Shop", **body})
    assert answer.status_code == 400
    assert field in [item["field"] for item in answer.json()["errors"]]


async def test_seats_are_for_policies_with_seats(owner: Owner) -> None:
    product = await make_product(owner)
    policy = await make_policy(owner, product, name="Basic")
    rule = {"match": {}, "policyId": policy["id"], "quantityAs": "Seats"}
    body = {"kind": "Generic", "name": "Shop", "rules": [rule]}
    answer = await owner.send("POST", "/api/connectors", body)
    assert answer.json()["errors"][0]["field"] == "rules[0].quantityAs"


async def test_a_rule_that_is_added_is_checked_alone(owner: Owner) -> None:
    product = await make_product(owner)
    policies = [await make_policy(owner, product, name=name) for name in ("Old", "New")]
    old, new = [{"match": {"price": it["name"]}, "policyId": it["id"]} for it in policies]
    made = await make_connector(owner, ConnectorKind.STRIPE, rules=[old])
    await owner.ok("DELETE", f"/api/policies/{policies[0]['id']}")
    path = f"/api/connectors/{made['id']}/rules"
    gone = {**new, "policyId": policies[0]["id"]}
    assert await bad_fields_of(owner, path, gone) == ["policyId"]
    assert await bad_fields_of(owner, path, {**new, "quantityAs": "Seats"}) == ["quantityAs"]
    added = await owner.ok("POST", path, new)
    assert [item["match"]["price"] for item in added["rules"]] == ["Old", "New"]


async def bad_fields_of(owner: Owner, path: str, body: dict[str, Any]) -> list[str]:
    answer = await owner.send("POST", path, body)
    assert answer.status_code == 400
    return [item["field"] for item in answer.json()["errors"]]


async def test_a_connector_has_at_most_200_rules(owner: Owner) -> None:
    rules = [{"match": {"price": str(number)}} for number in range(MAX_RULES)]
    made = await make_connector(owner, ConnectorKind.STRIPE, rules=rules)
    path = f"/api/connectors/{made['id']}/rules"
    answer = await owner.send("POST", path, {"match": {"price": "one more"}})
    assert answer.status_code == 409


async def test_secrets_are_neither_stored_in_the_clear_nor_in_events(
    owner: Owner, platform: Platform
) -> None:
    secret = SECRETS[ConnectorKind.PADDLE]
    made = await make_connector(owner, ConnectorKind.PADDLE, apiKey="pdl_live_apikey_1")
    path = f"/api/connectors/{made['id']}"
    await owner.ok("POST", f"{path}/rotate-secret", {"signingSecret": "another-secret"})
    async with platform.database.reading() as db:
        row = await db.execute(text("SELECT * FROM connectors WHERE id = :id"), {"id": made["id"]})
        events = await db.execute(
            text("SELECT kind, data::text, changes::text FROM events WHERE subject_id = :id"),
            {"id": made["id"]},
        )
        stored = repr(list(row.one())) + repr(events.all())
    for item in (secret, "pdl_live_apikey_1", "another-secret"):
        assert item not in stored
    assert "connector.secret_rotated" in stored


async def test_a_secret_that_is_lost_is_replaced(owner: Owner, platform: Platform) -> None:
    made = await make_connector(owner, ConnectorKind.STRIPE)
    async with platform.database.reading() as db:
        await db.execute(
            text("UPDATE connectors SET secret = '\\x00' WHERE id = :id"), {"id": made["id"]}
        )
    path = f"/api/connectors/{made['id']}/rotate-secret"
    rotated = await owner.ok("POST", path, {"signingSecret": "another-secret"})
    assert rotated["previousSecretUntil"] is None
