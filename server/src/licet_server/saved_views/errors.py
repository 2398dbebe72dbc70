"""The refusals of saved views."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def name_taken() -> Refused:
    """A list has one view of a name, for a user and for an institution."""
    return conflict("This list already has a view with this name. Choose another one.")


def too_many_views(limit: int) -> Refused:
    """The views of a list are limited, since all of them are offered above it."""
    return conflict(f"This list already has {limit} views. Delete one first.")


def shared_by_admins() -> Refused:
    """Everybody in the institution sees shared views."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Everyone in the institution sees shared views, so only Owners and Admins can share, "
        "change and delete them. Save a view of your own instead.",
    )
