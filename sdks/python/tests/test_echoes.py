"""A response to another request is never taken for the response to this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    API_KEY,
    LICENSE_KEY,
    FakeClock,
    Vendor,
    client_options,
)

from licet import (
    LicenseClient,
    SessionLostError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
    UntrustedUpdateError,
)
from licet._session_calls import SessionCalls, SessionGrant

CHARGED = {
    "success": True,
    "licenseId": "license-1",
    "featureName": "Export",
    "quantity": 2,
    "cost": 2,
    "balance": 8,
    "ledgerEntryId": "entry-1",
    "replayed": False,
}


class Canned:
    """Responds to every request with the same body."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body

    def send(self, _: TransportRequest) -> TransportReply:
        return TransportReply(200, {}, json.dumps(self.body).encode())

    def close(self) -> None: ...


def client_with(body: dict[str, Any], folder: Path, clock: FakeClock) -> LicenseClient:
    options = client_options(folder, clock, license_key=LICENSE_KEY, api_key=API_KEY)
    base = "https://licenses.example.com/api"
    return LicenseClient(**options, server_base_endpoint=base, transport=Canned(body))


def test_a_charge_for_this_request(tmp_path: Path, clock: FakeClock) -> None:
    with client_with(CHARGED, tmp_path, clock) as client:
        assert client.consume("export", 2).feature_name == "Export"


@pytest.mark.parametrize(
    "other",
    [
        {"featureName": "Import"},
        {"featureName": None},
        {"quantity": 3},
        {"quantity": None},
        {"idempotencyKey": "somebody else's"},
    ],
)
def test_a_charge_for_another_request(
    tmp_path: Path, clock: FakeClock, other: dict[str, Any]
) -> None:
    client = client_with({**CHARGED, **other}, tmp_path, clock)
    with client, pytest.raises(UnexpectedReplyError, match="another request") as error:
        client.consume("export", 2, idempotency_key="k1")
    assert error.value.idempotency_key == "k1"


def test_a_charge_and_a_balance_of_another_license(
    tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file())
    other = {**CHARGED, "licenseId": "license-2", "mode": "Count"}
    with client_with(other, tmp_path, clock) as client:
        client.validate_offline()
        with pytest.raises(UnexpectedReplyError, match="another request"):
            client.consume("export", 2)
        with pytest.raises(UnexpectedReplyError, match="another request"):
            client.balance()


def test_an_update_that_is_not_signed_for_this_request(tmp_path: Path, clock: FakeClock) -> None:
    none = {"updateAvailable": False, "channel": "Beta", "files": []}
    with client_with(none, tmp_path, clock) as client, pytest.raises(UntrustedUpdateError):
        client.check_for_update()


@pytest.mark.parametrize("told", [{}, {"sessionId": "another"}])
def test_a_heartbeat_of_another_session(
    tmp_path: Path, clock: FakeClock, told: dict[str, Any]
) -> None:
    with client_with(told, tmp_path, clock) as client:
        calls = SessionCalls(client._core, LICENSE_KEY, "h", "i")
        flow = calls.heartbeat(SessionGrant("mine", 30.0, 90.0), timeout=1.0)
        next(flow)
        with pytest.raises(UnexpectedReplyError):
            flow.send(TransportReply(200, {}, json.dumps(told).encode()))
    assert not issubclass(UnexpectedReplyError, SessionLostError), "the session keeps its seat"
