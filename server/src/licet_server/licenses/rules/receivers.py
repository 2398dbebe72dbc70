"""Whom a license is issued to."""

from licet_server.institutions.rules.operators import Operator


def receiver_names(person: Operator) -> list[str]:
    """What `issuedTo` says, in lower case, on the licenses of a person with a verified address.

    Raises:
        Refused: `Forbidden` while the address may be somebody else's.
    """
    person.require_verified_email()
    return [person.email.lower(), str(person.user_id)]
