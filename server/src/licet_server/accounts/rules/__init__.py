"""Who may do what, and how people prove who they are; the clock is handed in."""

from licet_server.accounts.rules.addresses import is_admitted, plain, range_breaches
from licet_server.accounts.rules.api_keys import ApiKey, Scope
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
    "NO_LIMITS",
    "PASSWORD_MAX",
    "PASSWORD_MIN",
    "RATE_LIMIT_MAX",
    "ROTATION_GRACE_SECONDS",
    "SESSION_DAYS",
    "Account",
    "ApiKey",
    "Credentials",
    "Grasp",
    "Holding",
    "Institution",
    "InstitutionSettings",
    "Limits",
    "Membership",
    "Operator",
    "Plan",
    "RefreshToken",
    "Role",
    "Scope",
    "SignIn",
    "User",
    "grasp_of",
    "is_admitted",
    "plain",
    "range_breaches",
    "require_room",
]
