"""Who may do what, and how people prove who they are; the clock is handed in."""

from licet_server.accounts.rules.addresses import is_admitted, plain, range_breaches
from licet_server.accounts.rules.api_keys import ApiKey, Scope
from licet_server.accounts.rules.invitations import (
    INVITATION_LIFE,
    TOKEN_RANDOM_BYTES,
    Invitation,
    InvitationStatus,
    institution_of_invitation,
    invitation_token,
)
from licet_server.accounts.rules.members import (
    ASSIGNED_MAX,
    NOTHING,
    Assignments,
    Member,
    assignment_breaches,
    may_give,
    require_may_give,
    roles_out_of_reach,
)
from licet_server.accounts.rules.operators import Grasp, Holding, Operator, Role, grasp_of
from licet_server.accounts.rules.people import (
    ACCESS_TOKEN_SECONDS,
    PASSWORD_MAX,
    PASSWORD_MIN,
    ROTATION_GRACE_SECONDS,
    SESSION_DAYS,
    Account,
    Credentials,
    Institution,
    Membership,
    RefreshToken,
    SignIn,
    User,
)
from licet_server.accounts.rules.plans import NO_LIMITS, Limits, Plan, require_room
from licet_server.accounts.rules.settings import RATE_LIMIT_MAX, InstitutionSettings

__all__ = [
    "ACCESS_TOKEN_SECONDS",
    "ASSIGNED_MAX",
    "INVITATION_LIFE",
    "NOTHING",
    "NO_LIMITS",
    "PASSWORD_MAX",
    "PASSWORD_MIN",
    "RATE_LIMIT_MAX",
    "ROTATION_GRACE_SECONDS",
    "SESSION_DAYS",
    "TOKEN_RANDOM_BYTES",
    "Account",
    "ApiKey",
    "Assignments",
    "Credentials",
    "Grasp",
    "Holding",
    "Institution",
    "InstitutionSettings",
    "Invitation",
    "InvitationStatus",
    "Limits",
    "Member",
    "Membership",
    "Operator",
    "Plan",
    "RefreshToken",
    "Role",
    "Scope",
    "SignIn",
    "User",
    "assignment_breaches",
    "grasp_of",
    "institution_of_invitation",
    "invitation_token",
    "is_admitted",
    "may_give",
    "plain",
    "range_breaches",
    "require_may_give",
    "require_room",
    "roles_out_of_reach",
]
