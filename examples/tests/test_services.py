from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from examples.tests.kit import REASONS, Copy, Running

Start = Callable[..., Running]
PATIENCE_S = 120

# Both look at the license again every ten minutes; here without a pause.
IMPATIENT = "import datetime, licensing; licensing.CHECK_EVERY = datetime.timedelta(seconds=0.1)\n"
FASTAPI = "import uvicorn; uvicorn.run('service:app', port=0)"
DJANGO = (
    "from django.core.management import execute_from_command_line as run\n"
    "run(['django', 'runserver', '--noreload', '0'])"
)


class Service:
    """A service that runs, and a client of it."""

    def __init__(self, running: Running) -> None:
        address = re.search(r"http://127\.0\.0\.1:\d+", running.wait_for("http://127.0.0.1:"))
        assert address is not None
        self.http = httpx.Client(base_url=address[0], trust_env=False, timeout=PATIENCE_S)

    def status(self, path: str, **given: Any) -> int:
        return self.response(path, **given).status_code

    def response(self, path: str, **given: Any) -> httpx.Response:
        method = "POST" if "json" in given else "GET"
        return self.http.request(method, path, **given)


def until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends, "that takes too long"
        time.sleep(0.05)


@pytest.fixture
def fastapi(copy: Callable[..., Copy]) -> Copy:
    pytest.importorskip("fastapi", reason="`make .venv/examples.stamp` installs FastAPI")
    return copy("fastapi-service")


@pytest.fixture
def django(copy: Callable[..., Copy]) -> Copy:
    pytest.importorskip("django", reason="`make .venv/examples.stamp` installs Django")
    made = copy("django-service")
    made.more_environment["DJANGO_SETTINGS_MODULE"] = "settings"
    return made


@pytest.fixture(params=["fastapi", "django"])
def service(request: pytest.FixtureRequest) -> Copy:
    found: Copy = request.getfixturevalue(request.param)
    return found


def command(service: Copy) -> tuple[str, ...]:
    """As the README says it."""
    if service.folder.name == "fastapi-service":
        return (sys.executable, "-m", "uvicorn", "service:app", "--port", "0")
    return (sys.executable, "-m", "django", "runserver", "--noreload", "0")


def test_fastapi_serves_what_the_license_grants(fastapi: Copy, start: Start) -> None:
    service = Service(start(fastapi, *command(fastapi)))
    assert service.response("/slugs/Winter is coming").json() == "winter-is-coming"
    assert service.response("/slugs", json=["A B", "C"]).json() == ["a-b", "c"]


def test_django_serves_what_the_license_grants(django: Copy, start: Start) -> None:
    service = Service(start(django, *command(django)))
    assert service.response("/minutes?text=a b").json() == {"minutes": 0.01}
    assert service.response("/words?text=a b A").json() == {"a": 2, "b": 1}


def test_what_the_license_does_not_grant_is_refused(
    copy: Callable[..., Copy], service: Copy, start: Start
) -> None:
    plain = copy(service.folder.name, features=[])
    plain.more_environment.update(service.more_environment)
    running = Service(start(plain, *command(plain)))
    if plain.folder.name == "fastapi-service":
        assert running.status("/slugs/A") == 200
        assert running.status("/slugs", json=["A"]) == 403
    else:
        assert running.status("/minutes") == 200
        assert running.status("/words") == 403


def test_fastapi_notices_a_revocation(fastapi: Copy, start: Start) -> None:
    service = Service(start(fastapi, sys.executable, "-c", IMPATIENT + FASTAPI))
    assert service.status("/slugs", json=[]) == 200
    fastapi.act("revoke")
    until(lambda: service.status("/slugs", json=[]) == 403)
    assert "revoked" in service.response("/slugs", json=[]).json()["detail"]
    assert service.status("/slugs/A") == 200


def test_django_notices_a_suspension_and_its_end(django: Copy, start: Start) -> None:
    service = Service(start(django, sys.executable, "-c", IMPATIENT + DJANGO))
    assert service.status("/minutes") == 200
    django.act("suspend")
    until(lambda: service.status("/minutes") == 403)
    assert "suspended" in service.response("/minutes").text
    django.act("reinstate")
    until(lambda: service.status("/minutes") == 200)


@pytest.mark.parametrize("reason", REASONS)
def test_a_service_does_not_start_without_a_license(
    service: Copy, start: Start, reason: str
) -> None:
    told = service.refuse(reason)
    running = start(service, *command(service))
    running.wait_for(told)
    assert running.process.wait(PATIENCE_S) != 0


def test_commands_of_django_need_no_license(django: Copy) -> None:
    django.refuse("missing")
    assert "no issues" in django.run(sys.executable, "-m", "django", "check")
