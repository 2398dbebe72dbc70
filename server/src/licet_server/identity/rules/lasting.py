"""What a session, a key or a link may leave behind that outlives it.

A session through an identity provider rests on the word of one institution, so what it changes
stays in that institution. Otherwise a provider could turn its word into a passkey, which opens
everything that its user has anywhere.
"""

from collections.abc import Mapping
from enum import StrEnum


class Lasting(StrEnum):
    """What a request leaves behind."""

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
    """What a request is authenticated with."""

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
"""What each may leave in an account that exists, and beyond it.

Roles, scopes and step-ups narrow it further. Invitations and portal links create an account where
there is none; somebody who has one joins an institution in a session of their own.
"""


def may_leave(credential: Credential, lasting: Lasting, *, exists_for_provider: bool) -> bool:
    """Whether a request with the credential may leave this behind.

    An account that exists for the provider of the session alone is that institution's own, so the
    provider may change it; see `ProviderAccounts`.
    """
    is_own = exists_for_provider and credential is Credential.PROVIDER
    return lasting in MAY_LEAVE[credential] or (is_own and lasting is Lasting.ACCOUNT)
