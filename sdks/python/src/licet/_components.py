"""The components of this machine, which recognize it when its hardware ID has changed.

Each is 16 hex digits of an HMAC keyed with the product ID, so no serial number leaves the machine,
and two products cannot match their users. ``vectors/README.md`` has the recipe.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from licet._hardware import LINUX_FILES, MAC_COMMAND, PLATFORM_UUID, WINDOWS_KEY
from licet._machine import Machine, ThisMachine, ci_project, in_container
from licet._smbios import find_board

NAMES = ("osInstall", "board", "model", "disk", "volume")
REINSTALLED = frozenset({"osInstall", "volume"})
"""What a new installation of the operating system changes."""
NONE: Mapping[str, str] = MappingProxyType({})

_LEAST, _LONG, _SHORT = 2, 8, 2
_DMI = "/sys/class/dmi/id"
_BLOCK = "/sys/class/block"
_SLAVES, _DEEPEST = "/sys/dev/block/{}/slaves", 4
_DISKUTIL = ("/usr/sbin/diskutil", "info", "-plist", "/System/Volumes/Data")
_HARDWARE_KEY = r"HARDWARE\DESCRIPTION\System"
_SMBIOS_KEY = r"SYSTEM\CurrentControlSet\Services\mssmbios\Data"
_PLACEHOLDER = re.compile(
    r"uninitialized|none|unknown|localhost|default string|to be filled by o\.e\.m\.|"
    r"system manufacturer|system product name|system serial number|not specified|"
    r"not applicable|not available|invalid|00020003000400050006000700080009"
)


def find_components(product_id: str, machine: Machine | None = None) -> Mapping[str, str]:
    """Find the components of a machine for one product; none if it has fewer than two.

    What cannot be read is left out. This machine is read once in each process.
    """
    values = _of_this_machine() if machine is None else read_components(machine)
    if len(values) < _LEAST:
        return NONE
    return {name: _hashed(product_id, name, value) for name, value in values.items()}


def read_components(machine: Machine) -> Mapping[str, str]:
    """Read the components of a machine in clear; none in a container or a CI job."""
    if ci_project(machine) is not None:
        return NONE
    if machine.platform == "win32":
        found = _on_windows(machine)
    elif machine.platform == "darwin":
        found = _on_mac(machine)
    else:
        found = NONE if in_container(machine) else _on_linux(machine)
    return {name: value for name in NAMES if (value := found.get(name)) is not None}


@cache
def _of_this_machine() -> Mapping[str, str]:
    return read_components(ThisMachine())


def _hashed(product_id: str, name: str, value: str) -> str:
    message = f"{name}:{value}".encode()
    return hmac.new(product_id.encode(), message, hashlib.sha256).hexdigest()[:16]


def _on_linux(machine: Machine) -> Mapping[str, str | None]:
    maker, product = (
        _part(machine.read(f"{_DMI}/{name}")) for name in ("sys_vendor", "product_name")
    )
    if maker is None and product is None:
        product = _part(machine.read("/proc/device-tree/model"))
    processor = re.search(r"(?m)^model name\s*:(.*)", machine.read("/proc/cpuinfo") or "")
    root = _root_device(machine)
    known = _udev(machine, root)
    return {
        "osInstall": next(filter(None, map(_usable, map(machine.read, LINUX_FILES))), None),
        "board": _usable(machine.read("/proc/device-tree/serial-number")),
        "model": _model(maker, product, _part(processor[1] if processor else None)),
        "disk": None if root is None else next(_drives(machine, root), None),
        "volume": _usable(known.get("ID_FS_UUID")),
    }


def _root_device(machine: Machine) -> str | None:
    """The number of the device with the root file system, such as ``259:2``."""
    mounts = (line.split() for line in (machine.read("/proc/self/mountinfo") or "").split("\n"))
    roots = [fields for fields in mounts if len(fields) > 4 and fields[4] == "/"]
    if not roots:
        return None
    number, rest = roots[-1][2], roots[-1][5:]
    if not number.startswith("0:"):
        return number
    # A file system over several devices has a number of its own.
    source = rest[rest.index("-") + 2 :][:1] if "-" in rest else []
    name = source[0].removeprefix("/dev/") if source and source[0].startswith("/dev/") else ""
    if name.startswith("mapper/"):
        mapped = name.removeprefix("mapper/")
        name = next(
            (item for item in machine.names(_BLOCK) if _mapped(machine, item) == mapped), ""
        )
    found = machine.read(f"{_BLOCK}/{name}/dev") if name and "/" not in name else None
    return None if found is None else found.strip()


def _mapped(machine: Machine, name: str) -> str | None:
    found = machine.read(f"{_BLOCK}/{name}/dm/name") if name.startswith("dm-") else None
    return None if found is None else found.strip()


def _drives(machine: Machine, number: str, depth: int = 0) -> Iterator[str]:
    """The serial numbers of the drives below a device."""
    own = _usable(_udev(machine, number).get("ID_SERIAL"))
    if own is not None:
        yield own
    elif depth < _DEEPEST:
        slaves = _SLAVES.format(number)
        for name in sorted(machine.names(slaves)):
            below = machine.read(f"{slaves}/{name}/dev")
            if below is not None:
                yield from _drives(machine, below.strip(), depth + 1)


def _udev(machine: Machine, number: str | None) -> Mapping[str, str]:
    """What the system knows of a block device."""
    text = None if number is None else machine.read(f"/run/udev/data/b{number}")
    lines = (line[2:].partition("=") for line in (text or "").split("\n") if line[:2] == "E:")
    return {name: value for name, _, value in lines}


def _on_windows(machine: Machine) -> Mapping[str, str | None]:
    bios, processor = rf"{_HARDWARE_KEY}\BIOS", rf"{_HARDWARE_KEY}\CentralProcessor\0"
    drive = (machine.env.get("SystemDrive") or "C:").upper()
    return {
        "osInstall": _usable(machine.registry(WINDOWS_KEY, "MachineGuid")),
        "board": _usable(find_board(machine.registry(_SMBIOS_KEY, "SMBiosData"))),
        "model": _model(
            _part(machine.registry(bios, "SystemManufacturer")),
            _part(machine.registry(bios, "SystemProductName")),
            _part(machine.registry(processor, "ProcessorNameString")),
        ),
        "volume": _usable(machine.registry(r"SYSTEM\MountedDevices", rf"\DosDevices\{drive}")),
    }


def _on_mac(machine: Machine) -> Mapping[str, str | None]:
    printed = machine.run(MAC_COMMAND) or ""
    board, model = PLATFORM_UUID.search(printed), re.search(r'"model"\s*=\s*<"([^"]+)">', printed)
    disk = machine.run(_DISKUTIL) or ""
    volume = re.search(r"<key>VolumeUUID</key>\s*<string>([^<]+)</string>", disk)
    return {
        "osInstall": _usable(volume[1] if volume else None),
        "board": _usable(board[1] if board else None),
        "model": _model(_part(model[1] if model else None)),
    }


def _model(*parts: str | None) -> str | None:
    return "/".join(part for part in parts if part is not None) or None


def _part(raw: str | None) -> str | None:
    return _usable(raw, _SHORT)


def _usable(raw: str | None, least: int = _LONG) -> str | None:
    """The normal form of a text; ``None`` if it is unusable, such as zeros or a placeholder."""
    text = re.sub(r"[^!-~]+", " ", raw or "").strip(" ")
    text = re.sub(r"[A-Z]", lambda letter: letter[0].lower(), text)
    compact = re.sub(r"[-_.{} ]", "", text)
    is_named = len(text) >= least and len(set(compact)) > 1
    return text if is_named and not _PLACEHOLDER.fullmatch(text) else None
