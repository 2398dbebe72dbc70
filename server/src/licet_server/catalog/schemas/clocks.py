"""Wire shapes of test clocks."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.catalog.rules.clocks import DAYS_AT_ONCE_MAX, ClockStatus, ProductClock
from licet_server.catalog.service.clocks import days_later
from licet_server.kit.errors import FieldError, Missing
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of

Time = Annotated[datetime, Meta(tz=True)]


class ProductClockBody(Body):
    """A clock for a Test product, from the present on; it goes ahead to `now` at once."""

    product_id: UUID
    now: Time | None = None


class ClockAdvanceBody(Body):
    """Where a test clock goes: `to` a time, `days` ahead, or to the next event.

    Exactly one of the three is given.
    """

    to: Time | None = None
    days: Annotated[int, Meta(ge=1, le=DAYS_AT_ONCE_MAX)] | None = None
    until: Literal["NextEvent"] | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if sum(item is not None for item in (self.to, self.days, self.until)) != 1:
            message = "must be given, or days, or until, and only one of them."
            yield Missing("to", message, ("days", "until"))

    def target_from(self) -> Callable[[datetime], datetime | None]:
        """Return what finds the target from where the clock stands; `None` is the next event."""
        if self.days is not None:
            return days_later(self.days)
        return lambda _: self.to


class ProductClockView(Struct, rename="camel", kw_only=True):
    """The clock of a Test product. It stands at `now` until it is advanced.

    While it is Advancing, `target` is where to, and null to the next event. A Failed one stands
    where it failed; advance it again to go on.
    """

    id: UUID
    institution_id: UUID
    product_id: UUID
    now: datetime
    target: datetime | None
    status: ClockStatus
    created_at: datetime
    updated_at: datetime


def clock_view(clock: ProductClock) -> ProductClockView:
    """Return a clock as it is on the wire."""
    return view_of(ProductClockView, clock)
