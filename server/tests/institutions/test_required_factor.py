"""An institution can require a second factor: without one, members can only turn one on."""

from collections.abc import Callable
from typing import Any

from catalog.factories import join
from identity.authenticator import Authenticator
from identity.people import code, enable_totp, login
from sso.company import outcome
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Closure, Role, SessionTrust, SignInRules
from licet_server.identity.rules.memberships import closure_of as closure
from licet_server.kit.ids import new_id
from licet_server.kit.platform import Platform

SECOND_FACTOR = (403, "Forbidden")


def settings_of(owner: Owner) -> str:
    return f"/api/institutions/{owner.institution_id}/settings"


async def test_members_without_second_factor_can_only_enroll(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    member = await new_owner("Member")
    await join(platform, owner, member, Role("Admin"))
    assert (await owner.ok("GET", settings_of(owner)))["requireSecondFactor"] is False
    await owner.ok("PUT", settings_of(owner), {"requireSecondFactor": True})
    for user in (owner, member):
        for path in (f"/api/institutions/{owner.institution_id}", settings_of(owner)):
            answer = await user.send("GET", path)
            assert outcome(answer) == SECOND_FACTOR
            assert answer.json()["requires"] == "SecondFactor"
            assert "second factor" in answer.json()["detail"]
    mine = f"/api/institutions/{member.institution_id}"
    assert (await member.send("GET", mine)).status_code == 200, "another institution does not"
    assert outcome(await owner.send("GET", "/api/products")) == SECOND_FACTOR
    [membership] = (await owner.ok("GET", "/api/auth/me"))["memberships"]
    assert membership["closed"] == "SecondFactor"
    await enable_totp(owner, clock)
    assert (await owner.ok("GET", settings_of(owner)))["requireSecondFactor"] is True
    device = Authenticator()
    options = await member.ok("POST", "/api/auth/passkeys/options")
    body = {"name": "Key", "credential": device.create(options)}
    await member.ok("POST", "/api/auth/passkeys/register", body)
    assert (await member.send("GET", settings_of(owner))).status_code == 200


async def test_older_session_requires_the_factor_once(owner: Owner, clock: FakeClock) -> None:
    old = dict(owner.headers)
    await owner.sign_in()
    secret, _ = await enable_totp(owner, clock)
    await owner.ok("PUT", settings_of(owner), {"requireSecondFactor": True})
    fresh, owner.headers = owner.headers, old
    assert outcome(await owner.send("GET", settings_of(owner))) == SECOND_FACTOR
    clock.advance(minutes=1)
    await owner.ok("POST", "/api/auth/step-up", {"otpCode": code(secret, clock)})
    assert (await owner.send("GET", settings_of(owner))).status_code == 200
    owner.headers = fresh
    assert (await owner.send("GET", settings_of(owner))).status_code == 200
    clock.advance(minutes=1)
    again = (await login(owner.client, owner.email, otp=code(secret, clock))).json()
    owner.headers = {"authorization": f"Bearer {again['accessToken']}"}
    assert (await owner.send("GET", settings_of(owner))).status_code == 200


async def test_changing_the_rule_needs_a_step_up(owner: Owner, clock: FakeClock) -> None:
    await owner.sign_in()
    clock.advance(minutes=14, seconds=59)
    await owner.ok("PUT", settings_of(owner), {"requireSecondFactor": False})
    bad = await owner.send("PUT", settings_of(owner), {"requireSecondFactor": None})
    assert outcome(bad) == (400, "InvalidRequest")


async def test_api_keys_are_exempt_from_required_second_factor(owner: Owner) -> None:
    made = await owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": ["Products.Read"]})
    await owner.ok("PUT", settings_of(owner), {"requireSecondFactor": True})
    owner.headers = {"x-api-key": made["secret"]}
    assert (await owner.send("GET", "/api/products")).status_code == 200


def test_institutions_are_closed_by_role_rules_and_session(clock: FakeClock) -> None:
    here, there = new_id(clock()), new_id(clock())
    enforced, required = SignInRules(sso_enforced=True), SignInRules(second_factor_required=True)
    plain, factor = SessionTrust(), SessionTrust(has_used_factor=True)
    through, elsewhere = SessionTrust(through=here), SessionTrust(through=there)
    cases = [
        (Role.OWNER, SignInRules(), plain, None),
        (Role.VIEWER, SignInRules(), elsewhere, Closure.OTHER_PROVIDER),
        (Role.VIEWER, enforced, through, None),
        (Role.VIEWER, enforced, factor, Closure.SINGLE_SIGN_ON),
        (Role.ADMIN, enforced, plain, Closure.SINGLE_SIGN_ON),
        (Role.OWNER, enforced, plain, Closure.SECOND_FACTOR),
        (Role.OWNER, enforced, factor, None),
        (Role.OWNER, enforced, elsewhere, Closure.OTHER_PROVIDER),
        (Role.VIEWER, required, plain, Closure.SECOND_FACTOR),
        (Role.VIEWER, required, factor, None),
        (Role.VIEWER, required, through, None),
    ]
    for role, rules, trust, expected in cases:
        assert closure(here, role, rules, trust) is expected, (role, rules, trust)
