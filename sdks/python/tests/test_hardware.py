from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from licet_testkit import PRODUCT, PUBLIC_KEY

from licet import ClientOptions, LicenseClient
from licet._hardware import STORED_NAME, find_hardware_id
from licet._machine import ThisMachine

MACHINE_ID = "3d1219c7c4c5404aaa1f6d2a48adfda4"
GUID = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
IOREG = f'+-o Root\n    "IOPlatformSerialNumber" = "C02X"\n    "IOPlatformUUID" = "{GUID}"\n'


@dataclass
class FakeMachine:
    platform: str = "linux"
    files: dict[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    printed: str | None = None
    values: dict[tuple[str, str], str] = field(default_factory=dict)
    name: str = ""
    commands: list[Sequence[str]] = field(default_factory=list)

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def exists(self, path: str) -> bool:
        return path in self.files

    def names(self, path: str) -> list[str]:
        return []

    def run(self, command: Sequence[str]) -> str | None:
        self.commands.append(command)
        return self.printed

    def registry(self, key: str, name: str) -> str | None:
        return self.values.get((key, name))

    def host_name(self) -> str:
        return self.name


LINUX = {"/etc/machine-id": MACHINE_ID + "\n"}
DOCKER = {"/.dockerenv": ""}
MOUNTED = {"/proc/self/mountinfo": "36 35 98:0 / /etc/machine-id ro,noatime - ext4 /dev/sda1 ro\n"}
WINDOWS = {(r"SOFTWARE\Microsoft\Cryptography", "MachineGuid"): GUID}


def found(machine: FakeMachine, folder: Path, product: str = PRODUCT) -> str:
    value = find_hardware_id(product, folder, machine).value
    assert re.fullmatch(r"h1[mjcns]-[0-9a-f]{40}", value)
    return value


@pytest.mark.specification("sdk.hardware-id")
def test_each_operating_system(tmp_path: Path) -> None:
    mac = FakeMachine("darwin", printed=IOREG)
    values = [
        found(FakeMachine(files=LINUX), tmp_path),
        found(FakeMachine("win32", values=WINDOWS), tmp_path),
        found(mac, tmp_path),
    ]
    assert {value[:3] for value in values} == {"h1m"}
    assert values[1] == values[2] != values[0]
    assert mac.commands[0][0] == "/usr/sbin/ioreg"


def test_windows_runs_no_command(tmp_path: Path) -> None:
    machine = FakeMachine("win32", values=WINDOWS)
    found(machine, tmp_path)
    assert machine.commands == []


def test_ids_differ_by_product_and_hide_the_raw_id(tmp_path: Path) -> None:
    machine = FakeMachine(files=LINUX)
    one, two = found(machine, tmp_path, "one"), found(machine, tmp_path, "two")
    assert one != two
    assert MACHINE_ID[:8] not in one


def test_kernel_memory_and_host_name_do_not_matter(tmp_path: Path) -> None:
    files = {**LINUX, "/proc/version": "6.1", "/proc/meminfo": "x"}
    assert found(FakeMachine(files=files, name="a"), tmp_path) == found(
        FakeMachine(files=LINUX, name="b"), tmp_path
    )


def test_a_container_without_a_machine_id_stores_a_random_id(tmp_path: Path) -> None:
    first = found(FakeMachine(files=DOCKER, name="3f2a9c01d4e5"), tmp_path)
    assert first.startswith("h1s-")
    assert (tmp_path / STORED_NAME).exists()
    assert found(FakeMachine(files=DOCKER, name="ffffffffffff"), tmp_path) == first


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin", "freebsd14", "emscripten"])
def test_the_id_is_never_empty(platform: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert found(FakeMachine(platform), tmp_path / "file").startswith("h1n-")


def test_the_code_can_refuse_the_id_of_a_ci_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can set the variables, and so share one seat."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_REPOSITORY", "anybody/anything")
    options: ClientOptions = {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "state_folder": tmp_path,
    }
    assert LicenseClient(**options).hardware_id.startswith("h1j-")
    strict: ClientOptions = {**options, "ci_hardware_id": False}
    own = LicenseClient(**strict).hardware_id
    assert not own.startswith("h1j-")
    (tmp_path / "licet.json").write_text('{"CiHardwareId": true}')
    assert LicenseClient.from_settings(tmp_path, **strict).hardware_id == own


def test_this_machine(tmp_path: Path) -> None:
    machine = ThisMachine()
    first = find_hardware_id(PRODUCT, tmp_path, machine)
    assert find_hardware_id(PRODUCT, tmp_path) == first
    assert machine.run(["/no/such/command"]) is None
    assert machine.read("/no/such/file") is None
    assert machine.registry("x", "y") is None
    assert machine.host_name()
