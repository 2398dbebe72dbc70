"""A machine in a network namespace without a route, and the offline desk of the running service."""

import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import httpx
import pytest
from conformance.real import RealTarget
from e2e.process import EMAIL, PASSWORD, Service

UNSHARE = ["unshare", "--net"]
STARTS = """
import sys
from licet import LicenseClient
with LicenseClient(
    product_id=sys.argv[1], public_key=sys.argv[2], license_key=sys.argv[3],
    state_folder=sys.argv[4], license_file=sys.argv[4] + "/license.bin",
) as client:
    print(client.validate().status)
"""


class Machine:
    """A machine that never has a connection. Each command is a process of its own."""

    def __init__(self, product: dict[str, Any], license_key: str, folder: Path) -> None:
        self.folder = folder
        self._identity = [product["productId"], product["publicKey"], license_key]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*UNSHARE, sys.executable, *command],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def licet(self, action: str, *more: str) -> subprocess.CompletedProcess[str]:
        names = ("--product-id", "--public-key", "--license-key")
        given = [item for pair in zip(names, self._identity, strict=True) for item in pair]
        place = ["--state-folder", str(self.folder)]
        place += ["--license-file", str(self.folder / "license.bin")]
        return self.run("-m", "licet.cli", "offline", action, *given, *place, *more)

    def status(self) -> str:
        return self.run("-c", STARTS, *self._identity, str(self.folder)).stdout.strip()


@pytest.mark.parametrize("way", ["file", "code"])
def test_a_machine_without_a_route_is_activated_and_released(
    service: Service, tmp_path: Path, way: str
) -> None:
    try:
        subprocess.run([*UNSHARE, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a network namespace cannot be created here")
    target = RealTarget(f"{service.address}/api", EMAIL, PASSWORD)
    desk = f"{service.address}/api/offline/requests/answer"
    product = target.control("POST", "/reset", {})
    terms = {"type": "Concurrent", "maxActiveUsersCount": 1, "offlineActivation": "SelfService"}
    license_ = target.control("POST", "/licenses", terms)
    machine = Machine(product, license_["licenseKey"], tmp_path)
    if way == "code":
        base = target.control("POST", f"/licenses/{license_['id']}/baseFile", {})
        (tmp_path / "license.bin").write_text(base["file"])
        assert machine.status() == "ActivationRequired"

    request = machine.licet("request", "-").stdout
    answer = httpx.post(desk, json={"request": request}).raise_for_status().json()
    answer_file = tmp_path / "answer.bin"
    answer_file.write_bytes(b64decode(answer["file"]))
    given = str(answer_file) if way == "file" else answer["code"]
    assert machine.licet("apply", given).stdout.startswith("valid: Valid")
    assert machine.status() == "Valid"
    devices = f"/licenses/{license_['id']}"
    assert len(target.control("GET", devices, {})["devices"]) == 1

    release = machine.licet("release", "-")
    assert machine.status() == "ActivationRequired"
    proof = {"request": release.stdout}
    if way == "code":
        code = release.stderr.partition("Release code: ")[2].strip()
        proof = {"request": code, "licenseKey": license_["licenseKey"]}
    assert httpx.post(desk, json=proof).raise_for_status().json()["state"] == "Released"
    assert target.control("GET", devices, {})["devices"] == []
    assert machine.licet("apply", given).returncode == 2
    assert machine.status() == "ActivationRequired"
    target.close()
