"""Settings of institutions: allowed IP addresses, rate limits of keys, reminders, retention."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.events.rules.changes import differences, facts_of
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.rules.settings import InstitutionSettings
from licet_server.institutions.service.institutions import record_institution
from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage.institutions import INSTITUTIONS
from licet_server.kit.database import Connection
from licet_server.kit.limits import RateLimits, fetch_rate_limits, save_rate_limits
from licet_server.kit.unit_of_work import UnitOfWork


async def fetch_settings(
    db: Connection, operator: Operator, institution_id: UUID
) -> InstitutionSettings:
    """Fetch the settings of an institution that the operator belongs to.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    _authorize(operator, institution_id)
    institution = await storage.fetch_institution(db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return _settings(institution, await fetch_rate_limits(db, institution_id))


async def change_settings(
    work: UnitOfWork, operator: Operator, institution_id: UUID, change: Mapping[str, Any]
) -> InstitutionSettings:
    """Change the fields in `change`, which are named as in `InstitutionSettings`.

    They take effect at the next request. An allow list without the operator's own IP address is
    accepted; a system Admin can correct it from any address.

    Raises:
        Refused: `NotFound`, `Forbidden`, `StepUpRequired` to change `require_second_factor`.
    """
    _authorize(operator, institution_id)
    institution = await storage.lock_institution(work.db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    current = _settings(institution, await fetch_rate_limits(work.db, institution_id))
    changed = replace(current, **change)
    if changed == current:
        return current
    if changed.require_second_factor != current.require_second_factor:
        operator.require_proof(work.now)
    institution = replace(
        institution,
        ip_allow_list=changed.ip_allow_list,
        expiry_reminder_days=changed.expiry_reminder_days,
        telemetry_retention_days=changed.telemetry_retention_days,
        time_zone=changed.time_zone,
        second_factor_required=changed.require_second_factor,
    )
    await INSTITUTIONS.save(work.db, institution)
    limits = RateLimits(changed.runtime_rate_limit, changed.api_key_rate_limit)
    await save_rate_limits(work.db, institution_id, limits)
    changes = differences(facts_of(current), facts_of(changed))
    await record_institution(work, EventKind.INSTITUTION_SETTINGS_CHANGED, institution, changes)
    return changed


def _authorize(operator: Operator, institution_id: UUID) -> None:
    """Authorize as usual, but never bar system Admins: they can correct a list that bars all."""
    if operator.is_system_admin and institution_id in operator.grants.barred:
        return
    operator.authorized(institution_id)


def _settings(institution: Institution, limits: RateLimits) -> InstitutionSettings:
    return InstitutionSettings(
        ip_allow_list=institution.ip_allow_list,
        runtime_rate_limit=limits.runtime,
        api_key_rate_limit=limits.api_key,
        expiry_reminder_days=institution.expiry_reminder_days,
        telemetry_retention_days=institution.telemetry_retention_days,
        time_zone=institution.time_zone,
        require_second_factor=institution.second_factor_required,
    )
