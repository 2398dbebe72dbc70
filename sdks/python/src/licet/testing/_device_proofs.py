"""Keys of devices, as requests show them: the fake verifies no proof."""

from __future__ import annotations

from collections.abc import Mapping

from licet._device_key import thumbprint
from licet._jose import RejectedTokenError, decode_segment, read_object
from licet.testing._messages import Request, find_license
from licet.testing._problems import Refused
from licet.testing._rules import needs_proof
from licet.testing._state import State


def shown_key(headers: Mapping[str, str]) -> str | None:
    """The thumbprint of the key in the header ``DPoP``; ``None`` without one."""
    try:
        header = read_object(decode_segment(headers.get("dpop", "").partition(".")[0]))
        return thumbprint(header["jwk"])
    except (RejectedTokenError, KeyError, TypeError):
        return None


def require_proof(state: State, request: Request) -> None:
    """Check that a request about a license that asks for a proof shows a key.

    Raises:
        Refused: ``DeviceProofRequired``.
    """
    body, hardware_id = request.body, request.body.get("hardwareId")
    license_ = find_license(state, str(body.get("licenseKey")), hardware_id)
    session = state.sessions.get(str(body.get("sessionId")).lower())
    if license_ is None and session is not None:
        license_, hardware_id = session.license, session.hardware_id
    if license_ is not None and request.jkt is None and needs_proof(license_, hardware_id):
        raise Refused("DeviceProofRequired")
