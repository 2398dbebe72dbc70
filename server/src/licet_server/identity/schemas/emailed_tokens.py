"""Wire shapes of requests for e-mailed tokens, and of their use."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.identity.rules.account_api_keys import AccountApiKey
from licet_server.identity.schemas.fields import Password, Secret, WithEmail, password_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


class PasswordResetRequest(WithEmail):
    """A request to reset a forgotten password."""


class ResetPasswordBody(Body):
    """A new password, with an e-mailed token."""

    token: Secret
    password: Password
    revoke_api_keys: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("password", self.password)


class AccountApiKeyView(Struct, rename="camel"):
    """A live API key that a user created."""

    id: UUID
    name: str
    institution_id: UUID
    institution_name: str
    created_at: datetime
    last_used_at: datetime | None


class PasswordResetPreview(Struct, rename="camel"):
    """The API keys of the account, in all institutions, which a new password does not end."""

    api_keys: list[AccountApiKeyView]


def password_reset_preview(keys: Sequence[AccountApiKey]) -> PasswordResetPreview:
    return PasswordResetPreview([view_of(AccountApiKeyView, key) for key in keys])


class TokenBody(Body):
    """An e-mailed token."""

    token: Secret
