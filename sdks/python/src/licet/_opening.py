"""Opening a license: validate, take the seat that its model needs, read its meter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from licet._activation import Activation
from licet._claim import (
    ClaimFlow,
    CloseSession,
    OpenSession,
    RunFlow,
    activate_device,
    claim_seat,
    resolve_seat_mode,
)
from licet._config import SeatMode
from licet._core import NOTHING, LicenseCore
from licet._error_codes import error_for_result, online_required
from licet._flow import Flow
from licet._license_models import ModelTraits, SeatKind, traits_of
from licet._machine import operating_system
from licet._metering import Balance, balance
from licet._model import LicenseResult
from licet._refresh import wants_plain_file
from licet._status import LicenseValidationStatus
from licet._validation import validate
from licet.errors import LicetError

Status = LicenseValidationStatus
_Claimed = tuple[Activation | None, Any]


@dataclass(slots=True)
class Opened:
    """An open license: the result of its validation and what was claimed for it.

    Attributes:
        traits: What is particular to the license's model.
        activation: The activation of this device, if it was activated now.
        session: The live session, if one was opened.
        balance: The balance of a metered license; ``None`` without the server.
    """

    result: LicenseResult
    traits: ModelTraits
    activation: Activation | None = None
    session: Any = None
    balance: Balance | None = None


def open_license(core: LicenseCore) -> ClaimFlow[Opened]:
    """Validate the license and take what its model needs. A failure leaves no session open.

    A first start does so in one request, but for a session and a balance. What its answer leaves
    open, as that of an older server does, is asked for in requests of its own.

    Raises:
        RequestRefusedError: The license may not be used, or a seat was refused.
        OnlineRequiredError: The license needs the server, which could not be asked.
    """
    result: LicenseResult = yield RunFlow(validate(core, _first_request))
    wants_activation = result.status is Status.ActivationRequired and result.source == "server"
    if not result.valid and not wants_activation:
        raise error_for_result(result)
    opened = Opened(result, _traits(result))
    opened.activation, opened.session = yield from _CLAIMS[opened.traits.seat_kind](core, result)
    try:
        if not result.valid:
            opened.result = yield RunFlow(validate(core))
        if not opened.result.valid:
            raise error_for_result(opened.result)
        if opened.traits.meter is not None and opened.result.source == "server":
            opened.balance = yield RunFlow(balance(core))
    except LicetError:
        if opened.session is not None:
            yield CloseSession(opened.session)
        raise
    return opened


def _first_request(core: LicenseCore, key: str) -> Mapping[str, object]:
    """The device's seat and license.bin, unless this device takes no seat that lasts."""
    if resolve_seat_mode(core.config) is SeatMode.Session:
        return NOTHING
    plain = wants_plain_file(core, key)
    return {"activate": True, "file": plain or None, "os": operating_system()}


def _traits(result: LicenseResult) -> ModelTraits:
    terms = result.license
    if terms is not None:
        return traits_of(terms.type, terms.seat.kind if terms.seat is not None else None)
    # The server wants an activated device and says no more.
    return ModelTraits(seat_kind="Device")


def _claim_nothing(_core: LicenseCore, _result: LicenseResult) -> ClaimFlow[_Claimed]:
    yield from ()
    return None, None


def _claim_session(_core: LicenseCore, result: LicenseResult) -> ClaimFlow[_Claimed]:
    if result.cause is not None and result.lease_ends_at is None:
        # The server has just been asked, and only it can give a session.
        raise online_required(result)
    return None, (yield OpenSession())


def _claim_device(core: LicenseCore, result: LicenseResult) -> ClaimFlow[_Claimed]:
    if _is_held(result):
        return None, None
    mode: SeatMode = yield RunFlow(_seat_mode(core))
    return (yield from claim_seat(core, mode))


def _claim_machine(core: LicenseCore, result: LicenseResult) -> ClaimFlow[_Claimed]:
    if _is_held(result):
        return None, None
    return (yield from activate_device(core)), None


_CLAIMS: Mapping[
    SeatKind,
    Callable[[LicenseCore, LicenseResult], ClaimFlow[_Claimed]],
] = {
    "None": _claim_nothing,
    "Device": _claim_device,
    "Session": _claim_session,
    "Machine": _claim_machine,
}


def _is_held(result: LicenseResult) -> bool:
    """Whether this device holds its seat, by the verdict or by a file that names the device."""
    if result.valid and result.source == "file":
        return True
    seat = result.license.seat if result.license is not None else None
    return result.valid and seat is not None and seat.held is True


def _seat_mode(core: LicenseCore) -> Flow[SeatMode]:
    yield from ()
    return resolve_seat_mode(core.config)
