"""Leases of seats: tokens that a client keeps, and receipts by which a server gets seats back."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta

from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    KEY,
    LICENSE,
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
from proof_cases import DEVICE, OTHER, DeviceKey, key_cases
from verdict_cases import verdict_claims

LEASE = "01920000-0000-7000-8000-0000000000c1"
OTHER_LEASE = "01920000-0000-7000-8000-0000000000c2"
ENDS = ISSUED + 14 * DAY
AT = ISSUED + DAY
SEQ = 2


def key_digest(key: str) -> str:
    return b64u(hashlib.sha256(key.encode()).digest())


def lease_terms(**changes: object) -> dict:
    floating = terms(type="Floating", activationMode="Online", maxActiveUsersCount=5, **changes)
    return {name: value for name, value in floating.items() if name not in {"key", "issuer"}}


def lease_claims(**changes: object) -> dict:
    """The claims of a lease; a change to ``None`` leaves one out."""
    issued = int(ISSUED.timestamp())
    license_ = {"id": LICENSE, **lease_terms()}
    good = {
        "iss": "licet",
        "jti": LEASE,
        "aud": PRODUCT,
        "sub": LICENSE,
        "seq": SEQ,
        "iat": issued,
        "nbf": issued - 300,
        "exp": int(ENDS.timestamp()),
        "cnf": {"jkt": DEVICE.jkt},
        "kind": "Seat",
        "quantity": 1,
        "hardwareId": HARDWARE,
        "licenseKeyHash": key_digest(KEY),
        "license": license_,
        "product": {"id": PRODUCT, "name": "Test product"},
        "release": {"id": "01920000-0000-7000-8000-0000000000b1", "version": "2.4.0"},
    }
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def token_case(
    name: str, token: str, status: str = "LicenseNotFound", at: datetime = AT, **facts: object
) -> dict:
    return {
        "name": name,
        "productId": PRODUCT,
        "licenseKey": grouped(KEY),
        "hardwareId": HARDWARE,
        "appVersion": None,
        "at": rfc3339(at),
        "deviceKey": DEVICE.private_jwk,
        "token": token,
        "expected": {
            "valid": status == "Valid",
            "status": status,
            "leaseEndsAt": rfc3339(ENDS) if status == "Valid" else None,
        },
        **facts,
    }


def token_cases(signer: Signer, stale: Signer) -> list[dict]:
    def sign(**changes: object) -> str:
        return signer.sign(lease_claims(**changes), "lease+jwt")

    def typed(typ: str, claims: dict | None = None) -> str:
        return signer.sign(claims or lease_claims(), typ)

    def changed(name: str, **changes: object) -> dict:
        return token_case(name, sign(**changes))

    def test(name: str, status: str, **facts: object) -> dict:
        return token_case(
            name, sign(license={"id": LICENSE, **lease_terms(test=True)}), status, **facts
        )

    good = sign()
    head, body, signature = good.split(".")
    second, issued = timedelta(seconds=1), int(ISSUED.timestamp())
    suspended = {"id": LICENSE, **lease_terms(status="Suspended")}
    return [
        token_case("good", good, "Valid"),
        token_case("good-at-its-beginning", good, "Valid", ISSUED),
        token_case("good-in-its-last-second", good, "Valid", ENDS - second),
        token_case("first-of-its-lease", sign(seq=1), "Valid"),
        token_case("further-claims", sign(note="n"), "Valid"),
        token_case("key-loosely-written", good, "Valid", licenseKey=KEY.lower()),
        token_case("clock-a-little-behind", good, "Valid", ISSUED - timedelta(minutes=4)),
        token_case("clock-in-wrong-zone", good, "Valid", ISSUED - timedelta(hours=2)),
        token_case("clock-set-back", good, "ClockTampered", ISSUED - 40 * DAY),
        token_case("ended", good, at=ENDS),
        token_case("ended-long-ago", good, at=ENDS + 400 * DAY),
        token_case("app-of-a-later-major", good, "ReleaseNotAllowed", appVersion="3.0.0"),
        token_case("suspended-in-the-token", sign(license=suspended), "Suspended"),
        test("test-license", "TestLicense"),
        test("test-license-in-test-mode", "Valid", testMode=True),
        changed("another-product", aud=OTHER_PRODUCT),
        changed("another-machine", hardwareId=OTHER_HARDWARE),
        changed("another-license-key", licenseKeyHash=key_digest(OTHER_KEY)),
        changed("another-device-key", cnf={"jkt": OTHER.jkt}),
        token_case("copied-to-another-device-key", good, deviceKey=OTHER.private_jwk),
        token_case("copied-to-another-machine", good, hardwareId=OTHER_HARDWARE),
        token_case("without-a-device-key", good, deviceKey=None),
        token_case("for-another-application", good, licenseKey=grouped(OTHER_KEY)),
        changed("kind-credits", kind="Credits"),
        changed("seq-zero", seq=0),
        changed("seq-a-text", seq="2"),
        changed("exp-a-text", exp=str(issued + 86400)),
        *(
            changed(f"no-{name}", **{name: None})
            for name in (
                "jti",
                "aud",
                "sub",
                "seq",
                "iat",
                "nbf",
                "exp",
                "cnf",
                "kind",
                "hardwareId",
                "licenseKeyHash",
                "license",
            )
        ),
        token_case("edited-payload", f"{head}.{flip(body)}.{signature}"),
        token_case("edited-signature", f"{head}.{body}.{flip(signature)}"),
        token_case(
            "payload-with-a-later-end",
            f"{head}.{b64u(json.dumps(lease_claims(exp=issued + 10**8)).encode())}.{signature}",
        ),
        token_case("stale-key", stale.sign(lease_claims(), "lease+jwt")),
        token_case(
            "stale-key-with-present-kid", stale.sign(lease_claims(), "lease+jwt", kid=signer.kid)
        ),
        token_case("alg-none", unsigned(lease_claims(), "lease+jwt", signer.kid)),
        token_case(
            "alg-hs256-with-public-key",
            hs256(lease_claims(), "lease+jwt", signer.kid, signer.pem.encode()),
        ),
        token_case("typ-license", typed("license+jwt")),
        token_case("typ-verdict", typed("verdict+jwt")),
        token_case("typ-jwt", typed("JWT")),
        token_case("license-file-instead", typed("license+jwt", file_claims())),
        token_case("verdict-instead", typed("verdict+jwt", verdict_claims())),
        token_case("signed-by-the-device", DEVICE.proof(receipt_header(), lease_claims())),
        token_case("not-a-token", "This is no lease."),
        token_case("empty", ""),
    ]


def receipt_header(key: DeviceKey = DEVICE, **changes: object) -> dict:
    given = {"alg": "ES256", "typ": "receipt+jwt", "jwk": key.jwk, **changes}
    return {name: value for name, value in given.items() if value is not None}


def receipt_claims(**changes: object) -> dict:
    good = {
        "aud": PRODUCT,
        "lease": LEASE,
        "seq": SEQ,
        "iat": int(AT.timestamp()),
        "kind": "Returned",
    }
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def receipt_cases() -> list[dict]:
    """Receipts that a server gets for the open lease of the device's key."""

    def case(name: str, receipt: str, refusal: str | None) -> dict:
        return {
            "name": name,
            "productId": PRODUCT,
            "leaseId": LEASE,
            "jkt": DEVICE.jkt,
            "seq": SEQ,
            "receipt": receipt,
            "refusal": refusal,
        }

    def signed(name: str, refusal: str | None, **changes: object) -> dict:
        return case(name, DEVICE.proof(receipt_header(), receipt_claims(**changes)), refusal)

    def malformed(name: str, receipt: str) -> dict:
        return case(name, receipt, "Malformed")

    def with_header(name: str, **changes: object) -> dict:
        return malformed(name, DEVICE.proof(receipt_header(**changes), receipt_claims()))

    def with_key(name: str, **changes: object) -> dict:
        jwk = {n: v for n, v in {**DEVICE.jwk, **changes}.items() if v is not None}
        return with_header(name, jwk=jwk)

    good = DEVICE.proof(receipt_header(), receipt_claims())
    head, payload, signature = good.split(".")
    text, distant = f"{head}.{payload}", int((AT + 9000 * DAY).timestamp())
    edited = "A" if signature[0] != "A" else "B"
    return [
        case("good", good, None),
        signed("clock-years-ahead", None, iat=distant),
        signed("clock-at-the-epoch", None, iat=0),
        malformed("empty", ""),
        malformed("not-a-token", "This is no receipt."),
        malformed("two-parts", text),
        malformed("four-parts", f"{good}.{signature}"),
        malformed("padded", f"{good}=="),
        malformed("signature-edited", f"{text}.{edited}{signature[1:]}"),
        malformed("signature-in-der", f"{text}.{b64u(DEVICE.sign(text))}"),
        malformed("signature-empty", f"{text}."),
        malformed("signature-of-another-key", OTHER.proof(receipt_header(), receipt_claims())),
        malformed(
            "payload-edited",
            f"{head}.{b64u(json.dumps(receipt_claims(seq=1)).encode())}.{signature}",
        ),
        malformed("payload-not-an-object", DEVICE.proof(receipt_header(), ["Returned"])),
        malformed(
            "longer-than-2-kb",
            DEVICE.proof(receipt_header(), receipt_claims(note="n" * 2048)),
        ),
        with_header("typ-missing", typ=None),
        with_header("typ-jwt", typ="JWT"),
        with_header("typ-of-a-proof", typ="dpop+jwt"),
        with_header("alg-none", alg="none"),
        with_header("alg-rs256", alg="RS256"),
        with_header("further-header", kid=DEVICE.jkt),
        with_header("critical-header", crit=["exp"]),
        with_header("jwk-missing", jwk=None),
        with_key("private-key-in-the-header", d=DEVICE.private_jwk["d"]),
        with_key("further-member-of-the-key", use="sig"),
        with_key("crv-p-384", crv="P-384"),
        with_key("y-missing", y=None),
        with_key("point-not-on-the-curve", x=b64u(bytes(31) + b"\1")),
        signed("aud-missing", "Malformed", aud=None),
        signed("lease-missing", "Malformed", lease=None),
        signed("seq-missing", "Malformed", seq=None),
        signed("seq-a-text", "Malformed", seq=str(SEQ)),
        signed("seq-a-fraction", "Malformed", seq=1.5),
        signed("seq-zero", "Malformed", seq=0),
        signed("seq-a-flag", "Malformed", seq=True),
        signed("iat-missing", "Malformed", iat=None),
        signed("iat-a-text", "Malformed", iat=rfc3339(AT)),
        signed("kind-missing", "Malformed", kind=None),
        case("another-key", OTHER.proof(receipt_header(OTHER), receipt_claims()), "OtherKey"),
        signed("another-product", "OtherProduct", aud=OTHER_PRODUCT),
        signed("another-lease", "OtherLease", lease=OTHER_LEASE),
        signed("installed", "OtherKind", kind="Installed"),
        signed("kind-in-lower-case", "OtherKind", kind="returned"),
        signed("of-an-earlier-token", "Forked", seq=SEQ - 1),
        signed("of-a-token-that-was-never-issued", "OtherSeq", seq=SEQ + 1),
    ]


def lease_cases(signer: Signer, stale: Signer) -> dict:
    return {
        "keys": key_cases(),
        "tokens": token_cases(signer, stale),
        "receipts": receipt_cases(),
    }
