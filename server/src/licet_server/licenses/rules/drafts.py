"""What is asked for when a license is issued, and the license that it becomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.rules.values import RequestedValue
from licet_server.licenses.rules.coverage import FALLBACK_AFTER_MONTHS, Fallback
from licet_server.licenses.rules.keys import as_meant, new_license_key, normal_form
from licet_server.licenses.rules.model import (
    EXACT,
    NO_VALUES,
    ActivationMode,
    DeviceProof,
    License,
    MachineMatch,
    OnClone,
    OnUnreturned,
    OwnFields,
    period_of,
)
from licet_server.licenses.rules.terms import RequestedTerms, end_for
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType


class LicenseDraft(OwnFields, frozen=True, kw_only=True):
    """A license to issue; its texts and its term are already validated.

    `None` leaves a field to the policy, then to its default. Without a policy the draft has a
    product, a model and a name. A `last_day` counts in full as the end of its term, in the
    institution's time zone, and so does a `last_day_of_updates`. `notify` says whether the license
    is mailed to its receiver; `None` leaves that to the product.
    """

    product_id: UUID | None = None
    software_release_id: UUID | None = None
    type: LicenseType | None = None
    license_name: str | None = None
    license_key: str | None = None
    activation_mode: ActivationMode | None = None
    device_binding_mode: DeviceBindingMode | None = None
    device_proof: DeviceProof | None = None
    machine_match: MachineMatch | None = None
    on_clone: OnClone | None = None
    max_borrow_days: int | None = None
    on_unreturned: OnUnreturned | None = None
    grace_days: int | None = None
    fallback: Fallback | None = None
    fallback_after_months: int | None = None
    feature_values: Mapping[str, RequestedValue] = NO_VALUES
    password: str | None = None
    notify: bool | None = None
    last_day: date | None = None
    last_day_of_updates: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedLicense:
    """A license of another product; its draft is validated, and its term may be over.

    It is issued to an e-mail address, if to anyone.
    """

    draft: LicenseDraft
    is_suspended: bool
    is_revoked: bool


def without_far_end(draft: LicenseDraft) -> LicenseDraft:
    """Return the draft without an end that is so far away that it stands for none."""
    if draft.type is None:
        return draft
    return replace(draft, expiration_date=end_for(draft.type, draft.expiration_date))


def terms_of(item: License | LicenseDraft) -> RequestedTerms:
    """Return the terms of a license, or of a draft that names its model, to be checked."""
    if item.type is None:
        raise ValueError("the draft names no model")
    password = item.password if isinstance(item, LicenseDraft) else item.password_hash
    return RequestedTerms(
        type=item.type,
        expiration_date=item.expiration_date,
        begins_with_use=period_of(item.term_days, item.term_months) is not None,
        max_active_users_count=item.max_active_users_count,
        initial_meter_balance=item.initial_meter_balance,
        activation_mode=item.activation_mode or ActivationMode.ONLINE,
        device_binding_mode=item.device_binding_mode,
        device_proof=item.device_proof or DeviceProof.OFF,
        machine_match=item.machine_match or EXACT,
        on_clone=item.on_clone or OnClone.REFUSE,
        max_borrow_days=item.max_borrow_days or 0,
        max_borrowed_seats=item.max_borrowed_seats,
        max_offline_credits=item.max_offline_credits,
        on_unreturned=item.on_unreturned or OnUnreturned.CHARGE,
        issued_to=item.issued_to,
        fallback=item.fallback or Fallback.NONE,
        has_username=item.username is not None,
        has_password=password is not None,
    )


def license_from(draft: LicenseDraft, **stored: Any) -> License:
    """Return the license that a draft with a model and a name becomes.

    `stored` has what no draft has: the ids, the times, and what the service looked up.
    """
    kind, name = draft.type, draft.license_name
    key = as_meant(draft.license_key or new_license_key())
    normal_key = normal_form(key)
    if kind is None or name is None or normal_key is None:
        raise ValueError("the draft was not validated")
    own = {field: getattr(draft, field) for field in OwnFields.__struct_fields__}
    return License(
        **own,
        **stored,
        type=kind,
        license_name=name,
        license_key=key,
        normal_key=normal_key,
        activation_mode=draft.activation_mode or ActivationMode.ONLINE,
        device_binding_mode=draft.device_binding_mode or kind.traits.default_binding_mode,
        device_proof=draft.device_proof or DeviceProof.OFF,
        machine_match=draft.machine_match or EXACT,
        on_clone=draft.on_clone or OnClone.REFUSE,
        max_borrow_days=draft.max_borrow_days or 0,
        on_unreturned=draft.on_unreturned or OnUnreturned.CHARGE,
        grace_days=draft.grace_days or 0,
        fallback=draft.fallback or Fallback.NONE,
        fallback_after_months=(
            FALLBACK_AFTER_MONTHS
            if draft.fallback_after_months is None
            else draft.fallback_after_months
        ),
    )
