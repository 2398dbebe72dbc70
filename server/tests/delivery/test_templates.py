"""Templates of products and institutions: stored, inherited, refused, tried."""

import asyncio
from typing import Any

import pytest
from catalog.factories import join
from delivery.post import ENGLISH, GERMAN, template_path, waiting
from licenses.factories import issue, make_product
from sqlalchemy import text
from testkit import Owner

from licet_server.delivery.service import mails
from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

TAGS = ["de", "en", "es", "fr", "it", "pt"]
KINDS = ["Issued", "Renewed", "Expiring", "Revoked"]


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await make_product(owner)


def general_path(owner: Owner, kind: str = "issued") -> str:
    return f"/api/institutions/{owner.institution_id}/mail-templates/{kind}"


async def refused(owner: Owner, path: str, body: Any, status: int = 400) -> dict[str, str]:
    """The bad fields, with what is said of each."""
    answer = await owner.send("PUT", path, body)
    assert answer.status_code == status, answer.text
    return {item["field"]: item["message"] for item in answer.json().get("errors", [])}


async def test_nothing_is_stored_at_first(owner: Owner, product: dict[str, Any]) -> None:
    found = await owner.ok("GET", template_path(product, "").rstrip("/"))
    assert [item["kind"] for item in found["templates"]] == KINDS
    for item in found["templates"]:
        assert (item["translations"], item["automatic"], item["updatedAt"]) == ({}, None, None)
        assert (item["effective"]["source"], item["effective"]["automatic"]) == ("BuiltIn", False)
        assert sorted(item["effective"]["translations"]) == ["de", "en"]
        assert {"name": "licenseKey", "description": "license key"} in item["placeholders"]


async def test_a_template_is_changed_field_by_field(
    owner: Owner, product: dict[str, Any], platform: Platform
) -> None:
    path = template_path(product)
    body = {"automatic": True, "senderName": "Northwind", "replyTo": "help@northwind.example"}
    first = await owner.ok("PUT", path, {**body, "translations": {"EN": ENGLISH}})
    assert {name: first[name] for name in body} == body
    assert first["translations"] == {"en": ENGLISH}
    second = await owner.ok("PUT", path, {"translations": {"de": GERMAN}, "defaultLocale": "de"})
    assert second["translations"] == {"de": GERMAN, "en": ENGLISH}
    assert second["effective"]["defaultLocale"] == "de"
    assert await owner.ok("GET", path.replace("issued", "ISSUED")) == second
    third = await owner.ok("PUT", path, {"translations": {"de": None}, "automatic": None})
    assert (third["translations"], third["automatic"]) == ({"en": ENGLISH}, None)
    assert (third["defaultLocale"], third["effective"]["defaultLocale"]) == (None, "en")
    await owner.ok("DELETE", path)
    assert (await owner.ok("GET", path))["effective"]["source"] == "BuiltIn"
    await owner.ok("DELETE", path)
    async with platform.database.reading() as db:
        found = await db.execute(
            text(
                "SELECT kind FROM events WHERE institution_id = :id "
                "AND kind LIKE 'mail_template.%' ORDER BY id"
            ),
            {"id": owner.institution_id},
        )
        assert list(found.scalars()) == ["mail_template.updated"] * 3 + ["mail_template.deleted"]


async def test_repeated_change_changes_nothing(owner: Owner, product: dict[str, Any]) -> None:
    path, body = template_path(product), {"translations": {"en": ENGLISH}}
    assert await owner.ok("PUT", path, body) == await owner.ok("PUT", path, body)


async def test_products_inherit_from_the_institution(owner: Owner, product: dict[str, Any]) -> None:
    general = {"automatic": True, "senderName": "Northwind", "translations": {"de": GERMAN}}
    await owner.ok("PUT", general_path(owner), general)
    found = (await owner.ok("GET", template_path(product)))["effective"]
    assert (found["source"], found["automatic"], found["senderName"]) == (
        "Institution",
        True,
        "Northwind",
    )
    own = {"automatic": False, "translations": {"en": ENGLISH}}
    found = (await owner.ok("PUT", template_path(product), own))["effective"]
    assert (found["source"], found["automatic"]) == ("Product", False)
    assert (found["senderName"], list(found["translations"])) == ("Northwind", ["en"])
    other = await owner.ok("GET", template_path(await make_product(owner, name="Other")))
    assert other["effective"]["translations"] == {"de": GERMAN}


async def test_invalid_templates_are_rejected(owner: Owner, product: dict[str, Any]) -> None:
    path = template_path(product)
    word = {"subject": "s", "body": "b"}
    cases: list[tuple[Any, str]] = [
        ({"translations": {"de": {**word, "body": "{licenceKey}"}}}, "translations.de.body"),
        ({"translations": {"de": {**word, "subject": "{nobody}"}}}, "translations.de.subject"),
        ({"translations": {"de": {**word, "subject": "a\r\nBcc: b"}}}, "translations.de.subject"),
        ({"translations": {"de": {**word, "body": "[x](javascript:y)"}}}, "translations.de.body"),
        ({"translations": {"de": {**word, "body": "x" * 10_001}}}, "translations.de.body"),
        ({"translations": {"de": {"subject": "s"}}}, "translations.de.body"),
        ({"translations": {"de": {**word, "css": "x"}}}, "translations.de.css"),
        ({"translations": {"<script>": word}}, "translations.<script>"),
        ({"translations": {"german please": word}}, "translations.german please"),
        ({"translations": {"de": word, "DE": word}}, "translations.DE"),
        ({"translations": {f"{a}{b}": word for a in "abcdef" for b in "abcdef"}}, "translations"),
        ({"translations": {tag: {**word, "body": "[" * 9_000} for tag in TAGS}}, "translations"),
        ({"translations": [word]}, "translations"),
        ({"translations": {"de": [word]}}, "translations.de"),
        ({"defaultLocale": "fr"}, "defaultLocale"),
        ({"defaultLocale": "nonsense!"}, "defaultLocale"),
        ({"senderName": "ceo@bank.example"}, "senderName"),
        ({"replyTo": "nobody"}, "replyTo"),
        ({"automatic": "yes"}, "automatic"),
        ({"kind": "Issued"}, "kind"),
    ]  # fmt: skip
    for body, field in cases:
        assert field in await refused(owner, path, body), body
    message = (await refused(owner, path, cases[0][0]))["translations.de.body"]
    assert "{licenceKey}" in message
    assert "{licenseKey}" in message
    assert (await owner.ok("GET", path))["updatedAt"] is None


async def test_a_huge_template_is_refused(owner: Owner, product: dict[str, Any]) -> None:
    huge = {"translations": {"de": {"subject": "s", "body": "x" * 1_048_576}}}
    answer = await owner.send("PUT", template_path(product), huge)
    assert answer.status_code == 413
    nearly = {"translations": {"de": {"subject": "s", "body": "[" * 1_000_000}}}
    answer = await owner.send("PUT", template_path(product), nearly)
    assert answer.status_code == 400


async def test_unknown_kinds_are_not_found(owner: Owner, product: dict[str, Any]) -> None:
    for kind in ("deleted", "issued2", "%20"):
        for method, body in (("GET", None), ("PUT", {}), ("DELETE", None)):
            answer = await owner.send(method, template_path(product, kind), body)
            assert answer.status_code == 404, (method, kind)


async def test_concurrent_changes_are_all_kept(owner: Owner, product: dict[str, Any]) -> None:
    path = template_path(product)
    tags = [f"{a}{b}" for a in "abcde" for b in "xyz"]
    word = {"subject": "s", "body": "b"}
    await asyncio.gather(*(owner.ok("PUT", path, {"translations": {tag: word}}) for tag in tags))
    assert sorted((await owner.ok("GET", path))["translations"]) == tags


async def test_concurrent_change_and_deletion_succeed(
    owner: Owner, product: dict[str, Any]
) -> None:
    path = template_path(product)
    asked = [("PUT", {"automatic": True}), ("DELETE", None)] * 15
    answers = await asyncio.gather(*(owner.send(method, path, body) for method, body in asked))
    assert {item.status_code for item in answers} == {200, 204}


async def test_templates_go_with_their_product(
    owner: Owner, product: dict[str, Any], platform: Platform
) -> None:
    await owner.ok("PUT", template_path(product), {"automatic": True})
    await owner.ok("DELETE", f"/api/products/{product['id']}")
    assert (await owner.send("PUT", template_path(product), {})).status_code == 404
    async with platform.database.reading() as db:
        left = await db.execute(
            text("SELECT count(*) FROM mail_templates WHERE institution_id = :id"),
            {"id": owner.institution_id},
        )
        assert left.scalar() == 0


async def test_roles_that_may_read_change_and_try(
    owner: Owner, product: dict[str, Any], new_owner: Any, platform: Platform
) -> None:
    viewer = await new_owner("Viewer")
    await join(platform, owner, viewer, Role.VIEWER)
    path = template_path(product)
    await viewer.ok("GET", path)
    await viewer.ok("GET", general_path(owner))
    for method, target in (("PUT", path), ("POST", f"{path}/preview"), ("POST", f"{path}/test")):
        assert (await viewer.send(method, target, {})).status_code == 403
    assert (await viewer.send("DELETE", path)).status_code == 403
    assert (await viewer.send("PUT", general_path(owner), {})).status_code == 403


# --- trying ----------------------------------------------------------------------------------


async def test_preview_shows_an_example_or_a_license(owner: Owner, product: dict[str, Any]) -> None:
    path = f"{template_path(product)}/preview"
    example = await owner.ok("POST", path, {})
    assert example["subject"] == f"Your license for {product['name']}"
    assert "JN3VR-" in example["text"]
    for_all = f"/api/institutions/{owner.institution_id}/mail-templates/issued/preview"
    assert (await owner.ok("POST", for_all, {}))["subject"] == example["subject"]
    license_ = await issue(owner, product, "Trial", licenseName="<b>Jane</b>")
    tried = {"translation": GERMAN, "locale": "de", "licenseId": license_["id"]}
    tried["senderName"] = "Nordwind"
    shown = await owner.ok("POST", path, tried)
    assert (shown["subject"], shown["senderName"]) == ("Ihre Lizenz für Aurora", "Nordwind")
    assert license_["licenseKey"] in shown["html"]
    assert shown["html"] in shown["page"]
    assert '<html lang="de">' in shown["page"]
    tried["translation"] = {"subject": "s", "body": "{licenseName}<script>x</script>"}
    shown = await owner.ok("POST", path, tried)
    assert "&lt;b&gt;Jane&lt;/b&gt;&lt;script&gt;" in shown["html"]
    assert (await owner.ok("GET", template_path(product)))["updatedAt"] is None


async def test_invalid_previews_are_rejected(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    path = f"{template_path(product)}/preview"
    theirs = await issue(stranger, await make_product(stranger))
    other = await issue(owner, await make_product(owner, name="Other"))
    for license_ in (theirs, other):
        answer = await owner.send("POST", path, {"licenseId": license_["id"]})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "licenseId"
    nobody = await issue(owner, product, issuedTo=None)
    answer = await owner.send("POST", path, {"licenseId": nobody["id"]})
    assert answer.status_code == 409
    for body in ({"locale": "??"}, {"translation": {"subject": "{x}", "body": "b"}}):
        assert (await owner.send("POST", path, body)).status_code == 400
    general = f"{general_path(owner)}/preview"
    await owner.ok("POST", general, {"licenseId": other["id"]})
    answer = await owner.send("POST", general, {"licenseId": theirs["id"]})
    assert answer.status_code == 400


async def test_tests_are_limited(owner: Owner, product: dict[str, Any], platform: Platform) -> None:
    path = f"{template_path(product)}/test"
    answers = [(await owner.send("POST", path, {})).status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]
    mine = [item for item in await waiting(platform) if item.recipient == owner.email]
    assert len(mine) == 20


async def test_previews_are_limited(
    owner: Owner, product: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mails, "PREVIEWS_PER_MINUTE", 2)
    paths = [f"{template_path(product)}/preview", f"{general_path(owner)}/preview"] * 2
    assert [(await owner.send("POST", path, {})).status_code for path in paths] == [
        200, 200, 429, 429,
    ]  # fmt: skip


async def test_rejection_of_a_large_template_names_the_limit(
    owner: Owner, product: dict[str, Any]
) -> None:
    table = "|a" * 1_200 + "\n" + "|-" * 1_200 + "\n" + "a\n" * 2_590
    words = {"translations": {"de": {"subject": "s", "body": table}}}
    message = (await refused(owner, template_path(product), words))["translations.de.body"]
    assert "at most 3,000" in message
    tried = {"translation": words["translations"]["de"]}
    answer = await owner.send("POST", f"{template_path(product)}/preview", tried)
    assert [item["field"] for item in answer.json()["errors"]] == ["translation.body"]
