"""What a request of an application is about, noted while it is served."""

from uuid import UUID

from msgspec import Struct, field

from licet_server.licenses.rules.model import LicenseId

ACCEPTED = "Accepted"
"""The status of a request that was served and has no verdict."""


class RequestNote(Struct, eq=False):
    """The license of a request, once it is found, and what the application says about itself.

    `status` is the verdict, where there is one. `parts` are the notes of requests that were sent
    together.
    """

    license_id: LicenseId | None = None
    hardware_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    status: str | None = None
    parts: "list[RequestNote]" = field(default_factory=list)

    def is_of(self, institution_id: UUID, license_id: UUID, hardware_id: str | None) -> None:
        """Note the license and the device, for a request that names neither."""
        self.license_id = (institution_id, license_id)
        self.hardware_id = hardware_id
