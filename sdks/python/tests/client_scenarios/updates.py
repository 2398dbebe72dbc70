"""The check for updates."""

from __future__ import annotations

import json
from typing import Any

from joserfc import jws
from joserfc.jwk import RSAKey

from client_scenarios.requests import UNKNOWN_KEY
from client_scenarios.shapes import is_refused, names_fields
from client_scenarios.target import Vendor

LATEST = "/updates/latest"


def ask(vendor: Vendor, query: str) -> dict[str, Any]:
    response = vendor.call("GET", f"{LATEST}?{query}")
    assert response.status == 200, response.content
    update: dict[str, Any] = response.content
    return update


def check_the_newest_release_of_a_channel(vendor: Vendor) -> None:
    own = vendor.another_product()
    own.publish("2.10.0", {"a.bin": b"a"}, platform="windows-x64")
    own.publish("2.9.0")
    own.publish("3.0.0", channel="Beta")
    update = ask(own, "currentVersion=2.1.0")
    assert (update["updateAvailable"], update["version"]) == (True, "2.10.0")
    assert update.keys() == {
        "updateAvailable", "version", "channel", "releaseId", "notes", "publishedAt", "files",
        "token", "answer",
    }  # fmt: skip
    [file] = update["files"]
    assert file.keys() == {"name", "platform", "sizeBytes", "sha256", "downloadUrl"}
    assert ask(own, "currentVersion=2.1.0&channel=beta")["version"] == "3.0.0"
    assert ask(own, "currentVersion=2.1.0&platform=linux-x64")["files"] == []
    own.yank("2.10.0")
    assert ask(own, "currentVersion=2.1.0")["version"] == "2.9.0"


def check_each_release_is_signed(vendor: Vendor) -> None:
    own = vendor.another_product()
    own.publish("2.2.0", {"a.bin": b"aa"}, platform="windows-x64")
    update = ask(own, "currentVersion=2.1.0")
    key = RSAKey.import_key(own.target.public_key)
    token = jws.deserialize_compact(update["token"], key, algorithms=["RS256"])
    assert token.headers()["typ"] == "release+jwt"
    assert token.headers()["kid"] == key.thumbprint()
    claims = json.loads(token.payload)
    assert claims.keys() == {"aud", "iat", "version", "channel", "publishedAt", "files"}
    assert claims["publishedAt"][:19] == update["publishedAt"][:19]
    assert (claims["aud"], claims["version"]) == (own.target.product_id, "2.2.0")
    assert claims["channel"] == "Stable"
    offered = {name: value for name, value in update["files"][0].items() if name != "downloadUrl"}
    assert claims["files"] == [offered]
    assert ask(own, "channel=Nightly")["token"] is None


def check_each_answer_is_signed_for_its_request(vendor: Vendor) -> None:
    own = vendor.another_product()
    key = RSAKey.import_key(own.target.public_key)
    assert ask(own, "currentVersion=2.1.0")["answer"] is None
    for current, version, channel in (
        ("2.0.0", "2.1.0", "Stable"),
        ("2.1.0", "2.1.0", "Stable"),
        ("2.1.0", None, "Nightly"),
    ):
        query = f"currentVersion={current}&channel={channel}&platform=linux&nonce=of-this-request"
        update = ask(own, query)
        token = jws.deserialize_compact(update["answer"], key, algorithms=["RS256"])
        assert token.headers()["typ"] == "update+jwt"
        claims = json.loads(token.payload)
        assert isinstance(claims.pop("iat"), int)
        assert claims == {
            "aud": own.target.product_id,
            "nonce": "of-this-request",
            "channel": channel,
            "currentVersion": current,
            "platform": "linux",
            "licenseKeyHash": None,
            "updateAvailable": update["updateAvailable"],
            "version": version,
        }


def check_no_newer_release(vendor: Vendor) -> None:
    own = vendor.another_product()
    for current in ("2.1.0", "v2.1.0", "2.1.0%2Bbuild", "9.0.0"):
        update = ask(own, f"currentVersion={current}")
        assert (update["updateAvailable"], update["version"]) == (False, "2.1.0"), current
        assert update["files"] == []
    for current in ("2.0.9", "2.1.0-rc.1", "", "winter"):
        assert ask(own, f"currentVersion={current}")["updateAvailable"], current
    nothing = ask(own, "channel=Nightly")
    assert (nothing["updateAvailable"], nothing["version"]) == (False, None)
    assert (nothing["channel"], nothing["releaseId"]) == ("Nightly", None)


def check_a_license_limits_the_releases_offered(vendor: Vendor) -> None:
    own = vendor.another_product()
    key = own.issue("Perpetual").key
    own.publish("2.5.0")
    own.publish("3.0.0")
    assert ask(own, "")["version"] == "3.0.0"
    assert ask(own, f"licenseKey={key}")["version"] == "2.5.0"
    is_refused(vendor.call("GET", f"{LATEST}?licenseKey={key}"), 404, "LicenseNotFound")
    is_refused(own.call("GET", f"{LATEST}?licenseKey={UNKNOWN_KEY}"), 404, "LicenseNotFound")


def check_invalid_update_checks(vendor: Vendor) -> None:
    for field, value in (
        ("currentVersion", "1" * 101),
        ("channel", "x" * 51),
        ("platform", "x" * 51),
        ("licenseKey", "x" * 301),
    ):
        names_fields(vendor.call("GET", f"{LATEST}?{field}={value}"), field)
    wrong = vendor.call("GET", LATEST, headers={"X-API-KEY": "pk_no_such_key"})
    is_refused(wrong, 401, "Unauthorized")


def check_an_unknown_download_url(vendor: Vendor) -> None:
    is_refused(vendor.call("GET", "/downloads/none"), 401, "Unauthorized")
