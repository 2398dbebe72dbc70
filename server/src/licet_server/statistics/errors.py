"""The refusals of statistics."""

from licet_server.kit.errors import ErrorCode, Refused


def single_releases_only() -> Refused:
    """A Member has only single releases of the product assigned."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Statistics cover whole products, but only single releases of this one are assigned to "
        "you. Ask an Owner or Admin to assign the whole product to you.",
    )
