"""A plan that changes in the shop applies its policy as an operator would, and nothing more."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from connectors.simulation import BEGIN, policy
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace
from volumes import is_long

from licet_server.connectors.rules.changing import changed_license
from licet_server.connectors.rules.licensing import Plan
from licet_server.licenses.rules.drafts import LicenseDraft, license_from
from licet_server.licenses.rules.model import ActivationMode, License, differing_fields
from licet_server.licenses.rules.policies import APPLIED, Policy, TermStart, applied, draft_under
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType

SEATS = st.integers(1, 9)
IDS = st.integers(20, 23).map(lambda number: UUID(int=number))
ENDS = st.integers(1, 400).map(lambda days: BEGIN + timedelta(days=days))
PAIRS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"))
MANY = settings(max_examples=2_000 if is_long() else 200, deadline=None)


def policies(number: int) -> st.SearchStrategy[Policy]:
    """A policy for one product and model; each field is named or left to the license."""
    return st.builds(
        lambda fields: replace(policy(number, 1, LicenseType.NODE_LOCKED), **fields),
        st.fixed_dictionaries(
            {
                "max_active_users_count": st.none() | SEATS,
                "activation_mode": st.none() | st.sampled_from(ActivationMode),
                "device_binding_mode": st.none() | st.sampled_from(DeviceBindingMode),
                "entitlement_set_id": st.none() | IDS,
                "duration_days": st.none() | st.integers(1, 400),
                "term_starts": st.sampled_from(TermStart),
                "grace_days": st.integers(0, 9),
                "initial_meter_balance": st.none(),
                "metadata": PAIRS,
            }
        ),
    )


def stored(draft: LicenseDraft) -> License:
    return license_from(
        draft,
        institution_id=UUID(int=1),
        id=UUID(int=2),
        product_id=UUID(int=1),
        software_release_id=UUID(int=3),
        customer_id=None,
        created_at=BEGIN,
        updated_at=BEGIN,
    )


LICENSES = st.builds(
    lambda **fields: stored(LicenseDraft(type=LicenseType.NODE_LOCKED, license_name="A", **fields)),
    max_active_users_count=st.none() | SEATS,
    activation_mode=st.sampled_from(ActivationMode),
    device_binding_mode=st.sampled_from(DeviceBindingMode),
    entitlement_set_id=st.none() | IDS,
    expiration_date=st.none() | ENDS,
    grace_days=st.integers(0, 9),
    issued_to=st.sampled_from(["a@example.com", "b@example.com"]),
    issuer=st.none() | st.just("Reseller"),
    notes=st.none() | st.just("Notes"),
    metadata=PAIRS,
    policy_id=st.none() | IDS,
)


def plan(found: Policy, **fields: Any) -> Plan:
    given = {"seats": None, "ends_at": None, "grace_days": 7, "issued_to": "a@example.com"}
    return Plan(
        policy_id=found.id, product_id=found.product_id, model=found.type, **{**given, **fields}
    )


PLANNED = st.fixed_dictionaries(
    {
        "seats": st.none() | SEATS,
        "ends_at": st.none() | ENDS,
        "grace_days": st.integers(0, 9),
        "issued_to": st.sampled_from(["a@example.com", "b@example.com"]),
    }
)


@MANY
@given(LICENSES, policies(11), policies(12), PLANNED)
def test_another_plan_with_the_same_terms_is_its_policy_applied(
    license_: License, old: Policy, new: Policy, terms: Mapping[str, Any]
) -> None:
    after = changed_license(license_, plan(old, **terms), plan(new, **terms), new)
    expected = applied(license_, new)
    if terms["seats"] is not None:  # sold by number: the policy's cap is none of the plan's
        seats = license_.max_active_users_count
        expected = replace(expected, max_active_users_count=seats)
    assert after == expected


@MANY
@given(LICENSES, policies(11), policies(12), PLANNED, PLANNED)
def test_another_plan_changes_what_its_policy_or_the_shop_names(
    license_: License, old: Policy, new: Policy, before: Mapping[str, Any], now: Mapping[str, Any]
) -> None:
    after = changed_license(license_, plan(old, **before), plan(new, **now), new)
    wanted = {
        "issued_to": "issued_to",
        "grace_days": "grace_days",
        "ends_at": "expiration_date",
        "seats": "max_active_users_count",
    }
    said = {wanted[name] for name in wanted if before[name] != now[name]}
    by_policy = {name for name in APPLIED if getattr(new, name) is not None}
    changed = set(differing_fields(license_, after))
    assert changed <= said | by_policy | {"policy_id", "metadata"}
    assert license_.metadata.keys() <= after.metadata.keys()
    assert asdict(after).keys() == asdict(license_).keys()


@MANY
@given(LICENSES, policies(11), policies(11), PLANNED)
def test_what_is_changed_within_a_policy_changes_no_license(
    license_: License, old: Policy, edited: Policy, terms: Mapping[str, Any]
) -> None:
    def sold(found: Policy, ends_at: datetime | None) -> Plan:
        own = {"ends_at": ends_at, "grace_days": max(found.grace_days, 7), "begins": BEGIN}
        return plan(found, **{**terms, **own, "renewal_grace_days": 7})

    def end(found: Policy) -> datetime | None:
        days = found.duration_days
        return None if days is None else BEGIN + timedelta(days=days)

    before, after = sold(old, end(old)), sold(edited, end(edited))
    assert changed_license(license_, before, after, edited) == license_


@MANY
@given(LICENSES, policies(11), policies(12), PLANNED, PLANNED)
def test_license_of_another_model_follows_its_buyer_and_nothing_else(
    license_: License, old: Policy, new: Policy, before: Mapping[str, Any], now: Mapping[str, Any]
) -> None:
    converted = replace(license_, type=LicenseType.PERPETUAL)
    after = changed_license(converted, plan(old, **before), plan(new, **now), new)
    assert set(differing_fields(converted, after)) <= {"issued_to"}


@MANY
@given(policies(11))
def test_license_issued_under_a_policy_is_left_alone_when_it_is_applied(found: Policy) -> None:
    """Issuing and applying agree about what a policy says."""
    draft = LicenseDraft(license_name="A", issued_to="a@example.com")
    issued = stored(draft_under(found, draft, BEGIN))
    assert applied(issued, found) is issued
