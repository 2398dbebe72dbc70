"""Claiming a seat, by activation or by session, for both clients."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from licet._activation import Activation, activate, deactivate_quietly
from licet._config import Config, SeatMode
from licet._core import LicenseCore
from licet._error_codes import approval_pending
from licet._flow import Done, Flow, run, step
from licet._hardware import in_ephemeral_container
from licet._machine import Machine, ThisMachine, ci_project
from licet._session import Session
from licet._session_options import SessionOptions, no_cleanup
from licet._transport import Transport
from licet.errors import ActivationRequiredError, LicetError, UnexpectedReplyError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunFlow:
    """Run a flow."""

    flow: Flow[Any]


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Open a session that runs a cleanup after it is closed."""

    cleanup: Callable[[], Flow[None]] = no_cleanup


@dataclass(frozen=True, slots=True)
class CloseSession:
    """Close a session that was opened."""

    session: Any


ClaimEffect = RunFlow | OpenSession | CloseSession
ClaimFlow = Generator[ClaimEffect, Any, T]


def run_claim(
    flow: ClaimFlow[T],
    transport: Transport,
    make_session: Callable[[SessionOptions], Session],
    options: SessionOptions,
) -> T:
    """Run a claim to completion in this thread."""

    def perform(effect: ClaimEffect) -> Any:
        if isinstance(effect, RunFlow):
            return run(effect.flow, transport)
        if isinstance(effect, CloseSession):
            return effect.session.close()
        return make_session(replace(options, cleanup=effect.cleanup)).open()

    outcome: Any = None
    while True:
        effect = step(flow, outcome)
        if isinstance(effect, Done):
            return effect.value  # type: ignore[no-any-return]
        try:
            outcome = perform(effect)
        except LicetError as error:
            outcome = error


def resolve_seat_mode(config: Config, machine: Machine | None = None) -> SeatMode:
    """Resolve Auto to a mode: short-lived machines would leave activations behind."""
    if config.seat_mode is not SeatMode.Auto:
        return config.seat_mode
    machine = machine if machine is not None else ThisMachine()
    ephemeral = ci_project(machine) is not None or (
        config.hardware_id is None and in_ephemeral_container(machine)
    )
    return SeatMode.Session if ephemeral else SeatMode.Activation


def claim_seat(core: LicenseCore, mode: SeatMode) -> ClaimFlow[tuple[Activation | None, Any]]:
    """Claim a seat; returns its activation and its session, either of which may be missing."""
    if mode is SeatMode.Activation:
        return (yield from activate_device(core)), None
    try:
        return None, (yield OpenSession())
    except ActivationRequiredError:
        activation = yield from activate_device(core)
    release = partial(deactivate_quietly, core)
    try:
        return activation, (yield OpenSession(release))
    except LicetError:
        yield RunFlow(release())
        raise


def activate_device(core: LicenseCore) -> ClaimFlow[Activation]:
    """Activate this device, which must not have to wait for the vendor's approval."""
    activation: Activation = yield RunFlow(activate(core, None, None))
    if activation.pending:
        raise approval_pending()
    if not activation:
        raise UnexpectedReplyError(
            "The server responded to the activation with a status that this version of the "
            "application does not know. Update the application.",
            http_status=200,
        )
    return activation
