"""Wire shapes of telemetry."""

import math
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.schemas import HardwareId, LicenseKey, Secret, Short
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.web.body import RuntimeBody
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.runtime import Credentials
from licet_server.telemetry.rules import ReportedEvent, TelemetryEvent, Value
from licet_server.telemetry.service.ingestion import TelemetryRequest

EVENTS_PER_REQUEST = 100

EventName = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
Properties = Annotated[
    dict[
        Annotated[str, Meta(min_length=1, max_length=50)],
        Annotated[str, Meta(max_length=500)] | bool | int | float,
    ],
    Meta(max_length=20),
]


class TelemetryEventBody(RuntimeBody):
    """An event, with its time by the application's clock."""

    name: EventName
    occurred_at: Annotated[datetime, Meta(tz=True)]
    properties: Properties | None = None


class TelemetryBody(RuntimeBody):
    """Events to report; `licenseKey` and `hardwareId` name the license and device, if known."""

    events: Annotated[list[TelemetryEventBody], Meta(min_length=1, max_length=EVENTS_PER_REQUEST)]
    license_key: LicenseKey | None = None
    hardware_id: HardwareId | None = None
    username: Short | None = None
    password: Secret | None = None

    def request(self) -> TelemetryRequest:
        """Return the request to ingest.

        Raises:
            Refused: `InvalidRequest` for a number that is too large to be stored.
        """
        too_large = [
            FieldError(f"events[{index}].properties", f"{key[:50]} must be a smaller number.")
            for index, item in enumerate(self.events)
            for key, value in (item.properties or {}).items()
            if not _is_storable(value)
        ]
        if too_large:
            raise bad_fields(too_large)
        events = [
            ReportedEvent(item.name, item.occurred_at, item.properties or {})
            for item in self.events
        ]
        return TelemetryRequest(
            license_key=self.license_key,
            hardware_id=self.hardware_id,
            events=events,
            credentials=Credentials(self.username, self.password),
        )


class TelemetryAnswer(Struct, rename="camel"):
    """How many events were stored; the others have an implausible time, or came too many."""

    accepted: int


class TelemetryEventView(Struct, rename="camel"):
    """A telemetry event; `device` is a hash that distinguishes devices, not a hardware ID."""

    id: UUID
    name: str
    occurred_at: datetime
    received_at: datetime
    license_id: UUID | None
    device: str | None
    properties: dict[str, Value]


def telemetry_event_view(item: TelemetryEvent) -> TelemetryEventView:
    return view_of(TelemetryEventView, item, device=item.device.hex() or None)


def _is_storable(value: Value) -> bool:
    if isinstance(value, str):
        return True
    return abs(value) < 10**18 and math.isfinite(value)
