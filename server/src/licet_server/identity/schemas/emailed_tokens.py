"""Wire shapes of requests for e-mailed tokens, and of their use."""

from licet_server.identity.schemas.fields import Password, Secret, WithEmail
from licet_server.kit.web.body import Body


class PasswordResetRequest(WithEmail):
    """A request to reset a forgotten password."""


class ResetPasswordBody(Body):
    """A new password, with an e-mailed token."""

    token: Secret
    password: Password


class TokenBody(Body):
    """An e-mailed token."""

    token: Secret
