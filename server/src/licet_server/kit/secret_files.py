"""Reads secrets from files, so that they are not visible on a container or a process."""

from collections.abc import Mapping
from pathlib import Path

from licet_server.kit.invalid_setting import InvalidSetting

SUFFIX = "_FILE"
SECRETS = (
    "DATABASE_URL",
    "LICET_ADMIN_PASSWORD",
    "LICET_MASTER_KEY",
    "LICET_METRICS_TOKEN",
    "LICET_SMTP_URL",
)
"""The settings that may be secret; for each, a variable with the suffix may name a file."""

_MOST_BYTES = 64 * 1024


def with_secret_files(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with the contents of the files that some of them name.

    Raises:
        InvalidSetting: for a file that cannot be read or is empty, or beside the variable itself.
    """
    found = dict(given)
    for name in SECRETS:
        path = found.pop(name + SUFFIX, None)
        if path is None:
            continue
        if name in found:
            raise InvalidSetting(name + SUFFIX, f"must not be set together with {name}.")
        found[name] = _read(name + SUFFIX, Path(path))
    return found


def _read(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode().strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidSetting(variable, f"names a file that cannot be read: {reason}.") from None
    if not text:
        raise InvalidSetting(variable, "names a file that is empty.")
    return text
