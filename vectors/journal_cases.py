"""Journals of reserved credits: chains of lines, files as found on disk, and their settlement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal

from lease_cases import (
    AT,
    ENDS,
    OTHER_LEASE,
    SEQ,
    key_digest,
    lease_claims,
    receipt_header,
)
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
    flip,
    grouped,
    rfc3339,
    terms,
)
from proof_cases import DEVICE, OTHER

RESERVATION = "01920000-0000-7000-8000-0000000000d1"
AMOUNT = "500"
PRICES = {"export": "2.5", "Render": "0.000001", "Größe": "40"}
MAX_LINE = 2048
SECOND = timedelta(seconds=1)
Charge = tuple[str, int, str]
CHARGES: list[Charge] = [
    ("export", 2, "order-17"),
    ("Render", 3, "order-18"),
    ("export", 1, "order-19"),
]


def reserved_terms(mode: str = "Token", **changes: object) -> dict:
    metered = terms(type=f"Metered{mode}", activationMode="Online", **changes)
    return {name: value for name, value in metered.items() if name not in {"key", "issuer"}}


def reserved_claims(mode: str = "Token", **changes: object) -> dict:
    """The claims of a lease of credits; a change to ``None`` leaves one out."""
    own = {
        "jti": RESERVATION,
        "kind": "Credits",
        "quantity": AMOUNT,
        "mode": mode,
        "prices": PRICES if mode == "Token" else None,
        "license": {"id": LICENSE, **reserved_terms(mode, features=[*PRICES])},
    }
    return lease_claims(**{**own, **changes})


def plain(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def line_hash(line: str) -> str:
    return b64u(hashlib.sha256(line.encode()).digest())


def line(
    number: int,
    charge: Charge,
    prev: str,
    prices: Mapping[str, str] = PRICES,
    **changes: object,
) -> str:
    """A line of the journal; a change to ``None`` leaves a member out."""
    feature, quantity, key = charge
    members = {
        "n": number,
        "feature": feature,
        "quantity": quantity,
        "cost": plain(Decimal(prices.get(feature, "1")) * quantity),
        "at": int(AT.timestamp()) + number - 1,
        "key": key,
        "prev": prev,
        **changes,
    }
    stated = {name: value for name, value in members.items() if value is not None}
    return json.dumps(stated, separators=(",", ":"), ensure_ascii=False)


def chain(
    charges: list[Charge], lease: str = RESERVATION, prices: Mapping[str, str] = PRICES
) -> list[str]:
    lines: list[str] = []
    prev = line_hash(lease)
    for number, charge in enumerate(charges, 1):
        lines.append(line(number, charge, prev, prices))
        prev = line_hash(lines[-1])
    return lines


def spent(lines: list[str]) -> str:
    return plain(sum((Decimal(str(json.loads(text)["cost"])) for text in lines), Decimal(0)))


def head(lines: list[str]) -> str:
    return line_hash(lines[-1]) if lines else line_hash(RESERVATION)


def file_of(lines: list[str], lease: str = RESERVATION) -> str:
    return "".join(f"{text}\n" for text in [lease, *lines])


def client(at: datetime = AT) -> dict:
    return {
        "productId": PRODUCT,
        "licenseKey": grouped(KEY),
        "hardwareId": HARDWARE,
        "appVersion": None,
        "at": rfc3339(at),
        "deviceKey": DEVICE.private_jwk,
    }


def outcome(lines: list[str] | None, status: str, reported: int = 0, seq: int = SEQ) -> dict:
    """What a client answers; ``lines`` are those of the journal, ``None`` if it is not usable."""
    view = {
        "leaseId": RESERVATION,
        "seq": seq,
        "amount": AMOUNT,
        "spent": spent(lines or []),
        "remaining": plain(Decimal(AMOUNT) - Decimal(spent(lines or []))),
        "unreported": len(lines or []) - reported,
        "endsAt": rfc3339(ENDS),
    }
    return {
        "valid": status == "Valid",
        "status": status,
        "leaseEndsAt": None if lines is None else rfc3339(ENDS),
        "reserved": None if lines is None else view,
    }


def credit_cases(signer: Signer, stale: Signer) -> list[dict]:
    """Tokens of kind Credits, each beside a journal without a line."""

    def case(
        name: str, token: str, status: str = "LicenseNotFound", at: datetime = AT, **facts: object
    ) -> dict:
        lines: list[str] | None = [] if status == "Valid" else None
        seq = facts.pop("seq", SEQ)
        return {
            "name": name,
            **client(at),
            "token": token,
            "journal": file_of([]),
            "expected": outcome(lines, status, seq=int(str(seq))),
            **facts,
        }

    def sign(**changes: object) -> str:
        return signer.sign(reserved_claims(**changes), "lease+jwt")

    def changed(name: str, **changes: object) -> dict:
        return case(name, sign(**changes))

    good = sign()
    counted = signer.sign(reserved_claims("Count"), "lease+jwt")
    open_to_all = signer.sign(
        reserved_claims(
            "Count",
            anyFeature=True,
            license={"id": LICENSE, **reserved_terms("Count", features=None)},
        ),
        "lease+jwt",
    )
    suspended = {"id": LICENSE, **reserved_terms(status="Suspended")}
    test = {"id": LICENSE, **reserved_terms(test=True)}
    header, body, signature = good.split(".")
    return [
        case("good", good, "Valid"),
        case("good-count", counted, "Valid"),
        case("good-count-any-feature", open_to_all, "Valid"),
        case("good-without-any-price", sign(prices={}), "Valid"),
        case("good-at-its-beginning", good, "Valid", ISSUED),
        case("good-in-its-last-second", good, "Valid", ENDS - SECOND),
        case("first-of-its-lease", sign(seq=1), "Valid", seq=1),
        case("further-claims", sign(note="n"), "Valid"),
        case("clock-set-back", good, "ClockTampered", ISSUED - 40 * DAY),
        case("ended", good, at=ENDS),
        case("suspended-in-the-token", sign(license=suspended), "Suspended"),
        case("test-license", sign(license=test), "TestLicense"),
        case("test-license-in-test-mode", sign(license=test), "Valid", testMode=True),
        changed("another-product", aud=OTHER_PRODUCT),
        changed("another-machine", hardwareId=OTHER_HARDWARE),
        changed("another-license-key", licenseKeyHash=key_digest(OTHER_KEY)),
        changed("another-device-key", cnf={"jkt": OTHER.jkt}),
        case("without-a-device-key", good, deviceKey=None),
        changed("kind-seat", kind="Seat", quantity=1),
        changed("quantity-a-number", quantity=500),
        changed("quantity-with-an-exponent", quantity="5e2"),
        changed("quantity-with-trailing-zeros", quantity="500.0"),
        changed("quantity-with-seven-places", quantity="0.1234567"),
        changed("quantity-signed", quantity="+500"),
        changed("quantity-negative", quantity="-500"),
        changed("quantity-zero", quantity="0"),
        changed("quantity-empty", quantity=""),
        changed("quantity-missing", quantity=None),
        changed("mode-missing", mode=None),
        changed("mode-unknown", mode="Minutes"),
        changed("prices-missing", prices=None),
        changed("prices-a-list", prices=["export"]),
        changed("price-a-number", prices={"export": 2.5}),
        changed("price-negative", prices={"export": "-2.5"}),
        changed("jti-missing", jti=None),
        case("edited-payload", f"{header}.{flip(body)}.{signature}"),
        case("stale-key", stale.sign(reserved_claims(), "lease+jwt")),
        case("typ-license", signer.sign(reserved_claims(), "license+jwt")),
        case("not-a-token", "This is no lease."),
        case("of-another-journal", good, journal=file_of([], OTHER_LEASE)),
    ]


def chain_cases(signer: Signer) -> list[dict]:
    """Charges that a client makes without the server, and the lines that they become."""

    def case(
        name: str,
        charges: list[Charge],
        asked: list[str] | None = None,
        **claims: object,
    ) -> dict:
        mode = str(claims.pop("mode", "Token"))
        lines = chain(charges, prices={} if mode == "Count" else PRICES)
        asked = asked or [feature for feature, _, _ in charges]
        return {
            "name": name,
            **client(),
            "token": signer.sign(reserved_claims(mode, **claims), "lease+jwt"),
            "genesis": line_hash(RESERVATION),
            "charges": [
                {
                    "at": rfc3339(AT + number * SECOND),
                    "featureName": wanted,
                    "quantity": quantity,
                    "idempotencyKey": key,
                }
                for number, (wanted, (_, quantity, key)) in enumerate(
                    zip(asked, charges, strict=True)
                )
            ],
            "lines": lines,
            "hashes": [line_hash(text) for text in lines],
            "spent": spent(lines),
        }

    everything = {"id": LICENSE, **reserved_terms("Count", features=None)}
    return [
        case("one", CHARGES[:1]),
        case("three", CHARGES),
        case("spelled-otherwise", CHARGES[:2], ["EXPORT", "render"]),
        case("beyond-ascii", [("Größe", 1, "Auftrag-Ä-日本-😀"), ("export", 1, "é")]),
        case("escapes", [("export", 1, 'a"b\\c/d\te\u2028f')]),
        case("exact", [("Render", 1, "a"), ("Render", 999_999, "b"), ("export", 3, "c")]),
        case("to-the-last", [("export", 200, "all")]),
        case("longest-key", [("export", 1, "😀" * 64)]),
        case("count", [("export", 7, "a"), ("Render", 1, "b")], mode="Count"),
        case(
            "count-any-feature",
            [("whatever", 2, "a")],
            mode="Count",
            anyFeature=True,
            license=everything,
        ),
    ]


def journal_file_cases(signer: Signer) -> list[dict]:
    """Journals as a client finds them on disk."""
    token = signer.sign(reserved_claims(), "lease+jwt")
    lines = chain(CHARGES)
    first, second, third = lines
    genesis = line_hash(RESERVATION)
    whole = file_of(lines)
    escaped = json.dumps(json.loads(first) | {"key": "ä"}, separators=(",", ":"))
    beyond = chain([*CHARGES, ("export", 199, "too-much")])

    def case(name: str, journal: str | None, found: list[str] | None, reported: int = 0) -> dict:
        status = "LicenseNotFound" if found is None else "Valid"
        return {
            "name": name,
            **client(),
            "token": token,
            "reported": reported,
            "journal": journal,
            "expected": outcome(found, status, reported),
        }

    def broken(name: str, journal: str | None, reported: int = 0) -> dict:
        return case(name, journal, None, reported)

    edited = second.replace('"quantity":3', '"quantity":4')
    return [
        case("no-line", file_of([]), []),
        case("three-lines", whole, lines),
        case("two-of-three-reported", whole, lines, 2),
        case("all-reported", whole, lines, 3),
        case("escaped-characters", file_of([escaped]), [escaped]),
        case("last-line-without-its-newline", whole[:-1], lines[:2]),
        case("last-line-cut", whole[:-40], lines[:2]),
        case("last-line-of-one-byte", f"{file_of(lines[:2])}{{", lines[:2]),
        case("last-line-of-zeros", file_of(lines) + "\0" * 64, lines),
        broken("missing", None),
        broken("empty", ""),
        broken("first-line-without-its-newline", RESERVATION),
        broken("of-another-lease", file_of(chain(CHARGES, OTHER_LEASE), OTHER_LEASE)),
        broken("lines-of-another-lease", file_of(chain(CHARGES, OTHER_LEASE))),
        broken("first-line-missing", file_of([second, third])),
        broken("line-in-between-missing", file_of([first, third])),
        broken("lines-exchanged", file_of([second, first, third])),
        broken("line-twice", file_of([first, first, second, third])),
        broken("edited", file_of([first, edited, third])),
        broken("spaces-added", file_of([first.replace(",", ", "), second, third])),
        broken("carriage-returns", whole.replace("\n", "\r\n")),
        broken("blank-line", file_of([first, "", second, third])),
        broken("not-json", file_of([*lines, "This is no line."])),
        broken("without-a-cost", file_of([line(1, CHARGES[0], genesis, cost=None)])),
        broken("cost-a-number", file_of([line(1, CHARGES[0], genesis, cost=5)])),
        broken("cost-negative", file_of([line(1, CHARGES[0], genesis, cost="-5")])),
        broken("more-than-was-reserved", file_of(beyond)),
        broken("fewer-lines-than-reported", file_of(lines[:2]), 3),
    ]


def settlement_cases() -> list[dict]:
    """Receipts and lines that a server gets for an open lease of credits."""
    lines = chain([*CHARGES, ("Größe", 2, "order-20")])
    elsewhere = chain([CHARGES[0], ("export", 9, "other"), ("export", 1, "another")])
    genesis = line_hash(RESERVATION)

    def receipt(sent: list[str], **changes: object) -> str:
        claims = {
            "aud": PRODUCT,
            "lease": RESERVATION,
            "seq": SEQ,
            "iat": int(AT.timestamp()),
            "kind": "Used",
            "used": spent(sent),
            "lines": len(sent),
            "head": head(sent),
            **changes,
        }
        stated = {name: value for name, value in claims.items() if value is not None}
        return DEVICE.proof(receipt_header(), stated)

    def case(
        name: str,
        outcome: str,
        sent: list[str],
        *,
        settled: int = 0,
        of: list[str] = lines,
        journal: list[str] | None = None,
        charged: list[int] | None = None,
        keys: tuple[str, ...] = (),
        **changes: object,
    ) -> dict:
        new = list(range(settled + 1, len(sent) + 1)) if charged is None else charged
        return {
            "name": name,
            "productId": PRODUCT,
            "leaseId": RESERVATION,
            "jkt": DEVICE.jkt,
            "seq": SEQ,
            "mode": "Token",
            "prices": PRICES,
            "quantity": AMOUNT,
            "settled": settled,
            "settledHead": head(of[:settled]),
            "settledUsed": spent(of[:settled]),
            "ledgerKeys": list(keys),
            "receipt": receipt(sent, **changes),
            "journal": sent[settled:] if journal is None else journal,
            "outcome": outcome,
            "charged": new if outcome == "Settled" else [],
            "spent": spent([sent[number - 1] for number in new]) if outcome == "Settled" else "0",
        }

    def refused(name: str, sent: list[str], **facts: object) -> dict:
        return case(name, "Refused", sent, **facts)  # type: ignore[arg-type]

    def with_line(**changes: object) -> list[str]:
        return [lines[0], line(2, CHARGES[1], line_hash(lines[0]), **changes)]

    twice = chain([CHARGES[0], ("Render", 1, "order-17")])
    long_line = line(2, CHARGES[1], line_hash(lines[0]), note="n" * MAX_LINE)
    other_prev = line(2, CHARGES[1], genesis)
    beyond = chain([("export", 200, "all"), ("Render", 1, "one-more")])
    return [
        case("first-report", "Settled", lines),
        case("returned", "Settled", lines, kind="Returned"),
        case("nothing-spent", "Settled", [], kind="Returned"),
        case("later-lines", "Settled", lines, settled=2),
        case("from-the-last-settled-line", "Settled", lines, settled=2, journal=lines[1:]),
        case("all-lines-again", "Settled", lines, settled=2, journal=lines),
        case("reported-twice", "Settled", lines, settled=4, journal=lines),
        case("nothing-new", "Settled", lines, settled=4, journal=[]),
        case("to-the-last-credit", "Settled", beyond[:1]),
        case("key-charged-online", "Settled", lines, charged=[1, 3, 4], keys=("order-18",)),
        case("key-twice-in-the-journal", "Settled", twice, charged=[1]),
        case("lines-missing", "Refused", lines, settled=1, journal=lines[2:]),
        case("no-lines", "Refused", lines, journal=[]),
        case("last-line-missing", "Refused", lines, journal=lines[:3]),
        case("fewer-than-settled", "Forked", lines[:1], settled=2, journal=lines[:1]),
        case("none-after-settled", "Forked", [], settled=2, journal=[]),
        case("another-chain", "Forked", elsewhere, settled=2),
        case("another-chain-from-its-begin", "Forked", elsewhere, settled=2, journal=elsewhere),
        case("another-chain-of-this-length", "Forked", elsewhere[:2], settled=2, journal=[]),
        refused("cost-too-low", with_line(cost="0.000002")),
        refused("cost-too-high", with_line(cost="3")),
        refused("cost-with-an-exponent", with_line(cost="3e-6")),
        refused("cost-a-number", with_line(cost=0.000003)),
        refused("feature-unknown", with_line(feature="import")),
        refused("quantity-zero", with_line(quantity=0, cost="0")),
        refused("quantity-a-fraction", with_line(quantity=1.5)),
        refused("quantity-a-flag", with_line(quantity=True, cost="0.000001")),
        refused("key-empty", with_line(key="")),
        refused("key-too-long", with_line(key="k" * 129)),
        refused("key-missing", with_line(key=None)),
        refused("at-a-text", with_line(at=rfc3339(AT))),
        refused("number-skipped", with_line(n=3)),
        refused("chain-broken", [lines[0], other_prev]),
        refused("longer-than-2048-bytes", [lines[0], long_line]),
        refused("beyond-what-is-held", beyond),
        refused("not-json", lines, journal=[*lines[:3], "This is no line."]),
        refused("line-edited", lines, journal=[*lines[:3], lines[3].replace("20", "21")]),
        refused("used-too-low", lines, used="1"),
        refused("used-a-number", lines, used=1),
        refused("used-missing", lines, used=None),
        refused("head-of-another-line", lines, head=head(lines[:2])),
        refused("head-missing", lines, head=None),
        refused("lines-of-the-receipt-missing", lines, lines=None),
        refused("lines-negative", lines, lines=-1),
    ]


def journal_cases(signer: Signer) -> dict:
    return {
        "chains": chain_cases(signer),
        "files": journal_file_cases(signer),
        "settlements": settlement_cases(),
    }
