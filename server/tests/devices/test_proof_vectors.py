"""The published vectors of proofs, against the rules of the service."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from licet_server.devices.rules.proofs import Proof, SignedRequest, read_proof

FILE = Path(__file__).resolve().parents[3] / "vectors" / "proofs.json"
# What depends on the device is decided by other rules, with what the device has shown before.
OF_THE_DEVICE = {"Missing", "OtherKey", "Replayed"}
CASES = [
    case
    for case in json.loads(FILE.read_text())["received"]
    if case["refusal"] not in OF_THE_DEVICE
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_proof_is_read_as_published(case: dict[str, Any]) -> None:
    url, public = urlsplit(case["url"]), urlsplit(case["publicUrl"])
    request = SignedRequest(
        case["method"],
        [url.netloc, public.netloc],
        [url.path, public.path.rstrip("/") + url.path],
        (case["body"] or "").encode(),
    )
    found = read_proof(case["proof"], request, datetime.fromisoformat(case["at"]))
    if isinstance(found, Proof):
        assert (None, found.jkt) == (case["refusal"], case["jkt"])
    else:
        assert found.name.replace("_", "").lower() == (case["refusal"] or "accepted").lower()
