"""Effects of a request that outlive its credential, and which credentials permit them.

One institution vouches for a session through its identity provider, so its changes stay in that
institution. Otherwise a provider could enroll a passkey, which opens everything that its user can
access anywhere.
"""

from collections.abc import Mapping
from enum import StrEnum


class Lasting(StrEnum):
    """The lasting effect of a request."""

    NOTHING = "Nothing"
    """Nothing that outlives the session, or sessions of the same kind."""
    INSTITUTION = "Institution"
    """Things of an institution, which its members' roles and its licenses' receivers guard."""
    ACCOUNT = "Account"
    """The user's name, password, second factors or preferences."""
    MEMBERSHIP = "Membership"
    """That the user belongs to a further institution."""
    SERVICE = "Service"
    """Accounts of others, and what concerns the whole service."""


class Credential(StrEnum):
    """The means by which a request is authenticated."""

    PASSWORD = "Password"  # noqa: S105 - the name of a credential
    SECOND_FACTOR = "SecondFactor"
    PASSKEY = "Passkey"
    PROVIDER = "Provider"
    API_KEY = "ApiKey"
    PRODUCT_KEY = "ProductKey"
    RESET_LINK = "ResetLink"
    INVITATION = "Invitation"
    PORTAL_LINK = "PortalLink"


_OF_USERS = frozenset(Lasting)
_OF_INSTITUTIONS = frozenset({Lasting.NOTHING, Lasting.INSTITUTION})

MAY_LEAVE: Mapping[Credential, frozenset[Lasting]] = {
    Credential.PASSWORD: _OF_USERS,
    Credential.SECOND_FACTOR: _OF_USERS,
    Credential.PASSKEY: _OF_USERS,
    Credential.PROVIDER: _OF_INSTITUTIONS,
    Credential.API_KEY: _OF_INSTITUTIONS,
    Credential.PRODUCT_KEY: _OF_INSTITUTIONS,
    Credential.RESET_LINK: frozenset({Lasting.ACCOUNT}),
    Credential.INVITATION: frozenset(),
    Credential.PORTAL_LINK: frozenset(),
}
"""The lasting effects that each credential permits in an existing account, and beyond.

Roles, scopes and step-ups narrow it further. Invitations and portal links create an account where
there is none; users who have one join an institution in a session of their own.
"""


def may_leave(credential: Credential, lasting: Lasting, *, exists_for_provider: bool) -> bool:
    """Check whether a request with the credential may leave this behind.

    An account that exists for the provider of the session alone is that institution's own, so the
    provider may change it; see `ProviderAccounts`.
    """
    is_own = exists_for_provider and credential is Credential.PROVIDER
    return lasting in MAY_LEAVE[credential] or (is_own and lasting is Lasting.ACCOUNT)
