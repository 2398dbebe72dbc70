"""A seat held for a block of code, by activation or by session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self

from licet._activation import Activation, activate, deactivate_quietly
from licet._async_session import AsyncSession
from licet._config import Config, SeatMode
from licet._core import LicenseCore
from licet._error_codes import approval_pending
from licet._flow import Done, Flow, run, run_async, step
from licet._hardware import in_ephemeral_container
from licet._machine import Machine, ThisMachine, ci_project
from licet._session import Session
from licet._session_lifecycle import OnLost, SessionInfo, SessionOptions, no_cleanup
from licet._transport import AsyncTransport, Transport
from licet.errors import ActivationRequiredError, LicetError, UnexpectedReplyError


@dataclass(frozen=True, slots=True)
class RunFlow:
    """Run a flow."""

    flow: Flow[Any]


@dataclass(frozen=True, slots=True)
class OpenSessionEffect:
    """Open a session that runs a cleanup after it is closed."""

    cleanup: Callable[[], Flow[None]]


def resolve_seat_mode(config: Config, machine: Machine | None = None) -> SeatMode:
    """Resolve Auto to a mode: short-lived machines would leave activations behind."""
    if config.seat_mode is not SeatMode.Auto:
        return config.seat_mode
    machine = machine if machine is not None else ThisMachine()
    ephemeral = ci_project(machine) is not None or (
        config.hardware_id is None and in_ephemeral_container(machine)
    )
    return SeatMode.Session if ephemeral else SeatMode.Activation


def claim_seat(
    core: LicenseCore, mode: SeatMode
) -> Generator[RunFlow | OpenSessionEffect, Any, tuple[Activation | None, Any]]:
    """Claim a seat; returns its activation and its session, either of which may be missing."""
    if mode is SeatMode.Activation:
        return (yield from _activate(core)), None
    try:
        return None, (yield OpenSessionEffect(no_cleanup))
    except ActivationRequiredError:
        activation = yield from _activate(core)
    release = partial(deactivate_quietly, core)
    try:
        return activation, (yield OpenSessionEffect(release))
    except LicetError:
        yield RunFlow(release())
        raise


def _activate(core: LicenseCore) -> Generator[RunFlow | OpenSessionEffect, Any, Activation]:
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


class SeatInfo:
    """The properties shared by sync and async seats.

    Attributes:
        activation: The activation created for the seat, if any.
    """

    activation: Activation | None = None
    session: SessionInfo | None = None

    @property
    def alive(self) -> bool:
        """Whether the seat is held, as far as the client knows."""
        return self.session.alive if self.session is not None else bool(self.activation)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alive={self.alive})"


class Seat(SeatInfo):
    """A seat of this device; see :meth:`licet.LicenseClient.seat`.

    Attributes:
        activation: The activation created for the seat, if any.
        session: The session opened for the seat, if any.
    """

    session: Session | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: Transport,
        make_session: Callable[[SessionOptions], Session],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    def __enter__(self) -> Self:
        flow, outcome = claim_seat(self._core, resolve_seat_mode(self._core.config)), None
        while True:
            effect = step(flow, outcome)
            if isinstance(effect, Done):
                self.activation, self.session = effect.value
                return self
            try:
                outcome = self._perform(effect)
            except LicetError as error:
                outcome = error

    def _perform(self, effect: RunFlow | OpenSessionEffect) -> Any:
        if isinstance(effect, RunFlow):
            return run(effect.flow, self._transport)
        options = SessionOptions(on_lost=self._on_lost, cleanup=effect.cleanup)
        return self._make_session(options).open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            self.session.close()


class AsyncSeat(SeatInfo):
    """:class:`licet.Seat` for asyncio.

    Attributes:
        activation: The activation created for the seat, if any.
        session: The session opened for the seat, if any.
    """

    session: AsyncSession | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        make_session: Callable[[SessionOptions], AsyncSession],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    async def __aenter__(self) -> Self:
        mode = await asyncio.to_thread(resolve_seat_mode, self._core.config)
        flow, outcome = claim_seat(self._core, mode), None
        while True:
            effect = step(flow, outcome)
            if isinstance(effect, Done):
                self.activation, self.session = effect.value
                return self
            try:
                outcome = await self._perform(effect)
            except LicetError as error:
                outcome = error

    async def _perform(self, effect: RunFlow | OpenSessionEffect) -> Any:
        if isinstance(effect, RunFlow):
            return await run_async(effect.flow, self._transport)
        options = SessionOptions(on_lost=self._on_lost, cleanup=effect.cleanup)
        return await self._make_session(options).open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            await self.session.close()
