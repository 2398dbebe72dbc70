"""Configuration from the settings file and the application's own options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from licet._config import ClientOptions, make_config
from licet._core import LicenseCore
from licet._settings import application_folder, read_settings


def core_from_settings(folder: str | Path | None, options: ClientOptions) -> LicenseCore:
    """Create a core from the options, the settings file and the defaults, in that order.

    Raises:
        ConfigurationError: The file or an option is invalid; the message names it.
    """
    place = Path(folder) if folder is not None else application_folder()
    explicit: dict[str, Any] = {k: v for k, v in options.items() if v is not None}
    return LicenseCore(make_config({**read_settings(place), **explicit}, place))
