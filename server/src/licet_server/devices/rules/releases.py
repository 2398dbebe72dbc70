"""How often an end user may free a seat of his license himself."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from licet_server.devices import errors

RELEASE_PERIOD = timedelta(days=365)
"""How long a release counts."""


def require_release_left(released: Sequence[datetime], limit: int) -> None:
    """Check that one more is allowed, after those of the last period, newest first.

    Raises:
        Refused: `Conflict`.
    """
    if limit == 0:
        raise errors.never_released()
    if len(released) >= limit:
        next_at = released[limit - 1] + RELEASE_PERIOD
        raise errors.releases_used_up(len(released), limit, next_at)
