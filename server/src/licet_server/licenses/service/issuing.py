"""Issues licenses and changes their terms."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog import errors as catalog_errors
from licet_server.catalog.reading import (
    added_licenses,
    find_entitlement_set,
    find_release,
    test_products,
    total_licenses,
)
from licet_server.catalog.rules.model import FeatureValue, Product, Release
from licet_server.catalog.rules.releases import Issuable, PublishedVersion
from licet_server.catalog.rules.values import RequestedEntry, RequestedValue, granted_by
from licet_server.catalog.service.clocks import instant_of
from licet_server.catalog.service.features import share_features
from licet_server.catalog.service.lookup import find_issuable, find_product
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import changes_of_events
from licet_server.institutions.rules.institutions import require_room
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import end_of_term, lock_limits, time_zones
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.text import metadata_breaches
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.drafts import LicenseDraft, license_from, terms_of, without_far_end
from licet_server.licenses.rules.model import NO_VALUES, License, LicenseStatus, differing_fields
from licet_server.licenses.rules.policies import Policy, draft_under, license_name
from licet_server.licenses.rules.terms import (
    end_for,
    future_breach,
    is_uuid,
    term_breaches,
    without_far,
)
from licet_server.licenses.rules.transitions import (
    ALWAYS_EDITABLE,
    is_maintenance_renewal,
    is_renewal,
    require_editable,
    term_is_over,
    with_end,
)
from licet_server.licenses.service.customers import Customer, customer_after, customer_breaches
from licet_server.licenses.service.events import (
    created_event,
    license_differences,
    record_license_event,
)
from licet_server.licenses.service.holders import customer_of, is_known_user
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange, report_changes
from licet_server.licenses.service.policies import find_policy
from licet_server.licenses.service.reading import LicenseDetails, details_of, lock_license
from licet_server.licenses.storage import records
from licet_server.licenses.storage import records as storage


async def requested_values(
    db: Connection, institution_id: UUID, product_id: UUID, wanted: Mapping[str, RequestedValue]
) -> tuple[Mapping[str, FeatureValue], list[FieldError]]:
    """Return the values by the names of the features, and the errors.

    The features stay as they are until the transaction ends, so that each value keeps fitting.
    """
    if not wanted:
        return NO_VALUES, []
    features = await share_features(db, institution_id, product_id, list(wanted))
    entries = [
        RequestedEntry(name, f"featureValues.{name}", value, f"featureValues.{name}")
        for name, value in wanted.items()
    ]
    granted, breaches = granted_by(features, entries)
    return {feature.name: value for feature, value in granted}, breaches


async def count_licenses_with(
    work: UnitOfWork, *, institution_id: UUID, product_id: UUID, name: str
) -> int:
    """Count values for `catalog.service.hooks.FeatureValueCounter`."""
    return await storage.count_with(work.db, institution_id, product_id, name)


async def issue(
    work: UnitOfWork,
    operator: Operator,
    draft: LicenseDraft,
    *,
    hooks: LicenseHooks,
) -> LicenseDetails:
    """Issue a license for a product that has signing keys.

    Raises:
        Refused: `InvalidRequest` naming every reference that does not exist, and what does not fit
            its policy, `Forbidden`, `KeysNotGenerated`, `PlanLimitReached`, `Conflict` when an
            imported key is taken.
    """
    [details] = await issue_many(work, operator, draft, 1, hooks=hooks)
    return details


async def issue_many(
    work: UnitOfWork,
    operator: Operator,
    draft: LicenseDraft,
    count: int,
    *,
    hooks: LicenseHooks,
) -> Sequence[LicenseDetails]:
    """Issue so many licenses that differ in their keys alone; a draft of several names no key.

    Raises:
        Refused: as `issue` does; then none is issued.
    """
    issuable, policy = await _issuable_of(work.db, operator, draft)
    product = issuable.product
    clock = await instant_of(work.db, product)
    work = work.at(clock)
    draft = await _completed(work, product, policy, draft)
    if draft.notify and draft.issued_to is None:
        raise bad_field("notify", "requires issuedTo, the address that the license is emailed to.")
    release, feature_values = await _check_references(
        work,
        operator,
        product,
        release_id=draft.software_release_id,
        otherwise=issuable.release,
        entitlement_set_id=draft.entitlement_set_id,
        customer=Customer(draft.customer_institution_id),
        issued_to=draft.issued_to,
        feature_values=draft.feature_values,
    )
    if not product.has_keys:
        raise catalog_errors.keys_not_generated()
    if issuable.limits.licenses is not None:
        await require_room_for(work, product, count)
    customer_id = await customer_of(work, product.institution_id, draft.issued_to)
    made = [
        license_from(
            draft,
            institution_id=product.institution_id,
            id=work.new_id(),
            product_id=product.id,
            test=product.test,
            software_release_id=release.id,
            customer_id=customer_id,
            feature_values=feature_values,
            created_at=work.now,
            updated_at=work.now,
            clock=clock,
        )
        for _ in range(count)
    ]
    details = await details_of(work.db, made, product, release.version)
    events = [created_event(item, work.now, notify=draft.notify) for item in made]
    # Everybody who issues a license of the product waits for its row, which is locked from here.
    counted = added_licenses(product.institution_id, product.id, count)
    await records.insert_licenses(work.db, made, *changes_of_events(work, events), counted)
    for license_ in made:
        await hooks.license_issued(work, license_)
    return details


async def require_room_for(work: UnitOfWork, product: Product, count: int) -> None:
    """Check that the plan allows so many more licenses; those of Test products do not count.

    Raises:
        Refused: `PlanLimitReached`.
    """
    limit = (await lock_limits(work.db, product.institution_id)).licenses
    if limit is None or product.test:
        return
    tests = await test_products(work.db, [product.institution_id])
    of_institution = Visibility((product.institution_id,)).without(tests)
    require_room("licenses", limit, await total_licenses(work.db, of_institution), count)


async def future_end(work: UnitOfWork, institution_id: UUID, end: date | None) -> datetime | None:
    """Return when a term is to end; a day lasts until its end in the institution's zone.

    An instant may be over: a shop says late what was paid for, and a body was checked before.

    Raises:
        Refused: `InvalidRequest` for a day that is over.
    """
    if isinstance(end, datetime):
        return end
    found = await end_of_term(work.db, institution_id, end)
    if breaches := list(future_breach(found, work.now)):
        raise bad_fields(breaches)
    return found


async def _issuable_of(
    db: Connection, operator: Operator, draft: LicenseDraft
) -> tuple[Issuable, Policy | None]:
    """Return the product and the policy of a draft; the operator may issue for it."""
    policy = None
    if draft.policy_id is not None:
        policy = await find_policy(db, operator, draft.policy_id, draft.product_id)
    product_id = draft.product_id if policy is None else policy.product_id
    issuable = None
    if product_id is not None:
        issuable = await find_issuable(db, operator.visibility, product_id)
    if issuable is None:
        raise bad_fields([FieldError("productId", "must be a product that you can access.")])
    operator.authorize(issuable.product.institution_id)
    return issuable, policy


async def _completed(
    work: UnitOfWork, product: Product, policy: Policy | None, draft: LicenseDraft
) -> LicenseDraft:
    """Return the draft with its term and what its policy says."""
    if draft.last_day is not None:
        end = await future_end(work, product.institution_id, draft.last_day)
        draft = replace(draft, expiration_date=end)
    updates = draft.last_day_of_updates or draft.updates_until
    end = await end_of_term(work.db, product.institution_id, updates)
    draft = replace(draft, updates_until=without_far(end))
    if policy is None:
        return without_far_end(draft)
    zones = await time_zones(work.db, [product.institution_id])
    draft = draft_under(policy, draft, work.now, zones[product.institution_id])
    breaches = [*term_breaches(terms_of(draft)), *metadata_breaches(draft.metadata)]
    if breaches:
        raise bad_fields(breaches)
    name = draft.license_name or license_name(
        policy, product=product.name, customer=draft.issued_to, now=work.now
    )
    return replace(draft, license_name=name)


async def change(
    work: UnitOfWork,
    operator: Operator,
    license_id: UUID,
    changes: dict[str, Any],
    *,
    keep: Sequence[UUID] = (),
    hooks: LicenseHooks,
) -> TermsChange:
    """Change the fields in `changes`.

    Extending the term of an expired license makes it active again, without the sessions it had. A
    revoked license takes notes, metadata and tags only. An `expiration_date` replaces a term that
    has not begun. Devices above a lower cap are over the limit; those to `keep` have their seats
    first. A license that is issued to another address belongs to the customer of that address from
    then on.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a revoked license, `InvalidRequest` naming
            every bad field.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    given = {*changes, "keep"} if keep else set(changes)
    require_editable(current, given)
    if ALWAYS_EDITABLE.issuperset(given):
        saved = await _save(work, current, replace(current, **changes, updated_at=work.now))
        return TermsChange(current, saved)
    product = await find_product(work.db, operator.visibility, current.product_id)
    if product is None:
        raise bad_fields([FieldError("productId", "must be a product that you can access.")])
    changes = await _with_ends(work, current, changes)
    changed = replace(current, **changes, updated_at=work.now)
    breaches = list(term_breaches(terms_of(changed)))
    if keep and not current.traits.activation_required:
        breaches.append(FieldError("keepActivationIds", "is for Concurrent licenses only."))
    if breaches:
        raise bad_fields(breaches)
    _, values = await _check_references(
        work,
        operator,
        product,
        release_id=changed.software_release_id,
        entitlement_set_id=changed.entitlement_set_id,
        customer=customer_after(current, changed, work.now),
        issued_to=changes.get("issued_to"),
        feature_values=changes.get("feature_values", {}),
    )
    if "feature_values" in changes:
        changed = replace(changed, feature_values=values)
    if _is_for_somebody_else(current, changed):
        customer_id = await customer_of(work, current.institution_id, changed.issued_to)
        changed = replace(changed, customer_id=customer_id)
    if term_is_over(current, work.now) and not term_is_over(changed, work.now):
        await hooks.licenses_ended(work, [current], LicenseStatus.EXPIRED)
    saved = await _save(work, current, changed)
    change_ = TermsChange(current, saved, tuple(dict.fromkeys(keep)))
    await report_changes(work, hooks, [change_])
    return change_


async def _with_ends(work: UnitOfWork, current: License, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes with instants for days, and with what a new end of the term changes."""
    if "expiration_date" in changes:
        end = await future_end(work, current.institution_id, changes["expiration_date"])
        renewed = with_end(current, end_for(current.type, end), work.now)
        said = {**changes, "expiration_date": renewed.expiration_date}
        changes = {**differing_fields(current, renewed), **said}
    if "updates_until" in changes:
        end = await end_of_term(work.db, current.institution_id, changes["updates_until"])
        changes = {**changes, "updates_until": without_far(end)}
    return changes


def _is_for_somebody_else(before: License, after: License) -> bool:
    return (before.issued_to or "").lower() != (after.issued_to or "").lower()


async def _save(work: UnitOfWork, current: License, changed: License) -> License:
    await records.update_license(work.db, changed)
    await record_license_event(
        work, _kind_of(current, changed), changed, changes=license_differences(current, changed)
    )
    return changed


def _kind_of(before: License, after: License) -> EventKind:
    if is_renewal(before, after):
        return EventKind.LICENSE_RENEWED
    if is_maintenance_renewal(before, after):
        return EventKind.LICENSE_MAINTENANCE_RENEWED
    return EventKind.LICENSE_UPDATED


async def _check_references(
    work: UnitOfWork,
    operator: Operator,
    product: Product,
    *,
    release_id: UUID | None,
    otherwise: PublishedVersion | None = None,
    entitlement_set_id: UUID | None,
    customer: Customer | None,
    issued_to: str | None,
    feature_values: Mapping[str, RequestedValue],
) -> tuple[Release | PublishedVersion, Mapping[str, FeatureValue]]:
    """Check all references; return the release, `otherwise` if none is named, and values."""
    scope = (work.db, product.institution_id, product.id)
    errors: list[FieldError] = []
    release: Release | PublishedVersion | None = otherwise
    if release_id is not None:
        release = await find_release(*scope, release_id)
    if release is None:
        message = "must be a release of this product." if release_id else _NO_RELEASE
        errors.append(FieldError("softwareReleaseId", message))
    if entitlement_set_id is not None:
        found = await find_entitlement_set(*scope, entitlement_set_id)
        if found is None:
            message = "must be an entitlement set of this product."
            errors.append(FieldError("entitlementSetId", message))
    if customer is not None:
        errors += await customer_breaches(work, operator, product, customer)
    errors += await receiver_breaches(work.db, product.institution_id, issued_to)
    values, breaches = await requested_values(*scope, feature_values)
    errors += breaches
    if release is None or errors:
        raise bad_fields(errors)
    return release, values


async def receiver_breaches(
    db: Connection, institution_id: UUID, issued_to: str | None
) -> list[FieldError]:
    """Return the error of a license that is issued to the id of a user who is not known here."""
    user_id = UUID(issued_to) if issued_to is not None and is_uuid(issued_to) else None
    if user_id is None or await is_known_user(db, institution_id, user_id):
        return []
    return [FieldError("issuedTo", _UNKNOWN_USER)]


_UNKNOWN_USER = (
    "must be an email address, or the id of a member of this institution or of an end user to "
    "whom it has issued a license."
)
_NO_RELEASE = "is required, because the product has no published release."
