"""Browser contexts that tests use one after the other, as if each were new.

A new context opens a window, has none of the dashboard's files, and none of its scripts compiled:
that costs more than most tests do. A context that was used keeps these, and forgets the rest. It
cannot forget its own init scripts, bindings and clock: a test adds them to a page, or to a context
with options of its own.
"""

from dataclasses import dataclass

from dashboard.browser import PATIENCE_MS, Chromium
from dashboard.checks import Screen
from dashboard.watching import Watch
from playwright.sync_api import BrowserContext, Error, Page

IDLE_MAX = 6
"""So many contexts wait for another test; one that nobody has asked for longest is closed first."""

Place = tuple[str, Screen]


_OPEN = "() => void window.open('about:blank', '_blank', 'noopener')"


@dataclass(frozen=True)
class Visitor:
    """A browser context, and what it complains of. Without a place, it is for one test."""

    context: BrowserContext
    window: Page
    """An empty page that is never closed, so that the others are tabs of its window."""
    watch: Watch
    place: Place | None

    def open_page(self) -> Page:
        """A page of its own: a tab, which costs half as much as a window."""
        with self.context.expect_page() as opened:
            self.window.evaluate(_OPEN)
        return opened.value

    def forget(self) -> None:
        """Have no page, and no cookie, storage, permission, route or header."""
        context, origins = self.context, self.watch.origins
        for page in self.watch.pages():
            page.close()
        context.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        context.set_geolocation(None)
        context.set_extra_http_headers({})
        context.set_default_timeout(PATIENCE_MS)
        context.set_default_navigation_timeout(PATIENCE_MS)
        context.clear_permissions()
        context.clear_cookies()
        session = context.new_cdp_session(self.window)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self.watch.forget()


class Visitors:
    """Lends contexts, and takes them back."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._idle: list[Visitor] = []

    def lend(self, address: str, screen: Screen, **options: object) -> Visitor:
        """Return a visitor of a site; with further options of the context, always a new one."""
        place = None if options else (address, screen)
        for visitor in self._idle:
            if visitor.place == place:
                self._idle.remove(visitor)
                return visitor
        context = self._chromium.context(base_url=address, **{**screen.options, **options})
        window = context.new_page()
        return Visitor(context, window, Watch(context, window), place)

    def take_back(self, visitor: Visitor) -> None:
        """Keep a visitor for another test, unless it cannot forget what it did in this one."""
        if visitor.place is None:
            visitor.context.close()
            return
        try:
            visitor.forget()
        except Error:  # such as a page that does not close
            visitor.context.close()
            return
        self._idle.append(visitor)
        if len(self._idle) > IDLE_MAX:
            self._idle.pop(0).context.close()
