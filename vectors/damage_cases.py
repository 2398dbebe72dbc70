"""Files and verdicts that a lenient decoder would accept: another spelling of the same bytes."""

from __future__ import annotations

import json

from kept_cases import case
from pieces import KEY, Signer, b64u, file_claims, flip, grouped, protect, terms

BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def unused_bits(segment: str) -> str:
    """The segment with a last symbol whose unused bits are set: it decodes to the same bytes."""
    spare = {2: 4, 3: 2}[len(segment) % 4]
    index = BASE64URL.index(segment[-1])
    return segment[:-1] + BASE64URL[index | ((1 << spare) - 1)]


def standard_alphabet(segment: str) -> str:
    return segment.replace("-", "+").replace("_", "/")


def damage_cases(signer: Signer) -> list[dict]:
    good = signer.sign(file_claims(), "license+jwt")
    # A signature of 384 bytes fills its last symbol; a payload of another length does not.
    odd = next(
        token
        for spaces in range(1, 4)
        if len(
            (token := signer.sign(file_claims(terms(name="x" * spaces)), "license+jwt")).split(".")[
                1
            ]
        )
        % 4
    )
    head, body, signature = good.split(".")
    odd_head, odd_body, odd_signature = odd.split(".")
    sealed = protect(good, KEY, bytes(range(32)), bytes(range(100, 112)))
    with_key = {"licenseKey": grouped(KEY)}

    def bad(name: str, text: str, **facts: object) -> dict:
        return case(name, text, "SignatureMismatch", **facts)

    parts = sealed.split(".")
    return [
        bad("base64-unused-bits", f"{odd_head}.{unused_bits(odd_body)}.{odd_signature}"),
        bad("base64-padded", f"{odd_head}.{odd_body}{'=' * (-len(odd_body) % 4)}.{odd_signature}"),
        bad("base64-standard-alphabet", f"{head}.{body}.{standard_alphabet(signature)}"),
        bad("base64-line-break", f"{head}.{body[:64]}\n{body[64:]}.{signature}"),
        bad("base64-space", f"{head}.{body}.{signature[:40]} {signature[40:]}"),
        bad("space-before", f" {good}"),
        bad("byte-order-mark", f"\ufeff{good}"),
        bad("doubled", good + good),
        bad("doubled-on-two-lines", f"{good}\n{good}"),
        bad("cut-in-the-payload", good[: len(head) + 20]),
        bad("cut-before-the-signature", f"{head}.{body}."),
        bad("without-the-last-symbol", good[:-1]),
        bad("a-fourth-part", f"{good}.{signature}"),
        bad("header-alone", head),
        bad("a-json-file", '{"license": {"status": "Active"}}'),
        bad(
            "as-json-serialization",
            json.dumps({"payload": body, "protected": head, "signature": signature}),
        ),
        bad(
            "protected-base64-unused-bits",
            ".".join([*parts[:4], unused_bits(parts[4])]),
            **with_key,
        ),
        bad("protected-cut", sealed[:-30], **with_key),
        bad("protected-doubled", sealed + sealed, **with_key),
        bad(
            "protected-other-initialization-vector",
            ".".join([*parts[:2], b64u(bytes(12)), *parts[3:]]),
            **with_key,
        ),
        bad("protected-edited-header", ".".join([flip(parts[0]), *parts[1:]]), **with_key),
    ]
