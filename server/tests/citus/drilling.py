"""What a drill needs: servers that can be stopped, and vendors who are charged meanwhile."""

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from identity.people import code, login
from metering.factories import new_key
from patience import until
from testkit import Owner
from world import Vendor

from licet_server.app import Application
from licet_server.kit.database_address import Address

BALANCE = 1_000_000
_MOVED = """
SELECT citus_update_node(nodeid, $3, $4) FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2
"""
_PREPARED = "SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"


async def connect(address: Address) -> Any:
    return await asyncpg.connect(
        host=address.host, port=address.port, user=address.user, database=address.database
    )


async def ask(address: Address, query: str, *values: Any) -> Any:
    connection = await connect(address)
    try:
        return await connection.fetch(query, *values)
    finally:
        await connection.close()


async def tell_of_move(coordinator: Address, old: Address, new: Address) -> None:
    """Tell the coordinator that a node is at another place now."""
    await ask(coordinator, _MOVED, old.host, old.port, new.host, new.port)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """The PostgreSQL of a node, which can be killed and started again."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs

    @classmethod
    async def at(cls, address: Address) -> "Server":
        [(folder,)] = await ask(address, "SHOW data_directory")
        [(programs,)] = await ask(address, "SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        server = cls(Path(folder), Path(programs))
        if not server.is_here():
            pytest.skip("the nodes are on other machines")
        return server

    def is_here(self) -> bool:
        return Path(self.folder, "postmaster.pid").is_file()

    def is_running(self) -> bool:
        if not self.is_here():
            return False
        pid = self._postmaster()
        return Path(f"/proc/{pid}").is_dir() and "postgres" in _name(pid)

    def kill(self) -> None:
        """Kill it as a crash does, and return once it is gone."""
        children = self._processes()
        os.kill(self._postmaster(), signal.SIGKILL)
        for pid in children:
            while Path(f"/proc/{pid}/stat").is_file() and "postgres" in _name(pid):
                time.sleep(0.05)

    def freeze(self) -> None:
        """Stop each of its processes where it is: connections stay open, and nothing answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in (self._postmaster(), *self._processes()):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _postmaster(self) -> int:
        return int(Path(self.folder, "postmaster.pid").read_text().split()[0])

    def _processes(self) -> list[int]:
        parent = self._postmaster()
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=True
        )
        return [int(pid) for pid in listed.stdout.split()]

    def start(self, *options: str, within: Sequence[str | Path] = ()) -> None:
        """Start it, and return once it accepts connections.

        `options` are settings for this time, `within` the command that it is started by.
        """
        settings = " ".join(f"-c {item}" for item in options)
        self._control("start", "-l", f"{self.folder}.log", "-o", settings, within=within)

    def stop(self) -> None:
        self._control("stop", "-m", "fast")

    def promote(self) -> None:
        """Make a standby accept changes, and return once it does."""
        self._control("promote")

    def _control(self, *action: str, within: Sequence[str | Path] = ()) -> None:
        control: list[str | Path] = [
            self.programs / "pg_ctl",
            "-D",
            self.folder,
            "-w",
            "-t",
            "600",
            *action,
        ]
        self.run(*within, *control, as_owner=not within)

    def run(self, *command: str | Path, as_owner: bool = True) -> None:
        """Run a command as the owner of the server, which finds certificates in its folder."""
        subprocess.run(
            command,
            user=self.owner if as_owner else None,
            env={**os.environ, "HOME": str(self.folder)},
            check=True,
            stdout=subprocess.DEVNULL,
        )

    @property
    def owner(self) -> int:
        return self.folder.stat().st_uid


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


@dataclass
class Charges:
    """The charges of one vendor: each is sent with its key until it is acknowledged."""

    vendor: Vendor
    wallet: dict[str, Any]
    keys: list[str] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0

    async def send(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            key, status = new_key(), 0
            while status != 200:
                began = time.monotonic()
                status = (await self.vendor.consume(self.wallet, idempotencyKey=key)).status_code
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.answers[status] += 1
                await asyncio.sleep(0 if status == 200 else 0.1)
            self.keys.append(key)

    async def until(self, more: int, status: int = 200) -> None:
        """Wait for more answers with a status."""
        wanted = self.answers[status] + more
        await until(lambda: self.answers[status] >= wanted)

    def __str__(self) -> str:
        told = ", ".join(f"{number} x {status}" for status, number in sorted(self.answers.items()))
        return f"{told}; {len(self.keys)} acknowledged; slowest {self.slowest:.2f} s"


@dataclass
class Drill:
    """The application on a cluster, and two vendors whose rows are on different nodes."""

    application: Application
    nodes: list[Address]
    dying: Charges
    living: Charges
    owners: tuple[Owner, Owner]
    totp_secret: str
    dying_node: Address

    @asynccontextmanager
    async def load(self) -> AsyncIterator[None]:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as senders:
            for charges in (self.dying, self.living):
                for _ in range(2):
                    senders.create_task(charges.send(stop))
            try:
                for charges in (self.dying, self.living):
                    await charges.until(10)
                yield
            finally:
                stop.set()

    async def sign_in(self) -> None:
        """Sign in the Owner of the living vendor, with a code of their app that is not used yet."""
        owner = self.owners[1]
        otp = code(self.totp_secret, self.application.platform.clock, steps=1)
        (await login(owner.client, owner.email, otp=otp)).raise_for_status()

    async def require_exact(self) -> None:
        """Check that each charge is in the ledger once, and no transaction is left half-done."""
        for name, charges in (("its vendor", self.dying), ("the other", self.living)):
            print(f"{name}: {charges}")
            query = "SELECT count(*) FROM meter_entries WHERE license_id = $1::uuid AND amount < 0"
            [(entries,)] = await ask(self.nodes[0], query, charges.wallet["id"])
            assert entries == len(charges.keys)
            balance = await charges.vendor.balance(charges.wallet)
            assert float(balance) == BALANCE - len(charges.keys)
        await ask(self.nodes[0], "SELECT recover_prepared_transactions()")
        assert [await ask(node, _PREPARED) for node in self.nodes] == [[(0,)]] * len(self.nodes)
