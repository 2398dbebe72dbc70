"""Further checks of the query parameters that the framework has read."""

from datetime import UTC, datetime

from licet_server.kit.errors import bad_field


def instant_of(name: str, given: datetime | None) -> datetime | None:
    """The time of the parameter `name` in UTC; `None` where it was not sent.

    Raises:
        Refused: `InvalidRequest` for a time without its zone, or one beyond the calendar.
    """
    if given is None:
        return None
    try:
        if given.tzinfo is not None:
            return given.astimezone(UTC)
    except OverflowError:
        pass
    raise bad_field(name, "must be a time with a zone, for example 2026-11-22T09:30:00Z.")
