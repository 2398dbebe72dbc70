"""The published vectors of receipts, against the rules of the service."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from licet_server.leases.rules.model import Lease, LeaseKind, is_fork
from licet_server.leases.rules.receipts import ReceiptFault, ReceiptKind, read_receipt

FILE = Path(__file__).resolve().parents[3] / "vectors" / "leases.json"
CASES = json.loads(FILE.read_text())["receipts"]
NOW, OTHER = datetime(2030, 1, 15, tzinfo=UTC), UUID(int=1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_receipt_is_read_as_published(case: dict[str, Any]) -> None:
    lease = Lease(
        institution_id=OTHER,
        id=UUID(case["leaseId"]),
        license_id=OTHER,
        product_id=UUID(case["productId"]),
        kind=LeaseKind.SEAT,
        jkt=case["jkt"],
        hardware_id="machine-1",
        device_name=None,
        license_key_hash="",
        session_id=OTHER,
        quantity=Decimal(1),
        seq=case["seq"],
        issued_at=NOW,
        signed_at=NOW,
        ends_at=NOW,
        issue_key="k",
        issue_days=1,
    )
    found = read_receipt(case["receipt"], lease, ReceiptKind.RETURNED)
    if isinstance(found, ReceiptFault):
        assert found == case["refusal"]
    else:
        assert (case["refusal"] == "Forked") == is_fork(lease, found.seq, None)
        assert case["refusal"] in {None, "Forked"}
