"""Activations: a seat that belongs to a device until it is given back."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from licet._api import call
from licet._clock import optional_time
from licet._core import LicenseCore
from licet._error_codes import optional_int
from licet._flow import Flow
from licet._machine import operating_system
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet.errors import LicetError, RequestRefusedError, UnexpectedReplyError

ACTIVATIONS = "/activations"
CURRENT = "/activations/current"
ACTIVATED = frozenset({200, 201, 202})
DEACTIVATED = frozenset({200, 204})
DEACTIVATE_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger("licet")


class ActivationStatus(StrEnum):
    """Whether a device holds its seat."""

    Active = "Active"
    Pending = "Pending"
    Unknown = "Unknown"


@dataclass(frozen=True, slots=True)
class Activation:
    """What the server knows of this device. True in a condition exactly when it is active.

    Attributes:
        status: Pending until the vendor has approved the device; Unknown for a word of a newer
            server.
        seats_used: Seats of the license that are taken; ``None`` where they are not counted.
        seats_total: Seats that the license has; ``None`` where there is no limit.
        activated_at: When the device took its seat.
    """

    id: str
    status: ActivationStatus
    seats_used: int | None = None
    seats_total: int | None = None
    activated_at: datetime | None = None

    @property
    def pending(self) -> bool:
        """Whether the vendor still has to approve this device."""
        return self.status is ActivationStatus.Pending

    def __bool__(self) -> bool:
        return self.status is ActivationStatus.Active


def activate(
    core: LicenseCore, device_name: str | None, metadata: Mapping[str, str] | None
) -> Flow[Activation]:
    """Take a seat for this device, or find that it has one."""
    body = {
        "licenseKey": core.required_key(),
        "hardwareId": core.hardware_id,
        "deviceName": device_name or core.config.device_name,
        "os": operating_system(),
        "appVersion": core.config.app_version,
        "metadata": dict(metadata) if metadata is not None else None,
    }
    answer, request_id = yield from call(core.config, ACTIVATIONS, body, success=ACTIVATED)
    return _read(answer, request_id)


def deactivate(
    core: LicenseCore, *, retries: RetryPolicy = DEFAULT_RETRIES, timeout: float | None = None
) -> Flow[None]:
    """Give the seat of this device back; nothing to do where it has none."""
    body = {"licenseKey": core.required_key(), "hardwareId": core.hardware_id}
    try:
        yield from call(
            core.config,
            CURRENT,
            body,
            method="DELETE",
            success=DEACTIVATED,
            retries=retries,
            timeout=timeout,
        )
    except RequestRefusedError as refusal:
        if refusal.error_code != "ActivationNotFound":
            raise


def deactivate_quietly(core: LicenseCore) -> Flow[None]:
    """The same where nobody is left to be told: one short attempt, and a line in the log."""
    try:
        yield from deactivate(core, retries=NO_RETRIES, timeout=DEACTIVATE_TIMEOUT_SECONDS)
    except LicetError as error:
        _log.warning("this device was not deactivated: %s", error.message)


def _read(answer: Mapping[str, Any], request_id: str | None) -> Activation:
    activation_id = answer.get("activationId")
    if not isinstance(activation_id, str):
        raise UnexpectedReplyError(
            "The answer to the activation names no activation. "
            "Check that ServerBaseEndpoint is the API's address.",
            http_status=200,
            request_id=request_id,
        )
    return Activation(
        activation_id,
        _status(answer.get("status")),
        optional_int(answer.get("seatsUsed")),
        optional_int(answer.get("seatsTotal")),
        optional_time(answer.get("activatedAt")),
    )


def _status(value: object) -> ActivationStatus:
    try:
        return ActivationStatus(str(value))
    except ValueError:
        return ActivationStatus.Unknown
