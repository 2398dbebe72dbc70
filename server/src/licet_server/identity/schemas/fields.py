"""Fields that several bodies share."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from licet_server.identity.rules.users import PASSWORD_MAX, PASSWORD_MIN, TOO_COMMON
from licet_server.kit.errors import FieldError
from licet_server.kit.passwords import is_common
from licet_server.kit.text import is_email
from licet_server.kit.web.body import Body

Password = Annotated[str, Meta(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)]
"""A password to be set."""

Secret = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX)]
"""A password or token to be checked."""

Code = Annotated[str, Meta(min_length=1, max_length=64)]
EmailAddress = Annotated[str, Meta(min_length=3, max_length=254)]


def password_breaches(field: str, password: str | None) -> Iterator[FieldError]:
    """Yield what is wrong with a new password, besides its length."""
    if password is not None and len(password) >= PASSWORD_MIN and is_common(password):
        yield FieldError(field, TOO_COMMON)


class WithEmail(Body):
    """A body with an e-mail address."""

    email: EmailAddress

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.email and not is_email(self.email.strip()):
            yield FieldError("email", "must be an e-mail address.")
