"""Passkeys: as second factor, as the only one, and answers that must not count."""

import copy
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from identity.authenticator import PRESENT, Authenticator, to_text
from identity.people import code, emails_to, enable_totp, login, recorded
from testkit import PASSWORD, FakeClock, Owner

from licet_server.identity.rules.second_factors import RelyingParty, relying_party
from licet_server.kit.platform import Platform

PATH = "/api/auth/passkeys"
REFUSED = (401, "InvalidCredentials")


def outcome(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, None if answer.is_success else answer.json()["errorCode"]


async def enroll(owner: Owner, device: Authenticator | None = None) -> tuple[Authenticator, Any]:
    device = device or Authenticator()
    options = await owner.ok("POST", f"{PATH}/options")
    body = {"name": "Laptop", "credential": device.create(options)}
    return device, await owner.ok("POST", f"{PATH}/register", body)


async def sign_in_options(client: httpx.AsyncClient) -> Any:
    return (await client.post(f"{PATH}/sign-in/options")).raise_for_status().json()


async def verify(client: httpx.AsyncClient, credential: dict[str, Any]) -> httpx.Response:
    return await client.post(f"{PATH}/sign-in/verify", json={"credential": credential})


@pytest.mark.parametrize(
    ("address", "party"),
    [
        ("http://127.0.0.1:8000", RelyingParty("localhost", "http://localhost:8000")),
        ("http://[::1]:8000", RelyingParty("localhost", "http://localhost:8000")),
        ("http://0.0.0.0:8000", RelyingParty("localhost", "http://localhost:8000")),
        (
            "https://Licet.Example.com",
            RelyingParty("licet.example.com", "https://licet.example.com"),
        ),
        ("https://a.example:443/x", RelyingParty("a.example", "https://a.example")),
        ("https://a.example:8443", RelyingParty("a.example", "https://a.example:8443")),
        ("https://203.0.113.9", None),
    ],
)
def test_passkeys_belong_to_the_host_name_of_the_service(
    address: str, party: RelyingParty | None
) -> None:
    assert relying_party(address) == party


async def test_a_passkey_signs_in_alone_and_counts_as_both_factors(
    owner: Owner, platform: Platform
) -> None:
    device, made = await enroll(owner)
    assert made["name"] == "Laptop"
    assert len(made["recoveryCodes"]) == 10
    options = await sign_in_options(owner.client)
    assert options["allowCredentials"] == []
    assert options["userVerification"] == "required"
    answer = await verify(owner.client, device.get(options))
    session = answer.raise_for_status().json()
    assert session["user"]["email"] == owner.email
    assert session["user"]["hasPasskey"] is True
    assert "licet_refresh" in answer.cookies
    owner.headers = {"authorization": f"Bearer {session['accessToken']}"}
    [listed] = (await owner.ok("GET", PATH))["items"]
    assert listed["id"] == made["id"]
    assert listed["lastUsedAt"] is not None
    assert (await owner.send("DELETE", f"{PATH}/{made['id']}")).status_code == 204
    assert (await owner.ok("GET", PATH))["items"] == []
    assert (await login(owner.client, owner.email)).status_code == 200
    kinds = [kind for kind, _ in await recorded(platform, owner)]
    assert kinds == ["user.passkey_added", "user.passkey_removed"]
    subjects = [item.subject for item in await emails_to(platform, owner.email)]
    assert any("new passkey" in item for item in subjects)
    assert any("was removed" in item for item in subjects)


async def test_with_a_passkey_the_password_alone_is_not_enough(owner: Owner) -> None:
    device, made = await enroll(owner)
    asked = await login(owner.client, owner.email)
    assert outcome(asked) == (401, "OtpRequired")
    assert asked.json()["methods"] == ["Passkey", "Otp"]
    options = asked.json()["passkey"]
    assert [item["id"] for item in options["allowCredentials"]] == [to_text(device.credential_id)]
    body = {"email": owner.email, "password": PASSWORD}
    # As a second factor, presence is enough: the password is the first.
    answer = {**body, "passkey": device.get(options, flags=PRESENT)}
    assert outcome(await owner.client.post("/api/auth/login", json=answer)) == (200, None)
    replayed = await owner.client.post("/api/auth/login", json=answer)
    assert outcome(replayed) == REFUSED
    with_code = await login(owner.client, owner.email, otp=made["recoveryCodes"][0])
    assert outcome(with_code) == (200, None)
    assert outcome(await login(owner.client, owner.email, otp="123456")) == REFUSED


async def test_the_answer_after_a_password_is_for_that_account_only(
    owner: Owner, stranger: Owner
) -> None:
    mine, _ = await enroll(owner)
    theirs, _ = await enroll(stranger)
    options = (await login(owner.client, owner.email)).json()["passkey"]
    body = {"email": owner.email, "password": PASSWORD}
    wrong = {**body, "passkey": theirs.get(options)}
    assert outcome(await owner.client.post("/api/auth/login", json=wrong)) == REFUSED
    options = (await login(owner.client, owner.email)).json()["passkey"]
    other = {**body, "email": stranger.email, "passkey": mine.get(options)}
    assert outcome(await owner.client.post("/api/auth/login", json=other)) == REFUSED
    # Nor does it sign in alone, nor step up.
    options = (await login(owner.client, owner.email)).json()["passkey"]
    assert outcome(await verify(owner.client, mine.get(options))) == REFUSED


async def test_a_passkey_steps_up(owner: Owner, clock: FakeClock) -> None:
    device, _ = await enroll(owner)
    clock.advance(minutes=14, seconds=59)
    options = await owner.ok("POST", "/api/auth/step-up/options")
    given = await owner.ok("POST", "/api/auth/step-up", {"passkey": device.get(options)})
    assert given["methods"] == ["Passkey"]
    clock.advance(minutes=14)
    assert (await owner.send("POST", f"{PATH}/options")).status_code in {200, 401}
    both = {"passkey": device.get(options), "password": PASSWORD}
    assert outcome(await owner.send("POST", "/api/auth/step-up", both))[0] in {400, 401}


async def test_step_up_options_need_a_passkey(owner: Owner) -> None:
    answer = await owner.send("POST", "/api/auth/step-up/options")
    assert outcome(answer) == (409, "Conflict")


async def test_removing_a_passkey_needs_a_second_factor(owner: Owner, clock: FakeClock) -> None:
    device, made = await enroll(owner)
    path = f"{PATH}/{made['id']}"
    await owner.ok("POST", "/api/auth/step-up", {"password": PASSWORD})
    refused = await owner.send("DELETE", path)
    assert outcome(refused) == (403, "StepUpRequired")
    assert refused.json()["methods"] == ["Passkey"]
    options = await owner.ok("POST", "/api/auth/step-up/options")
    await owner.ok("POST", "/api/auth/step-up", {"passkey": device.get(options)})
    assert (await owner.send("DELETE", path)).status_code == 204
    assert outcome(await owner.send("DELETE", path)) == (404, "NotFound")


async def test_recovery_codes_stay_as_long_as_there_is_a_second_factor(
    owner: Owner, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    device, made = await enroll(owner)
    assert made["recoveryCodes"] is None, "the account has some"
    options = await owner.ok("POST", "/api/auth/step-up/options")
    await owner.ok("POST", "/api/auth/step-up", {"passkey": device.get(options)})
    assert (await owner.send("DELETE", "/api/auth/totp")).status_code == 204
    assert (await owner.ok("GET", "/api/auth/me"))["recoveryCodesLeft"] == 10
    assert outcome(await login(owner.client, owner.email, otp=codes[0])) == (200, None)
    clock.advance(minutes=1)
    assert outcome(await login(owner.client, owner.email, otp=code(secret, clock))) == REFUSED


async def test_passkeys_of_others_are_not_visible(owner: Owner, stranger: Owner) -> None:
    _, made = await enroll(owner)
    await enroll(stranger)
    assert outcome(await stranger.send("DELETE", f"{PATH}/{made['id']}")) == (404, "NotFound")
    assert [item["id"] for item in (await owner.ok("GET", PATH))["items"]] == [made["id"]]


async def test_an_authenticator_is_enrolled_once(owner: Owner, stranger: Owner) -> None:
    device, _ = await enroll(owner)
    options = await owner.ok("POST", f"{PATH}/options")
    assert [item["id"] for item in options["excludeCredentials"]] == [to_text(device.credential_id)]
    for user in (owner, stranger):
        options = await user.ok("POST", f"{PATH}/options")
        body = {"name": "Again", "credential": device.create(options)}
        answer = await user.send("POST", f"{PATH}/register", body)
        assert outcome(answer) == (409, "Conflict")


async def test_a_challenge_is_for_5_minutes_and_for_one_answer(
    owner: Owner, clock: FakeClock
) -> None:
    device, _ = await enroll(owner)
    options = await sign_in_options(owner.client)
    clock.advance(minutes=5)
    assert outcome(await verify(owner.client, device.get(options))) == REFUSED
    options = await sign_in_options(owner.client)
    credential = device.get(options)
    assert outcome(await verify(owner.client, credential)) == (200, None)
    assert outcome(await verify(owner.client, credential)) == REFUSED
    assert outcome(await verify(owner.client, device.get(options))) == REFUSED


async def test_hostile_answers_are_refused(owner: Owner) -> None:
    device, _ = await enroll(owner)
    other = Authenticator(credential_id=device.credential_id)

    async def tried(**changes: Any) -> tuple[int, str | None]:
        options = await sign_in_options(owner.client)
        return outcome(await verify(owner.client, device.get(options, **changes)))

    assert await tried(origin="https://localhost.example.com") == REFUSED
    assert await tried(origin="http://localhost:8001") == REFUSED
    assert await tried(rp_id="example.com") == REFUSED
    assert await tried(challenge=to_text(b"x" * 32)) == REFUSED
    assert await tried(kind="webauthn.create") == REFUSED
    assert await tried(flags=PRESENT) == REFUSED, "alone, it has to verify its user"
    assert await tried(flags=0x04) == REFUSED, "nobody was there"
    options = await sign_in_options(owner.client)
    assert outcome(await verify(owner.client, other.get(options))) == REFUSED, "forged"
    options = await sign_in_options(owner.client)
    unknown = Authenticator(device.key, b"unknown" * 4, device.counter + 10)
    assert outcome(await verify(owner.client, unknown.get(options))) == REFUSED
    device.counter += 10
    assert await tried() == (200, None)


async def test_decreasing_counter_is_refused(owner: Owner) -> None:
    device, _ = await enroll(owner)
    device.counter = 7
    options = await sign_in_options(owner.client)
    assert outcome(await verify(owner.client, device.get(options))) == (200, None)
    copied = Authenticator(device.key, device.credential_id, counter=5)
    for _ in range(3):  # 6, 7, 8: only the last goes on
        options = await sign_in_options(owner.client)
        last = outcome(await verify(owner.client, copied.get(options)))
        assert last == (REFUSED if copied.counter < 9 else (200, None))
    options = await sign_in_options(owner.client)
    assert outcome(await verify(owner.client, copied.get(options))) == (200, None)


async def test_an_authenticator_without_a_counter_works_again_and_again(owner: Owner) -> None:
    device, _ = await enroll(owner, Authenticator(counts=False))
    for _ in range(3):
        options = await sign_in_options(owner.client)
        assert outcome(await verify(owner.client, device.get(options))) == (200, None)


async def test_hostile_attestation_is_refused(owner: Owner, stranger: Owner) -> None:
    options = await owner.ok("POST", f"{PATH}/options")

    async def tried(credential: dict[str, Any], who: Owner = owner) -> tuple[int, str | None]:
        body = {"name": "Evil", "credential": credential}
        return outcome(await who.send("POST", f"{PATH}/register", body))

    device = Authenticator()
    assert await tried(device.create(options), stranger) == REFUSED, "the challenge is another's"
    assert await tried(device.create(options)) == REFUSED, "and used up by that"
    for changes in ({"origin": "https://evil.example"}, {"rp_id": "evil.example"}):
        options = await owner.ok("POST", f"{PATH}/options")
        assert await tried(device.create(options, **changes)) == REFUSED
    options = await owner.ok("POST", f"{PATH}/options")
    assert await tried(device.create({"challenge": to_text(b"y" * 32)})) == REFUSED
    sign_in = await sign_in_options(owner.client)
    assert await tried(device.create(sign_in)) == REFUSED, "a challenge for another purpose"
    assert (await owner.ok("GET", PATH))["items"] == []
    assert (await login(owner.client, owner.email)).status_code == 200


async def test_enrolling_needs_a_step_up_and_a_verified_address(
    owner: Owner, clock: FakeClock, platform: Platform
) -> None:
    clock.advance(minutes=14, seconds=59)
    options = await owner.ok("POST", f"{PATH}/options")
    clock.advance(seconds=0.5)
    body = {"name": "Laptop", "credential": Authenticator().create(options)}
    await owner.sign_in()
    assert (await owner.send("POST", f"{PATH}/register", body)).status_code == 201


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"credential": None},
        {"credential": "x"},
        {"credential": {}},
        {"credential": {"id": 1, "rawId": 2, "response": 3}},
        {"credential": {"id": "x", "rawId": "x", "response": {"clientDataJSON": "x"}}},
        {"credential": {"id": "x" * 3000, "rawId": "x", "response": {}}},
    ],
)
async def test_a_malformed_body_is_a_bad_request(
    client: httpx.AsyncClient, broken: dict[str, Any]
) -> None:
    answer = await client.post(f"{PATH}/sign-in/verify", json=broken)
    assert outcome(answer) == (400, "InvalidRequest")


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(
    place=st.sampled_from(["clientDataJSON", "authenticatorData", "signature", "rawId", "id"]),
    garbage=st.one_of(
        st.text(alphabet="AZaz09-_=+/", min_size=1, max_size=60),
        st.binary(min_size=1, max_size=60).map(to_text),
    ),
)
async def test_garbage_is_refused_and_never_an_error(
    shared_application: Any, place: str, garbage: str
) -> None:
    from testkit import client_of

    device = Authenticator()
    async with client_of(shared_application, f"10.77.{len(garbage)}.{len(place)}") as client:
        answer = await client.post(f"{PATH}/sign-in/options")
        if answer.status_code == 429:
            return
        credential = copy.deepcopy(device.get(answer.json()))
        (credential if place in credential else credential["response"])[place] = garbage
        assert (await verify(client, credential)).status_code in {400, 401, 429}


async def test_a_system_admin_removes_lost_passkeys(owner: Owner, admin: Owner) -> None:
    await enroll(owner)
    assert (await admin.send("DELETE", f"/api/users/{owner.user_id}/totp")).status_code == 204
    assert (await login(owner.client, owner.email)).status_code == 200


async def test_passkey_of_disabled_account_is_refused(
    owner: Owner, admin: Owner, new_owner: Callable[..., Any]
) -> None:
    device, _ = await enroll(owner)
    await admin.ok("PUT", f"/api/users/{owner.user_id}", {"disabled": True})
    options = await sign_in_options(owner.client)
    answer = await verify(owner.client, device.get(options))
    assert outcome(answer) == (403, "Forbidden")
