"""An end user goes from the email to a working application without help."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from e2e.process import ADMIN, PASSWORD, NewService, Service
from e2e.vendor import Vendor, make_vendor
from patience import eventually

from licet import LicenseClient

EMAIL = "ada@customers.example.com"
LICENSES = "/api/portal/licenses"


def welcome(service: Service) -> httpx.Client:
    """Ask for a way in, take the link from the mail that waits, and open the account."""
    with service.client() as visitor:
        asked = visitor.post("/api/portal/access", json={"email": EMAIL.upper()})
        assert asked.status_code == 202

        def link() -> re.Match[str] | None:
            printed = service.run("mails")
            assert printed.returncode == 0, printed.stderr
            return re.search(r"/portal/welcome\?token=(\S+)", printed.stdout)

        token = eventually(link, "the email is written")[1]
        body = {"token": token, "password": PASSWORD, "fullName": "Ada"}
        made = visitor.post("/api/portal/access/confirm", json=body)
        assert made.status_code == 201, made.text
        assert visitor.post("/api/portal/access/confirm", json=body).status_code == 401
    assert token not in service.output()
    return service.client(made.json()["accessToken"])


def device_client(vendor: Vendor, license_key: str, machine: str, folder: Path) -> LicenseClient:
    target = vendor.target
    return LicenseClient(
        product_id=target.product_id,
        public_key=target.public_key,
        api_key=target.api_key,
        server_base_endpoint=target.base_url,
        license_key=license_key,
        license_file=folder / f"{machine}.bin",
        hardware_id=machine,
    )


def test_from_the_mailbox_to_a_working_application(new_service: NewService, tmp_path: Path) -> None:
    service = new_service(**ADMIN)
    service.start("--workers", 2)
    with service.sign_in() as owner:
        vendor = make_vendor(owner)
        bound = vendor.issue("NodeLocked", issuedTo=EMAIL.capitalize(), activationMode="Offline")
        pool = vendor.issue("Concurrent", issuedTo=EMAIL, maxActiveUsersCount=6)
        for n in range(6):
            with device_client(vendor, pool["licenseKey"], f"machine-{n}", tmp_path) as client:
                assert client.activate().status == "Active"
        with welcome(service) as ada:
            listed = ada.get(LICENSES).raise_for_status().json()["items"]
            assert {item["id"] for item in listed} == {bound["id"], pool["id"]}

            # The machine that was lost, and the one that comes after it.
            with device_client(vendor, bound["licenseKey"], "lost", tmp_path) as client:
                assert client.validate_online().status == "Valid"
            place = f"{LICENSES}/{bound['id']}"
            [lost] = ada.get(f"{place}/activations").json()["items"]
            assert ada.delete(f"{place}/activations/{lost['id']}").status_code == 204
            assert ada.get(f"{place}/file").status_code == 409
            with device_client(vendor, bound["licenseKey"], "new", tmp_path) as client:
                assert client.validate_online().status == "Valid"
            file = ada.get(f"{place}/file").raise_for_status().content
            (tmp_path / "license.bin").write_bytes(file)
            for machine, status in (("new", "Valid"), ("lost", "HardwareMismatch")):
                with LicenseClient(
                    product_id=vendor.product,
                    public_key=vendor.public_key,
                    license_file=tmp_path / "license.bin",
                    hardware_id=machine,
                ) as client:
                    assert client.validate_offline().status == status

            # Six at once through two processes, three a year.
            place = f"{LICENSES}/{pool['id']}/activations"
            devices = [item["id"] for item in ada.get(place).json()["items"]]
            with ThreadPoolExecutor(6) as threads:
                answers = list(threads.map(lambda one: ada.delete(f"{place}/{one}"), devices))
            assert sorted(answer.status_code for answer in answers) == [204] * 3 + [409] * 3
            assert vendor.ok("GET", f"/api/licenses/{pool['id']}")["seatsUsed"] == 3
