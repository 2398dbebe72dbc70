"""Answers to offline requests: files that are installed, and codes that are typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from offline_letters import OTHER_TEXTS, misprints, spell, spelled_otherwise, unlucky
from offline_pieces import (
    AT,
    BASE,
    CODE_ENDS,
    COMPACT,
    END_DAY,
    FILE,
    NONCE,
    OTHER_BASE,
    OTHER_COMPACT,
    OTHER_NONCE,
    SECOND,
    SEQ,
    SHORT_KEY,
    Files,
    answer_claims,
    base_claims,
    client,
    code,
    code_bytes,
    code_lines,
    kept,
    kept_code,
    key_digest,
    pending,
    raw_signature,
    release_code,
    request,
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
    flip,
    grouped,
    protect,
    terms,
    unsigned,
)
from proof_cases import DEVICE, OTHER


def answer_cases(files: Files) -> list[dict]:
    """Files by which a client with a request under way is answered."""

    def case(
        name: str, answer: str, status: str | None = None, at: datetime = AT, **facts: object
    ) -> dict:
        if status is None:
            expected: dict = {"error": "LicenseFile"}
        else:
            expected = {"valid": status == "Valid", "status": status}
        given = client(name, at, **{"kept": kept(), **facts})
        return {**given, "answer": answer, "expected": expected}

    def changed(name: str, **changes: object) -> dict:
        return case(name, files.answer(**changes))

    def asked(nonce: object = NONCE, seq: object = SEQ) -> dict:
        return {"request": {"nonce": nonce, "seq": seq}}

    good = files.answer()
    head, payload, signature = good.split(".")
    concurrent = terms(type="Concurrent", activationMode="Online", maxActiveUsersCount=5)
    refresh = kept(pending=pending(kind="Refresh", file=FILE))
    claims = answer_claims()
    return [
        case("good", good, "Valid"),
        case("good-in-the-place-of-another-file", good, "Valid", file=files.ordinary()),
        case("good-in-the-place-of-a-base-file", good, "Valid", file=files.base()),
        case("good-of-a-refresh", good, "Valid", kept=refresh),
        case("good-after-a-release", good, "Valid", kept=kept(released=tombstone(SEQ - 1))),
        case("good-for-an-online-license", files.answer(concurrent), "Valid"),
        case("good-without-a-set-key", good, "Valid", licenseKey=None, file=files.base()),
        case("clock-a-year-ahead", good, "RefreshRequired", ISSUED + 365 * DAY - SECOND),
        case("clock-a-year-behind", good, "ClockTampered", ISSUED - 365 * DAY),
        case("suspended", files.answer(terms(status="Suspended")), "Suspended"),
        case("later-major", good, "ReleaseNotAllowed", appVersion="3.0.0"),
        case("test-license", files.answer(terms(test=True)), "TestLicense"),
        case("good-once-more", good, "Valid", kept=json.dumps({"seq": SEQ}), file=good),
        case("nothing-asked", good, kept=None),
        case("already-answered", good, kept=json.dumps({"seq": SEQ})),
        case("kept-file-damaged", good, kept=kept()[:-20]),
        case(
            "asked-again-since", good, kept=kept(seq=4, pending=pending(seq=4, nonce=OTHER_NONCE))
        ),
        case("released", good, kept=json.dumps({"seq": 4, "released": tombstone(4)})),
        changed("another-nonce", **asked(nonce=OTHER_NONCE)),
        changed("another-seq", **asked(seq=SEQ - 1)),
        changed("seq-a-text", **asked(seq=str(SEQ))),
        changed("seq-a-flag", **asked(seq=True)),
        changed("nonce-missing", request={"seq": SEQ}),
        changed("request-a-text", request=NONCE),
        changed("request-missing", request=None),
        changed("another-machine", hardwareIds=[OTHER_HARDWARE]),
        changed("no-machine", hardwareIds=None),
        changed("no-machine-in-its-list", hardwareIds=[]),
        changed("another-device-key", cnf={"jkt": OTHER.jkt}),
        changed("no-device-key", cnf=None),
        changed("another-product", aud=OTHER_PRODUCT),
        case("another-license-key", files.answer(terms(key=grouped(OTHER_KEY)))),
        case("device-without-its-key", good, deviceKey=None),
        case("device-with-another-key", good, deviceKey=OTHER.private_jwk),
        case("ordinary-file", files.ordinary()),
        case("base-file", files.base()),
        case("answer-in-a-base-file", files.base(hardwareIds=[HARDWARE], **asked())),
        case("signed-with-a-stale-key", files.stale.sign(claims, "license+jwt")),
        case("unsigned", unsigned(claims, "license+jwt", files.signer.kid)),
        case("signed-by-the-device", DEVICE.proof(request_header(typ="license+jwt"), claims)),
        case("header-flipped", f"{flip(head)}.{payload}.{signature}"),
        case("claims-flipped", f"{head}.{flip(payload)}.{signature}"),
        case("signature-flipped", f"{head}.{payload}.{flip(signature)}"),
        case("cut-off", good[:-40]),
        case("newline-added", f"{good}\n"),
        case("protected", protect(good, KEY, bytes(range(32)), bytes(range(12)))),
        case("the-request-itself", request()),
        case("empty", ""),
    ]


def code_cases(files: Files) -> list[dict]:
    """Codes that are typed where a client has a base file and a request under way."""
    with_base = kept(pending=pending(base=BASE))

    def case(
        name: str, typed: str, status: str | None = None, at: datetime = AT, **facts: object
    ) -> dict:
        given = client(name, at, **{"kept": with_base, "file": files.base(), **facts})
        if status is None:
            expected: dict = {"error": "OfflineCode", "group": None}
        else:
            expected = {"valid": status == "Valid", "status": status}
        return {**given, "code": typed, "expected": expected}

    def without_file(name: str, **facts: object) -> dict:
        return {**case(name, good, **facts), "expected": {"error": "LicenseFile"}}

    def changed(name: str, **changes: object) -> dict:
        return case(name, code(**changes))

    good = code()
    online = files.base(terms(type="Concurrent", activationMode="Online", maxActiveUsersCount=5))
    short = spell(
        bytes([1])
        + END_DAY.to_bytes(3)
        + raw_signature(COMPACT, code_lines(licenseKeyHash=key_digest(SHORT_KEY)))
    )
    return [
        case("good", good, "Valid"),
        case("good-in-its-last-second", good, "Valid", CODE_ENDS - SECOND),
        case("good-for-an-online-license", good, "Valid", file=online),
        case("good-without-a-set-key", good, "Valid", licenseKey=None),
        case(
            "good-for-a-short-key",
            short,
            "Valid",
            licenseKey=SHORT_KEY,
            file=files.base(terms(key=SHORT_KEY)),
            kept=kept(pending=pending(licenseKeyHash=None, base=BASE)),
        ),
        *(case(f"good-{name}", text, "Valid") for name, text in spelled_otherwise(good)),
        case(
            "good-once-more",
            good.lower(),
            "Valid",
            kept=json.dumps({"seq": SEQ, "answer": kept_code()}),
        ),
        case("ended", good, "RefreshRequired", CODE_ENDS),
        case("clock-a-year-behind", good, "ClockTampered", ISSUED - 365 * DAY),
        case(
            "license-suspended-in-the-base-file",
            good,
            "Suspended",
            file=files.base(terms(status="Suspended")),
        ),
        changed("another-product", productId=OTHER_PRODUCT),
        changed("another-license-key", licenseKeyHash=key_digest(OTHER_KEY)),
        changed("another-machine", hardwareId=OTHER_HARDWARE),
        changed("another-device-key", jkt=OTHER.jkt),
        changed("another-request", nonce=OTHER_NONCE),
        changed("another-base-file", base=OTHER_BASE),
        changed("another-day-than-signed", endDay=END_DAY + 1),
        changed("version-2", version=2),
        changed("version-0", version=0),
        case("signed-with-another-compact-key", code(OTHER_COMPACT)),
        case("signed-by-the-device", code(DEVICE)),
        case("release-code-instead", release_code(SEQ)),
        case("all-zeros", spell(bytes(68))),
        case("last-bit-set", spell(code_bytes(), last_bit=1)),
        case("nothing-asked", good, kept=None),
        case("already-answered", good, kept=json.dumps({"seq": SEQ})),
        case(
            "asked-again-since",
            good,
            kept=kept(seq=4, pending=pending(seq=4, nonce=OTHER_NONCE, base=BASE)),
        ),
        case("device-with-another-key", good, deviceKey=OTHER.private_jwk),
        case("device-without-its-key", good, deviceKey=None),
        case("on-another-machine", good, hardwareId=OTHER_HARDWARE),
        case("base-file-of-another-code-key", good, file=files.base(codeKey=OTHER_COMPACT.jwk)),
        case("another-base-file-installed", good, file=files.base(jti=OTHER_BASE)),
        without_file("no-base-file", file=None),
        without_file("ordinary-file-instead-of-the-base-file", file=files.ordinary()),
        without_file("base-file-without-a-code-key", file=files.base(codeKey=None)),
        without_file(
            "base-file-of-a-stale-key", file=files.stale.sign(base_claims(), "license-base+jwt")
        ),
        without_file("base-file-of-another-product", file=files.base(aud=OTHER_PRODUCT)),
    ]


def mistyped_cases(files: Files) -> list[dict]:
    """Codes with mistakes, and the group that the client names. All are typed at one client."""
    lists = {"good": [], **misprints(code()), **unlucky(), "other-texts": OTHER_TEXTS}
    given = client("", kept=kept(pending=pending(base=BASE)), file=files.base())
    return [{**given, "name": name, "typed": typed} for name, typed in lists.items() if typed]


def group_cases() -> list[dict]:
    """Single groups, as they are checked while somebody types."""

    def cases() -> Iterator[dict]:
        groups = code().split("-")
        for number, text in enumerate(groups, 1):
            yield {"index": number, "text": text, "right": True}
            yield {"index": number % 28 + 1, "text": text, "right": False}
        first = groups[0]
        yield {"index": 1, "text": first.lower(), "right": True}
        yield {"index": 1, "text": f" {first[:2]} {first[2:]}-", "right": True}
        yield {"index": 1, "text": first[:4], "right": False}
        yield {"index": 1, "text": f"{first}0", "right": False}
        yield {"index": 1, "text": "", "right": False}
        yield {"index": 1, "text": f"{first[:4]}U", "right": False}
        yield {"index": 28, "text": groups[27][:1], "right": False}
        yield {"index": 0, "text": first, "right": False}
        yield {"index": 29, "text": groups[27], "right": False}

    return [{"name": "while-typing", "typed": list(cases())}]
