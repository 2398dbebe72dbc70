"""Where an application keeps license.bin and its state, by the conventions of each system."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from licet._disk import is_shared
from licet._keys import key_hash, key_label

FOLDER = "licet"
DEFAULT_FILE = "license.bin"
_OF_A_KEY = re.compile(r"license-[0-9a-f]{8}\.bin")


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one application.

    Attributes:
        license_file: Where license.bin is delivered by hand, and where every key's is stored if the
            application names the file.
        installed_file: A license.bin next to the application, read instead if it is newer; none if
            the application names the file.
        state_folder: Where this machine's state is stored; by default never in a folder that
            several users share.
    """

    license_file: Path
    installed_file: Path | None
    state_folder: Path

    @property
    def is_named(self) -> bool:
        """Whether the application names the file, which is then the one of every license key."""
        return self.installed_file is None

    def file_of(self, key: str | None) -> Path:
        """Where the license.bin of a key is stored: in a file of its own, unless it is named.

        Clients of one folder with other keys leave it alone.
        """
        if key is None or self.is_named:
            return self.license_file
        return self.license_file.with_name(f"license-{key_label(key_hash(key))}.bin")

    def newest_first(self, key: str | None) -> list[Path]:
        """The files that a client with this key reads; without one, those of all keys."""
        found = [self.file_of(key), self.license_file]
        if self.installed_file is not None:
            found += [*(self._stored() if key is None else ()), self.installed_file]
        return sorted(dict.fromkeys(found), key=_changed_at, reverse=True)

    def prefer(self, own: Path) -> None:
        """Let a client without a key find this file before those of other keys."""
        others = (other for other in self._stored() if other != own)
        if any(_changed_at(other) >= _changed_at(own) for other in others):
            with contextlib.suppress(OSError):
                os.utime(own)

    def _stored(self) -> list[Path]:
        if self.is_named:
            return []
        try:
            found = sorted(self.license_file.parent.iterdir())
        except OSError:
            return []
        return [path for path in found if _OF_A_KEY.fullmatch(path.name)]


def find_places(given: Mapping[str, Any], product_id: str, application: Path) -> Places:
    """Where license.bin and the state are."""
    own = data_folder(product_id) or application
    named, state_folder = given.get("license_file"), given.get("state_folder")
    if named is None:
        shared = data_folder(product_id, all_users=True) if given.get("all_users") is True else None
        beside, state = application / DEFAULT_FILE, Path(state_folder or own)
        return Places((shared or state) / DEFAULT_FILE, beside, state)
    file = Path(named)
    suits = can_write(file.parent) and not is_shared(file.parent)
    return Places(file, None, Path(state_folder or (file.parent if suits else own)))


def data_folder(
    product_id: str,
    *,
    all_users: bool = False,
    platform: str = sys.platform,
    env: Mapping[str, str] = os.environ,
) -> Path | None:
    """The folder of one product: of this user, or of all; ``None`` if the user has no home.

    This user's is below ``$XDG_DATA_HOME`` or ``~/.local/share``, on macOS below
    ``~/Library/Application Support``, and on Windows below ``%LOCALAPPDATA%``. That of all users
    is below ``/var/lib``, ``/Library/Application Support`` and ``%PROGRAMDATA%``.
    """
    base = _all_users_base(platform, env) if all_users else _user_base(platform, env)
    return base / FOLDER / _folder_name(product_id) if base is not None else None


def _user_base(platform: str, env: Mapping[str, str]) -> Path | None:
    if platform == "win32" and env.get("LOCALAPPDATA"):
        return Path(env["LOCALAPPDATA"])
    if platform not in {"win32", "darwin"} and Path(env.get("XDG_DATA_HOME", "")).is_absolute():
        return Path(env["XDG_DATA_HOME"])
    home = _home()
    if home is None:
        return None
    within = {"win32": "AppData/Local", "darwin": "Library/Application Support"}
    return home / within.get(platform, ".local/share")


def _all_users_base(platform: str, env: Mapping[str, str]) -> Path:
    if platform == "win32":
        return Path(env.get("PROGRAMDATA") or r"C:\ProgramData")
    return Path("/Library/Application Support" if platform == "darwin" else "/var/lib")


def _home() -> Path | None:
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home if home.is_dir() and home != Path(home.anchor) else None


def _folder_name(product_id: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", product_id):
        return product_id
    return hashlib.sha256(product_id.encode()).hexdigest()[:32]


def can_write(folder: Path) -> bool:
    """Whether files can be created in a folder, which need not exist yet."""
    for place in (folder, *folder.parents):
        if place.exists():
            return place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return False


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
