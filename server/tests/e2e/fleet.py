"""Several servers on one database: real processes with a port each, and clients of all of them."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import httpx
from e2e.forked import Forked, command_line
from e2e.process import EMAIL, NO_TLS, PASSWORD, free_port
from e2e.unprotected import LOOSENED, serve_without
from e2e.vendor import Vendor, make_vendor
from e2e.wire import Gone, Wire
from patience import PATIENCE_S, eventually, until_found
from sqlalchemy import text
from testkit import settings_for

from licet_server.app import build_platform
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.clock import system_clock
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords

SERVERS = 3
UNREACHED, BUSY = 0, 503
ALL = -1

License = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, and when it was asked and heard; `UNREACHED` where it said nothing."""

    server: int
    status: int
    body: Any
    sent: datetime
    arrived: datetime

    @property
    def code(self) -> str:
        return f"{self.status} {self.body.get('errorCode', '')}".strip()


async def at_once(calls: Iterable[Awaitable[T]]) -> list[T]:
    return list(await asyncio.gather(*calls))


class Fleet:
    """The processes, the vendor who owns their database's only product, and a look inside it."""

    def __init__(self, url: str, folder: Path, without: str = "nothing") -> None:
        self.vendor = Vendor(httpx.Client(verify=NO_TLS), "", "", "")
        self.platform = build_platform(settings_for(url, folder))
        self.ports = [free_port() for _ in range(SERVERS)]
        self.pids: list[int] = []
        self.wires = [Wire(port) for port in self.ports]
        self.waits = 0
        """How often a server was too busy; the one who asked has then waited and asked again."""
        self._folder = folder
        self._without = without
        self._variables = {"DATABASE_URL": url, "LICET_DATA_DIR": str(folder)}
        self._processes: dict[int, Forked] = {}

    async def start(self, passwords: Passwords) -> None:
        async with self.platform.unit_of_work(Origin()) as work:
            account = NewAccount(
                email=EMAIL, password=PASSWORD, full_name="Ada", institution_name="Aurora"
            )
            await create_first_owner(work, passwords, account)
            for statement in LOOSENED.get(self._without, ()):
                await work.db.execute(text(statement))
        self._run(ALL, serve_without, self._without, *self.ports)
        for n in range(SERVERS):
            self._wait_for(n, ALL)
        # The servers log into the same file.
        words = [line.split() for line in self._said(ALL).splitlines()]
        self.pids = [int(word) for line in words if all(map(str.isdigit, line)) for word in line]
        self.vendor = make_vendor(self._sign_in())

    def _run(self, n: int, main: Callable[..., object], *arguments: object) -> None:
        output = self._output(n)
        output.unlink(missing_ok=True)
        self._processes[n] = Forked(
            main, *arguments, variables=self._variables, folder=self._folder, output=output
        )

    def _output(self, number: int) -> Path:
        return self._folder / f"said-{number + 1}.txt"

    def _said(self, number: int) -> str:
        output = self._output(number)
        return output.read_text(errors="replace") if output.exists() else ""

    def logged(self) -> str:
        """What all servers have logged; one that is started again begins anew."""
        return "".join(path.read_text(errors="replace") for path in self._folder.glob("said-*.txt"))

    def _address(self, n: int) -> str:
        return f"http://127.0.0.1:{self.ports[n]}"

    def _wait_for(self, n: int, process: int) -> None:
        def serves() -> bool:
            assert self._processes[process].poll() is None, self._said(process)
            return self._listens(n)

        eventually(serves, f"server {n} listens")

    def _listens(self, n: int) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.ports[n]), 5).close()
        except ConnectionError:
            return False
        return True

    def _sign_in(self) -> httpx.Client:
        client = httpx.Client(
            base_url=self._address(0), timeout=PATIENCE_S, trust_env=False, verify=NO_TLS
        )
        body = {"email": EMAIL, "password": PASSWORD}
        session = client.post("/api/auth/login", json=body).raise_for_status().json()
        client.headers["authorization"] = f"Bearer {session['accessToken']}"
        return client

    def kill(self, n: int) -> None:
        """The end that a process can do nothing about."""
        os.kill(self.pids[n], signal.SIGKILL)

    def revive(self, n: int) -> None:
        """Start a server that was killed, as an operator does it."""
        # Its last thread ends, and with it its port, a moment after its first.
        eventually(lambda: not self._listens(n), f"server {n} is gone")
        self._run(n, command_line, "serve", "--port", str(self.ports[n]))
        self._wait_for(n, n)
        self.pids[n] = self._processes[n].pid

    async def close(self) -> None:
        self.vendor.owner.close()
        for wire in self.wires:
            await wire.close()
        for process in self._processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            process.wait(PATIENCE_S)
        await self.platform.database.close()

    # What applications ask. `n` says which server they ask; all numbers do.

    async def call(self, n: int, method: str, path: str, body: Any) -> Answer:
        server = n % SERVERS
        while True:
            sent = system_clock()
            try:
                status, told = await self.wires[server].request(
                    method, path, self.vendor.api_key, body
                )
            except Gone:
                status, told = UNREACHED, {}
            if status != BUSY:
                return Answer(server, status, told, sent, system_clock())
            self.waits += 1
            await asyncio.sleep(0.3)

    async def validate(self, n: int, license_: License, machine: str) -> Answer:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call(n, "POST", "/api/licenses/validate", body)

    async def activate(self, n: int, license_: License, machine: str) -> Answer:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call(n, "POST", "/api/activations", body)

    async def refresh(self, n: int, license_: License, machine: str) -> Answer:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call(n, "POST", "/api/licenses/refresh", body)

    async def release(self, n: int, license_: License, machine: str) -> Answer:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call(n, "DELETE", "/api/activations/current", body)

    async def connect(
        self, n: int, license_: License, machine: str, instance: str | None = None
    ) -> Answer:
        key = license_["licenseKey"]
        body = {"licenseKey": key, "hardwareId": machine, "instanceId": instance}
        return await self.call(n, "POST", "/api/sessions/connect", body)

    async def heartbeat(self, n: int, session: str) -> Answer:
        return await self.call(n, "POST", "/api/sessions/heartbeat", {"sessionId": session})

    async def disconnect(self, n: int, session: str) -> Answer:
        return await self.call(n, "POST", "/api/sessions/disconnect", {"sessionId": session})

    async def warm_up(self, connections: int = 20) -> None:
        """Open connections to each server, so that what comes next comes at the same time."""
        asked = range(connections * SERVERS)
        await at_once(self.call(n, "GET", "/health/live", None) for n in asked)

    async def change_cap(self, license_: License, cap: int) -> tuple[datetime, datetime]:
        """When it was asked for, and when it was answered."""
        path, body = f"/api/licenses/{license_['id']}", {"maxActiveUsersCount": cap}

        async def change() -> datetime | None:
            """Ask once; a service that is busy has changed nothing."""
            sent = system_clock()
            answer = await asyncio.to_thread(self.vendor.owner.put, path, json=body)
            if answer.status_code == BUSY:
                self.waits += 1
                return None
            assert answer.is_success, f"{answer.status_code} {answer.text}"
            return sent

        sent: datetime = await until_found(change)
        return sent, system_clock()

    # What the database holds, asked past the service.

    async def rows(self, sql: str, license_: License) -> list[Any]:
        async with self.platform.database.reading() as db:
            given = {"license": license_["id"], "now": system_clock()}
            used = {name: value for name, value in given.items() if f":{name}" in sql}
            return list(await db.execute(text(sql), used))

    async def holders(self, license_: License) -> list[str]:
        """The machines that hold a seat."""
        sql = "SELECT hardware_id FROM activations WHERE license_id = :license AND holds_seat"
        return sorted(row.hardware_id for row in await self.rows(sql, license_))

    async def bound(self, license_: License) -> list[str]:
        sql = "SELECT hardware_id FROM activations WHERE license_id = :license AND bound"
        return sorted(row.hardware_id for row in await self.rows(sql, license_))

    async def seats_used(self, license_: License) -> int:
        sql = "SELECT seats_used FROM device_counters WHERE license_id = :license"
        return sum(row.seats_used for row in await self.rows(sql, license_))

    async def live(self, license_: License) -> list[str]:
        """The sessions whose promise has not run out."""
        sql = (
            "SELECT session_id FROM session_slots WHERE license_id = :license AND expires_at > :now"
        )
        return sorted(str(row.session_id) for row in await self.rows(sql, license_))

    async def past_and_present(self, license_: License) -> dict[str, datetime]:
        """Until when each session lived, or lives if nothing comes between."""
        sql = (
            "SELECT s.id, coalesce(s.ended_at, t.expires_at) AS until FROM sessions s "
            "LEFT JOIN session_slots t ON t.session_id = s.id WHERE s.license_id = :license"
        )
        return {str(row.id): row.until for row in await self.rows(sql, license_)}


@asynccontextmanager
async def fleet_on(
    url: str, folder: Path, passwords: Passwords, without: str = "nothing"
) -> AsyncIterator[Fleet]:
    """Three servers on an empty database; `without` names the protection that they lack."""
    fleet = Fleet(url, folder, without)
    try:
        await fleet.start(passwords)
        yield fleet
    finally:
        await fleet.close()
