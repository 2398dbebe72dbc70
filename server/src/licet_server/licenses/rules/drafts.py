"""What is asked for when a license is issued, and the license that it becomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.rules.values import RequestedValue
from licet_server.licenses.rules.keys import as_meant, new_license_key, normal_form
from licet_server.licenses.rules.model import NO_VALUES, License, OwnFields, settled
from licet_server.licenses.rules.terms import RequestedTerms, end_for
from licet_server.licenses.rules.traits import LicenseType


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
    feature_values: Mapping[str, RequestedValue] = NO_VALUES
    password_hash: str | None = None
    notify: bool | None = None
    last_day: date | None = None
    last_day_of_updates: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedLicense:
    """A license of another product; its draft is validated, and its term may be over.

    It is issued to an email address, if to anyone.
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
    has_password = item.password_hash is not None
    return RequestedTerms(**settled(item), type=item.type, has_password=has_password)


def license_from(draft: LicenseDraft, **stored: Any) -> License:
    """Return the license that a draft with a model and a name becomes.

    `stored` has what no draft has: the ids, the times, and what the service looked up.
    """
    kind, name = draft.type, draft.license_name
    key = as_meant(draft.license_key or new_license_key())
    normal_key = normal_form(key)
    if kind is None or name is None or normal_key is None:
        raise ValueError("the draft was not validated")
    own = {"device_binding_mode": kind.traits.default_binding_mode, **settled(draft)}
    return License(
        **own,
        **stored,
        type=kind,
        license_name=name,
        license_key=key,
        normal_key=normal_key,
        password_hash=draft.password_hash,
    )
