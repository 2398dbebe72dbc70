"""Real parts for every test: one PostgreSQL per test process, one database per application."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from licet_server.accounts import service as accounts
from licet_server.app import Application, build_app, build_platform
from licet_server.kit.events import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.settings import Settings
from licet_server.kit.work import Platform
from licet_server.migrations import migrate

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Owner:
    """A signed-in Owner of an institution of his own."""

    client: httpx.AsyncClient
    token: str
    institution_id: str
    user_id: str
    email: str
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"authorization": f"Bearer {self.token}"}

    async def send(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        headers = {**self.headers, **options.pop("headers", {})}
        if body is not None:
            options["json"] = body
        return await self.client.request(method, path, headers=headers, **options)

    async def ok(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        response = await self.send(method, path, body, **options)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    with (
        tempfile.TemporaryDirectory(prefix="licet-test-") as folder,
        EmbeddedPostgres(Path(folder), fsync=False) as cluster,
    ):
        asyncio.run(migrate(cluster.create_database("template")))
        yield cluster


@pytest.fixture(scope="session")
def new_database(postgres: EmbeddedPostgres) -> Callable[[], str]:
    """Makes an empty, migrated database and answers its URL."""
    return lambda: postgres.create_database(f"test_{next(_numbers)}", template="template")


@pytest.fixture(scope="session")
def fast_passwords() -> Passwords:
    """Argon2id with the least work, so that tests do not wait for it."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture(scope="session")
def shared_database(new_database: Callable[[], str]) -> str:
    return new_database()


def settings_for(url: str, folder: Path, **changes: Any) -> Settings:
    return Settings(data_dir=folder, database_url=url, **changes)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def application(
    shared_database: str,
    tmp_path_factory: pytest.TempPathFactory,
    clock: FakeClock,
    fast_passwords: Passwords,
) -> AsyncIterator[Application]:
    """The real application, on the database that the tests of this process share."""
    folder = tmp_path_factory.getbasetemp() / "data"
    async with running(settings_for(shared_database, folder), clock, fast_passwords) as app:
        yield app


@pytest.fixture
async def fresh_application(
    new_database: Callable[[], str],
    tmp_path: Path,
    clock: FakeClock,
    fast_passwords: Passwords,
) -> AsyncIterator[Application]:
    """The real application on a database of its own, in which nobody has signed up."""
    async with running(settings_for(new_database(), tmp_path), clock, fast_passwords) as app:
        yield app


class running:  # noqa: N801 - reads as a sentence
    """Starts and stops an application as an ASGI server would."""

    def __init__(self, settings: Settings, clock: FakeClock, passwords: Passwords) -> None:
        self._app = build_app(build_platform(settings, clock), passwords)

    async def __aenter__(self) -> Application:
        self._lifespan = self._app.litestar.lifespan()
        await self._lifespan.__aenter__()
        return self._app

    async def __aexit__(self, *details: Any) -> None:
        await self._lifespan.__aexit__(*details)


def client_of(application: Application, address: str = "203.0.113.9") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(application.asgi, client=(address, 50_000))
    return httpx.AsyncClient(transport=transport, base_url="http://licet.test")


@pytest.fixture
async def client(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(application, f"198.51.100.{next(_numbers) % 250}") as client:
        yield client


@pytest.fixture
def platform(application: Application) -> Platform:
    return application.platform


@pytest.fixture
def new_owner(
    platform: Platform, client: httpx.AsyncClient, fast_passwords: Passwords
) -> Callable[..., Any]:
    """Makes an Owner of a fresh institution, who is no system Admin."""

    async def make(name: str = "Owner") -> Owner:
        email = f"owner{next(_numbers)}@{platform.settings.data_dir.name}.example.com"
        async with platform.work(Origin()) as work:
            user = await accounts.create_user(
                work,
                email=email,
                full_name=name,
                password_hash=await fast_passwords.hash(PASSWORD),
                is_system_admin=False,
                verified=True,
            )
        body = {"email": email, "password": PASSWORD}
        session = (await client.post("/api/auth/login", json=body)).raise_for_status().json()
        owner = Owner(client, session["accessToken"], "", str(user.id), email)
        made = await owner.ok("POST", "/api/institutions", {"name": f"Institution of {email}"})
        owner.institution_id = made["id"]
        return owner

    return make


@pytest.fixture
async def owner(new_owner: Callable[..., Any]) -> Owner:
    return await new_owner()


@pytest.fixture
async def stranger(new_owner: Callable[..., Any]) -> Owner:
    """An Owner of another institution."""
    return await new_owner("Stranger")
