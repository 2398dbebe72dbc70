"""The verdict tokens: valid ones, refusals, and those that a client must reject."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    KEY,
    LICENSE,
    NONCE,
    OTHER_HARDWARE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    Signer,
    b64u,
    file_claims,
    flip,
    grouped,
    hs256,
    rfc3339,
    terms,
    unsigned,
)


def verdict_claims(**changes: object) -> dict:
    issued = int(ISSUED.timestamp())
    license_terms = {
        name: value for name, value in terms().items() if name not in {"key", "issuer"}
    }
    return {
        "aud": PRODUCT,
        "iat": issued,
        "exp": issued + 300,
        "nonce": NONCE,
        "valid": True,
        "status": "Valid",
        "licenseKeyHash": b64u(hashlib.sha256(KEY.encode()).digest()),
        "hardwareId": HARDWARE,
        "license": {"id": LICENSE, **license_terms},
        **changes,
    }


def verdict(
    name: str, token: str, status: str, at: datetime | None = None, **facts: object
) -> dict:
    return {
        "name": name,
        "request": {
            "productId": PRODUCT,
            "licenseKey": grouped(KEY),
            "hardwareId": HARDWARE,
            "nonce": NONCE,
        },
        "at": rfc3339(at or ISSUED + timedelta(seconds=2)),
        "token": token,
        "expected": {"valid": status == "Valid", "status": status},
        **facts,
    }


def verdict_cases(signer: Signer, stale: Signer) -> list[dict]:
    def sign(**changes: object) -> str:
        return signer.sign(verdict_claims(**changes), "verdict+jwt")

    def refusal(status: str) -> str:
        return sign(valid=False, status=status, license=None)

    issued = int(ISSUED.timestamp())
    expired_terms = {**verdict_claims()["license"], "status": "Expired"}
    ended_terms = {**verdict_claims()["license"], "expirationDate": rfc3339(ISSUED - DAY)}
    test_terms = {**verdict_claims()["license"], "test": True}
    no_seat = {"valid": False, "status": "ActivationRequired", "license": test_terms}
    bad = "SignatureMismatch"
    head, body, signature = sign().split(".")
    no_nonce = {k: v for k, v in verdict_claims().items() if k != "nonce"}
    refusals = [
        "LicenseNotFound",
        "Expired",
        "Revoked",
        "Suspended",
        "HardwareIdRequired",
        "HardwareMismatch",
        "PendingApproval",
        "DeviceBlocked",
        "CredentialsRequired",
        "CredentialsInvalid",
        "ActivationRequired",
        "ReleaseNotAllowed",
        "HardwareIdNotAccepted",
        "TrialAlreadyUsed",
        "DeviceProofRequired",
    ]
    distant = {"years-ahead": ISSUED - 900 * DAY, "years-behind": ISSUED + 300 * DAY}
    return [
        verdict("good", sign(), "Valid"),
        *(verdict(f"refused-{status}", refusal(status), status) for status in refusals),
        verdict("status-of-a-newer-server", refusal("Frozen"), "Unknown"),
        verdict("status-of-a-newer-server-valid", sign(status="Blessed"), "Unknown"),
        verdict("sdk-status-from-server", sign(status="GracePeriod"), "Unknown"),
        verdict("test-status-from-server", refusal("TestLicense"), "Unknown"),
        verdict("valid-but-revoked", sign(status="Revoked"), bad),
        verdict("not-valid-but-valid", sign(valid=False), bad),
        verdict("valid-as-text", sign(valid="true"), bad),
        verdict("another-nonce", sign(nonce="YW5vdGhlci1ub25jZQ"), bad),
        verdict("no-nonce", signer.sign(no_nonce, "verdict+jwt"), bad),
        verdict("another-product", sign(aud=OTHER_PRODUCT), bad),
        verdict(
            "another-license-key",
            sign(licenseKeyHash=b64u(hashlib.sha256(OTHER_KEY.encode()).digest())),
            bad,
        ),
        verdict("another-machine", sign(hardwareId=OTHER_HARDWARE), bad),
        verdict("no-machine", sign(hardwareId=None), bad),
        verdict("no-license", sign(license=None), bad),
        verdict("license-not-active", sign(license=expired_terms), bad),
        verdict("license-past-its-term", sign(license=ended_terms), bad),
        verdict("lives-for-years", sign(exp=issued + 86400 * 3650), bad),
        verdict("ends-before-it-begins", sign(exp=issued - 1), bad),
        verdict("iat-as-text", sign(iat=str(issued)), bad),
        verdict("stale-key", stale.sign(verdict_claims(), "verdict+jwt"), bad),
        verdict(
            "stale-key-with-present-kid",
            stale.sign(verdict_claims(), "verdict+jwt", kid=signer.kid),
            bad,
        ),
        verdict("edited-payload", f"{head}.{flip(body)}.{signature}", bad),
        verdict("edited-signature", f"{head}.{body}.{flip(signature)}", bad),
        verdict("alg-none", unsigned(verdict_claims(), "verdict+jwt", signer.kid), bad),
        verdict(
            "alg-hs256-with-public-key",
            hs256(verdict_claims(), "verdict+jwt", signer.kid, signer.pem.encode()),
            bad,
        ),
        verdict("typ-license", signer.sign(verdict_claims(), "license+jwt"), bad),
        verdict("license-file-instead", signer.sign(file_claims(), "license+jwt"), bad),
        verdict("an-hour-old", sign(), "ClockTampered", ISSUED + timedelta(minutes=67)),
        verdict("from-the-future", sign(), "ClockTampered", ISSUED - timedelta(minutes=67)),
        verdict("refused-an-hour-ago", refusal("Revoked"), "Revoked", ISSUED + timedelta(hours=1)),
        verdict("test-license", sign(license=test_terms), "TestLicense"),
        verdict("test-license-without-a-seat", sign(**no_seat), "TestLicense"),
        verdict("test-license-in-test-mode", sign(license=test_terms), "Valid", testMode=True),
        verdict(
            "test-license-without-a-seat-in-test-mode",
            sign(**no_seat),
            "ActivationRequired",
            testMode=True,
        ),
        *(
            verdict(f"test-time-{name}", sign(license=test_terms), "Valid", at, testMode=True)
            for name, at in distant.items()
        ),
        verdict("live-license-in-test-mode", sign(), "Valid", testMode=True),
        *(
            verdict(f"live-license-{name}-in-test-mode", sign(), "ClockTampered", at, testMode=True)
            for name, at in distant.items()
        ),
    ]
