"""Refusals of institutions: roles, API keys, plans, members and invitations."""

from licet_server.identity.rules.memberships import Closure
from licet_server.kit.errors import ErrorCode, Refused, refusal

address_not_allowed = refusal(
    ErrorCode.FORBIDDEN,
    "This API key cannot be used from your IP address. Add the address to the key's ipAllowList.",
)

address_barred = refusal(
    ErrorCode.FORBIDDEN,
    "The institution of this API key does not allow your IP address. Add the address to the "
    "ipAllowList in the institution's settings.",
)


_FROM_HERE = (
    "is visible from your IP address. One of your institutions allows certain IP addresses only: "
    "use one of those, or ask an Owner or a system Admin to add yours to its ipAllowList."
)


def institution_barred() -> Refused:
    """Refuse a member's institution that bars the IP address."""
    return Refused(ErrorCode.FORBIDDEN, f"No such institution {_FROM_HERE}")


def unseen_from_here(what: str, *, is_anything_seen: bool) -> Refused:
    """Refuse what does not exist, or belongs to an institution that bars the IP address.

    Only an operator who sees nothing at all from there is sure to be barred.
    """
    code = ErrorCode.NOT_FOUND if is_anything_seen else ErrorCode.FORBIDDEN
    return Refused(code, f"No such {what} {_FROM_HERE}")


def institution_closed(closure: Closure) -> Refused:
    """Refuse a session that did not sign in as the institution requires."""
    code = ErrorCode.SSO_REQUIRED if closure is Closure.SINGLE_SIGN_ON else ErrorCode.FORBIDDEN
    return Refused(code, _CLOSED[closure], extra={"requires": closure})


_CLOSED = {
    Closure.SINGLE_SIGN_ON: (
        "This institution signs in through its own identity provider. Open "
        "/api/auth/sso/start?email= with your email address."
    ),
    Closure.SECOND_FACTOR: (
        "This institution requires a second factor. Turn one on in your profile; if you have one, "
        "confirm with it at POST /api/auth/step-up, or sign in again."
    ),
    Closure.OTHER_PROVIDER: (
        "You signed in through the identity provider of another institution, which does not count "
        "here. Sign in with your password or a passkey."
    ),
}

no_api_keys_here = refusal(ErrorCode.FORBIDDEN, "Sign in as a user; API keys cannot be used here.")


def user_required(what: str) -> Refused:
    return Refused(ErrorCode.FORBIDDEN, f"An API key cannot {what}. Sign in as a user to do that.")


def scope_missing(*fitting: str) -> Refused:
    return Refused(
        ErrorCode.FORBIDDEN, f"This requires an API key with the scope {' or '.join(fitting)}."
    )


def forbidden(needed: str) -> Refused:
    return Refused(
        ErrorCode.FORBIDDEN,
        f"Your role does not allow this. It requires the role {needed} in this institution.",
    )


no_institution = refusal(
    ErrorCode.FORBIDDEN,
    "You do not belong to an institution yet. Create one first, if this service allows it.",
)

no_new_institutions = refusal(
    ErrorCode.FORBIDDEN,
    "Only an Owner or Admin of an institution can create another one here. Ask one of them, or "
    "the operator of this service.",
)

no_member = refusal(
    ErrorCode.CONFLICT,
    "An API key acts for a member of the institution, and you are not one. Ask an Owner or "
    "Admin of it.",
)
"""An API key of a system Admin who is no member to act for."""


def plan_limit_reached(what: str, limit: int, used: int) -> Refused:
    return Refused(
        ErrorCode.PLAN_LIMIT_REACHED,
        f"The institution's plan allows {limit:,} {what}, and {used:,} exist. Delete those you no "
        "longer need, or upgrade the plan.",
        extra={"limit": limit, "used": used},
    )


owners_only = refusal(
    ErrorCode.FORBIDDEN,
    "Only an Owner of the institution, signed in as a user, can add, change, invite or remove "
    "an Owner.",
)

last_owner = refusal(
    ErrorCode.CONFLICT,
    "This is the last Owner of the institution. Make another member an Owner first.",
)

just_deleted = refusal(
    ErrorCode.CONFLICT, "A product or release was deleted in the meantime. Try again."
)
"""An assigned product or release was deleted between the check and the change."""

already_member = refusal(
    ErrorCode.CONFLICT,
    "A user with this email address is already a member. Change their role instead.",
)

already_joined = refusal(
    ErrorCode.CONFLICT,
    "You are already a member of this institution, and your role stays the same. An Owner or "
    "Admin can change it.",
)

already_invited = refusal(
    ErrorCode.CONFLICT,
    "This email address already has a pending invitation. Resend it, or revoke it first.",
)

invitation_closed = refusal(
    ErrorCode.CONFLICT, "The invitation was already accepted or revoked. Create a new one."
)

invitation_accepted = refusal(
    ErrorCode.CONFLICT, "The invitation was already accepted. Remove the member instead."
)

sign_in_to_accept = refusal(
    ErrorCode.UNAUTHORIZED,
    "The invited email address already has an account. Sign in to it to accept.",
)

invited_another_address = refusal(
    ErrorCode.FORBIDDEN,
    "This invitation is for a different email address than that of your account. Sign out, "
    "and accept it with the invited address.",
)
