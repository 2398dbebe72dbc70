"""The devices that hold a seat, of which the application may free one: "free another device"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from licet._api import call
from licet._clock import optional_time
from licet._core import LicenseCore
from licet._error_codes import optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet.errors import UnexpectedReplyError

DEVICES = "/activations"


@dataclass(frozen=True, slots=True)
class Device:
    """A device that holds a seat of the license.

    Attributes:
        id: Identifies its activation.
        name: The name that the application sent, if it did.
        os: Its operating system, if that is known.
        last_seen_at: When the server last heard of it, exact to an hour.
        seat_free_at: When its seat is free if it is released: at the end of the license.bin that it
            has. ``None`` if at once.
        current: Whether it is this device.
    """

    id: str
    name: str | None = None
    os: str | None = None
    last_seen_at: datetime | None = None
    seat_free_at: datetime | None = None
    current: bool = False


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of a license, the longest unseen first: at most 100.

    Attributes:
        releases_left: How many more may be released from inside applications at present.
    """

    items: tuple[Device, ...]
    releases_left: int | None = None

    def __iter__(self) -> Iterator[Device]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Device:
        return self.items[index]


def devices(core: LicenseCore) -> Flow[Devices]:
    """List the devices that hold a seat."""
    fields = {"licenseKey": _key(core), "hardwareId": core.hardware_id}
    response, request_id = yield from call(
        core, DEVICES, fields, method="GET", headers=core.credential_headers
    )
    items = response.get("items")
    read = [_read(item) for item in items] if isinstance(items, list) else [None]
    known = tuple(device for device in read if device is not None)
    if len(known) < len(read):
        raise _unexpected_reply(request_id)
    return Devices(known, optional_int(response.get("releasesLeft")))


def release_device(core: LicenseCore, device: Device) -> Flow[Device]:
    """Release the seat of a device."""
    fields = {"licenseKey": _key(core), "hardwareId": core.hardware_id, **core.credentials}
    path = f"{DEVICES}/{quote(device.id, safe='')}/release"
    response, request_id = yield from call(core, path, fields)
    released = _read(response)
    if released is None or released.id != device.id:
        raise _unexpected_reply(request_id)
    return released


def _key(core: LicenseCore) -> str:
    """The license key; a machine that was refused a token has its enrollment key alone."""
    if core.enrollment is not None and core.wants_enrollment:
        return core.enrollment.key
    return core.required_key()


def _read(item: object) -> Device | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("id"), str):
        return None
    return Device(
        item["id"],
        _text(item.get("deviceName")),
        _text(item.get("os")),
        optional_time(item.get("lastSeenAt")),
        optional_time(item.get("seatFreeAt")),
        item.get("current") is True,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _unexpected_reply(request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        "The response about the devices does not come from a license server.",
        hint=CHECK_ADDRESS,
        http_status=200,
        request_id=request_id,
    )
