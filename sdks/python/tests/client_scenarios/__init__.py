"""The conformance suite for license servers: the real one and the fake.

A test calls each of ``WIRE_CHECKS`` with a :class:`Vendor`, and each of ``CLIENT_CHECKS`` with a
:class:`Vendor` and an empty folder. The suite does not start a server and does not know which one
it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from client_scenarios import (
    activations,
    binding,
    charges,
    clients,
    copies,
    credentials,
    downloads,
    enrollment,
    fleets,
    metering,
    offline_seats,
    opening,
    request_validation,
    seats,
    sessions,
    telemetry,
    updates,
    verdicts,
)
from client_scenarios.target import ApiResponse, Target, Vendor

WireCheck = Callable[[Vendor], None]
ClientCheck = Callable[[Vendor, Path], None]

__all__ = ["CLIENT_CHECKS", "WIRE_CHECKS", "ApiResponse", "Target", "Vendor", "name_of"]


def _checks_of(*modules: ModuleType) -> list[Callable[..., Any]]:
    return [
        check
        for module in modules
        for name, check in vars(module).items()
        if name.startswith("check_")
    ]


def name_of(check: Callable[..., Any]) -> str:
    """The ID of a parametrized test."""
    module = check.__module__.rpartition(".")[2]
    return f"{module}-{check.__name__.removeprefix('check_')}"


WIRE_CHECKS: list[WireCheck] = _checks_of(
    request_validation,
    verdicts,
    activations,
    binding,
    sessions,
    metering,
    telemetry,
    updates,
    credentials,
    offline_seats,
    fleets,
)
CLIENT_CHECKS: list[ClientCheck] = _checks_of(
    clients, seats, copies, charges, downloads, opening, enrollment
)
