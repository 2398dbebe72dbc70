"""The refusals of customers."""

from licet_server.kit.errors import Refused, bad_field, conflict


def email_taken() -> Refused:
    return conflict(
        "The institution already has a customer with this email address. Merge the two customers "
        "if they are the same customer."
    )


def has_licenses(count: int) -> Refused:
    """Refuse to delete a customer with licenses, which would hide who holds them."""
    licenses = "1 license" if count == 1 else f"{count:,} licenses"
    return conflict(
        f"The customer still has {licenses}. Delete the licenses, merge the customer into another "
        "one, or erase their personal data."
    )


def is_member() -> Refused:
    """Refuse to erase a member, whom the audit log has to name."""
    return conflict(
        "The customer is a member of this institution, and the audit log keeps the names of "
        "members. Remove the member first."
    )


def is_invited() -> Refused:
    """Refuse to erase an invited person: an open invitation needs its address."""
    return conflict(
        "The customer has a pending invitation to this institution. Revoke or remove it first."
    )


def not_another_customer() -> Refused:
    return bad_field("intoId", "must be another customer of the same institution.")
