"""Building blocks of offline requests: a device, its request, and what answers it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from offline_letters import spell
from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    KEY,
    PRODUCT,
    Signer,
    b64u,
    file_claims,
    grouped,
    rfc3339,
)
from proof_cases import DEVICE, DeviceKey

COMPACT = DeviceKey.of("licet test compact key 1")
OTHER_COMPACT = DeviceKey.of("licet test compact key 2")
BASE = "01920000-0000-7000-8000-0000000000e1"
OTHER_BASE = "01920000-0000-7000-8000-0000000000e2"
FILE = "01920000-0000-7000-8000-0000000000e3"
NONCE, OTHER_NONCE = b64u(bytes(range(16))), b64u(bytes(range(16, 32)))
SHORT_KEY = "ACME-0001"
SEQ = 3
AT = ISSUED + timedelta(hours=1)
FILE_ENDS = ISSUED + 30 * DAY
END_DAY = (FILE_ENDS.date() - datetime(1970, 1, 1, tzinfo=UTC).date()).days
CODE_ENDS = datetime(1970, 1, 1, tzinfo=UTC) + (END_DAY + 1) * DAY
SECOND = timedelta(seconds=1)


def key_digest(key: str) -> str:
    return b64u(hashlib.sha256(key.encode()).digest())


def stated(members: dict) -> dict:
    return {name: value for name, value in members.items() if value is not None}


# Requests.


def request_header(key: DeviceKey = DEVICE, **changes: object) -> dict:
    return stated({"typ": "licet-req+jwt", "alg": "ES256", "jwk": key.jwk, **changes})


def request_claims(**changes: object) -> dict:
    """The claims of a request; a change to ``None`` leaves one out."""
    good = {
        "aud": PRODUCT,
        "kind": "Activate",
        "licenseKeyHash": key_digest(KEY),
        "hardwareId": HARDWARE,
        "nonce": NONCE,
        "seq": SEQ,
        "iat": int(AT.timestamp()),
    }
    return stated({**good, **changes})


def request(key: DeviceKey = DEVICE, **changes: object) -> str:
    return key.proof(request_header(key), request_claims(**changes))


def pending(**changes: object) -> dict:
    """What a client keeps of the request above."""
    text = request(**changes)
    given = request_claims(**changes)
    return stated({"text": text, **{n: given.get(n) for n in ("nonce", "seq", "kind", "base")}})


def kept(**changes: object) -> str:
    return json.dumps(stated({"seq": SEQ, "pending": pending(), **changes}))


def kept_code(**changes: object) -> dict:
    """What a client keeps of a code that it has taken."""
    return {"code": code(), "nonce": NONCE, "base": BASE, "endsDay": END_DAY, **changes}


def tombstone(seq: int, **changes: object) -> dict:
    return {"seq": seq, "file": FILE, "text": release(seq), "code": release_code(seq), **changes}


# Answers.


def answer_claims(license_terms: dict | None = None, **changes: object) -> dict:
    good = {
        "jti": FILE,
        "hardwareIds": [HARDWARE],
        "cnf": {"jkt": DEVICE.jkt},
        "request": {"nonce": NONCE, "seq": SEQ},
    }
    return stated(file_claims(license_terms, **{"exp": FILE_ENDS, **good, **changes}))


def base_claims(license_terms: dict | None = None, **changes: object) -> dict:
    good = {"jti": BASE, "codeKey": COMPACT.jwk}
    return stated(file_claims(license_terms, exp=None, **{**good, **changes}))


def raw_signature(key: DeviceKey, lines: list[str]) -> bytes:
    r, s = decode_dss_signature(key.sign("\n".join(lines)))
    return r.to_bytes(32) + s.to_bytes(32)


def code_lines(**changes: object) -> list[str]:
    good = {
        "productId": PRODUCT,
        "licenseKeyHash": key_digest(KEY),
        "hardwareId": HARDWARE,
        "jkt": DEVICE.jkt,
        "nonce": NONCE,
        "base": BASE,
        "endDay": END_DAY,
    }
    return ["licet-answer-code", *(str(value) for value in {**good, **changes}.values())]


def code_bytes(
    key: DeviceKey = COMPACT, version: int = 1, day: int | None = None, **changes: object
) -> bytes:
    written = END_DAY if day is None else day
    signed = {"endDay": written, **changes}
    return bytes([version]) + written.to_bytes(3) + raw_signature(key, code_lines(**signed))


def code(key: DeviceKey = COMPACT, **changes: object) -> str:
    return spell(code_bytes(key, **changes))


# Releases.


def release(seq: int, **changes: object) -> str:
    return request(**{"kind": "Release", "seq": seq, "nonce": OTHER_NONCE, "file": FILE, **changes})


def release_lines(seq: int, **changes: object) -> list[str]:
    good = {
        "productId": PRODUCT,
        "licenseKeyHash": key_digest(KEY),
        "hardwareId": HARDWARE,
        "jkt": DEVICE.jkt,
        "file": FILE,
        "seq": seq,
    }
    return ["licet-release-code", *(str(value) for value in {**good, **changes}.values())]


def release_code(
    seq: int,
    key: DeviceKey = DEVICE,
    version: int = 1,
    written: int | None = None,
    **changes: object,
) -> str:
    shown = seq if written is None else written
    signature = raw_signature(key, release_lines(seq, **changes))
    return spell(bytes([version]) + shown.to_bytes(3) + signature)


def client(name: str, at: datetime = AT, **facts: object) -> dict:
    """A client whose state folder has these files."""
    return {
        "name": name,
        "productId": PRODUCT,
        "licenseKey": grouped(KEY),
        "hardwareId": HARDWARE,
        "deviceName": None,
        "appVersion": None,
        "at": rfc3339(at),
        "deviceKey": DEVICE.private_jwk,
        "kept": None,
        "file": None,
        **facts,
    }


class Files:
    """Files that the product has signed."""

    def __init__(self, signer: Signer, stale: Signer) -> None:
        self.signer, self.stale = signer, stale

    def answer(self, license_terms: dict | None = None, **changes: object) -> str:
        return self.signer.sign(answer_claims(license_terms, **changes), "license+jwt")

    def base(self, license_terms: dict | None = None, **changes: object) -> str:
        return self.signer.sign(base_claims(license_terms, **changes), "license-base+jwt")

    def ordinary(self) -> str:
        return self.signer.sign(file_claims(), "license+jwt")
