"""A term that begins with the first use lasts as long as what was paid, before it and after it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from connectors.factories import Stall, make_policy, open_stall
from connectors.simulation import BASIC, BEGIN
from connectors.test_changed_plans import stored
from connectors.test_ties_and_ends import facts, paid
from hypothesis import given
from hypothesis import strategies as st
from licenses.factories import product_key
from msgspec.structs import replace
from testkit import FakeClock, Owner

from licet_server.connectors.rules.changing import changed_license, steps
from licet_server.connectors.rules.licensing import CurrentLicense, LicenseState, Plan, decide
from licet_server.connectors.rules.model import ConnectorKind, Consequences, SaleRule
from licet_server.connectors.rules.orders import order_state
from licet_server.kit.dates import Period, end_after
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.drafts import LicenseDraft
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy, TermStart, draft_under

BERLIN = ZoneInfo("Europe/Berlin")
CARD = replace(BASIC, duration_days=30, term_starts=TermStart.FIRST_USE)
MONTHLY = replace(CARD, duration_days=None, duration_months=1)


def plans(
    events: Sequence[dict[str, Any]], policy: Policy, held: Sequence[Plan] = (), quantity: int = 1
) -> list[Plan]:
    rules = (SaleRule(policy_id=policy.id),)
    state = order_state(facts(ConnectorKind.GENERIC, events, range(len(events))))
    found = decide(state, rules, {policy.id: policy}, Consequences(), BEGIN, held, BERLIN)
    assert found.licenses is not None
    assert all(item.state is LicenseState.ACTIVE for item in found.licenses[:quantity])
    return [item.plan for item in found.licenses]


def sold(days: Sequence[int]) -> list[dict[str, Any]]:
    return [paid(day, at, "order.renewed" if at else "order.paid") for at, day in enumerate(days)]


def issued(plan: Plan, policy: Policy) -> License:
    term = plan.unused_term
    draft = LicenseDraft(
        license_name="A",
        issued_to="a@example.com",
        term_days=term.days or None,
        term_months=term.months or None,
    )
    return stored(draft_under(policy, draft, BEGIN))


def used(license_: License, at: datetime) -> License:
    assert license_.pending_term is not None
    end, anchor_day = end_after(at, license_.pending_term, BERLIN)
    return replace(
        license_, expiration_date=end, term_anchor_day=anchor_day, term_days=None, term_months=None
    )


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=6),
    st.integers(0, 200),
    st.integers(1, 6),
    st.booleans(),
)
def test_license_ends_where_the_payments_after_its_first_use_end(
    gaps: list[int], use: int, together: int, monthly: bool
) -> None:
    policy = MONTHLY if monthly else CARD
    days = [sum(gaps[: at + 1]) - gaps[0] for at in range(len(gaps))]
    used_at = BEGIN + timedelta(days=use)
    license_: License | None = None
    before: list[Plan] = []
    is_used = False
    for count in range(1, len(days) + 1):
        if license_ is not None and not is_used and days[count - 1] > use:
            license_, is_used = used(license_, used_at), True
        is_heard = count % together == 0 or count == len(days)
        if license_ is not None and not is_heard:
            continue
        after = plans(sold(days[:count]), policy, before)
        if license_ is None:
            license_ = issued(after[0], policy)
        else:
            license_ = changed_license(license_, before[0], after[0], policy, BERLIN)
        before = after
    assert license_ is not None
    if not is_used:
        license_ = used(license_, used_at)
    end, anchor_day = used_at, None
    for day in days:
        begins = max(end, BEGIN + timedelta(days=day))
        anchor_day = anchor_day if begins == end else None
        end, anchor_day = end_after(begins, policy.duration or Period(), BERLIN, anchor_day)
    assert license_.expiration_date == end


def test_refunded_renewal_takes_its_term_back() -> None:
    money = {"amount": 10, "currency": "EUR"}
    events = sold([0, 10])
    for event in events:
        event["data"] |= money
    refund = paid(12, 2, "order.refunded")
    refund["data"] |= money
    [first], [second] = plans(events[:1], CARD), plans(events, CARD)
    [back] = plans([*events, refund], CARD)
    unused = changed_license(issued(first, CARD), first, second, CARD)
    assert unused.term_days == 60
    assert changed_license(unused, second, back, CARD).term_days == 30
    begun = used(unused, BEGIN)
    assert begun.expiration_date == BEGIN + timedelta(days=60)
    after = changed_license(begun, second, back, CARD)
    assert after.expiration_date == BEGIN + timedelta(days=30)


def test_license_of_a_larger_quantity_has_the_term_of_its_own_payment() -> None:
    events = [paid(0, 0, "order.paid"), paid(10, 1, quantity=2), paid(20, 2, quantity=2)]
    found = [plans(events[:count], CARD, quantity=min(count, 2)) for count in (1, 2, 3)]
    assert [[plan.unused_term.days for plan in it] for it in found] == [[30], [60, 30], [90, 60]]
    held = [
        CurrentLicense(UUID(int=number), plan, LicenseState.ACTIVE)
        for number, plan in enumerate(found[1])
    ]
    state = order_state(facts(ConnectorKind.GENERIC, events, range(3)))
    rules, policies = (SaleRule(policy_id=CARD.id),), {CARD.id: CARD}
    wanted = decide(state, rules, policies, Consequences(), BEGIN, found[1]).licenses or ()
    changes = steps(held[::-1], wanted).change
    lengths = {
        it.license_id.int: target.plan.unused_term.days - it.plan.unused_term.days
        for it, target in changes
    }
    assert lengths == {0: 30, 1: 30}


def test_terms_in_days_and_months_never_become_shorter() -> None:
    [before] = plans(sold([0]), CARD)
    [after] = plans(sold([0, 10]), replace(CARD, duration_days=None, duration_months=1), [before])
    found = changed_license(issued(before, CARD), before, after, CARD)
    assert (found.term_days, found.term_months) == (61, None)


@pytest.mark.parametrize("is_used", [False, True])
async def test_renewal_in_a_shop_makes_the_term_longer(
    owner: Owner, platform: Platform, clock: FakeClock, is_used: bool
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    said = {"durationMonths": 1, "termStarts": "FirstUse"}
    policy = await make_policy(owner, stall.product, name="Card", **said)
    rule = {"match": {"price": "card"}, "policyId": policy["id"]}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    license_ = await license_after(stall, "order.paid")
    assert (license_["termMonths"], license_["expirationDate"]) == (1, None)
    if is_used:
        await use(stall, license_)
    for _ in range(2):
        license_ = await license_after(stall, "order.renewed")
    if not is_used:
        assert (license_["termMonths"], license_["expirationDate"]) == (3, None)
        await use(stall, license_)
    [license_] = await stall.licenses((await stall.orders())[0])
    begun = clock()
    end = end_after(begun, Period(months=3), ZoneInfo("UTC")).end
    assert datetime.fromisoformat(license_["expirationDate"]) == end
    assert license_["termMonths"] is None


async def license_after(stall: Stall, kind: str) -> dict[str, Any]:
    line = {"product": "app", "price": "card"}
    data = {"id": "1", "customer": {"email": "a@example.com"}, "lines": [line]}
    body = {"type": kind, "timestamp": stall.clock().isoformat(), "data": data}
    assert (await stall.tell(body)).status_code == 200
    await stall.work_off()
    [license_] = await stall.licenses((await stall.orders())[0])
    return license_


async def use(stall: Stall, license_: dict[str, Any]) -> None:
    headers = {"X-API-KEY": await product_key(stall.owner, stall.product)}
    body = {"licenseKey": license_["licenseKey"]}
    answer = await stall.owner.client.post("/api/licenses/validate", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
