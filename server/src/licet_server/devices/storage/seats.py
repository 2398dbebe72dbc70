"""The seats of devices at an instant, in SQL.

A released device gives its seat up at the end of its license file. Its row may be stored longer, so
that queries that count seats or list devices leave it out.
"""

from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, case, func, or_, select

from licet_server.devices.tables import activations, device_counters


def has_not_lapsed(now: datetime) -> ColumnElement[bool]:
    """Return the opposite of `Activation.has_lapsed` as SQL."""
    return or_(activations.c.released_at.is_(None), activations.c.file_ends_at > now)


def live_seats(now: BindParameter[datetime]) -> ColumnElement[int]:
    """Return the seats in use at `now`, for a row of the counters.

    The lapsed devices are counted only where a released one is stored.
    """
    lapsed = (
        select(func.count())
        .where(
            activations.c.institution_id == device_counters.c.institution_id,
            activations.c.license_id == device_counters.c.license_id,
            activations.c.released_at.is_not(None),
            activations.c.file_ends_at <= now,
        )
        .correlate(device_counters)
        .scalar_subquery()
    )
    seats = device_counters.c.seats_used
    return case((device_counters.c.seats_waiting == 0, seats), else_=seats - lapsed)
