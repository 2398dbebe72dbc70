"""Activations: seats that devices hold until they are deactivated."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from licet._api import call
from licet._clock import optional_time
from licet._config import as_label
from licet._core import LicenseCore
from licet._enrollment import enrolled, is_unknown_token
from licet._error_codes import error_for_result, optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._machine import operating_system
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet._status import LicenseValidationStatus
from licet.errors import LicetError, RequestRefusedError, UnexpectedReplyError

ACTIVATIONS = "/activations"
CURRENT = "/activations/current"
ACTIVATED = frozenset({200, 201, 202})
DEACTIVATED = frozenset({200, 204})
DEACTIVATE_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger("licet")


class ActivationStatus(StrEnum):
    """The status of an activation. Only Active devices hold a seat."""

    Active = "Active"
    Pending = "Pending"
    Unknown = "Unknown"


@dataclass(frozen=True, slots=True)
class Activation:
    """The activation of this device. Truthy if and only if it is active.

    Attributes:
        status: Pending until the vendor approves the device; Unknown if a newer server sends a
            status that this version does not know.
        seats_used: Seats of the license in use; ``None`` if they are not counted.
        seats_total: The seat cap of the license; ``None`` if there is none.
        activated_at: When the device was activated.
    """

    id: str
    status: ActivationStatus
    seats_used: int | None = None
    seats_total: int | None = None
    activated_at: datetime | None = None

    @property
    def pending(self) -> bool:
        """Whether the vendor has to approve this device."""
        return self.status is ActivationStatus.Pending

    def __bool__(self) -> bool:
        return self.status is ActivationStatus.Active


@enrolled
def activate(
    core: LicenseCore, device_name: str | None, metadata: Mapping[str, str] | None
) -> Flow[Activation]:
    """Claim a seat for this device. Returns the existing activation if there is one.

    Raises:
        LicenseRefusedError: The license is known to be a test license, and this is no test mode.
    """
    latest = core.latest
    if latest is not None and latest.status is LicenseValidationStatus.TestLicense:
        raise error_for_result(latest)
    body = {
        "licenseKey": core.required_key(),
        "hardwareId": core.hardware_id,
        **core.credentials,
        "deviceName": as_label("device_name", device_name) or core.config.device_name,
        "os": operating_system(),
        "appVersion": core.config.app_version,
        "metadata": dict(metadata) if metadata is not None else None,
        "deviceKeyLevel": core.device_key.level,
        **core.sent_components,
    }
    response, request_id = yield from call(core, ACTIVATIONS, body, success=ACTIVATED)
    return _read(response, request_id)


def deactivate(
    core: LicenseCore, *, retries: RetryPolicy = DEFAULT_RETRIES, timeout: float | None = None
) -> Flow[None]:
    """Release the seat of this device, with which its token ends. Does nothing if it holds none."""
    if core.wants_enrollment:
        return
    body = {
        "licenseKey": core.required_key(),
        "hardwareId": core.hardware_id,
        **core.credentials,
    }
    try:
        yield from call(
            core,
            CURRENT,
            body,
            method="DELETE",
            success=DEACTIVATED,
            retries=retries,
            timeout=timeout,
        )
    except RequestRefusedError as refusal:
        if refusal.error_code != "ActivationNotFound" and not is_unknown_token(core, refusal):
            raise
    if core.enrollment is not None:
        core.enrollment.forget()


def deactivate_quietly(core: LicenseCore) -> Flow[None]:
    """Deactivate in one short attempt and log errors instead of raising them."""
    try:
        yield from deactivate(core, retries=NO_RETRIES, timeout=DEACTIVATE_TIMEOUT_SECONDS)
    except LicetError as error:
        _log.warning("this device was not deactivated: %s", error.message)


def _read(response: Mapping[str, Any], request_id: str | None) -> Activation:
    activation_id = response.get("activationId")
    if not isinstance(activation_id, str):
        raise UnexpectedReplyError(
            "The response to the activation has no activation ID.",
            hint=CHECK_ADDRESS,
            http_status=200,
            request_id=request_id,
        )
    return Activation(
        activation_id,
        _status(response.get("status")),
        optional_int(response.get("seatsUsed")),
        optional_int(response.get("seatsTotal")),
        optional_time(response.get("activatedAt")),
    )


def _status(value: object) -> ActivationStatus:
    try:
        return ActivationStatus(str(value))
    except ValueError:
        return ActivationStatus.Unknown
