"""The settings file in the application's folder.

The first of ``licet.json`` and ``appsettings.json`` that exists is used. Settings may be in a
section ``Licet``. Setting names are case-insensitive. Comments and trailing commas are allowed, as
.NET allows them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from licet._disk import read_installed
from licet.errors import ConfigurationError

FILE_NAMES = ("licet.json", "appsettings.json")
SECTION = "licet"
MAX_SETTINGS_BYTES = 1 << 20

Kind = Literal["text", "texts", "number", "flag", "path"]

# Setting name -> client option and kind of value.
SETTINGS: Mapping[str, tuple[str, Kind]] = {
    "ProductId": ("product_id", "text"),
    "PublicKey": ("public_key", "text"),
    "PublicKeys": ("public_keys", "texts"),
    "LicenseKey": ("license_key", "text"),
    "EnrollmentKey": ("enrollment_key", "text"),
    "ProductApiKey": ("api_key", "text"),
    "ApiKey": ("api_key", "text"),
    "ServerBaseEndpoint": ("server_base_endpoint", "text"),
    "LicenseFile": ("license_file", "path"),
    "StateFolder": ("state_folder", "path"),
    "AllUsers": ("all_users", "flag"),
    "AppVersion": ("app_version", "text"),
    "DeviceName": ("device_name", "text"),
    "GracePeriodDays": ("grace_period_days", "number"),
    "TimeoutSeconds": ("timeout", "number"),
    "ProtectFile": ("protect_file", "flag"),
    "CaBundle": ("verify", "path"),
    "TrustEnvironment": ("trust_env", "flag"),
    "SeatMode": ("seat_mode", "text"),
    "HandleSigterm": ("handle_sigterm", "flag"),
    "Telemetry": ("telemetry", "flag"),
}

_BY_LOWERCASE = {name.casefold(): name for name in SETTINGS}
_EXPECTED: Mapping[Kind, str] = {
    "text": "a string in quotes",
    "texts": "a list of strings",
    "number": "a number",
    "flag": "true or false",
    "path": "a path in quotes",
}


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """The options that a settings file sets; ``path`` is ``None`` if there is no file."""

    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name for messages."""
        return self.path.name if self.path is not None else FILE_NAMES[0]


NO_SETTINGS = SettingsFile()


def application_folder() -> Path:
    """The folder of the running program: the executable's if frozen, otherwise the script's."""
    if getattr(sys, "frozen", False):
        return Path(sys.executable).resolve().parent
    script = Path(sys.argv[0]) if sys.argv and sys.argv[0] not in {"", "-c", "-m"} else None
    return script.resolve().parent if script is not None and script.exists() else Path.cwd()


def read_settings(folder: Path) -> SettingsFile:
    """Read the first settings file in a folder; empty if there is none.

    Relative paths in the file are relative to the folder.

    Raises:
        ConfigurationError: The file cannot be read, or a value has the wrong type.
    """
    for name in FILE_NAMES:
        path = folder / name
        try:
            raw = read_installed(path, MAX_SETTINGS_BYTES)
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from error
        if raw is not None:
            return SettingsFile(path, _options(_section(_parse(raw, path), path), path))
    return NO_SETTINGS


_STRING = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(_STRING + r"|[\[{,]\s*,|,(?=\s*[}\]])", re.DOTALL)
"""A string, a comma that no value precedes (which stays, and is refused), or a trailing comma."""


def _strict(text: str) -> str:
    """Replace comments and trailing commas by spaces, so that positions stay the same."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0])

    def blank_comma(found: re.Match[str]) -> str:
        return " " if found[0] == "," else found[0]

    return _LAST_COMMA.sub(blank_comma, _COMMENT.sub(blank, text))


def _parse(raw: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(_strict(raw.decode("utf-8-sig")))
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"{path} is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path} must contain JSON encoded as UTF-8.") from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{path} must contain a JSON object: {{ ... }}.")
    return value


def _section(content: dict[str, Any], path: Path) -> dict[str, Any]:
    for name, value in content.items():
        if name.casefold() == SECTION:
            if not isinstance(value, dict):
                raise ConfigurationError(f"{path}: the section {name} must be a JSON object.")
            return value
    return content


def _options(section: dict[str, Any], path: Path) -> dict[str, Any]:
    options: dict[str, Any] = {}
    given_as: dict[str, str] = {}
    for given_name, value in section.items():
        name = _BY_LOWERCASE.get(given_name.casefold())
        if name is None or value is None:
            continue
        option, kind = SETTINGS[name]
        if option in options:
            raise ConfigurationError(
                f"{path}: {given_name} and {given_as[option]} set the same option; remove one of "
                "them."
            )
        if not _has_kind(value, kind):
            raise ConfigurationError(
                f"{path}: {given_name} must be {_EXPECTED[kind]}, not {json.dumps(value)[:60]}."
                if option not in {"license_key", "enrollment_key", "api_key"}
                else f"{path}: {given_name} must be {_EXPECTED[kind]}."
            )
        options[option] = path.parent / value if kind == "path" else value
        given_as[option] = given_name
    return options


def _has_kind(value: object, kind: Kind) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, bool) if kind == "flag" else isinstance(value, str)
