"""Use cases of accounts, and the look-ups that other features make in it."""

from licet_server.accounts.service.institutions import (
    create_institution,
    delete_institution,
    fetch_institution,
    list_institutions,
    rename_institution,
)
from licet_server.accounts.service.sessions import (
    Session,
    authenticate,
    refresh,
    sign_in,
    sign_out,
)
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
    "NewAccount",
    "Session",
    "authenticate",
    "create_first_owner",
    "create_institution",
    "create_user",
    "delete_institution",
    "fetch_institution",
    "fetch_profile",
    "list_institutions",
    "prepare_setup",
    "refresh",
    "rename_institution",
    "rename_user",
    "set_up",
    "sign_in",
    "sign_out",
    "user_exists",
]
