"""Metering through the SDK's client."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest

from client_scenarios.requests import HERE, UNKNOWN_KEY, device
from client_scenarios.target import Vendor
from licet import (
    ConnectionLostError,
    DeviceBlockedError,
    FeatureNotEntitledError,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
    LicenseRefusedError,
    MeterMode,
    NotMeteredError,
    PricingNotConfiguredError,
    Transport,
    TransportReply,
    TransportRequest,
)
from licet._connections import Network


@dataclass
class LossyTransport:
    """Sends every request but loses the first responses."""

    inner: Transport
    left: int

    def send(self, request: TransportRequest) -> TransportReply:
        reply = self.inner.send(request)
        if self.left:
            self.left -= 1
            raise ConnectionLostError("The response is lost.")
        return reply

    def close(self) -> None:
        self.inner.close()


def check_a_client_charges(vendor: Vendor, folder: Path) -> None:
    vendor.set_price("Converting", Decimal("0.000001"))
    license_ = vendor.issue("MeteredToken", initial_meter_balance=Decimal("123456789.000001"))
    with vendor.target.client(folder, license_.key, hardware_id=HERE) as client:
        activation = client.activate()
        charge = client.consume("Converting", 3, activation_id=activation.id)
        assert (charge.feature_name, charge.quantity, charge.replayed) == (
            "Converting",
            3,
            False,
        )
        assert (charge.cost, charge.balance) == (
            Decimal("0.000003"),
            Decimal("123456788.999998"),
        )
        [entry, _] = license_.ledger
        assert (entry.id, entry.idempotency_key) == (
            charge.ledger_entry_id,
            charge.idempotency_key,
        )
        assert (charge.license_id, entry.activation_id) == (license_.id, activation.id)
        again = client.consume("Converting", 3, idempotency_key=charge.idempotency_key)
        assert again == replace(charge, replayed=True)
        assert client.consume("Converting", 3).idempotency_key != charge.idempotency_key
        left = client.balance()
        assert (left.license_id, left.mode) == (license_.id, MeterMode.Token)
        assert left.balance == license_.balance == Decimal("123456788.999995")


def check_a_lost_response_charges_once(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=10)
    target = vendor.target
    inner = target.transport or Network(None, trust_env=False).connect()
    forgetful = LossyTransport(inner, left=2)
    with replace(target, transport=forgetful).client(folder, license_.key) as client:
        charge = client.consume("export", 4)
    inner.close()
    assert (charge.cost, charge.balance, charge.replayed) == (Decimal(4), Decimal(6), True)
    assert len(license_.ledger) == 2


def check_insufficient_balance(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=3)
    with vendor.target.client(folder, license_.key) as client:
        with pytest.raises(InsufficientBalanceError) as short:
            client.consume("export", 5)
        error = short.value
        assert (error.cost, error.balance, error.replayed) == (Decimal(5), Decimal(3), False)
        license_.grant(10)
        with pytest.raises(InsufficientBalanceError) as kept:
            client.consume("export", 5, idempotency_key=error.idempotency_key)
        assert (kept.value.balance, kept.value.replayed) == (Decimal(3), True)
        assert client.consume("export", 5).balance == 8


def check_errors_of_refused_charges(vendor: Vendor, folder: Path) -> None:
    metered = vendor.issue("MeteredToken", features=["Shown", "Unpriced"], initial_meter_balance=9)
    vendor.set_price("Shown", 1)
    with vendor.target.client(folder / "a", metered.key, hardware_id=HERE) as client:
        with pytest.raises(FeatureNotEntitledError):
            client.consume("Hidden")
        with pytest.raises(PricingNotConfiguredError):
            client.consume("Unpriced")
        key = client.consume("Shown").idempotency_key
        with pytest.raises(IdempotencyKeyReusedError):
            client.consume("Shown", 2, idempotency_key=key)
        client.activate()
        device(metered).block()
        with pytest.raises(DeviceBlockedError):
            client.consume("Shown")
        device(metered).unblock()
        metered.suspend()
        with pytest.raises(LicenseRefusedError):
            client.consume("Shown")
        assert client.balance().balance == 8
    perpetual = vendor.issue("Perpetual")
    with vendor.target.client(folder / "b", perpetual.key) as client:
        for ask in (client.balance, lambda: client.consume("Shown")):
            with pytest.raises(NotMeteredError):
                ask()
    with (
        vendor.target.client(folder / "c", UNKNOWN_KEY) as client,
        pytest.raises(LicenseRefusedError),
    ):
        client.consume("Shown")
