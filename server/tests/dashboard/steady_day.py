"""A day that each run of the tests has again, so that pages show the same dates and charts.

The service, the tests and the browser keep running clocks, all moved by one offset.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from unittest import mock

from e2e.forked import quick_command_line
from playwright.sync_api import Page

from licet_server.kit import clock, clock_trust

START = datetime(2026, 3, 18, 10, tzinfo=UTC)

_MOVE = """offset => {
  const Actual = Date;
  window.Date = class extends Actual {
    constructor(...parts) { parts.length ? super(...parts) : super(Actual.now() + offset); }
    static now() { return Actual.now() + offset; }
  };
}"""


@dataclass(frozen=True)
class SteadyDay:
    """Clocks that begin at `START` when it is made."""

    offset: timedelta

    @classmethod
    def begin(cls) -> "SteadyDay":
        return cls(START - clock.system_clock())

    def command_line(self, *arguments: str) -> None:
        """The command `licet-server` on this day."""
        with self.here():
            quick_command_line(*arguments)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Move the clock of this process."""
        offset = self.offset

        class Moved(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return datetime.now(tz) + offset  # noqa: TID251 - stands for the system time

        # The database's clock stays, and a service would sign nothing on another day than that.
        believed = mock.patch.object(clock_trust, "clock_fault", return_value=None)
        with mock.patch.object(clock, "datetime", Moved), believed:
            yield

    def on(self, page: Page) -> Page:
        """Move the clock of what the page will show."""
        milliseconds = round(self.offset / timedelta(milliseconds=1))
        page.add_init_script(f"({_MOVE})({milliseconds})")
        return page
