"""Two PostgreSQL nodes under Patroni, as deploy/patroni.yml has it, and an etcd."""

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import asyncpg
import httpx
from e2e.process import children_of, free_port, lives
from patience import eventually
from shared_postgres import create_folder

from drills.network import Machine, Network
from licet_server.kit.postgres.account import plain_environment, server_account

ROOT = Path(__file__).parents[1]
BINARIES = Path("/usr/lib/postgresql/15/bin")
PROGRAMS = {name: shutil.which(name) for name in ("patroni", "etcd", "haproxy")}
PATIENCE_S = 180.0
T = TypeVar("T")


def missing_programs() -> list[str]:
    """Return what a drill needs and this machine does not have."""
    missing = [name for name, found in PROGRAMS.items() if found is None]
    return missing if BINARIES.is_dir() else [*missing, "postgresql-15"]


class Node:
    """A machine with PostgreSQL and Patroni."""

    def __init__(self, machine: Machine, environment: Mapping[str, str], folder: Path) -> None:
        self.machine = machine
        self.port, self._rest = free_port(), free_port()
        self._folder = folder
        host, data = machine.host, folder / "data"
        self._pid_file = data / "postmaster.pid"
        self._environment = {
            **plain_environment(),
            **environment,
            "HOME": str(folder),
            "PATRONI_NAME": machine.name,
            "PATRONI_RESTAPI_LISTEN": f"{host}:{self._rest}",
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{host}:{self._rest}",
            "PATRONI_POSTGRESQL_LISTEN": f"{host}:{self.port}",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{host}:{self.port}",
            "PATRONI_POSTGRESQL_BIN_DIR": str(BINARIES),
            "PATRONI_POSTGRESQL_DATA_DIR": str(data),
            "PATRONI_POSTGRESQL_PGPASS": str(folder / "pgpass"),
        }
        self._patroni: subprocess.Popen[bytes] | None = None
        self._frozen: list[int] = []

    @property
    def name(self) -> str:
        return self.machine.name

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL."""
        with (self._folder / "patroni.log").open("ab") as log:
            self._patroni = subprocess.Popen(
                [*self.machine.prefix, *_as_account(), "patroni", _configuration(self._folder)],
                env=self._environment,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def cut_power(self) -> None:
        """Kill everything at once; what a crash leaves behind stays, but for the pid file."""
        for pid in self._stop_all():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._collect()
        self._pid_file.unlink(missing_ok=True)

    def freeze(self) -> None:
        """Stop all processes where they are, as the host of a virtual machine may."""
        self._frozen = self._stop_all()

    def thaw(self) -> None:
        """Let them go on, as if nothing had happened."""
        for pid in reversed(self._frozen):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._frozen = []

    def stop(self) -> None:
        """Stop both, as quickly as possible."""
        self.thaw()
        if self._patroni is not None:
            self.cut_power()

    def is_(self, role: str) -> bool:
        """Whether Patroni says that this is the `primary`, or the `synchronous` standby."""
        try:
            url = f"http://{self.machine.host}:{self._rest}/{role}"
            return httpx.get(url, timeout=2, trust_env=False).is_success
        except httpx.TransportError:
            return False

    def log(self) -> str:
        return (self._folder / "patroni.log").read_text(errors="replace")

    def _stop_all(self) -> list[int]:
        """Stop every process, parents first, so that none starts another meanwhile."""
        stopped: list[int] = []
        waiting = [pid for pid in (self._patroni_pid(), self._postmaster()) if pid is not None]
        while waiting:
            pid = waiting.pop()
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
                waiting += [child for child in children_of(pid) if child not in stopped]
        return stopped

    def _patroni_pid(self) -> int | None:
        return None if self._patroni is None else self._patroni.pid

    def _postmaster(self) -> int | None:
        try:
            pid = int(self._pid_file.read_text().split()[0])
        except (FileNotFoundError, IndexError):
            return None
        return pid if lives(pid) else None

    def _collect(self) -> None:
        if self._patroni is not None:
            self._patroni.wait(30)
            self._patroni = None
        eventually(lambda: self._postmaster() is None, "PostgreSQL has ended", 30)


class Cluster:
    """Two nodes, of which one is the primary and the other its synchronous standby."""

    def __init__(self, nodes: tuple[Node, Node], password: str) -> None:
        self.nodes = nodes
        self._password = password

    @property
    def url(self) -> str:
        """The `DATABASE_URL` of a service, as docs/nodes.md has it."""
        servers = ",".join(f"{node.machine.host}:{node.port}" for node in self.nodes)
        options = "target_session_attrs=read-write&connect_timeout=2"
        return f"postgresql://licet:{quote(self._password)}@{servers}/licet?{options}"

    def primary(self) -> Node | None:
        return next((node for node in self.nodes if node.is_("primary")), None)

    def other_than(self, node: Node) -> Node:
        [other] = [item for item in self.nodes if item is not node]
        return other

    def wait_until_synchronous(self) -> Node:
        """Wait until a change is on both nodes before it is acknowledged; return the primary."""
        return self._eventually(self._synchronous_primary, "a primary with a synchronous standby")

    def _synchronous_primary(self) -> Node | None:
        primary = self.primary()
        return primary if primary and self.other_than(primary).is_("synchronous") else None

    def wait_for_takeover(self, old: Node) -> float:
        """Wait until the other node is the primary; return the seconds that it took."""
        began = time.monotonic()
        other = self.other_than(old)
        self._eventually(lambda: other.is_("primary") or None, f"{other.name} takes over")
        return time.monotonic() - began

    async def create_database(self, superuser: Mapping[str, str]) -> None:
        """Create the role and the database of the service, and wait until both nodes have it."""
        node = self.wait_until_synchronous()
        db = await self._connect(node, superuser)
        try:
            await db.execute(f"CREATE ROLE licet LOGIN PASSWORD '{self._password}'")
            await db.execute("CREATE DATABASE licet OWNER licet")
        finally:
            await db.close()
        await self._wait_for_database(self.other_than(node), superuser)

    async def _wait_for_database(self, standby: Node, superuser: Mapping[str, str]) -> None:
        # An acknowledged change is on the standby's disk, and is seen there a little later.
        seen = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'licet') FROM pg_sleep(0.1)"
        db = await self._connect(standby, superuser)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not await db.fetchval(seen):
                    pass
        finally:
            await db.close()

    async def _connect(self, node: Node, superuser: Mapping[str, str]) -> asyncpg.Connection:
        return await asyncpg.connect(
            host=node.machine.host,
            port=node.port,
            user=superuser["PATRONI_SUPERUSER_USERNAME"],
            password=superuser["PATRONI_SUPERUSER_PASSWORD"],
            database="postgres",
            ssl=False,
        )

    def _eventually(self, holds: Callable[[], T | None], what: str) -> T:
        try:
            found: T = eventually(holds, what, PATIENCE_S)
        except AssertionError as error:
            logs = "\n".join(f"{node.name}:\n{node.log()[-4000:]}" for node in self.nodes)
            raise AssertionError(f"{error}\n{logs}") from None
        return found


@contextmanager
def running_cluster(network: Network) -> Iterator[tuple[Cluster, dict[str, str]]]:
    """Run etcd and two nodes in folders of their own; yields the cluster and its credentials."""
    folder = create_folder("licet-failover-")
    credentials = {
        "PATRONI_RESTAPI_USERNAME": "patroni",
        "PATRONI_SUPERUSER_USERNAME": "postgres",
        "PATRONI_REPLICATION_USERNAME": "replicator",
        "PATRONI_REWIND_USERNAME": "rewinder",
    }
    for name in list(credentials):
        credentials[name.replace("USERNAME", "PASSWORD")] = secrets.token_hex(16)
    try:
        with _etcd(network, folder) as etcd:
            environment = {**credentials, "PATRONI_ETCD_HOSTS": etcd}
            one, two = (
                Node(network.add(name), environment, _owned(folder / name))
                for name in ("one", "two")
            )
            try:
                one.start()
                two.start()
                yield Cluster((one, two), secrets.token_hex(16)), credentials
            finally:
                one.stop()
                two.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _etcd(network: Network, folder: Path) -> Iterator[str]:
    """Run etcd with one member in the hub; a real one has three, on machines of their own."""
    client, peer = (f"http://{network.hub}:{free_port()}" for _ in range(2))
    with (folder / "etcd.log").open("wb") as log:
        process = subprocess.Popen(
            [
                str(PROGRAMS["etcd"]),
                "--enable-v2",
                *("--data-dir", str(folder / "etcd")),
                *("--listen-client-urls", client, "--advertise-client-urls", client),
                *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
                *("--initial-cluster", f"default={peer}"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        eventually(lambda: _is_healthy(client), "etcd is ready", 60)
        yield client.removeprefix("http://")
    finally:
        process.kill()
        process.wait(30)


def _is_healthy(client: str) -> bool:
    try:
        return httpx.get(f"{client}/health", timeout=2, trust_env=False).is_success
    except httpx.TransportError:
        return False


def _configuration(folder: Path) -> str:
    """Return a copy of deploy/patroni.yml that PostgreSQL's account can read."""
    copy = folder / "patroni.yml"
    copy.write_bytes((ROOT / "deploy" / "patroni.yml").read_bytes())
    copy.chmod(0o644)
    return str(copy)


def _owned(folder: Path) -> Path:
    server_account().create_folder(folder)
    return folder


def _as_account() -> list[str]:
    """Return the command that runs another one as PostgreSQL's account, which is never root."""
    account = server_account()
    if not account.is_other:
        return []
    return ["setpriv", f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
