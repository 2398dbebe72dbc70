"""What statistics refuse, in their words."""

from licet_server.kit.errors import ErrorCode, Refused


def single_releases_only() -> Refused:
    """A Member to whom releases of a product are assigned, not the product."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Statistics are of whole products, and single releases of this one are assigned to you. "
        "Ask an Owner or Admin to assign the product.",
    )
