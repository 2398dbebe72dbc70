"""Offline requests, their answers, and releases."""

from __future__ import annotations

from offline_answer_cases import answer_cases, code_cases, group_cases, mistyped_cases
from offline_letters import spell
from offline_pieces import (
    COMPACT,
    SEQ,
    Files,
    code,
    code_bytes,
    code_lines,
    release_code,
    release_lines,
)
from offline_request_cases import received_cases, sent_cases
from offline_stored_cases import release_cases, release_code_cases, stored_cases
from pieces import (
    Signer,
    b64u,
)
from proof_cases import key_cases


def offline_cases(signer: Signer, stale: Signer) -> dict:
    files = Files(signer, stale)
    return {
        "keys": key_cases(),
        "compactKey": {"privateKey": COMPACT.private_jwk, "publicKey": COMPACT.jwk},
        "answerCode": {"lines": code_lines(), "bytes": b64u(code_bytes()), "code": code()},
        "releaseCode": {"lines": release_lines(SEQ + 1), "code": release_code(SEQ + 1)},
        "letters": [
            {"bytes": b64u(raw), "code": spell(raw)}
            for raw in (bytes(68), bytes([255]) * 68, bytes(range(68)), code_bytes())
        ],
        "groups": group_cases(),
        "mistyped": mistyped_cases(files),
        "sent": sent_cases(files),
        "received": received_cases(),
        "answers": answer_cases(files),
        "codes": code_cases(files),
        "stored": stored_cases(files),
        "releases": release_cases(files),
        "releaseCodes": release_code_cases(),
    }
