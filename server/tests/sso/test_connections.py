"""Connecting a provider: who may, what is refused, and which domains count."""

from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import events_of, join
from identity.people import mailed_token
from sso.company import SECRET, Company, outcome
from testkit import FakeClock

from licet_server.identity.rules.memberships import Role
from licet_server.kit.outbound.targets import Address
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings
from licet_server.sso.rules import AllowedProviders, claim_values, is_domain


async def test_a_connection_is_stored_and_its_secret_never_shown(
    unconnected: Company, platform: Platform
) -> None:
    company = unconnected
    assert await company.owner.ok("GET", company.path) is None
    saved = await company.connect(roleMap={"a": "Admin"}, roleClaim="groups")
    assert saved == await company.owner.ok("GET", company.path)
    assert saved["hasClientSecret"] is True
    assert SECRET not in str(saved)
    assert saved["confirmedDomains"] == []
    assert saved["active"] is False
    assert saved["defaultRole"] == "Viewer"
    assert saved["redirectUri"] == "http://127.0.0.1:8000/api/auth/sso/callback"
    await company.owner.ok("PUT", company.path, {"clientSecret": "another secret"})
    changed = await company.owner.ok("PUT", company.path, {"clientSecret": None})
    assert changed["hasClientSecret"] is False
    assert changed["clientId"] == saved["clientId"]
    recorded = await events_of(platform, company.owner.institution_id)
    assert [item["kind"] for item in recorded][-3:] == ["institution.sso_changed"] * 3
    assert "secret" not in str([item["data"] for item in recorded]).lower()
    assert (await company.owner.send("DELETE", company.path)).status_code == 204
    assert outcome(await company.owner.send("DELETE", company.path)) == (404, "NotFound")


async def test_another_issuer_does_not_get_the_secret_of_the_first(unconnected: Company) -> None:
    await unconnected.connect()
    answer = await unconnected.owner.send(
        "PUT", unconnected.path, {"issuer": "https://other.example"}
    )
    assert outcome(answer) == (400, "InvalidRequest")
    assert answer.json()["errors"][0]["field"] == "clientSecret"


async def test_only_owners_change_the_connection_after_a_step_up(
    unconnected: Company, new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    company = unconnected
    await company.connect()
    for role, may_read in ((Role.ADMIN, True), (Role.MEMBER, False), (Role.VIEWER, False)):
        user = await new_owner(role)
        await join(platform, company.owner, user, role)
        assert (await user.send("GET", company.path)).is_success is may_read
        assert outcome(await user.send("PUT", company.path, {})) == (403, "Forbidden")
        assert outcome(await user.send("DELETE", company.path)) == (403, "Forbidden")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"issuer": "http://login.example.com"}, "issuer"),
        ({"issuer": "https://login.example.com?x=1"}, "issuer"),
        ({"issuer": "https://user:pass@login.example.com"}, "issuer"),
        ({"issuer": "https://10.1.2.3"}, "issuer"),
        ({"issuer": "https://169.254.169.254"}, "issuer"),
        ({"issuer": "https://login.internal"}, "issuer"),
        ({"issuer": "ftp://login.example.com"}, "issuer"),
        ({"issuer": ""}, "issuer"),
        ({"issuer": 5}, "issuer"),
        ({"issuer": "https://login.example.com/\0"}, "issuer"),
        ({"clientId": ""}, "clientId"),
        ({"clientId": "x" * 501}, "clientId"),
        ({"domains": []}, "domains"),
        ({"domains": ["example"]}, "domains[0]"),
        ({"domains": ["ok.example", "*.example.com"]}, "domains[1]"),
        ({"domains": ["203.0.113.9"]}, "domains[0]"),
        ({"domains": [f"d{n}.example" for n in range(51)]}, "domains"),
        ({"defaultRole": "Owner"}, "defaultRole"),
        ({"defaultRole": "King"}, "defaultRole"),
        ({"roleClaim": "g", "roleMap": {"x": "Owner"}}, "roleMap.x"),
        ({"roleMap": {"x": "Admin"}}, "roleClaim"),
        ({"roleClaim": "g", "roleMap": {"x": "King"}}, "roleMap"),
        ({"enforced": "yes"}, "enforced"),
        ({"unknown": 1}, "unknown"),
    ],
)
async def test_a_bad_connection_is_refused(
    unconnected: Company, changes: dict[str, Any], field: str
) -> None:
    body = {
        "issuer": "https://login.example.com",
        "clientId": "licet",
        "domains": ["example.com"],
        **changes,
    }
    answer = await unconnected.owner.send("PUT", unconnected.path, body)
    assert outcome(answer) == (400, "InvalidRequest")
    assert field in {item["field"].replace("[...]", "") for item in answer.json()["errors"]}
    assert await unconnected.owner.ok("GET", unconnected.path) is None


async def test_first_connection_requires_all_fields(unconnected: Company) -> None:
    answer = await unconnected.owner.send("PUT", unconnected.path, {"enforced": True})
    assert {item["field"] for item in answer.json()["errors"]} == {"issuer", "clientId", "domains"}


async def test_a_mailed_token_confirms_a_domain(unconnected: Company, platform: Platform) -> None:
    company = unconnected
    await company.connect(enforced=True)
    path, to = f"{company.path}/domains/email", f"postmaster@{company.domain}"
    for email in (f"ada@{company.domain}", "postmaster@other.example", company.owner.email):
        body = {"domain": company.domain, "email": email}
        answer = await company.owner.send("POST", path, body)
        assert outcome(answer) == (400, "InvalidRequest"), "anybody may read that mailbox"
    body = {"domain": "unnamed.example", "email": "postmaster@unnamed.example"}
    assert outcome(await company.owner.send("POST", path, body)) == (400, "InvalidRequest")
    body = {"domain": company.domain.upper(), "email": to}
    assert (await company.owner.send("POST", path, body)).status_code == 202
    token = await mailed_token(platform, to)
    assert (await company.owner.ok("GET", company.path))["active"] is False
    client = company.owner.client
    for wrong in ("x", "A" * 64, token[:-1] + ("A" if token[-1] != "A" else "B")):
        answer = await client.post("/api/auth/sso/confirm-domain", json={"token": wrong})
        assert outcome(answer) == (401, "Unauthorized")
    answer = await client.post("/api/auth/sso/confirm-domain", json={"token": token})
    assert answer.json() == {"domain": company.domain}
    again = await client.post("/api/auth/sso/confirm-domain", json={"token": token})
    assert outcome(again) == (401, "Unauthorized")


async def test_a_confirmation_ends_after_7_days(
    unconnected: Company, platform: Platform, clock: FakeClock
) -> None:
    company = unconnected
    await company.connect()
    to = f"admin@{company.domain}"
    body = {"domain": company.domain, "email": to}
    await company.owner.ok("POST", f"{company.path}/domains/email", body)
    token = await mailed_token(platform, to)
    clock.advance(days=7)
    answer = await company.owner.client.post("/api/auth/sso/confirm-domain", json={"token": token})
    assert outcome(answer) == (401, "Unauthorized")


async def test_a_domain_belongs_to_one_institution(
    company: Company, new_owner: Callable[..., Any], idp: Any
) -> None:
    other = Company(await new_owner("Rival"), company.admin, idp, company.domain)
    await other.connect()
    body = {"domain": company.domain}
    answer = await company.admin.send("POST", f"{other.path}/domains/confirm", body)
    assert outcome(answer) == (409, "Conflict")
    await company.connect(domains=["elsewhere.example"])
    assert (await other.confirm())["confirmedDomains"] == [company.domain]


async def test_only_system_admins_confirm_domains_without_token(unconnected: Company) -> None:
    await unconnected.connect()
    body = {"domain": unconnected.domain}
    answer = await unconnected.owner.send("POST", f"{unconnected.path}/domains/confirm", body)
    assert outcome(answer) == (403, "Forbidden")
    body = {"domain": "unnamed.example"}
    answer = await unconnected.admin.send("POST", f"{unconnected.path}/domains/confirm", body)
    assert outcome(answer) == (400, "InvalidRequest")


async def test_a_connection_can_be_checked(unconnected: Company) -> None:
    await unconnected.connect()
    path = f"{unconnected.path}/check"
    assert await unconnected.owner.ok("POST", path) == {"usable": True, "problem": None}
    unconnected.idp.metadata["issuer"] = "https://evil.example"
    assert await unconnected.owner.ok("POST", path) == {"usable": False, "problem": "metadata"}


@pytest.mark.parametrize(
    ("url", "public", "own_machine", "private"),
    [
        ("https://login.example.com/realms/a", True, True, True),
        ("http://login.example.com", False, False, False),
        ("http://localhost:8080", False, True, True),
        ("http://127.0.0.1:8080", False, True, True),
        ("http://[::1]:8080", False, True, True),
        ("https://10.0.0.1", False, False, True),
        ("http://10.0.0.1", False, False, False),
        ("https://intranet", False, False, True),
        ("https://[::ffff:127.0.0.1]", False, False, True),
        ("https://2130706433", False, False, True),
        ("https://a@b.example", False, False, False),
        ("gopher://b.example", False, False, False),
        ("https://", False, False, False),
        ("https://b.example/" + "x" * 1000, False, False, False),
    ],
)
def test_providers_are_public_unless_the_operator_says_otherwise(
    url: str, public: bool, own_machine: bool, private: bool
) -> None:
    def allowed(**reach: bool) -> bool:
        return (
            AllowedProviders(**{"private": False, "own_machine": False, **reach}).breach(url)
            is None
        )

    assert allowed() is public
    assert allowed(own_machine=True) is own_machine
    assert allowed(private=True) is private


def test_resolved_addresses_are_checked_again() -> None:
    from ipaddress import ip_address

    def admits(address: str, **reach: bool) -> bool:
        found: Address = ip_address(address)
        return AllowedProviders(**{"private": False, "own_machine": False, **reach}).admits(found)

    assert admits("93.184.216.34")
    assert not admits("127.0.0.1")
    assert not admits("10.0.0.1", own_machine=True)
    assert admits("127.0.0.1", own_machine=True)
    assert admits("10.0.0.1", private=True)


@pytest.mark.parametrize(
    ("settings", "own"),
    [
        (Settings(), True),
        (Settings(public_url="http://localhost:8000"), True),
        (Settings(public_url="https://licenses.example.com"), False),
        (Settings(host="0.0.0.0"), False),
        (Settings(host="192.168.1.5"), False),
    ],
)
def test_service_on_public_address_is_not_local(settings: Settings, own: bool) -> None:
    assert settings.is_on_own_machine is own


@pytest.mark.parametrize(
    ("domain", "fits"),
    [("example.com", True), ("a.b-c.example", True), ("xn--mnchen-3ya.de", True)]
    + [
        (text, False) for text in ("com", ".com", "a..b", "-a.com", "a.com.", "1.2.3.4", "ü.de", "")
    ],
)
def test_domains_are_recognized(domain: str, fits: bool) -> None:
    assert is_domain(domain) is fits


def test_claim_can_be_nested() -> None:
    claims = {"realm": {"roles": ["a", 5]}, "realm.roles": "b", "x": {"y": "z"}}
    assert claim_values("realm.roles", claims) == ("b",)
    assert claim_values("x.y", claims) == ("z",)
    assert claim_values("x.y.z", claims) == ()
    assert claim_values(None, claims) == ()
