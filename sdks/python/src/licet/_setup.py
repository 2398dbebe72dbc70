"""What both clients set up: the configuration, and what the core asks of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from licet._config import ClientOptions, make_config
from licet._core import LicenseCore
from licet._settings import application_folder, read_settings

if TYPE_CHECKING:
    from licet._session_lifecycle import SessionInfo


def core_from_settings(folder: str | Path | None, options: ClientOptions) -> LicenseCore:
    """Create a core from the options, the settings file and the defaults, in that order.

    Raises:
        ConfigurationError: The file or an option is invalid; the message names it.
    """
    place = Path(folder) if folder is not None else application_folder()
    return LicenseCore(make_config(options, read_settings(place), place))


def live_session_id(sessions: Iterable[SessionInfo]) -> str | None:
    """The ID of one of the sessions that hold a seat; ``None`` if none does."""
    return next((session.id for session in list(sessions) if session.alive and session.id), None)
