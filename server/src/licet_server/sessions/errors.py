"""What the sessions feature refuses, in its words."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def pool_full(used: int, total: int) -> Refused:
    """Every seat of a Floating license has a live session."""
    return Refused(
        ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED,
        f"All {total} seats of the license are in use. Close the application elsewhere, or try "
        "again when a seat is free.",
        extra={"seatsUsed": used, "seatsTotal": total},
    )


def unknown_session() -> Refused:
    """The same for a session that ended, that timed out, and that never was."""
    return Refused(
        ErrorCode.SESSION_NOT_FOUND,
        "There is no such session any more. Connect again to get a new one.",
    )


def too_early(seconds: int) -> Refused:
    """A heartbeat too soon after the one before; the session lives on."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"Heartbeats come too often. The session is still valid; send the next one in {seconds} "
        "seconds.",
        retry_after=seconds,
    )


def has_ended() -> Refused:
    """A session ends once."""
    return conflict("The session has ended already, so there is nothing to disconnect.")


class InstanceTaken(Exception):
    """Another transaction has just let the same instance in; looking again finds its session."""


class NotAdmitted(Exception):
    """License or device changed after they were looked at; look again."""


class SeatsInFlux(Exception):
    """Somebody else holds the last free seats for a moment: to take them, or to leave them.

    Another try tells. `cap` is the license's, `None` where there is none.
    """

    def __init__(self, cap: int | None) -> None:
        super().__init__("somebody else holds the free seats")
        self.cap = cap
