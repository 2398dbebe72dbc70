"""Use cases of accounts, and the look-ups that other features make in it."""

from licet_server.accounts.service.accepting import (
    Acceptance,
    Joined,
    accept_as,
    accept_as_newcomer,
)
from licet_server.accounts.service.api_keys import (
    ApiKeyDraft,
    IssuedApiKey,
    authenticate_api_key,
    create_api_key,
    list_api_keys,
    revoke_api_key,
    rotate_api_key,
)
from licet_server.accounts.service.institutions import (
    create_institution,
    delete_institution,
    fetch_institution,
    list_institutions,
    rename_institution,
)
from licet_server.accounts.service.invitations import (
    InvitationDraft,
    ShownInvitation,
    invite,
    list_invitations,
    resend,
    revoke_invitation,
)
from licet_server.accounts.service.members import (
    MemberEdit,
    Shelf,
    change_member,
    list_members,
    remove_member,
)
from licet_server.accounts.service.plans import hold_limits, set_plan
from licet_server.accounts.service.proofs import (
    change_password,
    disable_by_code,
    disable_by_password,
)
from licet_server.accounts.service.recovery import (
    mail_reset_tokens,
    request_reset,
    reset_password,
)
from licet_server.accounts.service.second_factor import (
    OfferedFactor,
    confirm_second_factor,
    offer_second_factor,
)
from licet_server.accounts.service.sessions import (
    Session,
    SignInAttempt,
    authenticate,
    end_all_sessions,
    end_session,
    list_sign_ins,
    refresh,
    sign_in,
    sign_out,
)
from licet_server.accounts.service.sign_up import register, resend_verification, verify_email
from licet_server.accounts.service.tokens import is_api_token
from licet_server.accounts.service.users import (
    NewAccount,
    create_first_owner,
    create_user,
    fetch_profile,
    prepare_setup,
    rename_user,
    set_up,
    user_exists,
)

__all__ = [
    "Acceptance",
    "ApiKeyDraft",
    "InvitationDraft",
    "IssuedApiKey",
    "Joined",
    "MemberEdit",
    "NewAccount",
    "OfferedFactor",
    "Session",
    "Shelf",
    "ShownInvitation",
    "SignInAttempt",
    "accept_as",
    "accept_as_newcomer",
    "authenticate",
    "authenticate_api_key",
    "change_member",
    "change_password",
    "confirm_second_factor",
    "create_api_key",
    "create_first_owner",
    "create_institution",
    "create_user",
    "delete_institution",
    "disable_by_code",
    "disable_by_password",
    "end_all_sessions",
    "end_session",
    "fetch_institution",
    "fetch_profile",
    "hold_limits",
    "invite",
    "is_api_token",
    "list_api_keys",
    "list_institutions",
    "list_invitations",
    "list_members",
    "list_sign_ins",
    "mail_reset_tokens",
    "offer_second_factor",
    "prepare_setup",
    "refresh",
    "register",
    "remove_member",
    "rename_institution",
    "rename_user",
    "request_reset",
    "resend",
    "resend_verification",
    "reset_password",
    "revoke_api_key",
    "revoke_invitation",
    "rotate_api_key",
    "set_plan",
    "set_up",
    "sign_in",
    "sign_out",
    "user_exists",
    "verify_email",
]
