"""Verdicts, the grace period and refreshes."""

from __future__ import annotations

from conformance.requirements import proves
from conformance.vectors import expect, load
from conformance.world import World

VALIDATE, REFRESH = "/licenses/validate", "/licenses/refresh"
UNKNOWN_KEY = "ACME-unknown-key-0000-0001"


@proves("LIC-VRD-010")
def check_an_answer_to_another_request(world: World) -> None:
    license_ = world.issue()
    client = world.client(license_)
    world.driver.call("validate_online", client=client)
    world.driver.call("validate_online", client=client)
    nonces = [entry["body"]["nonce"] for entry in world.requests(VALIDATE)]
    assert len(set(nonces)) == 2, "the nonce was used again"
    world.fault(VALIDATE, request={"nonce": nonces[0]})
    result = world.driver.call("validate_online", client=client, case="replayed")
    expect(result, {"status": "SignatureMismatch", "valid": False})


@proves("LIC-VRD-011")
def check_an_answer_for_another_license(world: World) -> None:
    client, other = world.client(world.issue()), world.issue()
    world.fault(VALIDATE, request={"licenseKey": other["licenseKey"]})
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "SignatureMismatch", "valid": False})


@proves("LIC-VRD-012")
def check_an_unsigned_answer(world: World) -> None:
    client = world.client(world.issue())
    world.fault(VALIDATE, response={"token": None})
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "SignatureMismatch", "valid": False})


@proves("LIC-VRD-013")
def check_an_unknown_key(world: World) -> None:
    client = world.client(licenseKey=UNKNOWN_KEY)
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "LicenseNotFound", "valid": False, "source": "server"})


@proves("LIC-KEY-006")
def check_a_hopeless_key(world: World) -> None:
    for key in load("keys")["malformed"]:
        client = world.client(licenseKey=key, protectFile=True)
        for operation in ("verify_offline", "validate", "validate_online"):
            result = world.driver.call(operation, client=client)
            expect(result, {"status": "LicenseNotFound", "valid": False, "source": "none"})
        error = world.driver.error("open", client=client)
        expect(error, {"code": "LicenseRefused", "errorCode": "LicenseNotFound"})
    assert world.requests() == [], "it was sent"


@proves("LIC-VRD-014")
def check_a_refused_product_key(world: World) -> None:
    client = world.client(world.issue(), productApiKey="pk_no_such_key")
    error = world.driver.error("validate_online", client=client)
    expect(error, {"code": "ApiKeyRefused", "httpStatus": 401})


@proves("LIC-GRC-006")
def check_the_grace_period_when_the_server_is_away(world: World) -> None:
    license_ = world.issue("Subscription", features=["export"])
    client = world.client(license_)
    assert world.driver.call("validate", client=client)["status"] == "Valid"
    world.fault(VALIDATE, times=50, status=500)
    result = world.driver.call("validate", client=client)
    expect(result, {"status": "GracePeriod", "valid": True, "features": ["export"]})
    assert (result["cause"] or {}).get("code") == "ServerUnavailable", "the reason is missing"
    assert result["graceEndsAt"], "the end of the grace period is missing"


@proves("LIC-GRC-007")
def check_a_refusal_when_the_server_is_away(world: World) -> None:
    license_ = world.issue()
    client = world.client(license_)
    assert world.driver.call("validate", client=client)["status"] == "Valid"
    world.vendor(license_, "revoke")
    assert world.driver.call("validate", client=client, case="revoked")["status"] == "Revoked"
    world.fault(VALIDATE, times=50, status=500)
    result = world.driver.call("validate", client=world.client(license_), case="later")
    expect(result, {"status": "Revoked", "valid": False})


@proves("LIC-REF-001")
def check_a_refresh_stores_the_file(world: World) -> None:
    license_ = world.issue(activationMode="Offline")
    client = world.client(license_)
    assert world.driver.call("refresh", client=client)["status"] == "Valid"
    text = world.driver.call("stored_file", client=client)["text"]
    assert text, "no file was stored"
    assert text.count(".") == 2, "the file is not a plain one"
    result = world.driver.call("verify_offline", client=world.client(license_))
    expect(result, {"status": "Valid", "source": "file"})


@proves("LIC-REF-002")
def check_a_damaged_file_is_not_stored(world: World) -> None:
    license_ = world.issue(activationMode="Offline")
    client = world.client(license_)
    world.driver.call("refresh", client=client)
    before = world.driver.call("stored_file", client=client)["text"]
    world.fault(REFRESH, response={"file": before[:-8] + "AAAAAAAA"})
    result = world.driver.call("refresh", client=client, case="damaged")
    assert not result["valid"], "the damaged file was accepted"
    after = world.driver.call("stored_file", client=client, case="after")["text"]
    assert after == before, "the file was replaced"


@proves("LIC-REF-003")
def check_the_protected_form(world: World) -> None:
    license_ = world.issue(activationMode="Offline")
    client = world.client(license_, protectFile=True)
    world.driver.call("refresh", client=client)
    text = world.driver.call("stored_file", client=client, case="protected")["text"]
    assert text.count(".") == 4, "the file is not protected"
    assert world.driver.call("verify_offline", client=client)["valid"], "it cannot be opened"


@proves("LIC-REF-004")
def check_a_refused_refresh(world: World) -> None:
    license_ = world.issue(activationMode="Offline")
    client = world.client(license_)
    world.vendor(license_, "suspend")
    result = world.driver.call("refresh", client=client)
    expect(result, {"status": "Suspended", "valid": False, "source": "server"})
