"""Callbacks of the application."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from licet._model import LicenseResult
from licet.errors import ConfigurationError, LicetError

OnLost = Callable[[LicetError], object]
OnChange = Callable[[LicenseResult], object]


def require_plain(*callbacks: Callable[..., object] | None) -> None:
    """Refuse coroutine functions, which nobody would await.

    Raises:
        ConfigurationError: A callback is a coroutine function.
    """
    if any(inspect.iscoroutinefunction(callback) for callback in callbacks):
        raise ConfigurationError(
            "A callback is a coroutine function, which only AsyncLicenseClient can call. Pass a "
            "plain function, or use AsyncLicenseClient."
        )
