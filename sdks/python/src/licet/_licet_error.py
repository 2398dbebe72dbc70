"""The base class of all errors, below the results that errors carry."""

from __future__ import annotations

from typing import Any


class LicetError(Exception):
    """The base class of all errors of this package.

    Args:
        message: One or two sentences for the user: what went wrong and what to do.
        hint: What the developer or the administrator can do about it.

    Attributes:
        message: One or two sentences for the user.
        hint: A sentence for the developer or the administrator, with the names of settings; empty
            if the message says it all.
        idempotency_key: The key of the ``consume()`` call that raised this error, otherwise
            ``None``. Pass it to another call to find out whether the charge was made; the key is
            never charged twice.
    """

    __module__ = "licet.errors"

    idempotency_key: str | None = None

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint

    @property
    def code(self) -> str:
        """The stable name of the kind of error: that of its class without ``Error``."""
        return type(self).__name__.removesuffix("Error")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.message, vars(self), _known(self.__cause__))


def _known(cause: BaseException | None) -> LicetError | None:
    # The exceptions of libraries often cannot be pickled.
    return cause if isinstance(cause, LicetError) else None


def _restore(
    kind: type[LicetError], message: str, state: dict[str, Any], cause: LicetError | None
) -> LicetError:
    error = kind.__new__(kind, message)
    error.__dict__.update(state)
    error.__cause__ = cause
    return error
