"""What a device finds on its disk, and how it gives its place up."""

from __future__ import annotations

import json
from datetime import datetime

from offline_letters import misprints, spell, spelled_otherwise
from offline_pieces import (
    AT,
    BASE,
    CODE_ENDS,
    COMPACT,
    END_DAY,
    FILE,
    FILE_ENDS,
    NONCE,
    OTHER_BASE,
    OTHER_NONCE,
    SECOND,
    SEQ,
    SHORT_KEY,
    Files,
    base_claims,
    client,
    code,
    kept,
    kept_code,
    key_digest,
    pending,
    raw_signature,
    release,
    release_code,
    release_lines,
    request_claims,
    request_header,
    tombstone,
)
from pieces import (
    DAY,
    HARDWARE,
    ISSUED,
    KEY,
    OTHER_HARDWARE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    b64u,
    terms,
)
from proof_cases import DEVICE, OTHER


def stored_cases(files: Files) -> list[dict]:
    """What a client finds on its disk, and validates without the server."""

    def case(name: str, status: str, at: datetime = AT, **facts: object) -> dict:
        given = client(name, at, **facts)
        return {**given, "expected": {"valid": status == "Valid", "status": status}}

    base, good = files.base(), files.answer()
    with_code = {"kept": json.dumps({"seq": SEQ, "answer": kept_code()}), "file": base}

    def coded(name: str, status: str = "ActivationRequired", **changes: object) -> dict:
        answer = {"seq": SEQ, "answer": kept_code(**changes)}
        return case(name, status, kept=json.dumps(answer), file=base)

    def released(name: str, status: str, seq: int, file: str = good) -> dict:
        text = json.dumps({"seq": seq, "released": tombstone(seq)})
        return case(name, status, kept=text, file=file)

    unread = (
        ("no-code-key", {"codeKey": None}),
        ("code-key-of-another-curve", {"codeKey": {**COMPACT.jwk, "crv": "P-384"}}),
        ("code-key-not-on-the-curve", {"codeKey": {**COMPACT.jwk, "x": b64u(bytes(31) + b"\1")}}),
        ("code-key-a-text", {"codeKey": b64u(bytes(32))}),
        ("no-jti", {"jti": None}),
    )
    return [
        case("base-file-alone", "ActivationRequired", file=base),
        case("base-file-with-a-request-under-way", "ActivationRequired", file=base, kept=kept()),
        case(
            "base-file-of-a-license-without-devices",
            "ActivationRequired",
            file=files.base(terms(type="Perpetual", expirationDate=None)),
        ),
        case(
            "base-file-that-names-this-machine",
            "ActivationRequired",
            file=files.base(hardwareIds=[HARDWARE]),
        ),
        *(
            case(f"base-file-{name}", "SignatureMismatch", file=files.base(**part))
            for name, part in unread
        ),
        case(
            "base-file-of-a-stale-key",
            "SignatureMismatch",
            file=files.stale.sign(base_claims(), "license-base+jwt"),
        ),
        case("base-file-suspended", "Suspended", file=files.base(terms(status="Suspended"))),
        case("base-file-with-its-code", "Valid", **with_code),
        case(
            "base-file-with-its-code-in-its-last-second", "Valid", CODE_ENDS - SECOND, **with_code
        ),
        case("base-file-with-its-code-ended", "RefreshRequired", CODE_ENDS, **with_code),
        case(
            "base-file-with-its-code-clock-set-back",
            "ClockTampered",
            ISSUED - 365 * DAY,
            **with_code,
        ),
        case(
            "base-file-with-its-code-after-the-license", "Expired", ISSUED + 366 * DAY, **with_code
        ),
        case(
            "base-file-with-its-code-copied-to-another-machine",
            "ActivationRequired",
            hardwareId=OTHER_HARDWARE,
            **with_code,
        ),
        case(
            "base-file-with-its-code-and-another-device-key",
            "ActivationRequired",
            deviceKey=OTHER.private_jwk,
            **with_code,
        ),
        case(
            "base-file-with-its-code-and-no-device-key",
            "ActivationRequired",
            deviceKey=None,
            **with_code,
        ),
        coded("code-of-another-request", nonce=OTHER_NONCE),
        coded("code-of-another-base-file", base=OTHER_BASE),
        coded("code-signed-by-the-device", code=code(DEVICE)),
        coded(
            "code-with-a-mistake", code=f"0{code()[1:]}" if code()[0] != "0" else f"1{code()[1:]}"
        ),
        coded("code-missing", code=None),
        coded("kept-end-is-only-a-note", "Valid", endsDay=END_DAY + 400),
        case("code-without-its-base-file", "LicenseNotFound", kept=with_code["kept"]),
        case(
            "kept-file-of-the-code-damaged",
            "ActivationRequired",
            kept=with_code["kept"][:-9],
            file=base,
        ),
        case("answer", "Valid", file=good),
        case("answer-in-its-last-second", "Valid", FILE_ENDS - SECOND, file=good),
        case("answer-ended", "RefreshRequired", FILE_ENDS, file=good),
        case(
            "answer-copied-to-another-machine",
            "HardwareMismatch",
            hardwareId=OTHER_HARDWARE,
            file=good,
        ),
        case(
            "answer-copied-to-another-device-key",
            "DeviceProofRequired",
            deviceKey=OTHER.private_jwk,
            file=good,
        ),
        case("answer-without-a-device-key", "DeviceProofRequired", deviceKey=None, file=good),
        case(
            "answer-for-an-online-license",
            "Valid",
            file=files.answer(terms(activationMode="Online")),
        ),
        case(
            "answer-with-a-malformed-request",
            "SignatureMismatch",
            file=files.answer(request={"nonce": NONCE, "seq": "3"}),
        ),
        case("answer-without-an-end", "SignatureMismatch", file=files.answer(exp=None)),
        case("answer-without-a-device-key-in-it", "SignatureMismatch", file=files.answer(cnf=None)),
        case("answer-with-a-damaged-kept-file", "Valid", file=good, kept="{"),
        released("released", "ActivationRequired", SEQ + 1),
        released("released-with-the-same-seq", "ActivationRequired", SEQ),
        released("answered-after-a-release", "Valid", SEQ - 1),
        released("released-with-an-ordinary-file", "Valid", SEQ + 1, files.ordinary()),
        case(
            "released-with-a-code",
            "ActivationRequired",
            kept=json.dumps({"seq": SEQ + 1, "released": tombstone(SEQ + 1, file=BASE)}),
            file=base,
        ),
    ]


def release_cases(files: Files) -> list[dict]:
    """What a client signs when it gives its place up, and that it then uses nothing of it."""

    def case(name: str, claims: dict, after: str = "ActivationRequired", **facts: object) -> dict:
        expected = {"header": request_header(), "claims": claims, "status": after}
        return client(name, **{"file": files.answer(), **facts}, expected=expected)

    def claims(seq: int = SEQ + 1, **changes: object) -> dict:
        made = request_claims(kind="Release", seq=seq, **{"file": FILE, **changes})
        del made["nonce"]
        return made

    def nothing(name: str, **facts: object) -> dict:
        return client(name, **facts, expected={"error": "LicenseFile"})

    answered = json.dumps({"seq": SEQ})
    again = json.dumps({"seq": 4, "released": tombstone(4)})
    return [
        case("file", claims(), kept=answered),
        case(
            "file-with-a-request-under-way",
            claims(5),
            kept=kept(seq=4, pending=pending(seq=4, kind="Refresh", file=FILE)),
        ),
        case(
            "file-that-has-ended",
            claims(iat=int(FILE_ENDS.timestamp())),
            kept=answered,
            at=FILE_ENDS,
        ),
        case("file-without-what-is-kept", claims()),
        case(
            "code",
            claims(file=BASE, base=BASE),
            kept=json.dumps({"seq": SEQ, "answer": kept_code()}),
            file=files.base(),
        ),
        case(
            "short-key",
            claims(licenseKeyHash=None),
            licenseKey=SHORT_KEY,
            file=files.answer(terms(key=SHORT_KEY)),
            kept=answered,
        ),
        case("highest-seq-of-a-code", claims(2**24 - 1), kept=json.dumps({"seq": 2**24 - 2})),
        {
            **case("seq-without-a-code", claims(2**24), kept=json.dumps({"seq": 2**24 - 1})),
            "withoutCode": True,
        },
        client(
            "again",
            file=files.answer(),
            kept=again,
            expected={"text": release(4), "code": release_code(4), "status": "ActivationRequired"},
        ),
        case(
            "after-another-answer",
            claims(SEQ + 1),
            kept=json.dumps({"seq": SEQ, "released": tombstone(SEQ - 1)}),
        ),
        nothing("nothing"),
        nothing("ordinary-file", file=files.ordinary()),
        nothing("base-file-alone", file=files.base()),
        nothing("answer-of-another-machine", file=files.answer(hardwareIds=[OTHER_HARDWARE])),
        nothing("answer-of-another-device-key", file=files.answer(cnf={"jkt": OTHER.jkt})),
    ]


def release_code_cases() -> list[dict]:
    """Release codes that a server gets for the answered request of a device."""

    def case(name: str, text: str, refusal: str | None, group: int | None = None) -> dict:
        return {
            "name": name,
            "productId": PRODUCT,
            "licenseKeyHash": key_digest(KEY),
            "hardwareId": HARDWARE,
            "publicKey": DEVICE.jwk,
            "file": FILE,
            "code": text,
            "seq": SEQ + 1 if refusal is None else None,
            "refusal": refusal,
            "group": group,
        }

    good, seq = release_code(SEQ + 1), SEQ + 1
    mistakes = misprints(good)
    return [
        case("good", good, None),
        *(case(f"good-{name}", text, None) for name, text in spelled_otherwise(good)),
        case("of-another-key", release_code(seq, OTHER), "Signature"),
        case("of-another-product", release_code(seq, productId=OTHER_PRODUCT), "Signature"),
        case(
            "of-another-license",
            release_code(seq, licenseKeyHash=key_digest(OTHER_KEY)),
            "Signature",
        ),
        case("of-another-machine", release_code(seq, hardwareId=OTHER_HARDWARE), "Signature"),
        case("of-another-file", release_code(seq, file=BASE), "Signature"),
        case("seq-edited", release_code(seq, written=seq + 1), "Signature"),
        case("version-2", release_code(seq, version=2), "Signature"),
        case("answer-code-instead", code(), "Signature"),
        case(
            "last-bit-set",
            spell(
                bytes([1]) + seq.to_bytes(3) + raw_signature(DEVICE, release_lines(seq)), last_bit=1
            ),
            "Signature",
        ),
        *(
            case(f"{name}-{item['group']}", item["code"], "Mistyped", item["group"])
            for name, typed in mistakes.items()
            for item in typed[::40]
        ),
    ]
