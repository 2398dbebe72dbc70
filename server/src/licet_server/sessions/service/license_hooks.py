"""The end of sessions whose licenses were revoked or deleted, or have expired."""

from collections.abc import Sequence

from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.sessions.rules.model import EndReason
from licet_server.sessions.service.ending import end_sessions_of_licenses

_REASONS = {
    LicenseStatus.REVOKED: EndReason.LICENSE_REVOKED,
    LicenseStatus.EXPIRED: EndReason.LICENSE_EXPIRED,
}


class SessionLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of sessions."""

    async def licenses_ended(
        self, work: UnitOfWork, licenses: Sequence[License], status: LicenseStatus
    ) -> None:
        """End the sessions of these licenses."""
        await end_sessions_of_licenses(work, licenses, _REASONS[status])

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """End the sessions of a license; only their events remain."""
        await end_sessions_of_licenses(work, [license_], EndReason.LICENSE_DELETED)
