"""Every page of the dashboard stands on each screen: whole, in its room, and open to everybody."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dashboard.checks import ALL, LIGHT, PHONE
from dashboard.conftest import NewPage, signed_in, start_service
from dashboard.declared import declared, pattern_of
from dashboard.steady_day import SteadyDay
from dashboard.walk import (
    OF_EACH_KIND,
    STOPS,
    VISITOR,
    Stop,
    World,
    make_world,
    screens_for,
    visit,
)
from e2e.process import Service
from webhooks.receiver import receiving_in_a_thread


@pytest.fixture(scope="session")
def day() -> SteadyDay:
    return SteadyDay.begin()


@pytest.fixture(scope="session")
def service(new_database: Callable[[], str], day: SteadyDay) -> Iterator[Service]:
    """One for each process of tests: to start and furnish it takes longer than a page."""
    shared = start_service(new_database(), main=day.command_line)
    yield shared
    shared.remove()


@pytest.fixture(scope="session")
def world(service: Service, day: SteadyDay) -> Iterator[World]:
    with receiving_in_a_thread() as receiver, service.sign_in() as owner:
        with day.here():
            made = make_world(owner, receiver.url)
        yield made


@pytest.mark.parametrize("stop", STOPS, ids=[stop.name for stop in STOPS])
def test_a_page_stands(stop: Stop, world: World, day: SteadyDay, new_page: NewPage) -> None:
    page = day.on(new_page())
    if stop.who != VISITOR:
        signed_in(page, world.people[stop.who].email)
    visit(page, stop, world)


def test_one_page_of_each_kind_is_seen_on_all_screens() -> None:
    by_name = {stop.name: stop for stop in STOPS}
    assert by_name.keys() >= OF_EACH_KIND
    for name, stop in by_name.items():
        screens = screens_for(stop)
        assert {screen.theme for screen in screens} == {"light", "dark"}
        assert {screen.width for screen in screens} == {LIGHT.width, PHONE.width}
        assert name not in OF_EACH_KIND or screens == ALL


def test_the_walk_leads_to_every_page() -> None:
    pages = declared()
    left_out = pages - {pattern_of(stop.address, pages) for stop in STOPS}
    assert not left_out, f"a stop in walk.py is missing for {', '.join(sorted(left_out))}"


def test_a_new_page_and_a_new_tab_are_missed(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    routes = '["/licenses/:licenseId/*", lazy(() => a)],\n["/licenses/drafts", lazy(() => b)],'
    (tmp_path / "app/routes.tsx").write_text(routes)
    tabs = '<RouteTabs base={`/licenses/${id}`} tabs={[{ path: "" }, { path: "notes" }]} />'
    (tmp_path / "LicensePage.tsx").write_text(tabs)
    pages = declared(tmp_path)
    assert pages == {"/", "/login", "/licenses/:", "/licenses/:/notes", "/licenses/drafts"}
    assert pattern_of("/licenses/drafts", pages) == "/licenses/drafts"
    assert pattern_of("/licenses/{Trial}?page=2", pages) == "/licenses/:"
    assert pattern_of("/licenses/{Trial}/events", pages) is None
