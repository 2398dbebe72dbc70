"""User name and password of a license, which an application must send to use it."""

from enum import StrEnum, auto

from msgspec import Struct


class Credentials(Struct, frozen=True):
    """What an application sent; `None` for what it left out, and the fields that carry them."""

    username: str | None = None
    password: str | None = None
    username_field: str = "username"
    password_field: str = "password"  # noqa: S105 - a field's name

    @property
    def missing(self) -> list[str]:
        """The fields that were left out."""
        given = {self.username_field: self.username, self.password_field: self.password}
        return [name for name, value in given.items() if value is None]


NO_CREDENTIALS = Credentials()


class CredentialsCheck(StrEnum):
    """The result of checking the user name and password of a request."""

    NOT_CHECKED = auto()
    MISSING = auto()
    CORRECT = auto()
    WRONG = auto()
