"""Whether this machine's clock may date what is signed.

A signed time that is ahead stays with every application that received it, so a clock that jumps is
not believed until it is right again, or until an operator confirms it on this machine. Between two
checks, the wall clock is compared with the time since the machine started, without the database.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
import structlog

from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, Refused

TOLERANCE = timedelta(hours=1)
LARGEST_JUMP = timedelta(days=1)
LONGEST_PAUSE = timedelta(days=180)
CONFIRMATION_FILE = "clock-confirmed.json"

_log = structlog.get_logger("licet.clock")


Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class Confirmation(msgspec.Struct, frozen=True, rename="camel"):
    """An operator's word that the clock was right, and the last seal that there was then."""

    at: Instant
    sealed_at: Instant | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the database knows about the time."""

    database_now: datetime
    sealed_at: datetime | None


ReadEvidence = Callable[[Connection], Awaitable[Evidence]]


def clock_fault(
    now: datetime,
    evidence: Evidence,
    confirmation: Confirmation | None,
    *,
    jumped: timedelta,
    starts: bool,
) -> str | None:
    """Return why the clock is not believed, in a sentence; `None` if it is.

    `jumped` is by how much it moved otherwise than time passed in this process. A long time without
    a seal is a reason only when a process `starts`: it may have been off, but hardly that long.
    """
    apart = now - evidence.database_now
    if abs(apart) > TOLERANCE:
        return f"It differs from the database's clock by {_words(apart)}."
    known = last_known(evidence, confirmation)
    if known is not None and known - now > TOLERANCE:
        return f"It is {_words(known - now)} behind the last entry of the audit log."
    if abs(jumped) > LARGEST_JUMP:
        return f"It jumped by {_words(jumped)}."
    if starts and known is not None and now - known > LONGEST_PAUSE:
        return f"It is {_words(now - known)} ahead of the last entry of the audit log."
    return None


def last_known(evidence: Evidence, confirmation: Confirmation | None) -> datetime | None:
    """Return the latest time that has certainly passed; a confirmation replaces earlier seals."""
    sealed = evidence.sealed_at
    if confirmation is None:
        return sealed
    if sealed is None or (confirmation.sealed_at is not None and sealed <= confirmation.sealed_at):
        return confirmation.at
    return max(sealed, confirmation.at)


def read_confirmation(data_dir: Path) -> Confirmation | None:
    """Read the operator's last confirmation; `None` if there is none, or it is unreadable."""
    try:
        stored = (data_dir / CONFIRMATION_FILE).read_bytes()
        return msgspec.json.decode(stored, type=Confirmation)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def write_confirmation(data_dir: Path, confirmation: Confirmation) -> None:
    """Store the operator's word for the processes of this machine."""
    path = data_dir / CONFIRMATION_FILE
    written = path.with_suffix(".new")
    written.write_bytes(msgspec.json.encode(confirmation))
    written.replace(path)


def elapsed() -> float:
    """Seconds since the machine started, also those that it slept."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class ClockTrust:
    """Decides for a process whether its clock may date what is signed."""

    def __init__(
        self,
        clock: Clock,
        data_dir: Path,
        read: ReadEvidence,
        elapsed: Callable[[], float] = elapsed,
    ) -> None:
        self._clock, self._data_dir, self._read, self._elapsed = clock, data_dir, read, elapsed
        self._confirmation: Confirmation | None = None
        self._fault: str | None = None
        self._checked = False
        self._trusted_at = (clock(), elapsed())

    @property
    def fault(self) -> str | None:
        """Return why the clock is not trusted; `None` if it is, as far as this process knows."""
        jumped = self._jumped()
        return self._fault or (
            f"It jumped by {_words(jumped)}." if abs(jumped) > LARGEST_JUMP else None
        )

    async def check(self, db: Connection) -> None:
        """Compare the clock with what the database knows."""
        confirmation = read_confirmation(self._data_dir)
        if confirmation != self._confirmation:
            self._confirmation = confirmation
            self._trusted_at = (self._clock(), self._elapsed())
        evidence = await self._read(db)
        fault = clock_fault(
            self._clock(),
            evidence,
            confirmation,
            jumped=self._jumped(),
            starts=not self._checked or self._fault is not None,
        )
        if fault is None:
            self._checked = True
            self._trusted_at = (self._clock(), self._elapsed())
        if fault != self._fault:
            _log.error("clock_not_trusted", reason=fault) if fault else _log.info("clock_trusted")
        self._fault = fault

    async def require(self, db: Connection) -> None:
        """Refuse to sign while the clock is not believed. Asks the database the first time only.

        Raises:
            Refused: `ClockNotTrusted`.
        """
        if not self._checked:
            await self.check(db)
        self.require_now()

    def require_now(self) -> None:
        """Refuse while the clock is not believed, without asking the database.

        Raises:
            Refused: `ClockNotTrusted`.
        """
        if (fault := self.fault) is not None:
            raise Refused(
                ErrorCode.CLOCK_NOT_TRUSTED,
                f"The clock of the license server cannot be trusted. {fault} Nothing is signed "
                "until it is right. An operator may correct it, or run licet-server confirm-clock.",
                retry_after=60,
            )

    def _jumped(self) -> timedelta:
        at, moment = self._trusted_at
        return self._clock() - at - timedelta(seconds=self._elapsed() - moment)


def _words(duration: timedelta) -> str:
    hours = round(abs(duration) / timedelta(hours=1))
    return f"{hours} hours" if hours < 48 else f"{round(hours / 24)} days"
