"""Folders with the license files of several keys, and the one that counts for a client."""

from __future__ import annotations

import hashlib

from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    KEY,
    OTHER_KEY,
    PRODUCT,
    Signer,
    file_claims,
    flip,
    grouped,
    protect,
    rfc3339,
    terms,
)
from verdict_cases import verdict_claims

DELIVERED = "license.bin"


def name_of(key: str) -> str:
    return f"license-{hashlib.sha256(key.encode()).hexdigest()[:8]}.bin"


OWN, OTHERS = name_of(KEY), name_of(OTHER_KEY)


def folder_cases(signer: Signer) -> list[dict]:
    def sign(name: str, key: str) -> str:
        return signer.sign(file_claims(terms(name=name, key=key)), "license+jwt")

    old, new, other = sign("old", KEY), sign("new", KEY), sign("other", OTHER_KEY)
    refusal = signer.sign(
        verdict_claims(valid=False, status="Suspended", license=None), "verdict+jwt"
    )
    head, body, signature = new.split(".")
    damaged = f"{head}.{flip(body)}.{signature}"
    sealed = protect(other, OTHER_KEY, bytes(range(32)), bytes(range(100, 112)))

    def case(
        name: str,
        key: str | None,
        files: list[tuple[str, str]],
        status: str,
        license_name: str | None = None,
    ) -> dict:
        return {
            "name": name,
            "productId": PRODUCT,
            "licenseKey": key,
            "hardwareId": HARDWARE,
            "files": [{"name": name, "text": text} for name, text in files],
            "at": rfc3339(ISSUED + DAY),
            "expected": {"valid": status == "Valid", "status": status},
            "licenseName": license_name,
        }

    pasted = f" {grouped(KEY).lower()} "
    none: list[tuple[str, str]] = []
    return [
        case("nothing", KEY, none, "LicenseNotFound"),
        case("its-own", KEY, [(OWN, new)], "Valid", "new"),
        case("its-own-for-a-pasted-key", pasted, [(OWN, new)], "Valid", "new"),
        case("delivered", KEY, [(DELIVERED, new)], "Valid", "new"),
        case("delivered-later", KEY, [(OWN, old), (DELIVERED, new)], "Valid", "new"),
        case("delivered-before", KEY, [(DELIVERED, old), (OWN, new)], "Valid", "new"),
        case("delivered-for-another-key", KEY, [(OWN, new), (DELIVERED, other)], "Valid", "new"),
        case(
            "delivered-sealed-for-another-key",
            KEY,
            [(OWN, new), (DELIVERED, sealed)],
            "Valid",
            "new",
        ),
        case("delivered-damaged", KEY, [(OWN, new), (DELIVERED, damaged)], "Valid", "new"),
        case("only-a-damaged-one", KEY, [(DELIVERED, damaged)], "SignatureMismatch"),
        case("only-of-another-key", KEY, [(DELIVERED, other)], "LicenseNotFound"),
        case("beside-that-of-another-key", KEY, [(OTHERS, other)], "LicenseNotFound"),
        case(
            "another-key-has-one-of-each",
            OTHER_KEY,
            [(OWN, new), (OTHERS, other)],
            "Valid",
            "other",
        ),
        case("under-the-name-of-another-key", KEY, [(OWN, other)], "LicenseNotFound"),
        case("refused-after-a-delivery", KEY, [(DELIVERED, old), (OWN, refusal)], "Suspended"),
        case("delivered-after-a-refusal", KEY, [(OWN, refusal), (DELIVERED, new)], "Valid", "new"),
        case("no-key-delivered", None, [(DELIVERED, new)], "Valid", "new"),
        case("no-key-the-last-of-a-key", None, [(OWN, new), (OTHERS, other)], "Valid", "other"),
        case("no-key-another-last-of-a-key", None, [(OTHERS, other), (OWN, new)], "Valid", "new"),
        case("no-key-delivered-last", None, [(OWN, old), (DELIVERED, other)], "Valid", "other"),
        case("no-key-delivered-first", None, [(DELIVERED, other), (OWN, new)], "Valid", "new"),
        case("no-key-damaged-last", None, [(OWN, new), (DELIVERED, damaged)], "SignatureMismatch"),
        case(
            "no-key-other-names",
            None,
            [("license-0123456.bin", new), ("license-ABCDEF01.bin", new), ("license-1.bin", new)],
            "LicenseNotFound",
        ),
    ]
