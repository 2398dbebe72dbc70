"""Signed claims that readers of JSON and of dates like to take differently."""

from __future__ import annotations

import json
from datetime import timedelta

from kept_cases import case
from pieces import DAY, ISSUED, Signer, file_claims, terms
from verdict_cases import verdict_claims

GOOD_TIMES = [
    "2999-02-28T23:59:59.123456789Z",
    "2999-12-31T00:00:00+14:00",
    "2999-12-31T00:00:00-00:00",
    "9999-12-31T23:59:59Z",
]
BAD_TIMES = [
    "2999-02-30T00:00:00Z",
    "2999-02-29T00:00:00Z",
    "2999-13-01T00:00:00Z",
    "2999-00-10T00:00:00Z",
    "2999-01-01T24:00:00Z",
    "2999-01-01T23:60:00Z",
    "2999-12-31T23:59:60Z",
    "2999-01-01t00:00:00Z",
    "2999-01-01T00:00:00z",
    "2999-01-01 00:00:00Z",
    "2999-01-01T00:00Z",
    "2999-01-01T00:00:00",
    "2999-01-01T00:00:00+0100",
    "2999-01-01T00:00:00+14:01",
    "2999-01-01T00:00:00+01:60",
    "2999-01-01T00:00:00,5Z",
    "2999-01-01T00:00:00.Z",
    "2999-01-01T00:00:00.1234567890Z",
    "2999-W01-1T00:00:00Z",
    "29990101T000000Z",
    "2999-01-01",
    " 2999-01-01T00:00:00Z",
    "2999-01-01T00:00:00Z\n",
    "\u0662999-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "12999-01-01T00:00:00Z",
    "",
]
# Numbers are written as in the token, since JSON in Python has no other way to write some of them.
GOOD_CLAIMS = {
    "iat": ["1772366400.5", "1.7723664e9"],
    "exp": ["null", "253402300799"],
    "license.maxActiveUsersCount": ["5.0", "5e0", "9007199254740991", "null"],
    "license.metadata": ["null", "{}"],
    "product": ["null", "{}"],
    "release": ["null", "{}"],
}
BAD_CLAIMS = {
    "iat": [
        "-1",
        "253402300800",
        "3093527980800",
        "1e300",
        "1e400",
        "true",
        "null",
        '"1772366400"',
    ],
    "nbf": ["null", "-1", "1e300"],
    "exp": ["253402300800", "false", "NaN", "Infinity"],
    "license.maxActiveUsersCount": [
        "1e300",
        "1e400",
        "9007199254740992",
        "5.5",
        "true",
        '"5"',
        "5" * 5000,
    ],
    "license.metadata": ["[]", '""', "0", "false", '{"seats": 5}', '{"note": null}'],
    "license.entitlements": ["[]", '""', '{"n": 1e400}', '{"n": [1]}', '{"n": {}}'],
    "license.features": ["{}", '""', "[1]"],
    "license.activationMode": ["0", "false", "[]"],
    "product": ["[]", '""', "0", "false"],
    "release": ["[]", '""', '{"version": 2}'],
}


def claim_cases(signer: Signer) -> list[dict]:
    def with_time(text: str) -> str:
        return signer.sign(file_claims(terms(expirationDate=text), exp=None), "license+jwt")

    def with_claim(name: str, written: str) -> str:
        outer, _, inner = name.partition(".")
        mark = "a mark to be replaced"
        claims = (
            file_claims(terms(**{inner: mark})) if inner else {**file_claims(exp=None), outer: mark}
        )
        text = json.dumps(claims, separators=(",", ":")).replace(f'"{mark}"', written)
        return signer.sign_text(text, "license+jwt")

    def named(kind: str, name: str, numbered: list[str], status: str) -> list[dict]:
        sign = with_time if kind.startswith("time") else lambda text: with_claim(name, text)
        return [
            case(f"{kind}-{number}", sign(text), status) for number, text in enumerate(numbered, 1)
        ]

    def grouped(claims: dict[str, list[str]], kind: str, status: str) -> list[dict]:
        return [
            item
            for name, texts in claims.items()
            for item in named(f"{kind}-{name}", name, texts, status)
        ]

    far = 253_402_300_000
    endless = terms(activationMode="Online", expirationDate=None)
    online = signer.sign(file_claims(endless, exp=None), "license+jwt")
    confirmed = {**verdict_claims()["license"], "expirationDate": None}
    kept = signer.sign(verdict_claims(iat=far, exp=far + 300, license=confirmed), "verdict+jwt")
    return [
        *named("time-good", "", GOOD_TIMES, "Valid"),
        *named("time-bad", "", BAD_TIMES, "SignatureMismatch"),
        *grouped(GOOD_CLAIMS, "claim-good", "Valid"),
        *grouped(BAD_CLAIMS, "claim-bad", "SignatureMismatch"),
        case(
            "claim-verdict-of-the-last-day",
            online,
            "ClockTampered",
            ISSUED + DAY + timedelta(hours=3, minutes=7),
            keptVerdict=kept,
        ),
    ]
