"""What end users paid for their licenses, and what used up their balances."""

from typing import Any

import pytest
from catalog.factories import refusal
from connectors.factories import Stall, open_stall
from licenses.factories import make_product
from portal.people import LICENSES, EndUser, NewEndUser
from testkit import FakeClock, Owner
from world import Vendor

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

ALL = "/api/portal/purchases"


async def sell(stall: Stall, number: str, email: str, kind: str = "order.paid", **data: Any) -> str:
    """Sell something; returns the license."""
    lines = [{"product": "app", "price": "price_basic", "periodEnd": "2031-01-01T00:00:00Z"}]
    body = {
        "type": kind,
        "timestamp": stall.clock().isoformat(),
        "data": {
            "id": number,
            "customer": {"email": email},
            "lines": lines,
            "currency": "EUR",
            **data,
        },
    }
    assert (await stall.tell(body)).status_code == 200
    await stall.work_off()
    [order] = await stall.orders(f"search={number}")
    return str(order["licenseIds"][0])


@pytest.mark.usefixtures("clock")
async def test_a_buyer_sees_what_they_paid_and_nobody_else_does(
    owner: Owner,
    stranger: Owner,
    platform: Platform,
    clock: FakeClock,
    user: EndUser,
    new_end_user: NewEndUser,
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    other = await new_end_user()
    made = await sell(stall, "A-1", user.email.upper(), amount="149.50")
    await sell(stall, "A-1", user.email, "order.refunded", amount="20")
    theirs = await sell(stall, "A-2", other.email, amount="99")
    path = f"{LICENSES}/{{}}/purchases"
    [bought] = (await user.ok("GET", path.format(made)))["items"]
    assert set(bought) == {
        "id", "externalId", "amount", "currency", "refundedAmount", "createdAt",
    }  # fmt: skip
    assert (bought["externalId"], bought["amount"], bought["currency"]) == ("A-1", 149.5, "EUR")
    assert bought["refundedAmount"] == 20
    for caller, license_id in ((user, theirs), (other, made), (stranger, made), (owner, made)):
        answer = await caller.send("GET", path.format(license_id))
        assert refusal(answer) == (404, "NotFound")
    [listed] = (await user.ok("GET", ALL))["items"]
    assert listed == bought
    assert (await owner.ok("GET", ALL))["items"] == []
    # The license goes to somebody else; what was paid for it stays between buyer and vendor.
    await owner.ok("PUT", f"/api/licenses/{made}", {"issuedTo": other.email})
    assert (await other.ok("GET", path.format(made)))["items"] == []
    assert refusal(await user.send("GET", path.format(made))) == (404, "NotFound")
    # Neither is anything listed of a vendor from whom a user no longer has a license.
    assert (await user.ok("GET", ALL))["items"] == []
    assert [item["externalId"] for item in (await other.ok("GET", ALL))["items"]] == ["A-2"]


async def test_a_holder_sees_what_changed_the_balance_without_the_notes_of_the_vendor(
    owner: Owner, user: EndUser, new_end_user: NewEndUser
) -> None:
    vendor = Vendor(owner, await make_product(owner), {})
    license_ = await vendor.issue("MeteredCount", issuedTo=user.email)
    plain = await vendor.issue("Perpetual", issuedTo=user.email)
    grant = {"licenseId": license_["id"], "amount": 5, "reason": "Goodwill after ticket 12"}
    await owner.ok("POST", "/api/meter/grant", grant)
    path = f"{LICENSES}/{license_['id']}/ledger"
    newest, first = (await user.ok("GET", path))["items"]
    assert (newest["type"], newest["amount"], newest["balanceAfter"]) == ("AdminGrant", 5, 105)
    assert (first["type"], first["amount"]) == ("InitialGrant", 100)
    assert set(newest) == {
        "id", "type", "amount", "balanceAfter", "featureName", "quantity", "createdAt",
    }  # fmt: skip
    other = await new_end_user()
    assert refusal(await other.send("GET", path)) == (404, "NotFound")
    answer = await user.send("GET", f"{LICENSES}/{plain['id']}/ledger")
    assert refusal(answer) == (400, "NotMeteredLicense")
