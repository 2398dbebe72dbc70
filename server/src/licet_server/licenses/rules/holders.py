"""Receivers: the people that licenses are issued to."""

from dataclasses import dataclass
from uuid import UUID

from licet_server.institutions.rules.operators import Operator


@dataclass(frozen=True, slots=True)
class Receiver:
    """Somebody whom licenses are issued to.

    `names` are the values of `issuedTo`, in lower case. `within` is the only institution whose
    licenses count, if their session does not reach further.
    """

    names: tuple[str, ...]
    within: UUID | None = None


def receiver_of(user: Operator) -> Receiver:
    """Return a user as a receiver; an identity provider vouches for its own institution only.

    Raises:
        Refused: `Forbidden` until the user's email address is verified.
    """
    user.require_verified_email()
    return Receiver((user.email.lower(), str(user.user_id)), user.through)
