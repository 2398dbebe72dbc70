"""The hardware ID: one per machine and product, stable and never empty.

It consists of ``h1`` (the version of this algorithm), a letter for its source, a dash and 40 hex
digits of an HMAC keyed with the product ID. Two products therefore cannot match their users, and
the raw identifier does not leave the machine.

Sources, by letter: ``m`` the operating system's machine ID; ``j`` the project of a CI job; ``c``
the machine ID in a container image; ``n`` the host name; ``s`` a random ID stored on this machine
because there was no other source.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from licet._disk import read_own, write_own
from licet._machine import Machine, ThisMachine, ci_project, in_container, is_mounted

VERSION = "h1"
STORED_NAME = "licet-device-id"
LINUX_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")
WINDOWS_KEY = r"SOFTWARE\Microsoft\Cryptography"
MAC_COMMAND = ("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")

CI_JOB = "j"

SOURCES = {
    "m": "the operating system's machine ID",
    CI_JOB: "the project of this CI job",
    "c": "the machine ID in the container image",
    "n": "the host name",
    "s": "a random ID stored on this machine",
}

PLATFORM_UUID = re.compile(r'"IOPlatformUUID"\s*=\s*"([^"]+)"')

_PLACEHOLDER = re.compile(r"(.)\1*|uninitialized|none|unknown|localhost")
_GENERATED_HOST_NAME = re.compile(r"[0-9a-f]{12}|.*-[a-z0-9]{8,10}-[a-z0-9]{5}|localhost|")


@dataclass(frozen=True, slots=True)
class HardwareId:
    """The hardware ID and its source, a key of ``SOURCES``."""

    value: str
    source: str

    @property
    def description(self) -> str:
        return SOURCES[self.source]


def find_hardware_id(
    product_id: str,
    folder: Path,
    machine: Machine | None = None,
    refused: Collection[str] = (),
) -> HardwareId:
    """Determine the hardware ID of this machine for one product.

    Args:
        product_id: The key of the HMAC.
        folder: Where to store a random ID if necessary; it does not have to be writable.
        machine: Replaces this machine in tests.
        refused: The sources, by letter, that must not be used; only the project of a CI job can be.
    """
    machine = machine if machine is not None else ThisMachine()
    project = ci_project(machine) if CI_JOB not in refused else None
    # A hosted CI runner is a new machine for each job and would take a seat each time.
    source, raw = (CI_JOB, project) if project is not None else _identify(machine, folder)
    key = hashlib.sha256(f"licet/hardware-id/v1\0{product_id}".encode()).digest()
    digest = hmac.new(key, f"{source}:{raw}".encode(), hashlib.sha256).hexdigest()
    return HardwareId(f"{VERSION}{source}-{digest[:40]}", source)


def in_ephemeral_container(machine: Machine) -> bool:
    """Whether this is a container without a machine ID mounted from outside."""
    if not (machine.platform.startswith("linux") and in_container(machine)):
        return False
    machine_id_file = next((path for path in LINUX_FILES if _normalize(machine.read(path))), None)
    return machine_id_file is None or not is_mounted(machine, machine_id_file)


def _identify(machine: Machine, folder: Path) -> tuple[str, str]:
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
            # If mounted from the host, it identifies the host. Otherwise all containers of the
            # image share it, which the vendor can see by the letter.
            return ("m" if is_mounted(machine, path) else "c"), found
    return _fallback(machine, folder)


def _machine_id(machine: Machine) -> str | None:
    if machine.platform == "win32":
        return _normalize(machine.registry(WINDOWS_KEY, "MachineGuid"))
    if machine.platform == "darwin":
        printed = machine.run(MAC_COMMAND) or ""
        match = PLATFORM_UUID.search(printed)
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
        write_own(path, created.encode())
    except OSError:
        return "n", host_name or "nameless"
    return "s", _read_stored(path) or created


def _read_stored(path: Path) -> str | None:
    try:
        raw = read_own(path, 256)
    except OSError:
        return None
    return _normalize(raw.decode("ascii", "replace")) if raw is not None else None


def _normalize(raw: str | None) -> str | None:
    """Normalize an identifier; ``None`` if it is unusable, such as zeros or a placeholder."""
    text = (raw or "").strip().strip("\0").lower()
    compact = text.replace("-", "")
    return text if len(text) >= 8 and not _PLACEHOLDER.fullmatch(compact) else None
