"""What a client keeps on disk: signed verdicts, for the grace period and in license.bin's place."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    OTHER_HARDWARE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    Signer,
    b64u,
    file_claims,
    flip,
    grouped,
    rfc3339,
    terms,
)
from verdict_cases import verdict_claims


def case(name: str, file: str, status: str, at: datetime = ISSUED + DAY, **facts: object) -> dict:
    return {
        "name": name,
        "file": file,
        "productId": PRODUCT,
        "licenseKey": None,
        "hardwareId": HARDWARE,
        "appVersion": None,
        "gracePeriodDays": 7,
        "keptVerdict": None,
        "at": rfc3339(at),
        "expected": {"valid": status in {"Valid", "GracePeriod"}, "status": status},
        **facts,
    }


def kept_cases(signer: Signer, stale: Signer) -> list[dict]:
    online = signer.sign(file_claims(terms(activationMode="Online")), "license+jwt")
    confirmed, within = ISSUED + DAY, ISSUED + 2 * DAY

    def sign(key: Signer = signer, **changes: object) -> str:
        issued = int(confirmed.timestamp())
        claims = verdict_claims(iat=issued, exp=issued + 300, **changes)
        return key.sign(claims, "verdict+jwt")

    def refusal(status: str, **changes: object) -> str:
        return sign(valid=False, status=status, license=None, **changes)

    other_key = b64u(hashlib.sha256(OTHER_KEY.encode()).digest())
    head, body, signature = sign().split(".")
    none = "OnlineRequired"

    def kept(name: str, token: str, status: str, at: datetime = within, **facts: object) -> dict:
        return case(name, online, status, at, keptVerdict=token, **facts)

    def replaced(name: str, token: str, status: str, **facts: object) -> dict:
        return case(name, token, status, within, **facts)

    return [
        case("online-never-confirmed", online, none),
        kept("online-within-grace", sign(), "GracePeriod", confirmed + 7 * DAY),
        kept("online-beyond-grace", sign(), none, confirmed + 7 * DAY + timedelta(hours=1)),
        kept("online-without-grace", sign(), none, gracePeriodDays=0),
        kept("clock-behind-the-verdict", sign(), "ClockTampered", confirmed - timedelta(hours=20)),
        kept("verdict-of-another-machine", sign(hardwareId=OTHER_HARDWARE), none),
        kept("verdict-without-a-machine", sign(hardwareId=None), none),
        kept("verdict-of-another-license", sign(licenseKeyHash=other_key), none),
        kept("verdict-of-another-product", sign(aud=OTHER_PRODUCT), none),
        kept("verdict-that-refuses", refusal("Suspended"), none),
        kept("verdict-of-the-stale-key", sign(stale), none),
        kept("verdict-edited", f"{head}.{flip(body)}.{signature}", none),
        kept("verdict-cut-off", sign()[:-20], none),
        kept("license-file-as-verdict", online, none),
        replaced("file-replaced-by-suspended", refusal("Suspended"), "Suspended"),
        replaced("file-replaced-by-revoked", refusal("Revoked"), "Revoked"),
        replaced("file-replaced-by-a-newer-status", refusal("Frozen"), "Unknown"),
        replaced("file-replaced-by-a-valid-verdict", sign(), "SignatureMismatch"),
        replaced(
            "file-replaced-elsewhere",
            refusal("Suspended", hardwareId=OTHER_HARDWARE),
            "SignatureMismatch",
        ),
        replaced(
            "file-replaced-for-another-key",
            refusal("Suspended"),
            "LicenseNotFound",
            licenseKey=grouped(OTHER_KEY),
        ),
    ]
