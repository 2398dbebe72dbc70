"""The values that licenses have of features of their own."""

from collections.abc import Mapping
from uuid import UUID

from licet_server.catalog.rules.model import FeatureValue
from licet_server.catalog.rules.values import RequestedEntry, RequestedValue, granted_by
from licet_server.catalog.service.features import share_features
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import NO_VALUES
from licet_server.licenses.storage import feature_values as storage


async def requested_values(
    db: Connection, institution_id: UUID, product_id: UUID, wanted: Mapping[str, RequestedValue]
) -> tuple[Mapping[str, FeatureValue], list[FieldError]]:
    """The values by the names of the features, and the errors.

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
    """Implements `catalog.service.hooks.FeatureValueCounter`."""
    return await storage.count_with(work.db, institution_id, product_id, name)
