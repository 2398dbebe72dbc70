"""The refusals of the portal."""

from licet_server.kit.errors import Refused, conflict


def nothing_to_see() -> Refused:
    """The portal shows licenses by the address that they are issued to."""
    return conflict(
        "No license is issued to the e-mail address of this customer, so the portal has nothing to "
        "show them. Issue a license to this address first."
    )
