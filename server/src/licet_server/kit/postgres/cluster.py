"""The embedded database, as the service and its commands use it.

One process runs the server of a data folder. Others with the same folder attach to it, and one of
them takes over when the first ends. Code inside the `with` block works the same in all of them.
"""

import contextlib
import json
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account, owner_of, server_account
from licet_server.kit.postgres.binaries import Binaries, find_binaries
from licet_server.kit.postgres.errors import InUse, PostgresError, StartFailed, VersionMismatch
from licet_server.kit.postgres.initialize import (
    ADMIN_ROLE,
    DATABASE,
    SERVICE_ROLE,
    cluster_version,
    create_cluster,
    create_password,
    provision,
    read_password,
)
from licet_server.kit.postgres.layout import (
    DataDir,
    rename_durably,
    socket_folder,
    sync_folder,
    write_durably,
)
from licet_server.kit.postgres.loading import create_database, drop_database
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import ServerCommand, running_server, wait_until
from licet_server.kit.postgres.programs import query
from licet_server.kit.postgres.relocation import reachable_binaries
from licet_server.kit.postgres.settings import RunningServer, WalArchiver, server_settings
from licet_server.kit.postgres.supervisor import Successor, Supervisor


def begin_swap(data: DataDir, *, cluster: Path, new: Path, keep_as: Path) -> None:
    """Record that `cluster` will become `keep_as`, and `new` will become `cluster`."""
    journal = {"cluster": str(cluster), "new": str(new), "keep_as": str(keep_as)}
    write_durably(data.swap_file, json.dumps(journal) + "\n")


def finish_swap(data: DataDir, log: Callable[[str], None]) -> None:
    """Complete the recorded swap, if any. Only the holder of the lock may call this."""
    try:
        journal = json.loads(data.swap_file.read_text())
    except FileNotFoundError:
        return
    cluster, new, keep_as = (Path(journal[name]) for name in ("cluster", "new", "keep_as"))
    if new.exists():
        if not keep_as.exists():
            rename_durably(cluster, keep_as)
        rename_durably(new, cluster)
    data.swap_file.unlink()
    sync_folder(data.path)
    log(f"The upgraded database is in place; the old one is kept in {keep_as}.")


STATE_DIR = Path("/var/lib/licet")
"""Where root puts files that the server's account could not reach otherwise."""


class EmbeddedPostgres:
    """PostgreSQL on a data folder, ready inside the `with` block.

    The first start creates the cluster. A server that dies is restarted. `log` receives messages
    for the operator. `fsync=False` risks data loss in a power failure and is for tests only.
    `settings` override our defaults for postgresql.conf. `state_dir` is used only by root, if the
    server's account cannot enter `data_dir` or the folder of the programs. `user` is the account
    of a new cluster, if this is root. `archiver` archives the WAL while this process runs the
    server.

    Entering raises `VersionMismatch`, or another `PostgresError` whose message says what to do.
    """

    def __init__(
        self,
        data_dir: Path | str,
        *,
        log: Callable[[str], None],
        fsync: bool = True,
        settings: Mapping[str, str] | None = None,
        binaries: Binaries | None = None,
        state_dir: Path = STATE_DIR,
        start_timeout: float = 60.0,
        user: str | None = None,
        archiver: WalArchiver | None = None,
    ) -> None:
        self._data = DataDir(Path(data_dir).resolve())
        self._log = log
        self._fsync = fsync
        self._settings = server_settings(fsync=fsync, overrides=settings or {})
        self._wanted_binaries = binaries
        self._state_dir = state_dir
        self._start_timeout = start_timeout
        self._user = user
        self._archiver = archiver
        self._lock = FileLock(self._data.lock_file)
        self._cluster_lock = contextlib.ExitStack()
        self._successor: Successor | None = None
        self._supervisor: Supervisor | None = None
        self._binaries: Binaries | None = None
        self._admin: Address | None = None
        self._address: Address | None = None
        self._account: str | None = None

    def __enter__(self) -> Self:
        self._data.create()
        if not wait_until(self._start_or_attach, self._start_timeout, pause=0.02):
            raise StartFailed(
                f"{self._lock.holder()} holds {self._lock.path}, but its database was not ready "
                f"within {self._start_timeout:g} s. Check that process, or stop it."
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._successor is not None:
            self._successor.stop()
            self._successor = None
        if self._supervisor is not None:
            self._stop(self._supervisor)
            self._supervisor = None
        self._release()
        self._admin = self._address = None

    @property
    def attached(self) -> bool:
        """Whether another process runs the server."""
        return self._supervisor is None

    @property
    def server_pid(self) -> int | None:
        """The process ID of the server started here; None while attached or restarting."""
        return None if self._supervisor is None else self._supervisor.pid

    @property
    def account(self) -> str | None:
        """The name of the user who runs the server started here; None while attached."""
        return self._account

    @property
    def binaries(self) -> Binaries:
        """PostgreSQL's programs, runnable by this process."""
        if self._binaries is None:
            self._binaries = self._wanted_binaries or find_binaries()
        return self._binaries

    @property
    def admin(self) -> Address:
        """The superuser's address of the maintenance database, for backup and restore."""
        return _opened(self._admin)

    @property
    def address(self) -> Address:
        """The address of the service's database with its own role."""
        return _opened(self._address)

    @property
    def url(self) -> str:
        """The URL of the service's database for SQLAlchemy with asyncpg."""
        return self.address.url

    def wait_ready(self, timeout: float) -> bool:
        """Wait until the server accepts connections, for example after a restart."""
        if self._supervisor is not None:
            return self._supervisor.wait_ready(timeout)
        return wait_until(lambda: _accepts_connections(self.admin), timeout, pause=0.05)

    def create_database(self, name: str, *, template: str | None = None) -> Address:
        """Create another database owned by the service's role, and return its address."""
        create_database(self.binaries, self.admin, name, owner=SERVICE_ROLE, template=template)
        return self.address.of_database(name)

    def drop_database(self, name: str) -> None:
        """Drop a database and end its connections; does nothing if it does not exist."""
        drop_database(self.binaries, self.admin, name)

    def _start_or_attach(self) -> bool:
        if self._lock.try_acquire():
            try:
                self._run()
            except BaseException:
                self._release()
                raise
            return True
        return self._attach()

    def _attach(self) -> bool:
        # A server that accepts connections may not have the service's database yet.
        if not self._lock.holder_is_ready():
            return False
        cluster = self._data.find_cluster()
        if cluster is None:
            return False
        server = running_server(cluster)
        if server is None or server.sockets is None or not server.is_ready:
            return False
        admin = self._admin_at(server.sockets, read_password(self._data.password_file))
        if not _accepts_connections(admin):
            return False
        self._open(admin, read_password(self._data.service_password_file))
        self._prepare_succession(cluster, server.sockets)
        return True

    def _prepare_succession(self, cluster: Path, sockets: Path) -> None:
        """Prepare to run the server when its process ends, with all that only root may open."""
        try:
            account = owner_of(cluster)
            command = self._command(cluster, account, sockets)
            lock = self._data.cluster_lock(cluster)
            if isinstance(lock, FileLock):
                lock.open()
        except (PostgresError, OSError) as error:
            self._log(f"If the database's process ends, this one cannot take over. {error}")
            return

        def take_over() -> None:
            _require_version(cluster, command.binaries)
            if self._data.swap_file.exists():
                raise InUse("An upgrade of the database was not completed. Start it again.")
            if socket_folder(cluster, account) != sockets:
                raise StartFailed(f"The folder {sockets} of the database's socket is gone.")
            self._lock_cluster(lock)
            try:
                self._supervisor = self._supervise(command, self.admin)
            except BaseException:
                self._cluster_lock.close()
                raise
            self._account = account.name
            self._lock.announce_ready()

        self._successor = Successor(self._lock, take_over, self._log)
        self._successor.start()

    def _command(self, cluster: Path, account: Account, sockets: Path) -> ServerCommand:
        binaries = self._wanted_binaries or find_binaries()
        _require_version(cluster, binaries)
        programs = self._reachable(binaries, account)
        settings = self._settings
        if self._archiver is not None:
            settings = {**settings, **self._archiver.server_settings(cluster, account)}
        return ServerCommand(programs, cluster, sockets, account, settings)

    def _reachable(self, binaries: Binaries, account: Account) -> Binaries:
        self._binaries, copied = reachable_binaries(binaries, account, self._state_dir)
        if copied:
            self._log(f"PostgreSQL's programs were copied to {self._binaries.folder}.")
        return self._binaries

    def _supervise(self, command: ServerCommand, admin: Address) -> Supervisor:
        supervisor = Supervisor(command, self._log, self._start_timeout)
        supervisor.start()
        try:
            self._begin_archiving(command, admin)
        except BaseException:
            supervisor.stop()
            raise
        return supervisor

    def _begin_archiving(self, command: ServerCommand, admin: Address) -> None:
        if self._archiver is not None:
            sql = "SELECT system_identifier FROM pg_control_system();"
            [[system]] = query(command.binaries, admin, sql)
            self._archiver.begin(RunningServer(command, admin, system))

    def _stop(self, supervisor: Supervisor) -> None:
        if self._archiver is not None:
            self._archiver.interrupt()
        supervisor.stop()
        if self._archiver is not None:
            self._archiver.finish()

    def _run(self) -> None:
        finish_swap(self._data, self._log)
        binaries = self._wanted_binaries or find_binaries()
        cluster = self._data.find_cluster()
        if cluster is not None:
            _require_version(cluster, binaries)
        account = owner_of(cluster) if cluster is not None else server_account(self._user)
        self._account = account.name
        if cluster is None:
            cluster = self._create(binaries, account)
        password = read_password(self._data.password_file)
        self._lock_cluster(self._data.cluster_lock(cluster))
        sockets = socket_folder(cluster, account)
        command = self._command(cluster, account, sockets)
        admin = self._admin_at(sockets, password)
        supervisor = self._supervise(command, admin)
        try:
            service_password = create_password(self._data.service_password_file)
            provision(command.binaries, admin, service_password)
        except BaseException:
            self._stop(supervisor)
            raise
        self._supervisor = supervisor
        self._open(admin, service_password)
        self._lock.announce_ready()
        self._log(f"The database is in {cluster} and runs as {account.name}.")

    def _create(self, binaries: Binaries, account: Account) -> Path:
        cluster = self._data.new_cluster_path(account, self._state_dir)
        password = create_password(self._data.password_file)
        programs = self._reachable(binaries, account)
        create_cluster(programs, account, cluster, password, fsync=self._fsync)
        self._data.record(cluster)
        return cluster

    def _lock_cluster(self, lock: contextlib.AbstractContextManager[object]) -> None:
        try:
            self._cluster_lock.enter_context(lock)
        except InUse as error:
            raise InUse(
                f"{error} {self._data.path} may be a copy of another data folder. To copy a "
                "database, use backup and restore."
            ) from error

    def _open(self, admin: Address, service_password: str) -> None:
        self._admin = admin
        self._address = Address(admin.host, SERVICE_ROLE, service_password, DATABASE, admin.port)

    def _release(self) -> None:
        self._cluster_lock.close()
        self._lock.release()

    @staticmethod
    def _admin_at(sockets: Path, password: str) -> Address:
        return Address(str(sockets), ADMIN_ROLE, password, "postgres")


def _require_version(cluster: Path, binaries: Binaries) -> None:
    version = cluster_version(cluster)
    if version != binaries.major:
        raise VersionMismatch(cluster=version, binaries=binaries.major)


def _opened(address: Address | None) -> Address:
    if address is None:
        raise RuntimeError("the embedded database is used outside its `with` block")
    return address


def _accepts_connections(address: Address) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
        try:
            probe.connect(str(address.socket))
        except OSError:
            return False
    return True


@contextlib.contextmanager
def temporary_postgres(
    log: Callable[[str], None] = lambda _: None, *, settings: dict[str, str] | None = None
) -> Iterator[EmbeddedPostgres]:
    """Run an empty embedded database without fsync."""
    folder = Path(tempfile.mkdtemp(prefix="licet-pg-"))
    try:
        # If this is root, the server's account must be able to traverse the folder.
        folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        with EmbeddedPostgres(folder, log=log, fsync=False, settings=settings) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)
