"""Reads what the verdict depends on, for many licenses and machines at once."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from licet_server.catalog.service.releases import release_versions
from licet_server.devices.service.lookup import find_facts
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.validation.rules.model import (
    NO_DEVICE,
    CredentialsCheck,
    RuleResult,
    Snapshot,
    ValidationContext,
)
from licet_server.validation.rules.verdict import explain


async def read_snapshots(
    db: Connection, requests: Sequence[tuple[License, str | None]]
) -> list[Snapshot]:
    """Snapshots of licenses and hardware IDs, by position, with one statement for each kind."""
    licenses = list({item.id: item for item, _ in requests}.values())
    releases = {(item.institution_id, item.software_release_id) for item in licenses}
    versions = await release_versions(db, list(releases)) if releases else {}
    features = await reading.features_of(db, licenses)
    facts = await find_facts(
        db, [(item.institution_id, item.id, machine) for item, machine in requests if machine]
    )
    return [
        Snapshot(
            license=item,
            features=features.get(item.id),
            release_version=versions.get(item.software_release_id),
            facts=facts[(item.institution_id, item.id, machine)] if machine else NO_DEVICE,
        )
        for item, machine in requests
    ]


async def explain_license(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    context: ValidationContext,
) -> list[RuleResult]:
    """Every rule in order for a license that the operator can see; credentials are not checked.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    [snapshot] = await read_snapshots(db, [(license_, context.hardware_id)])
    return explain(snapshot, replace(context, credentials=CredentialsCheck.NOT_CHECKED))
