"""Write the published test vectors; see README.md in this folder.

Shares no code with the server or an SDK, so that a mistake in one of them is not repeated here. The
output depends only on these scripts and the stored keys, so running it again changes nothing.
"""

from __future__ import annotations

import argparse
import json
from datetime import timedelta
from pathlib import Path

from claim_cases import claim_cases
from clock_cases import clock_cases
from component_cases import component_cases, file_cases
from coverage_cases import coverage_cases
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from damage_cases import damage_cases
from folder_cases import folder_cases
from heartbeat_cases import heartbeat_cases
from history_cases import history_cases
from journal_cases import credit_cases, journal_cases
from kept_cases import case, kept_cases
from key_cases import key_vectors
from lease_cases import lease_cases
from machine_cases import machine_cases
from offline_cases import offline_cases
from pieces import (
    DAY,
    HARDWARE,
    IMPORTED,
    ISSUED,
    KEY,
    OTHER_HARDWARE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    Signer,
    b64u,
    derive,
    file_claims,
    flip,
    grouped,
    hs256,
    protect,
    terms,
    unsigned,
)
from proof_cases import proof_cases
from release_cases import release_cases
from request_cases import request_cases
from retry_cases import retry_cases
from sentence_cases import sentence_cases
from settings_cases import settings_cases
from truth_cases import truth_cases
from verdict_cases import verdict_cases
from version_cases import covered_cases, version_cases

HERE = Path(__file__).resolve().parent
ENTITLEMENTS = {"export": True, "projects": 25, "discount": 0.1, "tier": "gold"}
OWN_VALUES = {"projects": 999_999_999_999_999, "discount": 999999999.999999}


def signature_cases(signer: Signer, stale: Signer) -> list[dict]:
    good = signer.sign(file_claims(), "license+jwt")
    head, body, signature = good.split(".")
    revoked = file_claims(terms(status="Revoked"))
    spare = signer.sign(file_claims(), "license+jwt")
    return [
        case("good", good, "Valid"),
        case("good-with-key", good, "Valid", licenseKey=grouped(KEY).lower()),
        case("edited-payload", f"{head}.{flip(body)}.{signature}", "SignatureMismatch"),
        case("edited-signature", f"{head}.{body}.{flip(signature)}", "SignatureMismatch"),
        case("edited-header", f"{flip(head)}.{body}.{signature}", "SignatureMismatch"),
        case(
            "payload-of-another-file",
            f"{head}.{b64u(json.dumps(revoked).encode())}.{signature}",
            "SignatureMismatch",
        ),
        case("cut-off", good[:-40], "SignatureMismatch"),
        case("newline-added", spare + "\n", "SignatureMismatch"),
        case("empty", "", "SignatureMismatch"),
        case("not-a-token", "This is no license file.", "SignatureMismatch"),
        case("stale-key", stale.sign(file_claims(), "license+jwt"), "SignatureMismatch"),
        case(
            "stale-key-with-present-kid",
            stale.sign(file_claims(), "license+jwt", kid=signer.kid),
            "SignatureMismatch",
        ),
        case(
            "present-key-with-other-kid",
            signer.sign(file_claims(), "license+jwt", kid=stale.kid),
            "SignatureMismatch",
        ),
        case(
            "other-product",
            signer.sign(file_claims(aud=OTHER_PRODUCT), "license+jwt"),
            "SignatureMismatch",
        ),
        case("alg-none", unsigned(file_claims(), "license+jwt", signer.kid), "SignatureMismatch"),
        case(
            "alg-hs256-with-public-key",
            hs256(file_claims(), "license+jwt", signer.kid, signer.pem.encode()),
            "SignatureMismatch",
        ),
        case("typ-verdict", signer.sign(file_claims(), "verdict+jwt"), "SignatureMismatch"),
        case("typ-jwt", signer.sign(file_claims(), "JWT"), "SignatureMismatch"),
    ]


def term_cases(signer: Signer) -> list[dict]:
    def sign(claims: dict) -> str:
        return signer.sign(claims, "license+jwt")

    perpetual = terms(type="Perpetual", expirationDate=None, features=None)
    return [
        case(
            "entitlements",
            sign(file_claims(terms(features=list(ENTITLEMENTS), entitlements=ENTITLEMENTS))),
            "Valid",
            entitlements=ENTITLEMENTS,
        ),
        case(
            "entitlements-not-restricted",
            sign(file_claims(terms(features=None, entitlements=OWN_VALUES))),
            "Valid",
            entitlements=OWN_VALUES,
        ),
        case(
            "entitlements-malformed",
            sign(file_claims(terms(entitlements={"export": [True]}))),
            "SignatureMismatch",
        ),
        case("perpetual", sign(file_claims(perpetual, exp=None)), "Valid", ISSUED + 5000 * DAY),
        case(
            "a-second-before-expiry",
            sign(file_claims()),
            "Valid",
            ISSUED + 365 * DAY - timedelta(seconds=1),
        ),
        case("expired", sign(file_claims()), "Expired", ISSUED + 365 * DAY),
        case(
            "to-be-refreshed",
            sign(file_claims(exp=ISSUED + 30 * DAY)),
            "RefreshRequired",
            ISSUED + 30 * DAY,
        ),
        case(
            "before-refresh", sign(file_claims(exp=ISSUED + 30 * DAY)), "Valid", ISSUED + 29 * DAY
        ),
        case("revoked-in-file", sign(file_claims(terms(status="Revoked"))), "Revoked"),
        case("suspended-in-file", sign(file_claims(terms(status="Suspended"))), "Suspended"),
        case("status-of-a-newer-server", sign(file_claims(terms(status="Frozen"))), "Unknown"),
        case("clock-moved-back", sign(file_claims()), "ClockTampered", ISSUED - 40 * DAY),
        case("clock-in-wrong-zone", sign(file_claims()), "Valid", ISSUED - timedelta(hours=2)),
        case("clock-a-little-behind", sign(file_claims()), "Valid", ISSUED - timedelta(minutes=3)),
        case("app-of-the-release", sign(file_claims()), "Valid", appVersion="2.9.1"),
        case("app-of-a-later-major", sign(file_claims()), "ReleaseNotAllowed", appVersion="3.0.0"),
        case("app-version-not-semver", sign(file_claims()), "Valid", appVersion="build 700"),
        case(
            "another-license-key",
            sign(file_claims()),
            "LicenseNotFound",
            licenseKey=grouped(OTHER_KEY),
        ),
    ]


def test_license_cases(signer: Signer) -> list[dict]:
    def sign(**changes: object) -> str:
        return signer.sign(file_claims(terms(test=True, **changes)), "license+jwt")

    ended = ISSUED + 365 * DAY
    live = signer.sign(file_claims(terms(test=False)), "license+jwt")
    return [
        case("test-license", sign(), "TestLicense"),
        case("test-license-expired", sign(), "TestLicense", ended),
        case("test-license-revoked", sign(status="Revoked"), "TestLicense"),
        case("test-license-in-test-mode", sign(), "Valid", testMode=True),
        case("test-license-expired-in-test-mode", sign(), "Expired", ended, testMode=True),
        case("test-time-before-the-file", sign(), "Valid", ISSUED - 900 * DAY, testMode=True),
        case("live-license", live, "Valid"),
        case("live-license-in-test-mode", live, "Valid", testMode=True),
        case(
            "live-license-before-the-file",
            live,
            "ClockTampered",
            ISSUED - 900 * DAY,
            testMode=True,
        ),
    ]


def hardware_cases(signer: Signer) -> list[dict]:
    def sign(type_: str = "NodeLocked", **changes: object) -> str:
        return signer.sign(file_claims(terms(type=type_), **changes), "license+jwt")

    bound = sign(hardwareIds=[OTHER_HARDWARE, HARDWARE])
    return [
        case("node-locked-here", bound, "Valid"),
        case("node-locked-elsewhere", sign(hardwareIds=[OTHER_HARDWARE]), "HardwareMismatch"),
        case("node-locked-unbound", sign(), "HardwareIdRequired"),
        case("node-locked-empty-list", sign(hardwareIds=[]), "HardwareIdRequired"),
        case("concurrent-here", sign("Concurrent", hardwareIds=[HARDWARE]), "Valid"),
        case(
            "concurrent-elsewhere",
            sign("Concurrent", hardwareIds=[OTHER_HARDWARE]),
            "HardwareMismatch",
        ),
        case("concurrent-unbound", sign("Concurrent"), "HardwareIdRequired"),
        case(
            "subscription-bound-elsewhere",
            signer.sign(file_claims(hardwareIds=[OTHER_HARDWARE]), "license+jwt"),
            "HardwareMismatch",
        ),
    ]


def protected_cases(signer: Signer, stale: Signer) -> list[dict]:
    salt, iv = bytes(range(32)), bytes(range(100, 112))
    good = signer.sign(file_claims(), "license+jwt")
    sealed = protect(good, KEY, salt, iv)
    imported = signer.sign(file_claims(terms(key=IMPORTED)), "license+jwt")
    parts = sealed.split(".")
    edited = ".".join([*parts[:3], flip(parts[3]), parts[4]])
    return [
        case("protected", sealed, "Valid", licenseKey=grouped(KEY)),
        case(
            "protected-key-loosely-written",
            sealed,
            "Valid",
            licenseKey=f" {grouped(KEY).lower().replace('-', ' ').replace('0', 'o')} ",
        ),
        case(
            "protected-imported-key",
            protect(imported, IMPORTED, salt, iv),
            "Valid",
            licenseKey=IMPORTED,
        ),
        case("protected-other-key", sealed, "SignatureMismatch", licenseKey=grouped(OTHER_KEY)),
        case("protected-edited", edited, "SignatureMismatch", licenseKey=grouped(KEY)),
        case(
            "protected-edited-tag",
            ".".join([*parts[:4], flip(parts[4])]),
            "SignatureMismatch",
            licenseKey=grouped(KEY),
        ),
        case(
            "protected-stale-key",
            protect(stale.sign(file_claims(), "license+jwt"), KEY, salt, iv),
            "SignatureMismatch",
            licenseKey=grouped(KEY),
        ),
    ]


def derive_vectors() -> list[dict]:
    return [
        {
            "licenseKey": written,
            "normalForm": key,
            "salt": b64u(salt),
            "info": "licet/license-file/v1",
            "derivedKey": b64u(derive(key, salt)),
        }
        for written, key, salt in [
            (grouped(KEY), KEY, bytes(16)),
            (grouped(KEY).lower(), KEY, bytes(range(32))),
            (grouped(OTHER_KEY), OTHER_KEY, bytes(range(64))),
            (IMPORTED, IMPORTED, bytes(range(16))),
        ]
    ]


def public_part(signer: Signer) -> dict:
    return {"kid": signer.kid, "publicKeyPem": signer.pem, "publicKey": signer.base64}


def build() -> dict[str, object]:
    signer = Signer((HERE / "TEST-ONLY-product-key.pem").read_bytes())
    stale = Signer((HERE / "TEST-ONLY-stale-key.pem").read_bytes())
    shared = {
        "comment": "Generated by generate.py. The keys are for tests only.",
        **public_part(signer),
    }
    return {
        "keys.json": key_vectors(),
        "derive-key.json": derive_vectors(),
        "files.json": {
            **shared,
            "cases": [
                *signature_cases(signer, stale),
                *term_cases(signer),
                *test_license_cases(signer),
                *hardware_cases(signer),
                *protected_cases(signer, stale),
                *kept_cases(signer, stale),
                *damage_cases(signer),
                *claim_cases(signer),
            ],
        },
        "folders.json": {**shared, "cases": folder_cases(signer)},
        "coverage.json": {**shared, "cases": coverage_cases(signer)},
        "verdicts.json": {**shared, "cases": verdict_cases(signer, stale)},
        "releases.json": {**shared, "cases": release_cases(signer, stale)},
        "hardware.json": {
            **shared,
            "cases": machine_cases(),
            "components": component_cases(),
            "files": file_cases(signer),
            "histories": history_cases(),
        },
        "versions.json": {"order": version_cases(), "covered": covered_cases()},
        "settings.json": {"cases": settings_cases()},
        "clock.json": {**shared, "productId": PRODUCT, "cases": clock_cases(signer)},
        "truth.json": {"cases": truth_cases()},
        "retries.json": {"cases": retry_cases()},
        "heartbeats.json": {"cases": heartbeat_cases()},
        "requests.json": {"cases": request_cases()},
        "sentences.json": {"cases": sentence_cases()},
        "proofs.json": {**shared, **proof_cases(signer)},
        "leases.json": {
            **shared,
            **lease_cases(signer, stale),
            "credits": credit_cases(signer, stale),
        },
        "journals.json": {**shared, **journal_cases(signer)},
        "offline_requests.json": {**shared, **offline_cases(signer, stale)},
    }


def make_keys() -> None:
    for name in ("product", "stale"):
        path = HERE / f"TEST-ONLY-{name}-key.pem"
        if not path.exists():
            pem = rsa.generate_private_key(65537, 3072).private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
            )
            path.write_bytes(pem)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a file would change")
    check = parser.parse_args().check
    make_keys()
    changed = []
    for name, content in build().items():
        path, text = HERE / name, json.dumps(content, indent=2) + "\n"
        if not path.exists() or path.read_text() != text:
            changed.append(name)
            if not check:
                path.write_text(text)
    print("changed:", ", ".join(changed) or "nothing")
    return 1 if check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
