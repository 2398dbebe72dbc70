"""Components of a machine: what is read on each system, and license files that name them."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta

from machine_cases import GUID, MACHINE_ID, UUID, hardware_id
from pieces import (
    HARDWARE,
    ISSUED,
    KEY,
    OTHER_HARDWARE,
    OTHER_PRODUCT,
    PRODUCT,
    Signer,
    file_claims,
    grouped,
    rfc3339,
    terms,
)
from proof_cases import DEVICE, OTHER

DMI = "/sys/class/dmi/id"
DISK = "SAMSUNG_MZVLB512HBJQ-000L7_S4ENNF0M123456"
VOLUME = "0f3a2b1c-7d5e-4c6b-9a8f-1e2d3c4b5a69"
CPU = "11th Gen Intel(R) Core(TM) i7-1185G7 @ 3.00GHz"
CPUINFO = (
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 140\n"
    f"model name\t: {CPU}\nstepping\t: 1\n\nprocessor\t: 1\nmodel name\t: another\n"
)
ROOT = "28 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw"
BOOT = "95 28 259:1 / /boot/efi rw,relatime shared:48 - vfat /dev/nvme0n1p1 rw"
UDEV = "/run/udev/data"
LAPTOP_FILES = {
    "/etc/machine-id": f"{MACHINE_ID}\n",
    f"{DMI}/sys_vendor": "LENOVO\n",
    f"{DMI}/product_name": "20XW0026GE\n",
    "/proc/cpuinfo": CPUINFO,
    "/proc/self/mountinfo": f"{BOOT}\n{ROOT}\n",
    f"{UDEV}/b259:2": (
        f"S:disk/by-uuid/{VOLUME}\nI:1234\nE:ID_SERIAL={DISK}\nE:ID_FS_UUID={VOLUME.upper()}\n"
        "E:ID_FS_UUID_ENC=other\nG:systemd\n"
    ),
}
LAPTOP = {
    "osInstall": MACHINE_ID,
    "model": "lenovo/20xw0026ge/11th gen intel(r) core(tm) i7-1185g7 @ 3.00ghz",
    "disk": DISK.lower(),
    "volume": VOLUME,
}
BOARD = "4c4c4544005832108057b9c04f4d4e33"
BIOS_KEY = r"HARDWARE\DESCRIPTION\System\BIOS"
CPU_KEY = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
SMBIOS_KEY = r"SYSTEM\CurrentControlSet\Services\mssmbios\Data"
MOUNTS_KEY = r"SYSTEM\MountedDevices"
PARTITION = "444d494f3a49443a" + "a1b2c3d4e5f60718293a4b5c6d7e8f90"
BIOS = {"SystemManufacturer": "Dell Inc.", "SystemProductName": "Latitude 7420"}
IOREG = f"""+-o Root  <class IORegistryEntry, id 0x100000100, retain 11>
  +-o MacBookPro18,3  <class IOPlatformExpertDevice, id 0x10000022e, registered, matched, active>
      {{
        "IOPlatformSerialNumber" = "C02XXXXXXXXX"
        "IOPlatformUUID" = "{UUID}"
        "model" = <"MacBookPro18,3">
      }}
"""
DATA_VOLUME = "7A1B9C0E-4E6F-4A2D-8B5C-7D9E1F20A3B4"
DISKUTIL = f"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
\t<key>VolumeName</key>
\t<string>Data</string>
\t<key>VolumeUUID</key>
\t<string>{DATA_VOLUME}</string>
</dict>
</plist>
"""


def component(name: str, value: str, product: str = PRODUCT) -> str:
    """The recipe of README.md."""
    message = f"{name}:{value}".encode()
    return hmac.new(product.encode(), message, hashlib.sha256).hexdigest()[:16]


def components(values: dict[str, str], product: str = PRODUCT) -> dict[str, str]:
    return {name: component(name, value, product) for name, value in values.items()}


def machine(
    name: str, platform: str, values: dict[str, str], *, product: str = PRODUCT, **facts: object
) -> dict:
    """``values`` are those that can be read; fewer than two are not sent."""
    return {
        "name": name,
        "productId": product,
        "facts": {"platform": platform, "files": {}, "environment": {}, "hostName": "", **facts},
        "values": values,
        "components": components(values, product) if len(values) > 1 else {},
    }


def linux(
    name: str,
    values: dict[str, str],
    changes: dict[str, str | None] | None = None,
    environment: dict[str, str] | None = None,
    product: str = PRODUCT,
) -> dict:
    """The laptop with other files; a change to ``None`` takes a file away."""
    files = {**LAPTOP_FILES, **(changes or {})}
    kept = {path: text for path, text in files.items() if text is not None}
    return machine(
        name, "linux", values, product=product, files=kept, environment=environment or {}
    )


def without(values: dict[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if name not in names}


def linux_cases() -> list[dict]:
    root = f"{UDEV}/b259:2"
    mounts = "/proc/self/mountinfo"
    no_dmi = {f"{DMI}/sys_vendor": None, f"{DMI}/product_name": None}
    mapped = "28 1 253:1 / / rw - ext4 /dev/mapper/vg-root rw"
    return [
        linux("linux-laptop", LAPTOP),
        linux("linux-laptop-of-another-product", LAPTOP, product=OTHER_PRODUCT),
        linux(
            "linux-mapped-root",
            {**LAPTOP, "disk": "wdc_wd10ezex_wd-1234", "volume": "aaaabbbb-0001"},
            {
                mounts: f"{mapped}\n",
                f"{UDEV}/b253:1": "E:DM_NAME=vg-root\nE:ID_FS_UUID=AAAABBBB-0001\n",
                "/sys/dev/block/253:1/slaves/dm-0/dev": "253:0\n",
                "/sys/dev/block/253:0/slaves/sdb3/dev": "8:19\n",
                "/sys/dev/block/253:0/slaves/sda3/dev": "8:3\n",
                f"{UDEV}/b253:0": "E:DM_NAME=luks\n",
                f"{UDEV}/b8:3": "E:ID_SERIAL=WDC_WD10EZEX_WD-1234\n",
                f"{UDEV}/b8:19": "E:ID_SERIAL=OTHER_DISK_0001\n",
            },
        ),
        linux(
            "linux-btrfs",
            LAPTOP,
            {
                mounts: "28 1 0:25 /root / rw - btrfs /dev/nvme0n1p2 rw,subvol=/root\n",
                "/sys/class/block/nvme0n1p2/dev": "259:2\n",
            },
        ),
        linux(
            "linux-btrfs-mapped",
            {**LAPTOP, "disk": "wdc_wd10ezex_wd-1234"},
            {
                mounts: "28 1 0:25 /root / rw - btrfs /dev/mapper/luks-1 rw,subvol=/root\n",
                "/sys/class/block/dm-0/dev": "253:0\n",
                "/sys/class/block/dm-0/dm/name": "luks-1\n",
                f"{UDEV}/b253:0": f"E:ID_FS_UUID={VOLUME}\n",
                "/sys/dev/block/253:0/slaves/sda3/dev": "8:3\n",
                f"{UDEV}/b8:3": "E:ID_SERIAL=WDC_WD10EZEX_WD-1234\n",
            },
        ),
        linux(
            "linux-mounted-over",
            LAPTOP,
            {mounts: f"20 1 0:2 / / rw - rootfs rootfs rw\n{ROOT}\n"},
        ),
        linux(
            "linux-in-memory",
            without(LAPTOP, "disk", "volume"),
            {mounts: "28 1 0:2 / / rw - tmpfs tmpfs rw\n"},
        ),
        linux("linux-without-udev", without(LAPTOP, "disk", "volume"), {root: None}),
        linux("linux-disk-only", without(LAPTOP, "volume"), {root: f"E:ID_SERIAL={DISK}\n"}),
        linux("linux-spaces", LAPTOP, {f"{DMI}/product_name": " \u00a020XW0026GE\u2122 \0\n"}),
        linux(
            "linux-placeholders",
            {
                "osInstall": MACHINE_ID,
                "model": LAPTOP["model"].rpartition("/")[2],
                "volume": VOLUME,
            },
            {
                f"{DMI}/sys_vendor": "To Be Filled By O.E.M.\n",
                f"{DMI}/product_name": "System Product Name\n",
                root: f"E:ID_SERIAL=00000000-00000\nE:ID_FS_UUID={VOLUME}\n",
            },
        ),
        linux(
            "linux-board-with-a-serial-number",
            {
                "osInstall": MACHINE_ID,
                "board": "100000003d1d2c4b",
                "model": "raspberry pi 4 model b rev 1.4",
                "disk": "ad_sd64g_0x1234abcd",
                "volume": VOLUME,
            },
            {
                **no_dmi,
                "/proc/cpuinfo": "processor\t: 0\nCPU part\t: 0xd08\nSerial\t: 1\n",
                "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
                "/proc/device-tree/serial-number": "100000003d1d2c4b\0",
                root: f"E:ID_SERIAL=AD_SD64G_0x1234abcd\nE:ID_FS_UUID={VOLUME}\n",
            },
        ),
        linux(
            "linux-one-is-not-sent",
            {"osInstall": MACHINE_ID},
            {**no_dmi, "/proc/cpuinfo": None, mounts: None},
        ),
    ]


def structure(kind: int, formatted: bytes, *strings: str) -> bytes:
    """A structure of the SMBIOS table with its strings."""
    texts = b"".join(text.encode() + b"\0" for text in strings) or b"\0"
    return bytes([kind, 4 + len(formatted), 0, 0]) + formatted + texts + b"\0"


def smbios(board: bytes) -> str:
    """The registry value SMBiosData as hexadecimal digits."""
    bios = structure(0, bytes([1, 2, 0, 0, 3, 0xFF]), "Dell Inc.", "1.2.3", "01/02/2023")
    system = structure(1, bytes([1, 2, 0, 0]) + board + bytes([6, 0, 0]), "Dell Inc.", "Latitude")
    table = bios + structure(2, bytes(8)) + system + structure(127, b"")
    return (bytes([0, 3, 2, 0]) + len(table).to_bytes(4, "little") + table).hex()


def windows_cases() -> list[dict]:
    registry = {
        BIOS_KEY: BIOS,
        CPU_KEY: {"ProcessorNameString": f"{CPU}   "},
        SMBIOS_KEY: {"SMBiosData": smbios(bytes.fromhex(BOARD))},
        MOUNTS_KEY: {r"\DosDevices\C:": PARTITION.upper(), r"\DosDevices\D:": "0102030405060708"},
    }
    values = {
        "osInstall": GUID.lower(),
        "board": BOARD,
        "model": f"dell inc./latitude 7420/{CPU.lower()}",
        "volume": PARTITION,
    }

    def windows(name: str, expected: dict[str, str], changes: dict, **environment: str) -> dict:
        return machine(
            name,
            "win32",
            expected,
            machineGuid=GUID,
            registry={**registry, **changes},
            environment=environment,
        )

    cut = smbios(bytes.fromhex(BOARD))[:60]
    return [
        windows("windows-laptop", values, {}),
        windows(
            "windows-on-another-drive",
            {**values, "volume": "0102030405060708"},
            {},
            SystemDrive="d:",
        ),
        windows(
            "windows-board-of-zeros",
            without(values, "board"),
            {SMBIOS_KEY: {"SMBiosData": smbios(bytes(16))}},
        ),
        windows(
            "windows-board-placeholder",
            without(values, "board"),
            {SMBIOS_KEY: {"SMBiosData": smbios(bytes.fromhex("00020003000400050006000700080009"))}},
        ),
        windows(
            "windows-table-cut-off",
            without(values, "board"),
            {SMBIOS_KEY: {"SMBiosData": cut}},
        ),
        windows(
            "windows-table-of-no-length",
            without(values, "board"),
            {SMBIOS_KEY: {"SMBiosData": "0003020004000000" + "00" * 40}},
        ),
        windows(
            "windows-table-malformed",
            without(values, "board"),
            {SMBIOS_KEY: {"SMBiosData": "no table"}},
        ),
    ]


def mac_cases() -> list[dict]:
    values = {
        "osInstall": DATA_VOLUME.lower(),
        "board": UUID.lower(),
        "model": "macbookpro18,3",
    }
    return [
        machine("macos-laptop", "darwin", values, ioreg=IOREG, diskutil=DISKUTIL),
        machine("macos-without-diskutil", "darwin", without(values, "osInstall"), ioreg=IOREG),
        machine(
            "macos-nothing-is-printed",
            "darwin",
            {"osInstall": DATA_VOLUME.lower()},
            diskutil=DISKUTIL,
        ),
    ]


def shared_cases() -> list[dict]:
    """Machines that many others are like, or that live for a moment: they send nothing."""
    return [
        linux("container-sends-none", {}, {"/.dockerenv": ""}),
        linux(
            "container-with-a-mounted-machine-id-sends-none",
            {},
            {
                "/.dockerenv": "",
                "/proc/self/mountinfo": (
                    f"{ROOT}\n612 590 8:1 /etc/machine-id /etc/machine-id ro - ext4 /dev/sda1 rw\n"
                ),
            },
        ),
        linux(
            "ci-sends-none",
            {},
            environment={"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/tool"},
        ),
    ]


def file_cases(signer: Signer) -> list[dict]:
    """A license.bin of a machine, read on the laptop of ``linux-laptop``."""
    same = components(LAPTOP)
    reinstalled = {
        **same,
        "osInstall": component("osInstall", "an earlier installation"),
        "volume": component("volume", "an earlier volume"),
    }
    another = {**reinstalled, "disk": component("disk", "another drive")}

    def case(
        name: str,
        status: str,
        named: object,
        match: object = None,
        *,
        facts: str = "linux-laptop",
        given_id: str | None = None,
        key: dict | None = DEVICE.private_jwk,
        **claims: object,
    ) -> dict:
        given = {"atLeast": 2, "of": 3} if match is None else match
        content = file_claims(
            terms(type="NodeLocked"),
            **{
                "hardwareIds": [OTHER_HARDWARE],
                "components": named,
                "machineMatch": given,
                **claims,
            },
        )
        kept = {field: value for field, value in content.items() if value != "left out"}
        return {
            "name": f"file-{name}",
            "productId": PRODUCT,
            "licenseKey": grouped(KEY),
            "machine": facts,
            "hardwareId": given_id,
            "deviceKey": key,
            "at": rfc3339(ISSUED + timedelta(days=1)),
            "file": signer.sign(kept, "license+jwt"),
            "expected": {"valid": status == "Valid", "status": status},
        }

    mismatch, malformed = "HardwareMismatch", "SignatureMismatch"
    return [
        case("same-machine", "Valid", same),
        case("reinstalled", "Valid", reinstalled),
        case("with-its-key", "Valid", reinstalled, cnf={"jkt": DEVICE.jkt}),
        case("with-another-key", "DeviceProofRequired", reinstalled, cnf={"jkt": OTHER.jkt}),
        case("without-the-key", "DeviceProofRequired", same, key=None, cnf={"jkt": DEVICE.jkt}),
        case("three-of-four-are-asked-for", mismatch, reinstalled, {"atLeast": 3, "of": 4}),
        case("too-few-are-equal", mismatch, another),
        case("values-of-other-names", mismatch, dict(zip("abcd", same.values(), strict=True))),
        case("fewer-than-it-compares", mismatch, without(same, "disk", "volume")),
        case("in-a-container", mismatch, same, facts="container-sends-none"),
        case("without-a-match", mismatch, same, "left out"),
        case("without-components", mismatch, "left out"),
        case("id-of-the-machine", "Valid", another, hardwareIds=[hardware_id("m", MACHINE_ID)]),
        case("id-given-by-the-application", mismatch, same, given_id=HARDWARE),
        case("match-of-one", malformed, same, {"atLeast": 1, "of": 3}),
        case("match-of-half", malformed, same, {"atLeast": 2, "of": 4}),
        case("match-of-more-than-all", malformed, same, {"atLeast": 4, "of": 3}),
        case("match-of-nine", malformed, same, {"atLeast": 8, "of": 9}),
        case("match-of-text", malformed, same, {"atLeast": "2", "of": 3}),
        case("match-of-a-fraction", malformed, same, {"atLeast": 2.5, "of": 3}),
        case("match-is-text", malformed, same, "Exact"),
        case("components-are-a-list", malformed, list(same.values())),
        case("component-is-a-number", malformed, {**same, "disk": 7}),
    ]


def component_cases() -> list[dict]:
    return [*linux_cases(), *windows_cases(), *mac_cases(), *shared_cases()]
