"""The right of a device to run, held for a block of code in the way that suits the device."""

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
from licet._flow import Done, Flow, arun, run, step
from licet._hardware import in_nameless_container
from licet._keeping import OnLost, SessionFacts, Wishes, nothing_more
from licet._machine import Machine, ThisMachine, ci_project
from licet._refusals import pending_approval
from licet._session import Session
from licet._transport import AsyncTransport, Transport
from licet.errors import ActivationRequiredError, LicetError, UnexpectedReplyError


@dataclass(frozen=True, slots=True)
class Run:
    """Run a flow."""

    flow: Flow[Any]


@dataclass(frozen=True, slots=True)
class Open:
    """Open a session that, when it is given back, gives back something else, too."""

    afterwards: Callable[[], Flow[None]]


def suitable_mode(config: Config, machine: Machine | None = None) -> SeatMode:
    """What to take: machines that are made for one job would leave activations behind."""
    if config.seat_mode is not SeatMode.Auto:
        return config.seat_mode
    machine = machine if machine is not None else ThisMachine()
    passing = ci_project(machine) is not None or (
        config.hardware_id is None and in_nameless_container(machine)
    )
    return SeatMode.Session if passing else SeatMode.Activation


def take_seat(
    core: LicenseCore, mode: SeatMode
) -> Generator[Run | Open, Any, tuple[Activation | None, Any]]:
    """The activation and the session that make up the seat; either may be missing."""
    if mode is SeatMode.Activation:
        return (yield from _activated(core)), None
    try:
        return None, (yield Open(nothing_more))
    except ActivationRequiredError:
        activation = yield from _activated(core)
    release = partial(deactivate_quietly, core)
    try:
        return activation, (yield Open(release))
    except LicetError:
        yield Run(release())
        raise


def _activated(core: LicenseCore) -> Generator[Run | Open, Any, Activation]:
    activation: Activation = yield Run(activate(core, None, None))
    if activation.pending:
        raise pending_approval()
    if not activation:
        raise UnexpectedReplyError(
            "The server answered the activation in a way that this version of the application does "
            "not know. Update the application.",
            http_status=200,
        )
    return activation


class SeatFacts:
    """What a seat tells of itself; the same for both kinds.

    Attributes:
        activation: The activation that was made for the seat, if any.
    """

    activation: Activation | None = None
    session: SessionFacts | None = None

    @property
    def alive(self) -> bool:
        """Whether the device may run, as far as can be known from here."""
        return self.session.alive if self.session is not None else bool(self.activation)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alive={self.alive})"


class Seat(SeatFacts):
    """The right of this device to run; see :meth:`licet.LicenseClient.seat`.

    Attributes:
        activation: The activation that was made for the seat, if any.
        session: The session that was opened for the seat, if any.
    """

    session: Session | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: Transport,
        make_session: Callable[[Wishes], Session],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    def __enter__(self) -> Self:
        flow, outcome = take_seat(self._core, suitable_mode(self._core.config)), None
        while True:
            need = step(flow, outcome)
            if isinstance(need, Done):
                self.activation, self.session = need.value
                return self
            try:
                outcome = self._perform(need)
            except LicetError as error:
                outcome = error

    def _perform(self, need: Run | Open) -> Any:
        if isinstance(need, Run):
            return run(need.flow, self._transport)
        wishes = Wishes(on_lost=self._on_lost, afterwards=need.afterwards)
        return self._make_session(wishes).open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            self.session.close()


class AsyncSeat(SeatFacts):
    """:class:`licet.Seat` for asyncio.

    Attributes:
        activation: The activation that was made for the seat, if any.
        session: The session that was opened for the seat, if any.
    """

    session: AsyncSession | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        make_session: Callable[[Wishes], AsyncSession],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    async def __aenter__(self) -> Self:
        mode = await asyncio.to_thread(suitable_mode, self._core.config)
        flow, outcome = take_seat(self._core, mode), None
        while True:
            need = step(flow, outcome)
            if isinstance(need, Done):
                self.activation, self.session = need.value
                return self
            try:
                outcome = await self._perform(need)
            except LicetError as error:
                outcome = error

    async def _perform(self, need: Run | Open) -> Any:
        if isinstance(need, Run):
            return await arun(need.flow, self._transport)
        wishes = Wishes(on_lost=self._on_lost, afterwards=need.afterwards)
        return await self._make_session(wishes).open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            await self.session.close()
