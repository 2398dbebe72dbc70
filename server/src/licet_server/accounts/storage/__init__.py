"""Queries of accounts."""

from licet_server.accounts.storage.institutions import (
    delete_institution,
    fetch_all_institution_ids,
    fetch_institution,
    insert_institution,
    list_institutions,
    update_institution_name,
)
from licet_server.accounts.storage.sessions import (
    end_sign_in,
    fetch_signed_in,
    insert_refresh_token,
    insert_sign_in,
    lock_refresh_token,
    mark_rotated,
    touch_sign_in,
)
from licet_server.accounts.storage.users import (
    fetch_memberships,
    fetch_password_hash,
    fetch_user,
    has_users,
    insert_membership,
    insert_user,
    replace_setup_token,
    update_full_name,
    use_setup_token,
    user_exists,
)

__all__ = [
    "delete_institution",
    "end_sign_in",
    "fetch_all_institution_ids",
    "fetch_institution",
    "fetch_memberships",
    "fetch_password_hash",
    "fetch_signed_in",
    "fetch_user",
    "has_users",
    "insert_institution",
    "insert_membership",
    "insert_refresh_token",
    "insert_sign_in",
    "insert_user",
    "list_institutions",
    "lock_refresh_token",
    "mark_rotated",
    "replace_setup_token",
    "touch_sign_in",
    "update_full_name",
    "update_institution_name",
    "use_setup_token",
    "user_exists",
]
