"""A real browser before the running service.

    def test_a_license_is_revoked(owner_page: Page, workspace: Workspace) -> None:
        made = workspace.issue("Trial")
        owner_page.goto(f"/licenses/{made['id']}")
        ...
        examine(owner_page, "license-revoked")

Fixtures: `service` (one for each process of tests, with the dashboard built), `owner_account` (the
Owner of an institution that the tests of a module have for themselves, also a system Admin),
`owner` (their HTTP client), `workspace` (their product and its applications; see vendor.py),
`person` (an Admin), `receiver` (takes the service's webhooks), `page` (a visitor), `owner_page`
(the Owner, signed in), `new_page(screen)` (more visitors, each without the others' cookies;
`signed_in(page, email, password)` makes one a member of the team). A module that looks at the
whole instance, or needs other settings, has a `service` of its own.

`page.goto` loads the dashboard; `go(page, address)` of moving.py stays in it, as a link does, which
costs half as much. The walk loads every address.

Every page is watched: an error in the console, an uncaught one, a violation of the content
security policy, and an answer of 400 or more that was not announced (`with expecting(page, 409):`)
fail the test at its end. From checks.py: `axe`, `fits`, `look`, and `examine`, which is all three.
SCREENSHOTS=folder keeps the pictures, also of failures.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import httpx
import pytest
from dashboard.accounts import new_owner
from dashboard.browser import Chromium
from dashboard.checks import LIGHT, Screen, look, opened_on
from dashboard.ports import steady_port
from dashboard.totals import PROPERTY
from dashboard.vendor import Person, Workspace, open_workspace
from dashboard.visitors import Visitor, Visitors
from dashboard.watching import Watch
from e2e.forked import quick_command_line
from e2e.process import ADMIN, PASSWORD, Service
from playwright.sync_api import Error, Page
from webhooks.receiver import Receiver, receiving_in_a_thread

import licet_server

NewPage = Callable[..., Page]
_WATCHES = pytest.StashKey[list[Watch]]()
_PASSED = pytest.StashKey[bool]()


PATIENCE_S = 600
"""For a test: the first of a module starts a service, and a busy machine draws pages slowly."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(PATIENCE_S))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test is over when its pages had nothing to complain of."""
    watches = item.stash.setdefault(_WATCHES, [])
    try:
        result = yield
    except BaseException:
        _tell_of_failure(item, watches)
        raise
    finally:
        if watches:
            totals: Counter[str] = sum((watch.totals() for watch in watches), Counter())
            item.user_properties.append((PROPERTY, dict(totals)))
    for watch in watches:
        watch.check()
    item.stash[_PASSED] = True
    return result


def _tell_of_failure(item: pytest.Item, watches: list[Watch]) -> None:
    pages = [page for watch in watches for page in watch.pages()]
    faults = [f"{fault.kind}: {fault.text}" for watch in watches for fault in watch.faults()]
    told = [f"at {page.url}" for page in pages] + faults
    item.add_report_section("call", "browser", "\n".join(told))
    for number, page in enumerate(pages):
        try:
            look(page, f"failed-{item.name}-{number}")
        except Error:
            continue  # the test's own failure is what counts


@pytest.fixture(scope="session")
def shared_chromium() -> Iterator[Chromium]:
    started = Chromium.start()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def visitors(shared_chromium: Chromium) -> Visitors:
    return Visitors(shared_chromium)


@pytest.fixture(scope="module", autouse=True)
def chromium(shared_chromium: Chromium) -> Iterator[Chromium]:
    """The browser of this process, for the tests of one module."""
    with shared_chromium.lent() as lent:
        yield lent


def start_service(database: str, main: Callable[..., None] = quick_command_line) -> Service:
    """A service with the built dashboard, an Owner, and webhooks to this machine."""
    built = Path(licet_server.__file__).parent / "_dashboard/index.html"
    if not built.is_file():
        pytest.fail("The dashboard is not built: run `make dashboard`.", pytrace=False)
    variables = {**ADMIN, "DATABASE_URL": database, "LICET_WEBHOOKS_ALLOW_PRIVATE": "true"}
    service = Service(variables, main=main)
    service.port = steady_port()
    try:
        service.start()
    except BaseException:
        service.remove()
        raise
    return service


@pytest.fixture(scope="session")
def shared_service(new_database: Callable[[], str]) -> Iterator[Service]:
    """A running service, which the modules of this process share."""
    shared = start_service(new_database())
    yield shared
    shared.remove()


@pytest.fixture(scope="module")
def service(shared_service: Service) -> Service:
    return shared_service


@pytest.fixture(scope="module")
def owner_account(service: Service) -> Person:
    """The Owner of the institution in which the tests of a module work; also a system Admin."""
    return new_owner(service)


@pytest.fixture(scope="module")
def owner(service: Service, owner_account: Person) -> Iterator[httpx.Client]:
    """The client of the Owner."""
    with service.sign_in(owner_account.email) as client:
        yield client


@pytest.fixture
def workspace(owner: httpx.Client) -> Workspace:
    """A product of the test's own."""
    return open_workspace(owner)


@pytest.fixture
def person(workspace: Workspace) -> Person:
    """An Admin of the institution, with an account of their own and a verified address."""
    made = workspace.member("Admin")
    workspace.vouch(made)
    return made


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Takes webhooks at `receiver.url`, and answers as `receiver.says` tells it."""
    with receiving_in_a_thread() as made:
        yield made


@pytest.fixture
def new_page(
    request: pytest.FixtureRequest, chromium: Chromium, visitors: Visitors, service: Service
) -> Iterator[NewPage]:
    """Makes a page of a visitor of its own, on a screen; it is watched."""
    lent: list[Visitor] = []
    watches = request.node.stash.setdefault(_WATCHES, [])

    def make(screen: Screen = LIGHT, **options: object) -> Page:
        visitor = visitors.lend(service.address, screen, **options)
        lent.append(visitor)
        watches.append(visitor.watch)
        return opened_on(screen, visitor.open_page())

    yield make
    for visitor in lent:
        if request.node.stash.get(_PASSED, False):
            visitors.take_back(visitor)
        else:
            visitor.context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page of somebody who is not signed in."""
    return new_page()


@pytest.fixture
def owner_page(page: Page, owner_account: Person) -> Page:
    """A page of the Owner, who is signed in when the page opens."""
    return signed_in(page, owner_account.email)


def signed_in(page: Page, email: str, password: str = PASSWORD) -> Page:
    """Let the page's visitor hold the cookie of a session, without the sign-in page."""
    body = {"email": email, "password": password}
    answer = page.context.request.post("/api/auth/login", data=body)
    assert answer.ok, f"{email}: {answer.status} {answer.text()}"
    return page
