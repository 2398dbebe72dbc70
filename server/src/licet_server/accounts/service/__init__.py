"""Use cases of accounts, and the look-ups that other features make in it."""

from licet_server.accounts.service.administration import (
    list_accounts,
    take_off_factor,
    take_off_factor_of,
    vouch_for_email,
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
    institution_names,
    list_institutions,
    rename_institution,
)
from licet_server.accounts.service.plans import hold_limits, set_plan
from licet_server.accounts.service.proofs import (
    CodeProof,
    PasswordProof,
    change_password,
    disable_second_factor,
    renew_recovery_codes,
)
from licet_server.accounts.service.purge import forget_sign_ins
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
    Profile,
    create_first_owner,
    create_user,
    fetch_profile,
    prepare_setup,
    rename_user,
    set_up,
    user_exists,
)
from licet_server.accounts.service.welcoming import (
    Newcomer,
    answer_access_requests,
    open_account,
    request_access,
    take_access_requests,
)

__all__ = [
    "ApiKeyDraft",
    "CodeProof",
    "IssuedApiKey",
    "NewAccount",
    "Newcomer",
    "OfferedFactor",
    "PasswordProof",
    "Profile",
    "Session",
    "SignInAttempt",
    "answer_access_requests",
    "authenticate",
    "authenticate_api_key",
    "change_password",
    "confirm_second_factor",
    "create_api_key",
    "create_first_owner",
    "create_institution",
    "create_user",
    "delete_institution",
    "disable_second_factor",
    "end_all_sessions",
    "end_session",
    "fetch_institution",
    "fetch_profile",
    "forget_sign_ins",
    "hold_limits",
    "institution_names",
    "is_api_token",
    "list_accounts",
    "list_api_keys",
    "list_institutions",
    "list_sign_ins",
    "mail_reset_tokens",
    "offer_second_factor",
    "open_account",
    "prepare_setup",
    "refresh",
    "register",
    "rename_institution",
    "rename_user",
    "renew_recovery_codes",
    "request_access",
    "request_reset",
    "resend_verification",
    "reset_password",
    "revoke_api_key",
    "rotate_api_key",
    "set_plan",
    "set_up",
    "sign_in",
    "sign_out",
    "take_access_requests",
    "take_off_factor",
    "take_off_factor_of",
    "user_exists",
    "verify_email",
    "vouch_for_email",
]
