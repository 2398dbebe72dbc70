"""Master keys that were rotated away open what they sealed, and verify nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, client_of, running, settings_for

from licet_server.app import Application
from licet_server.identity.service.tokens import write_access_token
from licet_server.identity.service.users import create_user
from licet_server.kit.keyring import Keyring, read_key_file
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.rotation import rotate_master_key

ADA = {"email": "ada@example.com", "password": PASSWORD}


@pytest.fixture
async def service(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock, fast_passwords: Passwords
) -> AsyncIterator[Application]:
    async with running(settings_for(new_database(), tmp_path), clock, fast_passwords) as app:
        async with app.platform.unit_of_work(Origin()) as work:
            await create_user(
                work,
                email=ADA["email"],
                full_name="Ada",
                password_hash=await fast_passwords.hash(PASSWORD),
                is_system_admin=False,
                verified=True,
            )
        yield app


async def signed_in(client: httpx.AsyncClient, token: str) -> bool:
    headers = {"authorization": f"Bearer {token}"}
    return (await client.get("/api/auth/me", headers=headers)).status_code == 200


async def test_a_token_of_an_older_key_is_refused(service: Application, clock: FakeClock) -> None:
    async with client_of(service) as client:
        session = (await client.post("/api/auth/login", json=ADA)).raise_for_status().json()
        assert await signed_in(client, session["accessToken"])
        old = Keyring(read_key_file(service.platform.settings.data_dir / "master.key"))
        settings = service.platform.settings
        await asyncio.to_thread(rotate_master_key, settings, lambda line: None)
        assert not await signed_in(client, session["accessToken"])
        async with service.platform.database.reading() as db:
            row = (await db.execute(text("SELECT id, user_id FROM sign_ins"))).one()
        forged = write_access_token(old, clock(), user_id=row.user_id, sign_in_id=row.id)
        assert not await signed_in(client, forged)
        # The running service has taken up the new key by itself: the session goes on.
        again = (await client.post("/api/auth/refresh")).raise_for_status().json()
        assert await signed_in(client, again["accessToken"])


async def test_after_a_leak_every_session_ends_and_every_secret_is_sealed_anew(
    service: Application,
) -> None:
    async with client_of(service) as client:
        session = (await client.post("/api/auth/login", json=ADA)).raise_for_status().json()
        headers = {"authorization": f"Bearer {session['accessToken']}"}
        (await client.post("/api/auth/totp", headers=headers)).raise_for_status()
        settings = service.platform.settings
        said: list[str] = []
        count = await asyncio.to_thread(rotate_master_key, settings, said.append, compromised=True)
        assert count >= 1
        assert any("Ended 1 session" in line for line in said)
        assert (await client.post("/api/auth/refresh")).status_code == 401
        newest = read_key_file(settings.data_dir / "master.key")[0]
        async with service.platform.database.reading() as db:
            sealed = (await db.execute(text("SELECT totp_secret FROM users"))).scalar_one()
            live = text("SELECT count(*) FROM sign_ins WHERE ended_at IS NULL")
            assert (await db.execute(live)).scalar_one() == 0
        assert Keyring([newest]).is_current(sealed)
        assert (await client.post("/api/auth/login", json=ADA)).status_code == 200
