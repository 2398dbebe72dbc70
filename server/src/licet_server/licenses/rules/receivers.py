"""Receivers: the people that licenses are issued to."""

from licet_server.institutions.rules.operators import Operator


def receiver_names(person: Operator) -> list[str]:
    """The values of `issuedTo`, in lower case, on the licenses of a person.

    Raises:
        Refused: `Forbidden` until the person's e-mail address is verified.
    """
    person.require_verified_email()
    return [person.email.lower(), str(person.user_id)]
