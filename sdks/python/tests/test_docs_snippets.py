"""Run the Python of the documentation against the fake server, as it stands there."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from licet_snippets import ELSEWHERE, ROOT, SECTIONS, Application, Snippet, snippets

from licet.testing import FakeServer

SNIPPETS = list(snippets())
TELLS = {
    "Borrowed seats",
    "Reserve credits",
    "A file for a hardware ID",
    "Updates",
    "showLatest",
}
"""The sections whose lines show something to the user when all is well."""


@pytest.fixture
def make_application(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Snippet], Application]]:
    server = FakeServer()
    made: list[Application] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "app.py")])
    (tmp_path / "app.py").touch()
    for variable in ("GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(variable, raising=False)
    with server.serve() as base:

        def make(snippet: Snippet) -> Application:
            application = Application(snippet, tmp_path, base, server)
            monkeypatch.setenv("LICENSE_KEY", application.license.key)
            for name, module in application.modules.items():
                monkeypatch.setitem(sys.modules, name, module)
            made.append(application)
            return application

        yield make
        for application in made:
            application.close()


def seats(application: Application) -> int:
    return len(application.license.sessions)


def after_gunicorn(application: Application) -> None:
    application.names["when_ready"](None)
    assert seats(application) == 1
    application.names["on_exit"](None)
    assert seats(application) == 0


def after_lifespan(application: Application) -> None:
    app = SimpleNamespace(state=SimpleNamespace())

    async def serve() -> None:
        async with application.names["lifespan"](app):
            assert app.state.license.seat.held
            assert seats(application) == 1

    asyncio.run(serve())
    assert seats(application) == 0


def after_watch(application: Application) -> None:
    application.names["watch"].close()


def after_celery(application: Application) -> None:
    signals = application.modules["celery.signals"]
    signals.worker_init.send()
    for _ in range(2):
        application.names["render"](3)
    signals.worker_shutdown.send()
    assert application.license.balance == 97
    assert "render_the_frames" in application.names_called()


def after_multiprocessing(application: Application) -> None:
    assert application.names["job"].exitcode == 0
    assert application.license.balance == 97


def after_window(application: Application) -> None:
    application.wait_for("enable_the_menus")
    application.names["client"].close()
    assert seats(application) == 0


def after_qt(application: Application) -> None:
    application.wait_for("enable_the_menus")
    for thread in threading.enumerate():
        if "_open" in thread.name:
            thread.join(60)
    after_window(application)


def after_offline(application: Application) -> None:
    assert application.names["result"].valid


def after_installing(application: Application) -> None:
    assert application.names["install_license"](application.names["chosen"])


def after_webhooks(application: Application) -> None:
    assert application.names["receive"]({"webhook-id": "1"}, b"{}") == 204
    assert "put_into_a_queue" in application.names_called()


AFTER: dict[tuple[str, int], Callable[[Application], None]] = {
    ("docs/servers-and-workers.md", 2): after_gunicorn,
    ("docs/servers-and-workers.md", 3): after_lifespan,
    ("docs/servers-and-workers.md", 4): after_watch,
    ("docs/servers-and-workers.md", 5): after_celery,
    ("docs/servers-and-workers.md", 6): after_multiprocessing,
    ("docs/user-interfaces.md", 1): after_window,
    ("docs/user-interfaces.md", 2): after_qt,
    ("docs/offline.md", 6): after_offline,
    ("docs/packaging.md", 2): after_installing,
    ("docs/webhooks.md", 1): after_webhooks,
}
"""What to do with what the lines define, by page and number."""


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[snippet.name for snippet in SNIPPETS])
def test_the_lines_run(
    snippet: Snippet, make_application: Callable[[Snippet], Application]
) -> None:
    if snippet.heading == "multiprocessing" and os.name != "posix":
        pytest.skip("only POSIX can fork")
    application = make_application(snippet)
    application.run(snippet)
    if after := AFTER.get((snippet.page, snippet.number)):
        after(application)
    called = application.names_called()
    assert ("run_the_application" in called) == ("run_the_application(" in snippet.code)
    assert "show_to_user" not in called or snippet.heading in TELLS


def test_what_is_said_about_the_pages_is_true() -> None:
    assert len(SNIPPETS) >= 30
    assert set(SECTIONS) <= {snippet.heading for snippet in SNIPPETS}
    known = {(snippet.page, snippet.number) for snippet in SNIPPETS}
    assert set(AFTER) <= known
    assert all((ROOT / page).is_file() for page in ELSEWHERE)
