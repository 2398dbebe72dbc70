"""Offline requests: what a device asks, and what a server takes."""

from __future__ import annotations

import json
from datetime import datetime

from offline_pieces import (
    AT,
    BASE,
    FILE,
    FILE_ENDS,
    NONCE,
    SEQ,
    SHORT_KEY,
    Files,
    client,
    kept,
    kept_code,
    request,
    request_claims,
    request_header,
    stated,
    tombstone,
)
from pieces import (
    DAY,
    KEY,
    OTHER_HARDWARE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    b64u,
    flip,
    grouped,
    rfc3339,
    terms,
    unsigned,
)
from proof_cases import DEVICE, OTHER


def sent_cases(files: Files) -> list[dict]:
    """What a client asks."""

    def case(name: str, claims: dict, at: datetime = AT, **facts: object) -> dict:
        asks = {"renew": False, **facts}
        return client(name, at, **asks, expected={"header": request_header(), "claims": claims})

    def again(name: str, **facts: object) -> dict:
        given = client(name, renew=False, kept=kept(), **facts)
        return {**given, "expected": {"text": request()}}

    def asks(seq: int, kind: str = "Activate", at: datetime = AT, **changes: object) -> dict:
        moment = int(at.timestamp())
        claims = request_claims(kind=kind, seq=seq, iat=moment, **changes)
        del claims["nonce"]
        return claims

    names = {"deviceName": "Prüfstand 7", "appVersion": "2.5.0"}
    answered = json.dumps({"seq": SEQ})
    with_code = json.dumps({"seq": SEQ, "answer": kept_code()})
    ahead, behind = AT + 365 * DAY, AT - 365 * DAY
    return [
        case("first", asks(1)),
        case("with-names", asks(1, **names), **names),
        case("key-loosely-written", asks(1), licenseKey=f" {grouped(KEY).lower()} "),
        case("short-key", asks(1, licenseKeyHash=None), licenseKey=SHORT_KEY),
        case("key-of-the-file", asks(1, base=BASE), licenseKey=None, file=files.base()),
        case("with-a-base-file", asks(1, base=BASE), file=files.base()),
        case("base-file-of-another-key", asks(1), file=files.base(terms(key=grouped(OTHER_KEY)))),
        case("base-file-of-another-product", asks(1), file=files.base(aud=OTHER_PRODUCT)),
        case("ordinary-file", asks(1), file=files.ordinary()),
        again("again"),
        case("base-file-since", asks(SEQ + 1, base=BASE), kept=kept(), file=files.base()),
        case(
            "copied-to-another-machine",
            asks(SEQ + 1, hardwareId=OTHER_HARDWARE),
            kept=kept(),
            hardwareId=OTHER_HARDWARE,
        ),
        {
            **case("another-device-key-since", asks(SEQ + 1), kept=kept()),
            "deviceKey": OTHER.private_jwk,
            "expected": {"header": request_header(OTHER), "claims": asks(SEQ + 1)},
        },
        case("renewed", asks(SEQ + 1), kept=kept(), renew=True),
        case("counts-on", asks(8), kept=json.dumps({"seq": 7})),
        case("refresh", asks(SEQ + 1, "Refresh", file=FILE), kept=answered, file=files.answer()),
        case(
            "refresh-where-the-answer-was-put-by-hand",
            asks(SEQ + 1, "Refresh", file=FILE),
            kept=kept(),
            file=files.answer(),
        ),
        case(
            "answer-has-ended",
            asks(SEQ + 1, at=FILE_ENDS),
            FILE_ENDS,
            kept=answered,
            file=files.answer(),
        ),
        case(
            "refresh-by-code",
            asks(SEQ + 1, "Refresh", file=BASE, base=BASE),
            kept=with_code,
            file=files.base(),
        ),
        case(
            "after-a-release",
            asks(SEQ + 2),
            kept=json.dumps({"seq": SEQ + 1, "released": tombstone(SEQ + 1)}),
            file=files.answer(),
        ),
        case(
            "nothing-kept-but-the-answer", asks(SEQ + 1, "Refresh", file=FILE), file=files.answer()
        ),
        case("kept-file-damaged", asks(1), kept='{"seq": 7, "pend'),
        case("kept-file-empty", asks(1), kept=""),
        case("kept-seq-not-a-number", asks(1), kept='{"seq": "7"}'),
        case("kept-request-without-its-text", asks(4), kept=kept(pending={"seq": 3})),
        case("clock-a-year-ahead", asks(1, at=ahead), ahead),
        case("clock-a-year-behind", asks(1, at=behind), behind),
    ]


def received_cases() -> list[dict]:
    """Requests that a server gets; the product and the license are known to it."""

    def case(name: str, text: str, refusal: str | None) -> dict:
        return {"name": name, "productId": PRODUCT, "request": text, "refusal": refusal}

    def signed(name: str, refusal: str | None = "Malformed", **changes: object) -> dict:
        return case(name, request(**changes), refusal)

    def malformed(name: str, text: str) -> dict:
        return case(name, text, "Malformed")

    def with_header(name: str, **changes: object) -> dict:
        return malformed(name, DEVICE.proof(request_header(**changes), request_claims()))

    def with_key(name: str, **changes: object) -> dict:
        return with_header(name, jwk=stated({**DEVICE.jwk, **changes}))

    good = request()
    head, payload, signature = good.split(".")
    edited = "A" if signature[0] != "A" else "B"
    later = b64u(json.dumps(request_claims(seq=9)).encode())
    released = {"kind": "Release", "file": FILE}
    return [
        case("good", good, None),
        signed("good-refresh", None, kind="Refresh", file=FILE),
        signed("good-release", None, **released),
        signed("good-with-all-claims", None, deviceName="Prüfstand 7", appVersion="2", base=BASE),
        signed("good-without-a-key-hash", None, licenseKeyHash=None),
        signed("good-clock-at-the-epoch", None, iat=0),
        signed("good-clock-in-the-year-9999", None, iat=253402300799),
        signed("good-highest-seq", None, seq=2**31 - 1),
        malformed("empty", ""),
        malformed("not-a-token", "This is no request."),
        malformed("cut-off", good[:-30]),
        malformed("cut-in-its-claims", good[: len(head) + 40]),
        malformed("two-parts", f"{head}.{payload}"),
        malformed("four-parts", f"{good}.{signature}"),
        malformed("padded", f"{good}=="),
        malformed("header-flipped", f"{flip(head)}.{payload}.{signature}"),
        malformed("claims-flipped", f"{head}.{flip(payload)}.{signature}"),
        malformed("signature-flipped", f"{head}.{payload}.{edited}{signature[1:]}"),
        malformed("claims-of-another-request", f"{head}.{later}.{signature}"),
        malformed("signature-in-der", f"{head}.{payload}.{b64u(DEVICE.sign(f'{head}.{payload}'))}"),
        malformed("signature-of-another-key", OTHER.proof(request_header(), request_claims())),
        malformed("unsigned", unsigned(request_claims(), "licet-req+jwt", DEVICE.jkt)),
        malformed("claims-not-an-object", DEVICE.proof(request_header(), ["Activate"])),
        malformed("longer-than-2-kb", request(note="n" * 2048)),
        with_header("typ-missing", typ=None),
        with_header("typ-of-a-receipt", typ="receipt+jwt"),
        with_header("typ-of-a-proof", typ="dpop+jwt"),
        with_header("alg-none", alg="none"),
        with_header("alg-rs256", alg="RS256"),
        with_header("alg-es384", alg="ES384"),
        with_header("further-header", kid=DEVICE.jkt),
        with_header("critical-header", crit=["exp"]),
        with_header("jwk-missing", jwk=None),
        with_key("private-key-in-the-header", d=DEVICE.private_jwk["d"]),
        with_key("further-member-of-the-key", use="sig"),
        with_key("crv-p-384", crv="P-384"),
        with_key("y-missing", y=None),
        with_key("point-not-on-the-curve", x=b64u(bytes(31) + b"\1")),
        signed("aud-missing", aud=None),
        signed("kind-missing", kind=None),
        signed("kind-lease", kind="Lease"),
        signed("kind-in-lower-case", kind="activate"),
        signed("key-hash-too-short", licenseKeyHash="AAAA"),
        signed("key-hash-a-number", licenseKeyHash=1),
        signed("hardware-id-missing", hardwareId=None),
        signed("hardware-id-empty", hardwareId=""),
        signed("device-name-a-number", deviceName=7),
        signed("app-version-a-number", appVersion=2),
        signed("nonce-missing", nonce=None),
        signed("nonce-too-short", nonce=NONCE[:-2]),
        signed("nonce-not-base64url", nonce="+" * 22),
        signed("seq-missing", seq=None),
        signed("seq-zero", seq=0),
        signed("seq-too-high", seq=2**31),
        signed("seq-a-text", seq="3"),
        signed("seq-a-fraction", seq=1.5),
        signed("seq-a-flag", seq=True),
        signed("iat-missing", iat=None),
        signed("iat-a-text", iat=rfc3339(AT)),
        signed("iat-negative", iat=-1),
        signed("iat-after-the-year-9999", iat=253402300800),
        signed("base-a-number", base=1),
        signed("file-a-number", kind="Refresh", file=1),
        signed("another-product", "OtherProduct", aud=OTHER_PRODUCT),
    ]
