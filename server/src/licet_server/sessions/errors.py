"""Refusals of the sessions feature, and signals to retry."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def pool_full(used: int, total: int) -> Refused:
    return Refused(
        ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED,
        f"All seats of the license are in use ({used} of {total}). Close the application "
        "elsewhere, or try again when a seat is free.",
        extra={"seatsUsed": used, "seatsTotal": total},
    )


def unknown_session() -> Refused:
    """Refuse a session that has ended, timed out or never existed, without saying which."""
    return Refused(
        ErrorCode.SESSION_NOT_FOUND,
        "This session does not exist or has ended. Connect again to get a new one.",
    )


def replaced_session() -> Refused:
    """Refuse a session whose instance ID another copy of the application has connected with."""
    return Refused(
        ErrorCode.SESSION_NOT_FOUND,
        "Another copy of the application has connected with the same instance ID and replaced "
        "this session. Connect with an instance ID of your own.",
        extra={"endReason": "Replaced"},
    )


def heartbeat_too_early(seconds: int) -> Refused:
    """Refuse a heartbeat that came too soon; the session stays alive."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"Heartbeats come too often. The session is still valid; send the next one in {seconds} "
        "seconds.",
        retry_after=seconds,
    )


def lent() -> Refused:
    """Refuse to end a session whose seat is borrowed."""
    return conflict(
        "The seat of this session is borrowed. It is free when its device returns it, at the end "
        "of the lease, or when an operator recalls the lease by force."
    )


def lent_already() -> Refused:
    return conflict("The seat of this session is borrowed already.")


def already_ended() -> Refused:
    return conflict("The session has ended already, so there is nothing to disconnect.")


class InstanceConflict(Exception):
    """Another transaction has just admitted the same instance; a retry finds its session."""


class AdmissionOutdated(Exception):
    """The license or the device changed after it was checked; check again and retry."""


class SeatsContended(Exception):
    """Other transactions have locked the last free slots, to claim or to release them; retry.

    `cap` is the seat cap of the license, `None` where there is none.
    """

    def __init__(self, cap: int | None) -> None:
        super().__init__("other transactions have locked the free slots")
        self.cap = cap
