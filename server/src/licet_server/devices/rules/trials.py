"""Whether a device may use a Trial, where a product allows each device one."""

from uuid import UUID

from licet_server.catalog.rules.model import ProductSettings
from licet_server.licenses.rules.model import License, LicenseTerms

TrialKey = tuple[UUID, UUID, str]
"""Institution, product and hardware ID."""


def is_once_per_device(settings: ProductSettings, license_: License | LicenseTerms) -> bool:
    """Check whether a device may use the license only if it had no other Trial."""
    return settings.trial_once_per_device and license_.traits.is_trial


def trial_key(license_: License, hardware_id: str) -> TrialKey:
    """Return what identifies the trials of a device."""
    return (license_.institution_id, license_.product_id, hardware_id)
