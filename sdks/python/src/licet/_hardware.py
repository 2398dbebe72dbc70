"""The hardware id: one per machine and product, stable, and never empty.

It is ``h1`` (the version of this recipe), a letter for its source, a dash and 40 hex digits of an
HMAC keyed with the product id: two products cannot compare their users, and the raw identifier
does not leave the machine.

Sources, by letter: ``m`` the operating system's machine id; ``j`` the project of a CI job; ``c``
the machine id baked into a container image; ``n`` the host name; ``s`` a random id that was stored
here because there was nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from licet._disk import read_limited, write_atomically
from licet._machine import Machine, ThisMachine, ci_project, in_container, is_mounted

VERSION = "h1"
STORED_NAME = "licet-device-id"
LINUX_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")
WINDOWS_KEY = r"SOFTWARE\Microsoft\Cryptography"
MAC_COMMAND = ("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")

SOURCES = {
    "m": "the operating system's machine id",
    "j": "the project of this CI job",
    "c": "the machine id inside the container image",
    "n": "the host name",
    "s": "a random id stored on this machine",
}

_PLACEHOLDER = re.compile(r"(.)\1*|uninitialized|none|unknown|localhost")
_GENERATED_HOST_NAME = re.compile(r"[0-9a-f]{12}|.*-[a-z0-9]{8,10}-[a-z0-9]{5}|localhost|")


@dataclass(frozen=True, slots=True)
class HardwareId:
    """The id and where it came from, a key of ``SOURCES``."""

    value: str
    source: str

    @property
    def description(self) -> str:
        return SOURCES[self.source]


def find_hardware_id(product_id: str, folder: Path, machine: Machine | None = None) -> HardwareId:
    """The id of this machine for one product.

    Args:
        product_id: Keys the hash.
        folder: Where a random id is stored if it comes to that; it need not be writable.
        machine: Another machine than this one, for tests.
    """
    source, raw = _identify(machine if machine is not None else ThisMachine(), folder)
    key = hashlib.sha256(f"licet/hardware-id/v1\0{product_id}".encode()).digest()
    digest = hmac.new(key, f"{source}:{raw}".encode(), hashlib.sha256).hexdigest()
    return HardwareId(f"{VERSION}{source}-{digest[:40]}", source)


def in_ephemeral_container(machine: Machine) -> bool:
    """Whether this is a container that was given no machine id of its own from outside."""
    if not (machine.platform.startswith("linux") and in_container(machine)):
        return False
    machine_id_file = next((path for path in LINUX_FILES if _normalize(machine.read(path))), None)
    return machine_id_file is None or not is_mounted(machine, machine_id_file)


def _identify(machine: Machine, folder: Path) -> tuple[str, str]:
    # A runner of a hosted CI is a new machine for each job and would take a seat each time.
    project = ci_project(machine)
    if project is not None:
        return "j", project
    containerized = machine.platform.startswith("linux") and in_container(machine)
    if containerized:
        return _identify_container(machine, folder)
    found = _machine_id(machine)
    if found is not None:
        return "m", found
    return _fallback(machine, folder)


def _identify_container(machine: Machine, folder: Path) -> tuple[str, str]:
    for path in LINUX_FILES:
        found = _normalize(machine.read(path))
        if found is not None:
            # Mounted from the host it names the host; otherwise all containers of the image share
            # it, which the vendor can tell by the letter.
            return ("m" if is_mounted(machine, path) else "c"), found
    return _fallback(machine, folder)


def _machine_id(machine: Machine) -> str | None:
    if machine.platform == "win32":
        return _normalize(machine.registry(WINDOWS_KEY, "MachineGuid"))
    if machine.platform == "darwin":
        printed = machine.run(MAC_COMMAND) or ""
        match = re.search(r'"IOPlatformUUID"\s*=\s*"([^"]+)"', printed)
        return _normalize(match[1]) if match else None
    readings = (_normalize(machine.read(path)) for path in LINUX_FILES)
    return next((found for found in readings if found is not None), None)


def _fallback(machine: Machine, folder: Path) -> tuple[str, str]:
    path = folder / STORED_NAME
    stored = _read_stored(path)
    if stored is not None:
        return "s", stored
    host_name = machine.host_name().strip().lower()
    if not _GENERATED_HOST_NAME.fullmatch(host_name):
        return "n", host_name
    created = secrets.token_hex(16)
    try:
        write_atomically(path, created.encode())
    except OSError:
        return "n", host_name or "nameless"
    return "s", _read_stored(path) or created


def _read_stored(path: Path) -> str | None:
    try:
        raw = read_limited(path, 256)
    except OSError:
        return None
    return _normalize(raw.decode("ascii", "replace")) if raw is not None else None


def _normalize(raw: str | None) -> str | None:
    """A usable identifier in one spelling, or nothing: zeros and placeholders name no machine."""
    text = (raw or "").strip().strip("\0").lower()
    compact = text.replace("-", "")
    return text if len(text) >= 8 and not _PLACEHOLDER.fullmatch(compact) else None
