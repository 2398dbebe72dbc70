"""Hooks by which upper features take part in decisions of the catalog."""

from typing import Protocol
from uuid import UUID

from licet_server.kit.unit_of_work import UnitOfWork


class CustomerLicenseCounter(Protocol):
    """Counts the licenses of a product that an institution holds; wired in `app`."""

    async def __call__(
        self,
        work: UnitOfWork,
        *,
        institution_id: UUID,
        product_id: UUID,
        customer_institution_id: UUID,
    ) -> int:
        """Count its licenses that are neither revoked nor expired."""
        ...


class FeatureValueCounter(Protocol):
    """Counts the licenses that have a value of a feature; wired in `app`."""

    async def __call__(
        self, work: UnitOfWork, *, institution_id: UUID, product_id: UUID, name: str
    ) -> int:
        """Count the licenses of the product that have a value of their own for the feature."""
        ...
