"""The refusals of statistics."""

from licet_server.kit.errors import ErrorCode, Refused


def single_releases_only() -> Refused:
    """Refuse figures of a product of which a Member has only single releases assigned."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Statistics cover whole products, but only single releases of this one are assigned to "
        "you. Ask an Owner or Admin to assign the whole product to you.",
    )
