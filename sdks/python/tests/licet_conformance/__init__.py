"""One suite for every server that speaks the contract: the real one and the fake.

A test that has a :class:`Vendor` at hand runs each of ``WIRE_CHECKS`` with it, and each of
``CLIENT_CHECKS`` with it and an empty folder. Nothing here starts, or knows, a server.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from licet_conformance import (
    activations,
    binding,
    charges,
    clients,
    downloads,
    metering,
    request_validation,
    seats,
    sessions,
    telemetry,
    updates,
    verdicts,
)
from licet_conformance.target import Answer, Target, Vendor

WireCheck = Callable[[Vendor], None]
ClientCheck = Callable[[Vendor, Path], None]

__all__ = ["CLIENT_CHECKS", "WIRE_CHECKS", "Answer", "Target", "Vendor", "name_of"]


def _checks_of(*modules: ModuleType) -> list[Callable[..., Any]]:
    return [
        check
        for module in modules
        for name, check in vars(module).items()
        if name.startswith("check_")
    ]


def name_of(check: Callable[..., Any]) -> str:
    """For the ids of parametrized tests."""
    module = check.__module__.rpartition(".")[2]
    return f"{module}-{check.__name__.removeprefix('check_')}"


WIRE_CHECKS: list[WireCheck] = _checks_of(
    request_validation, verdicts, activations, binding, sessions, metering, telemetry, updates
)
CLIENT_CHECKS: list[ClientCheck] = _checks_of(clients, seats, charges, downloads)
