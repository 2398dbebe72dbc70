"""Parameters of queries that the framework reads, and that are checked further."""

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
    raise bad_field(name, "must be a time with its zone, such as 2030-01-31T12:00:00Z.")
