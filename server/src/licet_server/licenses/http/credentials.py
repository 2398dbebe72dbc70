"""User name and password of a license in headers, for requests without a body."""

from typing import Annotated

from litestar.params import HeaderParameter

from licet_server.kit.errors import bad_field
from licet_server.licenses.rules.runtime import Credentials

_USERNAME, _PASSWORD = "X-License-Username", "X-License-Password"

UsernameHeader = Annotated[
    str | None,
    HeaderParameter(
        name=_USERNAME,
        max_length=1024,
        description="For licenses with a user name and a password; UTF-8.",
    ),
]
PasswordHeader = Annotated[
    str | None,
    HeaderParameter(name=_PASSWORD, max_length=4000, description="UTF-8."),
]


def header_credentials(username: str | None, password: str | None) -> Credentials:
    """Return the credentials in these headers.

    Raises:
        Refused: `InvalidRequest` for bytes that are not UTF-8.
    """
    return Credentials(_text(_USERNAME, username), _text(_PASSWORD, password), _USERNAME, _PASSWORD)


def _text(name: str, value: str | None) -> str | None:
    """Return a header, which the framework reads as Latin-1, as the UTF-8 that it is."""
    try:
        return None if value is None else value.encode("latin-1").decode()
    except UnicodeError:
        raise bad_field(name, "must be UTF-8.") from None
