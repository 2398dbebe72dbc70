"""What ``licet doctor`` finds in an application's folder, without the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from licet._components import REINSTALLED
from licet._config import Config, make_config
from licet._core import LicenseCore
from licet._disk import is_shared, read_own
from licet._places import can_write
from licet._settings import SettingsFile, read_settings
from licet._state import MAX_STATE_BYTES
from licet.errors import LicetError

Level = Literal["ok", "warning", "problem"]

# Several machines share an ID from one of these sources.
_SHARED_SOURCES = frozenset({"j", "c"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        subject: What it is about, in a word or two.
        detail: A sentence: what was found and, unless it is in order, what to do.
    """

    level: Level
    subject: str
    detail: str


def examine(folder: Path, code: Mapping[str, Any]) -> list[Finding]:
    """Look at the settings, the keys, the license file and the state of an application.

    Args:
        folder: The application's folder.
        code: The options that the application's code names, as far as they are known.
    """
    try:
        settings = read_settings(folder)
    except LicetError as error:
        return [Finding("problem", "settings", error.message)]
    found = [_settings_file(settings)]
    try:
        config = make_config(code, settings, folder)
    except LicetError as error:
        return [*found, Finding("problem", "options", error.message)]
    return [*found, *_trust(config), _server(config), *_machine(config)]


def _settings_file(settings: SettingsFile) -> Finding:
    if settings.path is None:
        return Finding("ok", "settings", "There is no settings file; the code names every option.")
    return Finding("ok", "settings", f"{settings.path} is read.")


def _trust(config: Config) -> Iterator[Finding]:
    for key in config.public_keys:
        yield Finding("ok", "public key", f"{key.kid}, {key.bits} bits.")
    for warning in config.warnings:
        yield Finding("warning", "trust", warning)


def _server(config: Config) -> Finding:
    if config.endpoint is None:
        return Finding("ok", "server", "None is set: licenses are checked by license.bin alone.")
    if config.api_key is None:
        return Finding(
            "problem", "server", "ProductApiKey is missing, so the server cannot be contacted."
        )
    return Finding("ok", "server", f"{config.endpoint}.")


def _machine(config: Config) -> Iterator[Finding]:
    core = LicenseCore(config)
    if config.hardware_id is None:
        shared = core.hardware.source in _SHARED_SOURCES
        yield Finding(
            "warning" if shared else "ok",
            "hardware ID",
            f"{core.hardware_id}, from {core.hardware.description}."
            + (" Other machines have the same ID." if shared else ""),
        )
        yield _components(core)
    for folder in dict.fromkeys((config.state_folder, config.license_file.parent)):
        yield _data_folder(folder)
    yield from _state_file(core)
    try:
        result = core.check_file().result
    except LicetError as error:
        yield Finding("problem", "license", error.message)
        return
    yield Finding(
        "ok" if result.valid else "problem", "license", f"{result.status.value}: {result.message}"
    )
    yield from _offline(core)


def _components(core: LicenseCore) -> Finding:
    """What would still recognize this machine after it has changed."""
    names = tuple(core.components)
    if not names:
        detail = "None are known here, so a machine with another hardware ID is another device."
        return Finding("ok", "components", detail)
    installed = [name for name in names if name not in REINSTALLED]
    copied = [name for name in names if name != "disk"]
    return Finding(
        "ok",
        "components",
        f"{_listed(names)} recognize this machine where the license compares components. "
        f"{_listed(installed)} survive a new installation, {_listed(copied)} a new drive with a "
        "copy of the old one. Docks, networks and memory change none.",
    )


def _listed(names: Sequence[str]) -> str:
    *most, last = names or ("none",)
    return f"{', '.join(most)} and {last}" if most else last


def _state_file(core: LicenseCore) -> Iterator[Finding]:
    path = core.store.path
    try:
        read_own(path, MAX_STATE_BYTES)
    except OSError as reason:
        yield Finding("warning", "state", f"{path} is not used: {reason.strerror or reason}.")
    if is_shared(path.parent):
        yield Finding(
            "warning",
            "state",
            f"Every user of this machine may write to {path.parent}. Set StateFolder to a folder "
            "of the user.",
        )


def _offline(core: LicenseCore) -> Iterator[Finding]:
    """What became of an offline request, where one was made."""
    kept = core.offline.read()
    if kept.waiting is not None:
        yield Finding(
            "ok",
            "offline request",
            f"Request {kept.waiting.seq} ({kept.waiting.kind}) has no answer yet.",
        )
    elif kept.released is not None and kept.released.seq == kept.seq:
        yield Finding("ok", "offline request", "This machine has released its license.")


def _data_folder(folder: Path) -> Finding:
    if can_write(folder):
        return Finding("ok", "data", f"{folder} can be written to.")
    return Finding(
        "problem",
        "data",
        f"{folder} cannot be written to: there is no grace period after a restart, and license.bin "
        "is not refreshed. Set StateFolder and LicenseFile to a folder of the user.",
    )
