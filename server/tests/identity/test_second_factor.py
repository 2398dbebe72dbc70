"""The second factor: each code works once and in time; recovery codes; turning it off."""

import asyncio
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from identity.people import (
    code,
    elsewhere,
    enable_totp,
    everything_stored,
    is_signed_in,
    login,
    recorded,
    signed_in_again,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.app import Application
from licet_server.identity.rules.second_factors import (
    RECOVERY_CODE_SYMBOLS,
    matching_step,
    normal_code,
    recovery_code,
)
from licet_server.kit.platform import Platform

CONFIRM = "/api/auth/totp/confirm"


def refused(answer: httpx.Response) -> str:
    assert answer.status_code == 401, answer.text
    said: str = answer.json()["errorCode"]
    return said


async def test_second_factor_is_turned_on_by_first_code(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    assert (await owner.ok("GET", "/api/auth/me"))["totpEnabled"] is False
    offered = await owner.ok("POST", "/api/auth/totp")
    uri = urlsplit(offered["otpauthUri"])
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert parse_qs(uri.query)["secret"] == [offered["secret"]]
    assert parse_qs(uri.query)["issuer"] == ["Licet"]
    assert (await login(owner.client, owner.email)).status_code == 200  # not turned on yet
    again = await owner.ok("POST", "/api/auth/totp")
    assert again["secret"] != offered["secret"]
    old = {"otpCode": code(offered["secret"], clock)}
    assert refused(await owner.send("POST", CONFIRM, old)) == "InvalidCredentials"
    body = {"otpCode": code(again["secret"], clock)}
    confirmed = await owner.ok("POST", CONFIRM, body)
    assert len(set(confirmed["recoveryCodes"])) == 10
    assert (await owner.ok("GET", "/api/auth/me"))["totpEnabled"] is True
    assert await recorded(platform, owner) == [("user.totp_enabled", owner.user_id)]
    for path, more in ((CONFIRM, body), ("/api/auth/totp", {})):
        answer = await owner.send("POST", path, more)
        assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")


async def test_codes_are_required_after_the_right_password_only(
    owner: Owner, clock: FakeClock
) -> None:
    secret, _ = await enable_totp(owner, clock)
    wrong = await login(owner.client, owner.email, "wrong password")
    assert refused(wrong) == "InvalidCredentials"
    with_code = await login(owner.client, owner.email, "wrong password", code(secret, clock, 1))
    assert with_code.json()["detail"] == wrong.json()["detail"]
    assert refused(await login(owner.client, owner.email)) == "OtpRequired"
    clock.advance(seconds=30)
    assert (await login(owner.client, owner.email, otp=code(secret, clock))).status_code == 200


async def test_a_code_works_once_and_invalidates_earlier_ones(
    owner: Owner, clock: FakeClock
) -> None:
    secret, _ = await enable_totp(owner, clock)
    assert refused(await login(owner.client, owner.email, otp=code(secret, clock)))  # it confirmed
    clock.advance(seconds=60)
    newest = code(secret, clock, 1)
    assert (await login(owner.client, owner.email, otp=newest)).status_code == 200
    for steps in (1, 0, -1):
        replayed = await login(owner.client, owner.email, otp=code(secret, clock, steps))
        assert refused(replayed) == "InvalidCredentials"
    clock.advance(seconds=60)
    late = code(secret, clock)
    assert (await login(owner.client, owner.email, otp=f"{late[:3]} {late[3:]}")).status_code == 200


async def test_of_concurrent_sign_ins_with_one_code_one_wins(
    owner: Owner, clock: FakeClock
) -> None:
    secret, recovery = await enable_totp(owner, clock)
    clock.advance(seconds=60)
    for value in (code(secret, clock), recovery[0]):
        answers = await asyncio.gather(
            *(login(owner.client, owner.email, otp=value) for _ in range(5))
        )
        assert sorted(answer.status_code for answer in answers) == [200] + [401] * 4


@pytest.mark.parametrize("steps", [-2, 2, 3, 100])
async def test_codes_of_other_times_are_refused(owner: Owner, clock: FakeClock, steps: int) -> None:
    secret, _ = await enable_totp(owner, clock)
    clock.advance(minutes=10)
    answer = await login(owner.client, owner.email, otp=code(secret, clock, steps))
    assert refused(answer) == "InvalidCredentials"


async def test_invalid_codes_change_nothing(
    owner: Owner, stranger: Owner, platform: Platform, application: Application, clock: FakeClock
) -> None:
    secret, _ = await enable_totp(owner, clock)
    _, theirs = await enable_totp(stranger, clock)
    clock.advance(minutes=10)
    right = code(secret, clock)
    before = await everything_stored(platform)
    odd = [theirs[0], "000000x", right + "0", right[:-1], "-", "٣٣٣٣٣٣",
           right.translate({48 + digit: 0xFF10 + digit for digit in range(10)}),
           " ' OR 1=1", "x" * 64]  # fmt: skip
    for number, value in enumerate(odd):
        async with elsewhere(application, f"198.51.100.{number}") as client:
            answer = await login(client, owner.email, otp=value)
            assert refused(answer) == "InvalidCredentials", value
            long = await login(client, owner.email, otp="1" * 10_000)
            assert [error["field"] for error in long.json()["errors"]] == ["otpCode"]
    assert await everything_stored(platform) == before


async def test_recovery_codes_work_once(owner: Owner, platform: Platform, clock: FakeClock) -> None:
    _, codes = await enable_totp(owner, clock)
    typed = codes[3].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert (await login(owner.client, owner.email, otp=typed)).status_code == 200
    assert refused(await login(owner.client, owner.email, otp=codes[3])) == "InvalidCredentials"
    assert (await login(owner.client, owner.email, otp=codes[4])).status_code == 200
    kinds = [kind for kind, _ in await recorded(platform, owner)]
    assert kinds == ["user.totp_enabled"] + ["user.recovery_code_used"] * 2


async def test_no_secret_is_stored_in_plain_text(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    async with platform.database.reading() as db:
        rows = await db.execute(
            text("SELECT u::text || coalesce(string_agg(r::text, ''), '') FROM users u "
                 "LEFT JOIN recovery_codes r ON r.user_id = u.id GROUP BY u.id, u.*")
        )  # fmt: skip
        stored = "".join(rows.scalars())
    for value in (secret, *codes, *(normal_code(item) for item in codes)):
        assert value not in stored
        assert value.encode().hex() not in stored
    assert secret not in str(await everything_stored(platform))


async def test_second_factor_is_turned_off_with_a_code(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    path = "/api/auth/totp"
    before = await everything_stored(platform)
    wrong = ({"otpCode": "000000"}, {"otpCode": "no such code"}, {"otpCode": code(secret, clock)})
    for body in wrong:
        assert refused(await owner.send("DELETE", path, body)) == "InvalidCredentials"
    for body in ({"password": PASSWORD}, {"password": PASSWORD, "otpCode": codes[0]}):
        answer = await owner.send("DELETE", path, body)
        assert (answer.status_code, answer.json()["errorCode"]) == (400, "InvalidRequest")
    assert await everything_stored(platform) == before
    await owner.ok("DELETE", path, {"otpCode": codes[0]})
    assert (await owner.ok("GET", "/api/auth/me"))["totpEnabled"] is False
    assert (await login(owner.client, owner.email)).status_code == 200
    assert (await owner.send("DELETE", path, {"otpCode": codes[1]})).status_code == 409

    clock.advance(minutes=1)
    secret, _ = await enable_totp(owner, clock)
    clock.advance(seconds=30)
    await owner.ok("DELETE", path, {"otpCode": code(secret, clock)})
    _, codes = await enable_totp(owner, clock)
    await owner.ok("DELETE", path, {"otpCode": codes[9]})
    kinds = [kind for kind, _ in await recorded(platform, owner)]
    turned = ["user.totp_enabled", "user.totp_disabled"]
    by_recovery_code = [turned[0], "user.recovery_code_used", turned[1]]
    assert kinds == [*by_recovery_code, *turned, *by_recovery_code]
    async with platform.database.reading() as db:
        left = text("SELECT count(*) FROM recovery_codes WHERE user_id = :id")
        assert (await db.execute(left, {"id": owner.user_id})).scalar() == 0


async def test_guessing_codes_is_throttled_but_not_for_the_user(
    owner: Owner, application: Application, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    clock.advance(minutes=2)
    statuses = []
    for number in range(12):
        async with elsewhere(application, f"203.0.113.{number}") as thief:
            statuses.append((await login(thief, owner.email, otp="000000")).status_code)
    assert statuses == [401] * 10 + [429] * 2
    async with elsewhere(application, "203.0.113.99") as thief:
        # Even a right code is refused, and is not used up.
        assert (await login(thief, owner.email, otp=code(secret, clock))).status_code == 429
    assert (await login(owner.client, owner.email, otp=code(secret, clock))).status_code == 200
    wrong = [(await login(owner.client, owner.email, otp="000000")) for _ in range(10)]
    assert {answer.status_code for answer in wrong} == {401}
    assert (await login(owner.client, owner.email, otp=codes[0])).status_code == 429
    clock.advance(hours=1)
    assert (await login(owner.client, owner.email, otp=codes[0])).status_code == 200


async def test_guessing_in_a_session_is_throttled(owner: Owner, clock: FakeClock) -> None:
    other = await signed_in_again(owner)
    offered = await owner.ok("POST", "/api/auth/totp")
    for _ in range(10):
        answer = await owner.send("POST", CONFIRM, {"otpCode": "000000"})
        assert refused(answer) == "InvalidCredentials"
    right = {"otpCode": code(offered["secret"], clock)}
    assert (await owner.send("POST", CONFIRM, right)).status_code == 429
    await other.ok("POST", CONFIRM, right)
    assert await is_signed_in(owner)


async def test_of_concurrent_confirmations_one_wins(owner: Owner, clock: FakeClock) -> None:
    offered = await owner.ok("POST", "/api/auth/totp")
    body = {"otpCode": code(offered["secret"], clock)}
    answers = await asyncio.gather(*(owner.send("POST", CONFIRM, body) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    [codes] = [answer.json()["recoveryCodes"] for answer in answers if answer.is_success]
    assert (await login(owner.client, owner.email, otp=codes[0])).status_code == 200


# RFC 6238, appendix B, for SHA-1, cut to 6 digits.
VECTORS = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.mark.parametrize("seconds", VECTORS)
def test_codes_are_those_of_the_standard(seconds: int) -> None:
    from datetime import UTC, datetime

    at = datetime.fromtimestamp(seconds, UTC)
    assert matching_step(SECRET, VECTORS[seconds], at) == seconds // 30


@given(st.text(max_size=80))
def test_any_text_is_accepted_or_refused_as_code(given_text: str) -> None:
    step = matching_step(SECRET, normal_code(given_text), FakeClock.START)
    assert step is None or abs(step - FakeClock.START.timestamp() // 30) <= 1


@given(st.binary(min_size=RECOVERY_CODE_SYMBOLS, max_size=RECOVERY_CODE_SYMBOLS))
def test_recovery_codes_can_be_typed(entropy: bytes) -> None:
    written = recovery_code(entropy)
    assert len(written) == 19
    assert normal_code(written) == written.replace("-", "")
    assert normal_code(f" {written.lower().replace('-', ' ')} ") == written.replace("-", "")
