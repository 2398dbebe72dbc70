"""Configuration from the settings file and the application's own options."""

from __future__ import annotations

from pathlib import Path

from licet._config import ClientOptions, make_config
from licet._core import LicenseCore
from licet._settings import application_folder, read_settings


def core_from_settings(folder: str | Path | None, options: ClientOptions) -> LicenseCore:
    """Create a core from the options, the settings file and the defaults, in that order.

    Raises:
        ConfigurationError: The file or an option is invalid; the message names it.
    """
    place = Path(folder) if folder is not None else application_folder()
    return LicenseCore(make_config(options, read_settings(place), place))
