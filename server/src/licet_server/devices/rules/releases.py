"""The limit of seats that end users may release."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from licet_server.devices import errors

RELEASE_PERIOD = timedelta(days=365)
"""How long a release counts against the limit."""


def require_release_allowed(released: Sequence[datetime], limit: int) -> None:
    """Check that one more release is allowed after those of the last period, newest first.

    Raises:
        Refused: `Conflict`.
    """
    if limit == 0:
        raise errors.releases_not_allowed()
    if len(released) >= limit:
        next_at = released[limit - 1] + RELEASE_PERIOD
        raise errors.release_limit_reached(len(released), limit, next_at)
