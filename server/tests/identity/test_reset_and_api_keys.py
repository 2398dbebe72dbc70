"""A password reset tells of the API keys of the account, which no password ends."""

from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import join
from identity.people import NEW_PASSWORD, emails_to, reset_token
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

PREVIEW, CONFIRM = "/api/auth/password-reset/preview", "/api/auth/password-reset/confirm"


async def make_key(owner: Owner, **fields: Any) -> dict[str, Any]:
    body = {"name": "CI", "scopes": ["Products.Read"], **fields}
    return dict(await owner.ok("POST", "/api/api-keys", body))


async def works(owner: Owner, key: dict[str, Any]) -> bool:
    headers = {"x-api-key": key["secret"]}
    return (await owner.client.get("/api/products", headers=headers)).status_code == 200


async def test_the_page_lists_the_live_keys_of_the_account(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    other = await new_owner("Other")
    await join(platform, other, owner, Role.ADMIN)
    first = await make_key(owner, name="Billing")
    second = await make_key(owner, name="Build", institutionId=other.institution_id)
    revoked = await make_key(owner, name="Revoked")
    await owner.ok("DELETE", f"/api/api-keys/{revoked['id']}")
    await make_key(owner, name="Expired", expirationDate="2030-01-15T12:30:00Z")
    await make_key(other, name="Of another maker")
    clock.advance(minutes=30)
    token = await reset_token(platform, owner)
    for _ in range(2):  # the token stays valid
        answer = await owner.client.post(PREVIEW, json={"token": token})
        listed = answer.raise_for_status().json()["apiKeys"]
        assert [(item["id"], item["name"]) for item in listed] == [
            (first["id"], "Billing"),
            (second["id"], "Build"),
        ]
    assert listed[1]["institutionId"] == other.institution_id
    assert listed[1]["institutionName"] == f"Institution of {other.email}"
    assert "secret" not in answer.text

    body = {"token": token, "password": NEW_PASSWORD}
    assert (await owner.client.post(CONFIRM, json=body)).status_code == 204
    assert await works(owner, first)
    mail = (await emails_to(platform, owner.email))[-1].text or ""
    assert 'These API keys of yours still work: "Billing" (Institution of ' in mail
    assert '"Build" (' in mail
    assert "/settings/api-keys" in mail
    assert "Expired" not in mail
    assert "Of another maker" not in mail


async def test_reset_revokes_api_keys_on_request(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    key, foreign = await make_key(owner, name="Billing"), await make_key(stranger)
    body = {
        "token": await reset_token(platform, owner),
        "password": NEW_PASSWORD,
        "revokeApiKeys": True,
    }
    assert (await owner.client.post(CONFIRM, json=body)).status_code == 204
    assert not await works(owner, key)
    assert await works(stranger, foreign)
    mail = (await emails_to(platform, owner.email))[-1].text or ""
    assert 'These API keys of yours were revoked: "Billing"' in mail
    session = await owner.client.post(
        "/api/auth/login", json={"email": owner.email, "password": NEW_PASSWORD}
    )
    owner.headers = {"authorization": f"Bearer {session.json()['accessToken']}"}
    path = f"/api/institutions/{owner.institution_id}/audit?kind=api_key.revoked"
    [entry] = (await owner.ok("GET", path))["items"]
    assert (entry["subjectId"], entry["actorId"]) == (key["id"], owner.user_id)


async def test_reset_email_without_api_keys_does_not_mention_them(
    owner: Owner, platform: Platform
) -> None:
    token = await reset_token(platform, owner)
    assert (await owner.client.post(PREVIEW, json={"token": token})).json() == {"apiKeys": []}
    body = {"token": token, "password": NEW_PASSWORD, "revokeApiKeys": True}
    assert (await owner.client.post(CONFIRM, json=body)).status_code == 204
    assert "API key" not in ((await emails_to(platform, owner.email))[-1].text or "")


@pytest.mark.parametrize("token", ["", "no such token", "\0", "x" * 2000])
async def test_a_wrong_token_shows_nothing(owner: Owner, token: str) -> None:
    answer = await owner.client.post(PREVIEW, json={"token": token})
    assert answer.status_code in {400, 401}
    assert "apiKeys" not in answer.text
