"""Validation, license files and derived keys on the wire."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from typing import Any

from joserfc import jws
from joserfc.jwk import RSAKey

from client_scenarios.requests import (
    ELSEWHERE,
    HERE,
    UNKNOWN_KEY,
    activate,
    device,
    refresh,
    status_of,
    validate,
)
from client_scenarios.shapes import (
    TERMS,
    VERDICT,
    a_time,
    a_token,
    an_id,
    has_shape,
    is_refused,
    moment,
    names_fields,
)
from client_scenarios.target import Vendor
from licet._jose import decode_segment, derive_file_key, open_protected, read_object
from licet._keys import normal_form

EVERY_MODEL: dict[str, dict[str, Any]] = {
    "Perpetual": {},
    "Trial": {"expires": timedelta(days=30)},
    "Subscription": {"expires": timedelta(days=30)},
    "Floating": {"seats": 3},
    "Concurrent": {"seats": 3},
    "NodeLocked": {},
    "MeteredToken": {},
    "MeteredCount": {},
}

NO_SEAT = {"kind": "None", "held": None, "used": None, "total": None}
SEATS = {
    "Floating": {"kind": "Session", "held": None, "used": 0, "total": 3},
    "Concurrent": {"kind": "Device", "held": True, "used": 1, "total": 3},
    "NodeLocked": {"kind": "Machine", "held": True, "used": 1, "total": 1},
}


def check_one_request_for_a_first_start(vendor: Vendor) -> None:
    for model, terms in EVERY_MODEL.items():
        license_ = vendor.issue(model, **terms)
        fields = {"hardwareId": HERE, "os": "Linux", "activate": True, "file": True}
        verdict = validate(vendor, license_, **fields)
        has_shape(verdict, {**VERDICT, "file": a_token})
        assert verdict["seat"] == SEATS.get(model, NO_SEAT)
        assert (verdict["activation"] is not None) == (model in {"Concurrent", "NodeLocked"})


def check_every_model_validates(vendor: Vendor) -> None:
    for model, terms in EVERY_MODEL.items():
        license_ = vendor.issue(model, metadata={"a": "b"}, **terms)
        if model == "Concurrent":
            assert activate(vendor, license_).status == 201
        verdict = validate(vendor, license_, hardwareId=HERE, nonce="n-1")
        has_shape(verdict, {**VERDICT, "valid": True, "status": "Valid", "nonce": "n-1"})
        expected = {
            "id": license_.id,
            "type": model,
            "status": "Active",
            "maxActiveUsersCount": terms.get("seats"),
            "features": None,
            "entitlements": None,
            "metadata": {"a": "b"},
        }
        has_shape(verdict["license"], {**TERMS, **expected})
        is_on_a_device = model in {"Concurrent", "NodeLocked"}
        assert (verdict["activation"] is not None) == is_on_a_device, model
        has_shape(verdict["seat"], SEATS.get(model, NO_SEAT))


def check_every_spelling_of_the_key_is_accepted(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    for spelling in (license_.key.lower(), license_.key.replace("-", " "), f" {license_.key} "):
        body = {"licenseKey": spelling}
        assert vendor.call("POST", "/licenses/validate", body).content["status"] == "Valid"
    last = "B" if license_.key[-1] == "A" else "A"
    body = {"licenseKey": license_.key[:-1] + last}
    verdict = vendor.call("POST", "/licenses/validate", body).content
    has_shape(verdict, {**VERDICT, "status": "LicenseNotFound", "license": None, "seat": None})


def check_another_products_license_is_not_found(vendor: Vendor) -> None:
    another_product = vendor.another_product()
    license_ = another_product.issue("Perpetual")
    assert status_of(another_product, license_) == "Valid"
    assert status_of(vendor, license_) == "LicenseNotFound"
    is_refused(refresh(vendor, license_), 404, "LicenseNotFound")
    is_refused(activate(vendor, license_), 404, "LicenseNotFound")


def check_every_status_of_a_verdict(vendor: Vendor) -> None:
    revoked, held = vendor.issue("Perpetual"), vendor.issue("Perpetual")
    revoked.revoke()
    held.suspend()
    assert status_of(vendor, revoked) == "Revoked"
    assert status_of(vendor, held) == "Suspended"
    held.reinstate()
    assert status_of(vendor, held) == "Valid"
    guarded = vendor.issue("Perpetual", username="jo", password="a secret")
    assert status_of(vendor, guarded) == "CredentialsRequired"
    assert status_of(vendor, guarded, username="jo") == "CredentialsRequired"
    assert status_of(vendor, guarded, username="jo", password="no") == "CredentialsInvalid"
    assert status_of(vendor, guarded, username="JO", password="a secret") == "CredentialsInvalid"
    assert status_of(vendor, guarded, username="jo", password="a secret") == "Valid"
    refused = validate(vendor, guarded, hardwareId=HERE)
    assert (refused["license"], refused["activation"]) == (None, None)
    assert status_of(vendor, held, appVersion="2.9.9") == "Valid"
    assert status_of(vendor, held, appVersion="3.0.0") == "ReleaseNotAllowed"
    assert status_of(vendor, held, appVersion="build 3000") == "Valid"
    assert status_of(vendor, vendor.issue("NodeLocked")) == "HardwareIdRequired"


def check_a_license_expires(vendor: Vendor) -> None:
    license_ = vendor.issue("Trial", expires=timedelta(seconds=3))
    assert status_of(vendor, license_) == "Valid"
    vendor.wait(3.1)
    verdict = validate(vendor, license_)
    assert (verdict["status"], verdict["license"]["status"]) == ("Expired", "Expired")
    is_refused(refresh(vendor, license_), 400, "LicenseExpired")
    is_refused(activate(vendor, license_), 400, "LicenseExpired")


def check_the_order_of_a_verdict(vendor: Vendor) -> None:
    """With several failing rules, the status is that of the first in order."""
    license_ = vendor.issue("NodeLocked", expires=timedelta(seconds=3))
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    blocked = device(license_)
    blocked.block()
    assert status_of(vendor, license_, hardwareId=HERE, appVersion="9.0.0") == "ReleaseNotAllowed"
    assert status_of(vendor, license_, hardwareId=HERE) == "DeviceBlocked"
    assert status_of(vendor, license_) == "HardwareIdRequired"
    assert status_of(vendor, license_, appVersion="9.0.0") == "ReleaseNotAllowed"
    license_.suspend()
    vendor.wait(3.1)
    assert status_of(vendor, license_, hardwareId=HERE) == "Suspended"
    license_.reinstate()
    assert status_of(vendor, license_, hardwareId=HERE, appVersion="9.0.0") == "Expired"
    license_.suspend()
    license_.revoke()
    assert status_of(vendor, license_, hardwareId=HERE) == "Revoked"


def check_credentials_come_before_the_release(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual", username="jo", password="a secret")
    fields = {"appVersion": "9.0.0", "hardwareId": HERE}
    login = {"username": "jo", "password": "a secret"}
    assert activate(vendor, license_, **login).status == 201
    device(license_).block()
    assert status_of(vendor, license_, **fields) == "CredentialsRequired"
    fields |= {"username": "jo", "password": "no"}
    assert status_of(vendor, license_, **fields) == "CredentialsInvalid"
    fields["password"] = "a secret"
    assert status_of(vendor, license_, **fields) == "ReleaseNotAllowed"
    del fields["appVersion"]
    assert status_of(vendor, license_, **fields) == "DeviceBlocked"


def check_nothing_is_told_before_the_credentials(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual", username="jo", password="a secret")
    license_.revoke()
    refused = validate(vendor, license_, hardwareId=HERE, username="jo", password="no")
    told = (refused["status"], refused["license"], refused["activation"], refused["seat"])
    assert told == ("CredentialsInvalid", None, None, None)
    assert status_of(vendor, license_, username="jo", password="a secret") == "Revoked"


def check_features_are_returned(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual", features=["export"])
    file = file_claims(license_.file())
    for terms in (validate(vendor, license_)["license"], file["license"]):
        assert (terms["features"], terms["entitlements"]) == (["export"], {"export": True})


def check_a_signed_verdict(vendor: Vendor) -> None:
    license_ = vendor.issue("Subscription", expires=timedelta(days=30))
    verdict = validate(vendor, license_, signed=True, nonce="n-1", hardwareId=HERE)
    has_shape(verdict, {**VERDICT, "token": a_token})
    header, claims = opened(vendor, verdict["token"])
    assert (header["alg"], header["typ"]) == ("RS256", "verdict+jwt")
    issued = claims["iat"]
    assert issued == int(moment(verdict["serverTime"]).timestamp())
    digest = sha256(license_.key.replace("-", "").encode()).digest()
    assert claims == {
        "aud": vendor.target.product_id,
        "iat": issued,
        "exp": issued + 300,
        "nonce": "n-1",
        "valid": True,
        "status": "Valid",
        "licenseKeyHash": urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "hardwareId": HERE,
        "license": verdict["license"],
        "seat": verdict["seat"],
    }


def check_a_signed_refusal(vendor: Vendor) -> None:
    body = {"licenseKey": UNKNOWN_KEY, "signed": True, "nonce": "n-2"}
    verdict = vendor.call("POST", "/licenses/validate", body).content
    _, claims = opened(vendor, verdict["token"])
    expected = {"valid": False, "status": "LicenseNotFound", "license": None, "hardwareId": None}
    assert expected.items() <= claims.items()


def check_a_refreshed_file(vendor: Vendor) -> None:
    license_ = vendor.issue("Subscription", expires=timedelta(days=30))
    response = refresh(vendor, license_, hardwareId=HERE)
    has_shape(response.content, {"file": a_token, "expiresAt": a_time})
    header, claims = opened(vendor, response.content["file"])
    assert header["typ"] == "license+jwt"
    assert set(header) == {"alg", "typ", "kid"}
    names = {"iss", "sub", "aud", "jti", "iat", "nbf", "exp", "license", "product", "release"}
    assert set(claims) == names
    terms = {**TERMS, "key": license_.key, "issuer": lambda value: True}
    has_shape({**claims["license"], "id": claims["sub"]}, terms)
    assert claims["sub"] == license_.id
    assert claims["aud"] == claims["product"]["id"] == vendor.target.product_id
    assert claims["release"]["version"] == "2.1.0"
    assert claims["exp"] == int(moment(response.content["expiresAt"]).timestamp())


def check_a_protected_file(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    response = refresh(vendor, license_, protected=True)
    has_shape(response.content, {"file": lambda text: text.count(".") == 4, "expiresAt": None})
    sealed = response.content["file"]
    header = read_object(decode_segment(sealed.split(".")[0]))
    assert set(header) == {"alg", "enc", "cty", "salt"}
    opened(vendor, open_protected(sealed, normal_form(license_.key)))


def check_a_file_names_the_bound_device(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    names_fields(refresh(vendor, license_), "hardwareId")
    file = refresh(vendor, license_, hardwareId=HERE).content["file"]
    assert file_claims(file)["hardwareIds"] == [HERE]
    is_refused(refresh(vendor, license_, hardwareId=ELSEWHERE), 403, "HardwareMismatch")


def check_refusals_of_a_refresh(vendor: Vendor) -> None:
    revoked, guarded = (
        vendor.issue("Perpetual"),
        vendor.issue("Perpetual", username="jo", password="a secret"),
    )
    revoked.revoke()
    is_refused(refresh(vendor, revoked), 400, "LicenseInvalid")
    names_fields(refresh(vendor, guarded), "username", "password")
    wrong = refresh(vendor, guarded, username="jo", password="no")
    is_refused(wrong, 401, "InvalidCredentials")
    unknown = vendor.call("POST", "/licenses/refresh", {"licenseKey": UNKNOWN_KEY})
    is_refused(unknown, 404, "LicenseNotFound")
    waiting = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    is_refused(refresh(vendor, waiting, hardwareId=HERE), 403, "PendingApproval")
    floating = vendor.issue("Floating", seats=1)
    assert activate(vendor, floating).status == 201
    device(floating).block()
    is_refused(refresh(vendor, floating, hardwareId=HERE), 403, "DeviceBlocked")
    names_fields(refresh(vendor, floating), "hardwareId")
    assert refresh(vendor, floating, hardwareId=ELSEWHERE).status == 200


def check_a_short_key_cannot_protect_a_file(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual", license_key="short-key-1")
    assert refresh(vendor, license_).status == 200
    is_refused(refresh(vendor, license_, protected=True), 409, "Conflict")


def check_derived_keys(vendor: Vendor) -> None:
    license_, salt = vendor.issue("Perpetual"), b"0123456789abcdef"
    body = {"licenseKey": license_.key, "salt": urlsafe_b64encode(salt).rstrip(b"=").decode()}
    response = vendor.call("POST", "/security/derive-key", body, headers={"X-API-KEY": ""})
    assert response.status == 200, response
    has_shape(response.content, {"derivedKey": lambda _: True, "algorithm": "HKDF-SHA256"})
    expected = derive_file_key(normal_form(license_.key), salt)
    assert decode_segment(response.content["derivedKey"]) == expected
    bad = {"licenseKey": "too-short", "salt": "abc"}
    names_fields(vendor.call("POST", "/security/derive-key", bad), "licenseKey", "salt")


def check_the_activation_is_returned(vendor: Vendor) -> None:
    """Of any model, where this device has a row; never that of another one."""
    license_ = vendor.issue("Concurrent", seats=2)
    assert validate(vendor, license_, hardwareId=HERE)["activation"] is None
    made = activate(vendor, license_).content
    expected = validate(vendor, license_, hardwareId=HERE)["activation"]
    has_shape(expected, {"id": an_id, "status": "Active"})
    assert expected["id"] == made["activationId"]
    assert validate(vendor, license_, hardwareId=ELSEWHERE)["activation"] is None
    assert validate(vendor, license_)["activation"] is None
    device(license_).block()
    verdict = validate(vendor, license_, hardwareId=HERE)
    assert (verdict["status"], verdict["activation"]["status"]) == ("DeviceBlocked", "Blocked")
    assert status_of(vendor, license_) == "HardwareIdRequired", "a blocked device cannot hide"


def opened(vendor: Vendor, token: str) -> tuple[Any, Any]:
    """Header and claims of a token, its signature checked against the product's key."""
    key = RSAKey.import_key(vendor.target.public_key)
    verified = jws.deserialize_compact(token, key, algorithms=["RS256"])
    assert verified.protected["kid"] == key.thumbprint()
    return verified.protected, read_object(verified.payload)


def file_claims(file: str) -> Any:
    """The claims of a plain file, unverified."""
    return read_object(decode_segment(file.split(".")[1]))
