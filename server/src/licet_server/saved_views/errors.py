"""The refusals of saved views."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def name_taken() -> Refused:
    return conflict("This list already has a view with this name. Choose another one.")


def too_many_views(limit: int) -> Refused:
    """Refuse another view, since all of a list are offered above it."""
    return conflict(f"This list already has {limit} views. Delete one first.")


def shared_by_admins() -> Refused:
    """Refuse a change that all members of the institution would see."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Everyone in the institution sees shared views, so only Owners and Admins can share, "
        "change and delete them. Save a view of your own instead.",
    )
