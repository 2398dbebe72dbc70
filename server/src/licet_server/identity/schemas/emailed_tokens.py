"""Wire shapes of requests for e-mailed tokens, and of their use."""

from collections.abc import Iterator
from datetime import datetime

from licet_server.identity.schemas.fields import Password, Secret, WithEmail, password_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body


class PasswordResetRequest(WithEmail):
    """A request to reset a forgotten password."""


class ResetPasswordBody(Body):
    """A new password, with an e-mailed token."""

    token: Secret
    password: Password

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("password", self.password)


class TokenBody(Body):
    """An e-mailed token."""

    token: Secret
