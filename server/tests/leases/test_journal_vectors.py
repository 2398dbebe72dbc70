"""The published vectors of journals, against the rules of the service."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from licet_server.leases.rules.journal import (
    FORK,
    Fork,
    JournalFault,
    Spending,
    follow,
    genesis_of,
    read_line,
)
from licet_server.leases.rules.model import Lease, LeaseKind
from licet_server.leases.rules.receipts import (
    Receipt,
    ReceiptFault,
    ReceiptKind,
    read_receipt,
)
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.holding import Ledger, settle_charges
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet

FILE = Path(__file__).resolve().parents[3] / "vectors" / "journals.json"
VECTORS = json.loads(FILE.read_text())
NOW, OTHER = datetime(2030, 1, 15, tzinfo=UTC), UUID(int=1)


def lease_of(case: dict[str, Any]) -> Lease:
    return Lease(
        institution_id=OTHER,
        id=UUID(case["leaseId"]),
        license_id=OTHER,
        product_id=UUID(case["productId"]),
        kind=LeaseKind.CREDITS,
        jkt=case["jkt"],
        hardware_id="machine-1",
        device_name=None,
        license_key_hash="",
        session_id=None,
        quantity=Decimal(case["quantity"]),
        seq=case["seq"],
        issued_at=NOW,
        signed_at=NOW,
        ends_at=NOW,
        issue_key="k",
        issue_days=1,
        prices=case["prices"] if case["mode"] == "Token" else None,
        spent=Decimal(case["settledUsed"]),
        settled=case["settled"],
        settled_head=case["settledHead"],
    )


def receipt_of(case: dict[str, Any]) -> Receipt | ReceiptFault:
    """A receipt of either kind."""
    found = [read_receipt(case["receipt"], lease_of(case), kind) for kind in ReceiptKind]
    return next((item for item in found if isinstance(item, Receipt)), found[0])


def charges_of(case: dict[str, Any], spending: Spending) -> tuple[list[int], Decimal]:
    """The numbers of the lines that are charged, and what they cost together."""
    wallet = Wallet(
        institution_id=OTHER,
        license_id=OTHER,
        product_id=OTHER,
        mode=MeterMode(case["mode"]),
        balance=Decimal(0),
        held=Decimal(case["quantity"]),
        version=1,
    )
    earlier = {key: charged_before(key) for key in case["ledgerKeys"]}
    ledger = Ledger(wallet, UUID(case["leaseId"]), lambda: OTHER, NOW)
    settle_charges(ledger, spending.charges, Decimal(0), earlier, None)
    charged = [item for item in ledger.entries if item.type is LedgerEntryType.CONSUME]
    keys = [item.idempotency_key for item in charged]
    new = (read_line(text) for text in case["journal"])
    numbers = {line.key: line.n for line in reversed([*new]) if line and line.n > case["settled"]}
    found = [numbers[key] for key in keys if key is not None]
    return found, -sum((item.amount for item in charged), Decimal(0))


def charged_before(key: str) -> LedgerEntry:
    return LedgerEntry(
        institution_id=OTHER,
        license_id=OTHER,
        id=OTHER,
        type=LedgerEntryType.CONSUME,
        amount=Decimal(-1),
        balance_after=Decimal(0),
        sequence=1,
        created_at=NOW,
        idempotency_key=key,
    )


@pytest.mark.parametrize("case", VECTORS["settlements"], ids=lambda case: case["name"])
def test_a_journal_is_settled_as_published(case: dict[str, Any]) -> None:
    receipt = receipt_of(case)
    found: Spending | Fork | JournalFault | None = None
    if isinstance(receipt, Receipt) and receipt.account is not None:
        found = follow(lease_of(case).journal, receipt.account, case["journal"])
    if isinstance(found, Spending):
        assert case["outcome"] == "Settled"
        assert charges_of(case, found) == (case["charged"], Decimal(case["spent"]))
    else:
        assert case["outcome"] == ("Forked" if found is FORK else "Refused")


@pytest.mark.parametrize("case", VECTORS["chains"], ids=lambda case: case["name"])
def test_the_lines_of_a_chain_are_read_as_published(case: dict[str, Any]) -> None:
    found = [read_line(line) for line in case["lines"]]
    assert [line and line.hash for line in found] == case["hashes"]
    assert sum(line.cost for line in found if line is not None) == Decimal(case["spent"])
    if found and found[0] is not None:
        assert found[0].prev == case["genesis"]


def test_the_first_line_follows_from_the_lease() -> None:
    case = VECTORS["settlements"][0]
    assert genesis_of(UUID(case["leaseId"])) == case["settledHead"]
