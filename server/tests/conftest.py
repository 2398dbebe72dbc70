"""Real parts for every test: one PostgreSQL for the run, one application for each set of settings.

Nothing here imports the service until a fixture needs it: a test of a rule starts without.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import durations
import hypothesis
import longest_first
import on_citus
import on_partitions
import outside_programs
import pytest
import quick
import spread_rules
import volumes
from dashboard import totals
from volumes import is_long

if TYPE_CHECKING:
    import httpx
    from applications import AnotherServer, Applications, ApplicationWith
    from shared_postgres import Host, SharedPostgres
    from statement_log import StatementLog
    from testkit import FakeClock, FastPasswords, Owner

    from licet_server.app import Application
    from licet_server.kit.platform import Platform

if TYPE_CHECKING:
    from world import World

pytest.register_assert_rewrite("client_scenarios")

_EXAMPLES = {"short": 20, "long": 200}
for _name, _examples in _EXAMPLES.items():
    hypothesis.settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        print_blob=True,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile("long" if is_long() else "short")

_HOST: pytest.StashKey[Host | None] = pytest.StashKey()
_FOLDER = "shared_postgres"
_SECONDS = "longest_first"


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Start the database server of the run with the first worker, and tell each where it is."""
    node.workerinput[_SECONDS] = longest_first.known(node.config)
    if on_citus.is_on():
        return
    from shared_postgres import Host

    host = node.config.stash.get(_HOST, None)
    if host is None:
        host = Host(_kept(node.config), on_partitions.schema_of(node.config))
        node.config.stash[_HOST] = host
    node.workerinput[_FOLDER] = str(host.folder)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--long"):
        os.environ[volumes.VARIABLE] = "long"  # read by modules of tests, and by what they start
    on_partitions.configure(config)
    on_citus.configure(config)
    config.pluginmanager.register(outside_programs)


def pytest_unconfigure(config: pytest.Config) -> None:
    if (host := config.stash.get(_HOST, None)) is not None:
        host.stop()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out what is slow, browsers and processes; one case of each test, and one test "
        "of each file that needs a database",
    )
    parser.addoption(
        "--first-cases", action="store_true", help="run one case of each test with several"
    )
    parser.addoption("--long", action="store_true", help="run tests in their long form")
    on_partitions.add_options(parser)
    outside_programs.add_option(parser)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    ignored = config.getoption("--quick") and quick.has_processes(collection_path)
    return True if ignored else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        _keep(config, items, quick.choose(items, longest_first.checked_in()))
    if config.getoption("--first-cases"):
        _keep(config, items, quick.first_cases(items))
    if not volumes.is_long():
        _keep(config, items, [item for item in items if not item.get_closest_marker("long")])
    on_partitions.leave_out(config, items)
    on_citus.leave_out(config, items)
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    items[:] = longest_first.ordered(items, worker.get(_SECONDS) or longest_first.known(config))


def _keep(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept


def pytest_collection_finish() -> None:
    """What is imported stays; to look through it for garbage again and again is wasted work."""
    from licet_server.kit.process import exempt_heap

    exempt_heap()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell what the browser tests of all processes have found, and which tests took long."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    if (found := totals.add_up(reports))["tests"]:
        terminalreporter.write_line(totals.describe(found))
    for line in outside_programs.describe(reports):
        terminalreporter.write_line(line)
    for line in (*on_partitions.describe(config, reports), *on_citus.describe(config, reports)):
        terminalreporter.write_line(line)
    seconds = durations.add_up(reports)
    longest_first.remember(config, seconds)
    budget_s = quick.TOLD_S if config.getoption("--quick") else durations.BUDGET_S
    for line in durations.describe(durations.over_budget(seconds, budget_s), budget_s):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def statement_log(request: pytest.FixtureRequest) -> Iterator[StatementLog | None]:
    """With --partitions, what the service sends to the database; otherwise nothing."""
    with on_partitions.logged(request.config) as log:
        yield log


@pytest.fixture(autouse=True)
def _statements_stay_within_partitions(
    request: pytest.FixtureRequest, statement_log: StatementLog | None
) -> Iterator[None]:
    spread_rules.faults.clear()
    yield
    if spread_rules.faults:
        pytest.fail("\n".join(spread_rules.faults), pytrace=False)
    if on_citus.is_on():
        on_citus.tell(request)
    if statement_log is not None:
        from statement_log import PROPERTY

        fresh = statement_log.take_fresh()
        request.node.user_properties.append((PROPERTY, fresh))
        on_partitions.require_known(fresh)


@pytest.fixture(scope="session")
def service_process() -> Iterator[None]:
    """Prepare this process to be one of the service: its logs, and keys that take no time."""
    from recycled_keys import recycling

    from licet_server.kit.logs import configure_logs

    configure_logs()
    spread_rules.check()
    with recycling():
        yield


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest, service_process: None) -> Iterator[SharedPostgres]:
    """The database server, which all processes of the run share."""
    from shared_postgres import alone, attached

    worker: dict[str, str] = getattr(request.config, "workerinput", {})
    if on_citus.is_on():
        server: Any = on_citus.server(worker.get("workerid", "main"))
    elif folder := worker.get(_FOLDER):
        server = attached(Path(folder), worker["workerid"])
    else:
        server = alone(_kept(request.config), on_partitions.schema_of(request.config))
    with server as shared:
        yield shared


def _kept(config: pytest.Config) -> Path | None:
    """Return the folder in pytest's cache where runs leave a migrated cluster for others."""
    cache: pytest.Cache | None = getattr(config, "cache", None)
    return cache.mkdir("licet-clusters") if cache is not None else None


@pytest.fixture(scope="session")
def new_database(postgres: SharedPostgres) -> Callable[[], str]:
    """Create a migrated database without a row in it, and return its URL."""
    from shared_postgres import TEMPLATE
    from testkit import numbers

    return lambda: postgres.create_database(f"test_{next(numbers)}", template=TEMPLATE).url


@pytest.fixture(scope="session")
def seed(postgres: SharedPostgres, request: pytest.FixtureRequest) -> Path:
    """A data folder whose embedded database is migrated and stopped: a start takes no time for it.

    All processes of the run share it.
    """
    import kept_cluster

    folder = postgres.folder / "seed"
    with (postgres.folder / "seed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            partial = postgres.folder / "seed.partial"
            partial.mkdir()
            partial.chmod(postgres.folder.stat().st_mode)
            kept_cluster.provide(partial, _kept(request.config))
            partial.rename(folder)
    return folder


@pytest.fixture(scope="session")
def fast_passwords() -> FastPasswords:
    from testkit import FastPasswords

    return FastPasswords()


@pytest.fixture(scope="session")
def shared_clock() -> FakeClock:
    from testkit import FakeClock

    return FakeClock()


@pytest.fixture
def clock(shared_clock: FakeClock) -> FakeClock:
    """The clock of the application, set back to its start."""
    shared_clock.now = shared_clock.START
    return shared_clock


@pytest.fixture(scope="session")
async def started(
    new_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    shared_clock: FakeClock,
    fast_passwords: FastPasswords,
) -> AsyncIterator[Applications]:
    """The applications that all tests of this process share."""
    from applications import Applications

    applications = Applications(new_database, tmp_path_factory, shared_clock, fast_passwords)
    yield applications
    await applications.stop()


@pytest.fixture(scope="session")
def application_with(started: Applications) -> ApplicationWith:
    """Get the application with some settings, which all tests of this process share."""
    return started.get


@pytest.fixture
def another_server(
    started: Applications, application: Application, clock: FakeClock
) -> AnotherServer:
    """Get a second server on the database of the application, which shares nothing else with it."""
    return partial(started.twin_of, application)


@pytest.fixture(scope="module")
async def module_application(
    new_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    shared_clock: FakeClock,
    fast_passwords: FastPasswords,
) -> AsyncIterator[Application]:
    """An application on a database of its own, for the tests of one module."""
    from testkit import running, settings_for

    settings = settings_for(new_database(), tmp_path_factory.mktemp("data"))
    async with running(settings, shared_clock, fast_passwords) as app:
        yield app


@pytest.fixture(scope="session")
async def shared_application(application_with: ApplicationWith) -> Application:
    return await application_with()


@pytest.fixture
def application(shared_application: Application, clock: FakeClock) -> Application:
    """The real application, which the tests of this process share; each has its own tenant."""
    return shared_application


@pytest.fixture
async def fresh_application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """The real application on a database without a row, in which nobody has signed up."""
    from applications import emptied

    return await emptied(await application_with("fresh"))


@pytest.fixture
async def breakable_application(
    new_database: Callable[[], str],
    tmp_path: Path,
    clock: FakeClock,
    fast_passwords: FastPasswords,
) -> AsyncIterator[Application]:
    """The real application on a database that no other test uses, so that a test may break it."""
    from testkit import running, settings_for

    async with running(settings_for(new_database(), tmp_path), clock, fast_passwords) as app:
        yield app


@pytest.fixture
async def client(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    from testkit import client_of, numbers

    number = next(numbers)
    async with client_of(application, f"10.0.{number // 250}.{number % 250 + 1}") as client:
        yield client


@pytest.fixture
def platform(application: Application) -> Platform:
    return application.platform


@pytest.fixture
def new_owner(
    platform: Platform, client: httpx.AsyncClient, fast_passwords: FastPasswords
) -> Callable[..., Any]:
    """Makes an Owner of a fresh institution, who is no system Admin."""
    from testkit import PASSWORD, Owner, numbers

    from licet_server.identity.service.users import create_user
    from licet_server.institutions.service.institutions import create_institution_with_owner
    from licet_server.kit.origin import Origin

    async def make(name: str = "Owner") -> Owner:
        email = f"owner{next(numbers)}@{platform.settings.data_dir.name}.example.com"
        async with platform.unit_of_work(Origin()) as work:
            user = await create_user(
                work,
                email=email,
                full_name=name,
                password_hash=await fast_passwords.hash(PASSWORD),
                is_system_admin=False,
                verified=True,
            )
        async with platform.unit_of_work(Origin("User", user.id, email)) as work:
            made = await create_institution_with_owner(
                work, owner_id=user.id, name=f"Institution of {email}"
            )
        body = {"email": email, "password": PASSWORD}
        session = (await client.post("/api/auth/login", json=body)).raise_for_status().json()
        return Owner(client, session["accessToken"], str(made.id), str(user.id), email)

    return make


@pytest.fixture
async def owner(new_owner: Callable[..., Any]) -> Owner:
    return await new_owner()


@pytest.fixture
async def world(owner: Owner, platform: Platform, clock: FakeClock) -> World:
    """A vendor with a product, the service, and its clock."""
    from world import World

    return await World.of(owner, platform, clock)


@pytest.fixture
async def stranger(new_owner: Callable[..., Any]) -> Owner:
    """An Owner of another institution."""
    return await new_owner("Stranger")


@pytest.fixture
async def admin(new_owner: Callable[..., Any], platform: Platform) -> Owner:
    """Somebody who looks after the whole instance."""
    from sqlalchemy import text

    user: Owner = await new_owner("Admin")
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET is_system_admin = true WHERE email = :email"),
            {"email": user.email},
        )
    return user
