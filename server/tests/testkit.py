"""What tests share: a clock to move, a signed-in Owner, and a way to run the application.

The application itself is imported when it is run, since tests of rules have these things around
them, too.
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from argon2 import PasswordHasher

from licet_server.kit.clock import Clock
from licet_server.kit.database_address import Address
from licet_server.kit.keyring import create_key_file
from licet_server.kit.origin import CONSOLE
from licet_server.kit.passwords import Passwords
from licet_server.kit.settings import Settings

if TYPE_CHECKING:
    from licet_server.app import Application

PASSWORD = "correct horse battery"
numbers = itertools.count(1)
database_options: dict[str, str] = {}
"""What the run adds to the URL of the database of each application."""


class FakeClock:
    """A clock that stands still until a test moves it."""

    START = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)

    def __init__(self) -> None:
        self.now = self.START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


class FastPasswords(Passwords):
    """Argon2id with the least work, so that tests do not wait for it, and a count of its runs."""

    def __init__(self) -> None:
        super().__init__(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.runs = 0

    async def hash(self, password: str) -> str:
        self.runs += 1
        return await super().hash(password)

    async def matches(self, encoded: str | None, password: str) -> bool:
        self.runs += 1
        return await super().matches(encoded, password)


@dataclass
class Owner:
    """A signed-in Owner of an institution of their own."""

    client: httpx.AsyncClient
    token: str
    institution_id: str
    user_id: str
    email: str
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"authorization": f"Bearer {self.token}"}

    async def sign_in(self) -> None:
        """A fresh token, for a test that travels beyond the life of the first one."""
        body = {"email": self.email, "password": PASSWORD}
        session = (await self.client.post("/api/auth/login", json=body)).raise_for_status().json()
        self.headers = {"authorization": f"Bearer {session['accessToken']}"}

    async def send(
        self, method: str, path: str, body: Any = None, **options: Any
    ) -> httpx.Response:
        headers = {**self.headers, **options.pop("headers", {})}
        if body is not None:
            options["json"] = body
        return await self.client.request(method, path, headers=headers, **options)

    async def ok(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        response = await self.send(method, path, body, **options)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None


def settings_for(url: str, folder: Path, **changes: Any) -> Settings:
    """Settings with a master key, as after a first start."""
    create_key_file(folder / "master.key")
    return Settings(data_dir=folder, database_url=with_options(url), **changes)


def with_options(url: str) -> str:
    """Return the URL of a database with what the run adds to it."""
    address = Address.of_url(url)
    options = {**dict(address.options), **database_options}
    return replace(address, options=tuple(options.items())).url


class running:  # noqa: N801 - reads as a sentence
    """Starts and stops an application as an ASGI server would."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        passwords: Passwords,
        dashboard_folder: Path | None = None,
    ) -> None:
        from licet_server.app import build_app, build_platform
        from licet_server.kit.web.dashboard import BUILT_FOLDER

        platform = build_platform(settings, clock)
        folder = dashboard_folder or BUILT_FOLDER
        self._app = build_app(platform, passwords, dashboard_folder=folder)

    async def __aenter__(self) -> Application:
        from licet_server.events.service.sealing import begin_chain

        started, self._stop = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._live(started))
        await started.wait()
        async with self._app.platform.unit_of_work(CONSOLE) as work:
            await begin_chain(work)
        return self._app

    async def __aexit__(self, *details: Any) -> None:
        self._stop.set()
        await self._task

    async def _live(self, started: asyncio.Event) -> None:
        # One task enters and leaves, as in a real server; fixtures may change tasks in between.
        async with self._app.litestar.lifespan():
            started.set()
            await self._stop.wait()


def client_of(application: Application, address: str = "203.0.113.9") -> httpx.AsyncClient:
    """A client of the application; a response that its route does not declare fails the test."""
    from declared_problems import undeclared_problem, undeclared_status

    from licet_server.kit.web.problems import PROBLEM_JSON

    async def check_declared(response: httpx.Response) -> None:
        if response.headers.get("content-type", "").startswith(PROBLEM_JSON):
            await response.aread()
            undeclared = undeclared_problem(application, response)
        else:
            undeclared = undeclared_status(application, response)
        assert undeclared is None, undeclared

    transport = httpx.ASGITransport(application.asgi, client=(address, 50_000))
    return httpx.AsyncClient(
        transport=transport,
        base_url="http://licet.test",
        event_hooks={"response": [check_declared]},
    )
