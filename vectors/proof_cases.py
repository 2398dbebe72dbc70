"""Proofs of a device's key: what a client sends, what a server accepts, and files of a key."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from pieces import (
    HARDWARE,
    ISSUED,
    KEY,
    PRODUCT,
    Signer,
    b64u,
    file_claims,
    grouped,
    rfc3339,
    terms,
)

PUBLIC_URL = "https://licenses.example.com"
URL = f"{PUBLIC_URL}/api/activations"
BODY = json.dumps({"licenseKey": KEY, "hardwareId": HARDWARE}, separators=(",", ":"))
AT = ISSUED + timedelta(hours=1)
IAT = int(AT.timestamp())
JTI = "TEST-ONLY-jti-01"
OTHER_JTI = "TEST-ONLY-jti-02"


class DeviceKey:
    """An ES256 key. Its signatures follow RFC 6979, so that the output stays the same."""

    def __init__(self, private: EllipticCurvePrivateKey) -> None:
        numbers = private.private_numbers()
        self.private = private
        self.jwk = {
            "kty": "EC",
            "crv": "P-256",
            "x": b64u(numbers.public_numbers.x.to_bytes(32)),
            "y": b64u(numbers.public_numbers.y.to_bytes(32)),
        }
        self.private_jwk = {**self.jwk, "d": b64u(numbers.private_value.to_bytes(32))}
        members = json.dumps(self.jwk, sort_keys=True, separators=(",", ":"))
        self.jkt = b64u(sha256(members.encode()).digest())

    @classmethod
    def of(cls, seed: str) -> DeviceKey:
        secret = int.from_bytes(sha256(seed.encode()).digest())
        return cls(derive_private_key(secret, SECP256R1()))

    def sign(self, text: str) -> bytes:
        return self.private.sign(text.encode(), ECDSA(SHA256(), deterministic_signing=True))

    def proof(self, header: dict, claims: dict) -> str:
        text = ".".join(
            b64u(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims)
        )
        r, s = decode_dss_signature(self.sign(text))
        return f"{text}.{b64u(r.to_bytes(32) + s.to_bytes(32))}"


def key_with_short_coordinate() -> DeviceKey:
    """A key whose x begins with a zero byte, which the JWK has to keep."""
    keys = (DeviceKey.of(f"licet test device, short {number}") for number in count())
    return next(key for key in keys if key.jwk["x"].startswith("AA"))


DEVICE = DeviceKey.of("licet test device 1")
OTHER = DeviceKey.of("licet test device 2")
KEYS = {"device": DEVICE, "other": OTHER, "short": key_with_short_coordinate()}


def body_hash(body: str) -> str:
    return b64u(sha256(body.encode()).digest())


def header(key: DeviceKey = DEVICE, **changes: object) -> dict:
    return {"typ": "dpop+jwt", "alg": "ES256", "jwk": key.jwk, **changes}


def claims(**changes: object) -> dict:
    """The claims of the request that the cases are about; a change to ``None`` leaves one out."""
    good = {"jti": JTI, "htm": "POST", "htu": URL, "iat": IAT, "bh": body_hash(BODY)}
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def key_cases() -> list[dict]:
    return [
        {"name": name, "privateKey": key.private_jwk, "publicKey": key.jwk, "jkt": key.jkt}
        for name, key in KEYS.items()
    ]


def sent_cases() -> list[dict]:
    """What a client sends. ``jti`` is the client's own, and so are the bytes of the signature."""

    def case(
        name: str,
        method: str,
        url: str,
        body: str | None = None,
        *,
        htu: str | None = None,
        at: datetime = AT,
        key: str = "device",
    ) -> dict:
        sent = {"htm": method, "htu": htu or url, "iat": int(at.timestamp())}
        return {
            "name": name,
            "key": key,
            "method": method,
            "url": url,
            "body": body,
            "at": at.isoformat().replace("+00:00", "Z"),
            "header": header(KEYS[key]),
            "claims": sent if body is None else {**sent, "bh": body_hash(body)},
        }

    balance = f"{PUBLIC_URL}/api/meter/balance"
    current = f"{PUBLIC_URL}/api/activations/current"
    return [
        case("post", "POST", URL, BODY),
        case("post-key-with-a-zero-byte", "POST", URL, BODY, key="short"),
        case("post-beyond-ascii", "POST", URL, '{"deviceName":"Adas Gerät \U0001f4bb"}'),
        case("post-without-a-body", "POST", URL),
        case("delete-with-a-body", "DELETE", current, BODY),
        case("get-with-a-query", "GET", f"{balance}?licenseKey={KEY}", htu=balance),
        case("get-with-a-fragment", "GET", f"{balance}#top", htu=balance),
        case("below-a-path", "POST", "https://example.com:8443/licet/api/activations", BODY),
        case("fraction-of-a-second", "POST", URL, BODY, at=AT + timedelta(milliseconds=900)),
    ]


def received(
    name: str,
    proof: str | None,
    refusal: str | None,
    *,
    method: str = "POST",
    url: str = URL,
    public_url: str = PUBLIC_URL,
    body: str | None = BODY,
    known: str | None = DEVICE.jkt,
    last: dict | None = None,
) -> dict:
    return {
        "name": name,
        "method": method,
        "url": url,
        "publicUrl": public_url,
        "body": body,
        "at": rfc3339(AT),
        "knownJkt": known,
        "last": last,
        "proof": proof,
        "jkt": DEVICE.jkt if refusal is None else None,
        "refusal": refusal,
    }


def signed(name: str, refusal: str | None, *, changes: dict, **request: object) -> dict:
    """A proof of the device's key with these claims changed."""
    return received(name, DEVICE.proof(header(), claims(**changes)), refusal, **request)


def accepted_cases() -> list[dict]:
    inside, below = "http://10.0.0.7:8080/api/activations", f"{PUBLIC_URL}/licet"
    balance = f"{PUBLIC_URL}/api/meter/balance"
    reading = {"method": "GET", "body": None, "url": f"{balance}?licenseKey={KEY}"}
    query = {"htm": "GET", "htu": balance, "bh": None}

    def accepted(name: str, changes: dict | None = None, **request: object) -> dict:
        return signed(name, None, changes=changes or {}, **request)

    return [
        accepted("good"),
        accepted("first-key-of-a-device", known=None),
        accepted("query-left-out", query, **reading),
        accepted("hash-of-no-body", {**query, "bh": body_hash("")}, **reading),
        accepted("scheme-ends-at-a-proxy", url=URL.replace("https", "http")),
        accepted("authority-of-the-public-url", url=inside),
        accepted("authority-of-the-request", {"htu": inside}, url=inside),
        accepted("path-in-upper-case", {"htu": f"{PUBLIC_URL}/api/Activations"}),
        accepted("authority-in-upper-case", {"htu": URL.replace("licenses", "LICENSES")}),
        accepted(
            "below-the-path-of-the-public-url",
            {"htu": f"{below}/api/activations"},
            public_url=below,
            url=inside,
        ),
        accepted("clock-300-seconds-behind", {"iat": IAT - 300}),
        accepted("clock-300-seconds-ahead", {"iat": IAT + 300}),
        accepted("jti-of-64-characters", {"jti": "j" * 64}),
        accepted("further-claims", {"nonce": "n"}),
        accepted("same-second-other-jti", last={"iat": IAT, "jti": OTHER_JTI}),
        accepted("later-second-same-jti", last={"iat": IAT - 1, "jti": JTI}),
    ]


def malformed_cases() -> list[dict]:
    good = DEVICE.proof(header(), claims())
    head, payload, signature = good.split(".")
    text = f"{head}.{payload}"
    x = DEVICE.jwk["x"]

    def malformed(name: str, proof: str) -> dict:
        return received(name, proof, "Malformed")

    def with_key(name: str, **changes: object) -> dict:
        jwk = {n: v for n, v in {**DEVICE.jwk, **changes}.items() if v is not None}
        return malformed(name, DEVICE.proof(header(jwk=jwk), claims()))

    def with_header(name: str, **changes: object) -> dict:
        values = {n: v for n, v in header(**changes).items() if v is not None}
        return malformed(name, DEVICE.proof(values, claims()))

    def with_claims(name: str, **changes: object) -> dict:
        return signed(name, "Malformed", changes=changes)

    return [
        malformed("empty", ""),
        malformed("not-a-token", "This is no proof."),
        malformed("two-headers-joined", f"{good}, {good}"),
        malformed("two-parts", text),
        malformed("four-parts", f"{good}.{signature}"),
        malformed("padded", f"{good}=="),
        malformed(
            "signature-edited", f"{text}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"
        ),
        malformed("signature-in-der", f"{text}.{b64u(DEVICE.sign(text))}"),
        malformed("signature-empty", f"{text}."),
        malformed("signature-of-another-key", OTHER.proof(header(), claims())),
        malformed(
            "payload-edited", f"{head}.{b64u(json.dumps(claims(htm='GET')).encode())}.{signature}"
        ),
        malformed("payload-not-an-object", DEVICE.proof(header(), ["POST"])),
        malformed("longer-than-2-kb", DEVICE.proof(header(), claims(nonce="n" * 2048))),
        with_header("typ-jwt", typ="JWT"),
        with_header("typ-missing", typ=None),
        with_header("alg-none", alg="none"),
        with_header("alg-hs256", alg="HS256"),
        with_header("alg-es384", alg="ES384"),
        with_header("further-header", kid=DEVICE.jkt),
        with_header("critical-header", crit=["exp"]),
        with_header("jwk-missing", jwk=None),
        with_header("jwk-a-text", jwk=DEVICE.jkt),
        with_key("private-key-in-the-header", d=DEVICE.private_jwk["d"]),
        with_key("further-member-of-the-key", use="sig"),
        with_key("kty-rsa", kty="RSA"),
        with_key("crv-p-384", crv="P-384"),
        with_key("y-missing", y=None),
        with_key("x-too-short", x=x[:-2]),
        with_key("x-padded", x=f"{x}="),
        with_key("point-not-on-the-curve", x=b64u(bytes(31) + b"\1")),
        with_claims("jti-missing", jti=None),
        with_claims("jti-a-number", jti=1234567890123456),
        with_claims("jti-of-15-characters", jti="j" * 15),
        with_claims("jti-of-65-characters", jti="j" * 65),
        with_claims("htm-missing", htm=None),
        with_claims("htu-missing", htu=None),
        with_claims("iat-missing", iat=None),
        with_claims("iat-a-text", iat=str(IAT)),
        with_claims("iat-a-fraction", iat=IAT + 0.5),
        with_claims("iat-a-flag", iat=True),
    ]


def refused_cases() -> list[dict]:
    other_request = "OtherRequest"
    balance = f"{PUBLIC_URL}/api/meter/balance"
    return [
        received("missing", None, "Missing"),
        *malformed_cases(),
        received("another-key", OTHER.proof(header(OTHER), claims()), "OtherKey"),
        signed("another-method", other_request, changes={"htm": "DELETE"}),
        signed("method-in-lower-case", other_request, changes={"htm": "post"}),
        signed("another-path", other_request, changes={"htu": f"{PUBLIC_URL}/api/licenses"}),
        signed("longer-path", other_request, changes={"htu": f"{URL}/current"}),
        signed("another-host", other_request, changes={"htu": URL.replace("licenses", "evil")}),
        signed("another-port", other_request, changes={"htu": URL.replace(".com", ".com:8443")}),
        signed("path-alone", other_request, changes={"htu": "/api/activations"}),
        signed("another-body", other_request, changes={"bh": body_hash(BODY + " ")}),
        signed("hash-of-the-body-missing", other_request, changes={"bh": None}),
        signed(
            "hash-of-a-body-that-is-not-there",
            other_request,
            changes={"htm": "GET", "htu": balance},
            method="GET",
            body=None,
            url=balance,
        ),
        signed("clock-301-seconds-behind", "Clock", changes={"iat": IAT - 301}),
        signed("clock-301-seconds-ahead", "Clock", changes={"iat": IAT + 301}),
        signed("sent-again", "Replayed", changes={}, last={"iat": IAT, "jti": JTI}),
        signed(
            "older-than-the-last", "Replayed", changes={}, last={"iat": IAT + 1, "jti": OTHER_JTI}
        ),
    ]


def file_cases(signer: Signer) -> list[dict]:
    """A license.bin that names a key, in a state folder with a ``device-key.json`` or without."""

    def case(name: str, status: str, key: dict | None, **changes: object) -> dict:
        bound = file_claims(terms(type="NodeLocked"), hardwareIds=[HARDWARE], **changes)
        return {
            "name": name,
            "productId": PRODUCT,
            "licenseKey": grouped(KEY),
            "hardwareId": HARDWARE,
            "at": rfc3339(AT),
            "deviceKey": key,
            "file": signer.sign(bound, "license+jwt"),
            "expected": {"valid": status == "Valid", "status": status},
        }

    mine = {"cnf": {"jkt": DEVICE.jkt}}
    mismatch = "SignatureMismatch"
    return [
        case("file-of-this-key", "Valid", DEVICE.private_jwk, **mine),
        case("file-of-another-key", "DeviceProofRequired", OTHER.private_jwk, **mine),
        case("file-of-a-key-that-is-not-here", "DeviceProofRequired", None, **mine),
        case("file-of-a-damaged-key", "DeviceProofRequired", DEVICE.jwk, **mine),
        case("file-without-a-key", "Valid", OTHER.private_jwk),
        case("file-with-a-text-as-key", mismatch, DEVICE.private_jwk, cnf=DEVICE.jkt),
        case("file-with-a-number-as-key", mismatch, DEVICE.private_jwk, cnf={"jkt": 1}),
        case("file-with-another-proof", mismatch, DEVICE.private_jwk, cnf={"kid": DEVICE.jkt}),
    ]


def proof_cases(signer: Signer) -> dict[str, list[dict]]:
    return {
        "keys": key_cases(),
        "sent": sent_cases(),
        "received": [*accepted_cases(), *refused_cases()],
        "files": file_cases(signer),
    }
