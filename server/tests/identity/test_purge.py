"""Old sign-ins are deleted, and nothing that is still needed."""

import asyncio
from uuid import UUID

import httpx
import pytest
from identity.people import elsewhere, login, signed_in_again
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.app import Application
from licet_server.identity.service import sessions
from licet_server.identity.service.sessions import forget_sign_ins
from licet_server.kit.platform import Platform
from licet_server.worker import JOBS

COOKIE = "licet_refresh"


async def rows(platform: Platform, owner: Owner) -> tuple[int, int]:
    """How many sign-ins and refresh tokens the user has."""
    statement = text(
        "SELECT count(DISTINCT s.id), count(t.token_hash) FROM sign_ins s "
        "LEFT JOIN refresh_tokens t ON t.sign_in_id = s.id WHERE s.user_id = :id"
    )
    async with platform.database.reading() as db:
        found = (await db.execute(statement, {"id": UUID(owner.user_id)})).one()
    return int(found[0]), int(found[1])


async def opened(owner: Owner) -> str:
    """The refresh token of a new session."""
    answer = await login(owner.client, owner.email)
    token: str = answer.cookies[COOKIE]
    owner.client.cookies.clear()
    return token


async def refreshed(owner: Owner, token: str) -> httpx.Response:
    headers = {"cookie": f"{COOKIE}={token}"}
    answer = await owner.client.post("/api/auth/refresh", headers=headers)
    owner.client.cookies.clear()
    return answer


def test_purge_is_a_background_job() -> None:
    assert [job.name for job in JOBS if job.run is forget_sign_ins] == ["purge_sign_ins"]


async def test_old_sign_ins_are_deleted(owner: Owner, platform: Platform, clock: FakeClock) -> None:
    other = await signed_in_again(owner)
    await other.ok("DELETE", "/api/auth/sessions")  # one ended, the other as well
    await opened(owner)  # will expire
    live = await opened(owner)
    for days in (29, 29, 29, 2):
        clock.advance(days=days)
        answer = await refreshed(owner, live)
        live = answer.cookies[COOKIE]
        await forget_sign_ins(platform)
        assert (await rows(platform, owner))[0] == 4
    clock.advance(days=1, seconds=1)
    await forget_sign_ins(platform)
    assert await rows(platform, owner) == (1, 3)  # of the last 30 days: two uses, and the next
    assert (await refreshed(owner, live)).status_code == 401  # 90 days in all are over


async def test_an_address_stays_known_for_as_long_as_it_should(
    owner: Owner, platform: Platform, application: Application, clock: FakeClock
) -> None:
    """The only sign-in from there ended weeks ago; attackers still cannot lock the user out."""
    await owner.ok("DELETE", "/api/auth/sessions")
    clock.advance(days=90)
    await forget_sign_ins(platform)
    for number in range(12):
        async with elsewhere(application, f"203.0.113.{number}") as thief:
            await login(thief, owner.email, "wrong password")
    assert (await login(owner.client, owner.email)).status_code == 200
    async with elsewhere(application, "203.0.113.99") as thief:
        assert (await login(thief, owner.email)).status_code == 429


async def test_a_reused_token_ends_its_session_for_30_days(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stolen = await opened(owner)
    clock.advance(days=15)
    held = (await refreshed(owner, stolen)).cookies[COOKIE]
    clock.advance(days=15)
    held = (await refreshed(owner, held)).cookies[COOKIE]
    clock.advance(days=15)  # 30 days after it was rotated, and 45 after it was issued
    await forget_sign_ins(platform)
    assert (await refreshed(owner, stolen)).status_code == 401
    assert (await refreshed(owner, held)).status_code == 401  # the whole session has ended


async def test_expired_tokens_are_invalid_and_deleted(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    old = token = await opened(owner)
    before = (await rows(platform, owner))[1]
    for _ in range(4):
        token = (await refreshed(owner, token)).cookies[COOKIE]
        clock.advance(days=10)
    assert (await rows(platform, owner))[1] == before + 4
    await forget_sign_ins(platform)
    assert (await rows(platform, owner))[1] == before + 3  # that of 40 days ago
    assert (await refreshed(owner, old)).status_code == 401
    assert (await refreshed(owner, token)).status_code == 200  # the session is still valid


async def fill(platform: Platform, owner: Owner, count: int) -> None:
    """Sign-ins that ended 200 days ago, each with three tokens."""
    made = text(
        "WITH made AS (INSERT INTO sign_ins (id, user_id, created_at, last_used_at, expires_at, "
        "authenticated_at) SELECT gen_random_uuid(), :id, at, at, at + interval '30 days', at "
        "FROM (SELECT CAST(:now AS timestamptz) - interval '200 days' - n * interval '1 minute' "
        "AS at FROM generate_series(1, :count) n) t RETURNING id, created_at) "
        "INSERT INTO refresh_tokens (token_hash, sign_in_id, issued_at, rotated_at) "
        "SELECT decode(md5(id::text || n), 'hex'), id, created_at, "
        "CASE WHEN n < 3 THEN created_at END FROM made, generate_series(1, 3) n"
    )
    async with platform.database.transaction() as db:
        given = {"id": UUID(owner.user_id), "now": platform.clock(), "count": count}
        await db.execute(made, given)


async def test_concurrent_runs_share_the_work(owner: Owner, platform: Platform) -> None:
    await forget_sign_ins(platform)
    await fill(platform, owner, 1_200)
    assert await rows(platform, owner) == (1_201, 3_601)
    done = await asyncio.gather(*(forget_sign_ins(platform) for _ in range(4)))
    # Two tokens of each were rotated; the third is deleted with its sign-in.
    assert sum(done) + await forget_sign_ins(platform) == 1_200 * 3
    assert await rows(platform, owner) == (1, 1)


async def test_purge_is_bounded_and_deletes_tokens_first(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await forget_sign_ins(platform)
    await fill(platform, owner, 30)
    monkeypatch.setattr(sessions, "BATCH_SIZE", 10)
    monkeypatch.setattr(sessions, "_BATCHES_PER_RUN", 4)
    assert await forget_sign_ins(platform) == 40
    assert await rows(platform, owner) == (31, 51)
    assert await forget_sign_ins(platform) == 20 + 30
    assert await rows(platform, owner) == (1, 1)


async def test_locked_sign_in_is_skipped_by_purge(owner: Owner, platform: Platform) -> None:
    await forget_sign_ins(platform)
    await fill(platform, owner, 3)
    async with platform.database.transaction() as db:
        held = text("SELECT id FROM sign_ins WHERE user_id = :id ORDER BY last_used_at LIMIT 1 "
                    "FOR UPDATE")  # fmt: skip
        await db.execute(held, {"id": UUID(owner.user_id)})
        async with asyncio.timeout(10):
            assert await forget_sign_ins(platform) == 3 * 2 + 2
    assert await forget_sign_ins(platform) == 1
    assert (await login(owner.client, owner.email, PASSWORD)).status_code == 200
