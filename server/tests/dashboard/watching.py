"""What a browser complains of while a test uses it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    Route,
    WebError,
)

NO_ANSWER = 0
"""In the place of a status: the request failed on its way."""

PATIENCE_S = 60.0
"""For an answer: a busy machine takes its time, and one that is well does not wait for it."""
READ_S = 0.5
"""For the rest of an answer: of one that no page reads, the browser tells no end."""

_REFRESH = "/api/auth/refresh"
_TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  window.licetTestViolation(
    `${event.effectiveDirective} forbids ${event.blockedURI}` +
      ` at ${event.sourceFile ?? ""}:${event.lineNumber} ${event.sample}`));
"""


@dataclass(frozen=True)
class Fault:
    """`kind` is one of: csp, console, error, answer."""

    kind: str
    text: str


@dataclass
class Expectation:
    """Bad answers that a test has announced, and those that came."""

    statuses: tuple[int, ...]
    path: str
    met: list[str] = field(default_factory=list)

    def covers(self, status: int, url: str) -> bool:
        return status in self.statuses and self.path in urlsplit(url).path


class Watch:
    """Writes down the faults of all pages of one visitor."""

    def __init__(self, context: BrowserContext, window: Page) -> None:
        self._context = context
        self._window = window
        self.forget()
        context.expose_binding("licetTestViolation", self._on_violation)
        context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("requestfinished", self._on_end)
        context.on("requestfailed", self._on_failure)
        _watches[context] = self

    def forget(self) -> None:
        """Begin again, for the next test."""
        self._faults: list[Fault] = []
        self._expected: list[Expectation] = []
        self._bad_urls: set[str] = set()
        self._console_of_loads: list[tuple[str, str]] = []
        self._under_way: dict[Request, float] = {}
        """Requests that have not ended, and until when they are waited for."""
        self._has_asked = False
        self._first_questions: set[Request] = set()
        self.origins: set[str] = set()
        """The sites whose pages were opened."""
        self.judged = 0
        """How often axe looked at a page."""
        self.judgements = 0
        """How many violations it found."""

    @contextmanager
    def expecting(self, page: Page, *statuses: int, path: str) -> Iterator[Expectation]:
        expectation = Expectation(statuses, path)
        self._expected.append(expectation)
        try:
            yield expectation
            deadline = monotonic() + PATIENCE_S
            while not expectation.met:
                assert monotonic() < deadline, f"no answer {statuses} came from {path}"
                page.wait_for_timeout(20)
            self.hear_out()
        finally:
            self._expected.remove(expectation)

    def faults(self) -> list[Fault]:
        """All that there is to complain of so far."""
        self.hear_out()
        unexplained = [
            Fault("console", f"{text} ({url})")
            for text, url in self._console_of_loads
            if url not in self._bad_urls
        ]
        return self._faults + unexplained

    def take(self) -> list[Fault]:
        """The faults, which count no longer; for tests that cause them on purpose."""
        found = self.faults()
        self._faults.clear()
        self._console_of_loads.clear()
        self.judged = self.judgements = 0
        return found

    def check(self) -> None:
        """Fail when there are faults."""
        if found := self.faults():
            lines = "\n".join(f"  {fault.kind}: {fault.text}" for fault in found)
            pytest.fail(f"The browser complained:\n{lines}", pytrace=False)

    def totals(self) -> Counter[str]:
        kinds = Counter(fault.kind for fault in self.faults())
        return kinds + Counter({"judged": self.judged, "axe": self.judgements})

    def pages(self) -> list[Page]:
        """The visitor's pages, without the empty one that keeps the window open."""
        return [page for page in self._context.pages if page != self._window]

    def hear_out(self) -> None:
        """Until all is answered; what was said before a page answers has been heard then."""
        for page in self.pages():
            try:
                self._await_answers(page)
                page.evaluate("() => new Promise((done) => setTimeout(done))")
                self._await_answers(page)
            except Error:
                continue  # it was closed, or is on its way elsewhere

    def _await_answers(self, page: Page) -> None:
        while self._under_way:
            for request, until in list(self._under_way.items()):
                if monotonic() > until:  # of a page that was closed, or held back by the test
                    self._on_end(request)
            page.wait_for_timeout(10)

    def _on_violation(self, source: Any, text: str) -> None:
        self._faults.append(Fault("csp", text))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "assert"}:
            return
        url = str(message.location.get("url", ""))
        if message.text.startswith("Failed to load resource"):
            self._console_of_loads.append((message.text, url))
        elif "Content Security Policy" not in message.text:  # the event has told of it
            line = message.location.get("lineNumber", "")
            self._faults.append(Fault("console", f"{message.text} ({url}:{line})"))

    def _on_error(self, thrown: WebError) -> None:
        self._faults.append(Fault("error", thrown.error.stack or thrown.error.message))

    def _on_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        path = address.path
        if request.is_navigation_request():
            self._has_asked = False
            self.origins.add(f"{address.scheme}://{address.netloc}")
        elif path == _REFRESH and not self._has_asked:
            self._has_asked = True
            self._first_questions.add(request)
        if not path.endswith("/stream"):
            self._under_way[request] = monotonic() + PATIENCE_S

    def _on_response(self, response: Response) -> None:
        if response.request in self._under_way:
            self._under_way[response.request] = monotonic() + READ_S
        if response.status >= 400:
            self._note_answer(response.status, response.request)

    def _on_end(self, request: Request) -> None:
        self._under_way.pop(request, None)

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        if request.failure == "net::ERR_ABORTED":  # the page asked no longer
            self._bad_urls.add(request.url)
        else:
            self._note_answer(NO_ANSWER, request)

    def _note_answer(self, status: int, request: Request) -> None:
        self._bad_urls.add(request.url)
        for expectation in self._expected:
            if expectation.covers(status, request.url):
                expectation.met.append(request.url)
                return
        if status == 401 and request in self._first_questions:
            return  # a page that was just opened asks whether its visitor is signed in
        what = request.failure if status == NO_ANSWER else status
        self._faults.append(Fault("answer", f"{request.method} {request.url}: {what}"))


_watches: WeakKeyDictionary[BrowserContext, Watch] = WeakKeyDictionary()


def watch_of(page: Page) -> Watch:
    return _watches[page.context]


@contextmanager
def expecting(page: Page, *statuses: int, path: str = "/api/") -> Iterator[Expectation]:
    """Announce bad answers to requests whose path contains `path`; at least one has to come.

    `NO_ANSWER` among the statuses stands for a request that gets none. Keep the block open until
    the page shows what became of it, so that repeated requests are announced as well.
    """
    with watch_of(page).expecting(page, *statuses, path=path) as expectation:
        yield expectation


@contextmanager
def slow(page: Page, pattern: str) -> Iterator[None]:
    """A server that answers none of these requests before the end of what is done meanwhile."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(pattern, hold)
    yield
    for route in held:
        route.continue_()
    page.unroute(pattern, hold)
