"""Wire shapes of telemetry."""

import math
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.schemas import HardwareId, LicenseKey
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.web.body import RuntimeBody
from licet_server.telemetry.rules.model import Event, Happening, Value
from licet_server.telemetry.service.intake import Delivery

EVENTS_AT_ONCE = 100

EventName = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
Properties = Annotated[
    dict[
        Annotated[str, Meta(min_length=1, max_length=50)],
        Annotated[str, Meta(max_length=500)] | bool | int | float,
    ],
    Meta(max_length=20),
]


class EventBody(RuntimeBody):
    """What happened, and when by the application's clock."""

    name: EventName
    occurred_at: Annotated[datetime, Meta(tz=True)]
    properties: Properties | None = None


class TelemetryBody(RuntimeBody):
    """Things that happened; `licenseKey` and `hardwareId` say for whom, where that is known."""

    events: Annotated[list[EventBody], Meta(min_length=1, max_length=EVENTS_AT_ONCE)]
    license_key: LicenseKey | None = None
    hardware_id: HardwareId | None = None

    def delivery(self) -> Delivery:
        """What is to be taken in.

        Raises:
            Refused: `InvalidRequest` for a number that is too large to be kept.
        """
        beyond = [
            FieldError(f"events[{place}].properties", f"{key[:50]} must be a smaller number.")
            for place, item in enumerate(self.events)
            for key, value in (item.properties or {}).items()
            if not _is_kept(value)
        ]
        if beyond:
            raise bad_fields(beyond)
        happenings = [
            Happening(item.name, item.occurred_at, item.properties or {}) for item in self.events
        ]
        return Delivery(self.license_key, self.hardware_id, happenings)


class TelemetryAnswer(Struct, rename="camel"):
    """How many events were kept; the others have an impossible time."""

    accepted: int


class EventView(Struct, rename="camel"):
    """An event as operators see it; `device` tells devices apart and is no hardware id."""

    id: UUID
    name: str
    occurred_at: datetime
    received_at: datetime
    license_id: UUID | None
    device: str | None
    properties: dict[str, Value]


def event_view(item: Event) -> EventView:
    """An event on the wire."""
    return EventView(
        id=item.id,
        name=item.name,
        occurred_at=item.occurred_at,
        received_at=item.received_at,
        license_id=item.license_id,
        device=item.device.hex() or None,
        properties=dict(item.properties),
    )


def _is_kept(value: Value) -> bool:
    if isinstance(value, str):
        return True
    return abs(value) < 10**18 and math.isfinite(value)
