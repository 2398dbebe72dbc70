"""The state that this machine keeps between runs.

A missing or damaged state, or one from another machine, is treated as empty and never raises. An
empty state grants nothing: without a signed verdict there is no grace period. The file is
authenticated with a key derived from the hardware ID and the product ID. Anyone who can run code on
the machine can compute that key, so what grants or refuses something is kept as it was signed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

from licet._clock import MAX_EPOCH, from_epoch, optional_epoch
from licet._disk import read_own, write_own
from licet._error_codes import optional_int
from licet._forks import watch_forks
from licet._places import Places

MAX_STATE_BYTES = 1 << 21
MAX_REFUSALS = 64
WRITE_INTERVAL = timedelta(minutes=1)
CHECK_INTERVAL = timedelta(days=1)
MAX_CLOCK_OFFSET = timedelta(days=1)
MAX_UTC_OFFSET_SECONDS = 86_400
MAX_COUNT = 1 << 53
SILENCE = timedelta(minutes=15)

_log = logging.getLogger("licet")


class Effect(Enum):
    """What an answer of the server means for the license from now on."""

    CONFIRMS = "confirms"
    REFUSES = "refuses"
    PASSES = "passes"
    """The next answer may be another one although the license has not changed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict that the server signed for this machine's own fresh nonce.

    It cannot be a replay, so it is newer than everything stored, whatever time is in it.

    Attributes:
        token: The signed verdict.
        key_hash: The hash of the license key that it is about.
        at: The time in it, by the server's clock.
        now: The time by this machine's clock when it arrived, with the machine's UTC offset.
        agrees: Whether the two are equal within the leeway.
    """

    token: str
    key_hash: str
    at: datetime
    now: datetime
    effect: Effect
    agrees: bool

    @property
    def is_ahead(self) -> bool:
        """Whether one of the two clocks must be wrong, and the server's may be the one."""
        return self.at - self.now > MAX_CLOCK_OFFSET


@dataclass(frozen=True, slots=True)
class Refusal:
    """The last refusal of a license key, which stays in effect without a connection.

    Attributes:
        key_hash: The hash of the license key.
        token: The signed verdict. Not verified here.
    """

    key_hash: str
    token: str


@dataclass(frozen=True, slots=True)
class State:
    """The stored state. Times are in UTC.

    Attributes:
        high_water: The latest time read from this machine's clock; only a newer signed time moves
            it back.
        utc_offset: The machine's UTC offset at that time.
        anchor: The newest time signed by the server that this machine has received.
        answers: How many answers have been recorded. Of two states, the one with more is newer.
        verdict: The token of the last verdict, if it confirmed the license. Not verified here.
        verdict_key: The hash of the license key that it confirmed.
        refusals: The last refusals, at most one for each license key. Not verified here.
        next_check: When an Offline license has to be checked with the server again, by this
            machine's clock.
        check_key: The hash of the license key of that check.
        refused_key: The license key of the license.bin that a refusal has replaced, if the
            application did not name it.
        protects_file: Whether that license.bin was protected.
        silent_server: The address of a server that let its last caller wait.
        silent_until: When it may be asked again by an application that can start without it.
        server_ahead: How far the server's clock was ahead of this machine's at the last verdict on
            a test license.
    """

    high_water: datetime | None = None
    utc_offset: timedelta | None = None
    anchor: datetime | None = None
    answers: int = 0
    verdict: str | None = None
    verdict_key: str | None = None
    refusals: tuple[Refusal, ...] = ()
    next_check: datetime | None = None
    check_key: str | None = None
    refused_key: str | None = None
    protects_file: bool = False
    silent_server: str | None = None
    silent_until: datetime | None = None
    server_ahead: timedelta = timedelta(0)

    def refusal_of(self, key_hash: str) -> Refusal | None:
        """The last refusal of a license key."""
        return next((item for item in self.refusals if item.key_hash == key_hash), None)

    def check_is_due(self, key_hash: str, now: datetime) -> bool:
        """Whether an Offline license has to be checked with the server."""
        if self.next_check is None or self.check_key != key_hash:
            return True
        # A clock that was ahead once must not put the check off for years.
        return not timedelta(0) < self.next_check - now <= CHECK_INTERVAL

    def silence_of(self, server: str | None, now: datetime) -> datetime | None:
        """Until when a server is not asked; ``None`` if it may be asked."""
        until = self.silent_until
        if until is None or server != self.silent_server:
            return None
        return until if timedelta(0) < until - now <= SILENCE else None


def with_clock_reading(state: State, now: datetime) -> State:
    """Record a clock reading."""
    if state.high_water is not None and now <= state.high_water:
        return state
    return replace(state, high_water=now, utc_offset=now.utcoffset())


def with_anchor(state: State, signed_at: datetime, now: datetime) -> State:
    """Record the signed time of a license.bin, which may be an old one.

    A newer time resets the high-water mark, which forgives clock drift. One that is more than a day
    ahead of this machine's clock is not believed: the clock that signed it may have been wrong.
    """
    if signed_at - now > MAX_CLOCK_OFFSET:
        return state
    if state.anchor is not None and signed_at <= state.anchor:
        return state
    return replace(
        state, anchor=signed_at, high_water=max(now, signed_at), utc_offset=now.utcoffset()
    )


def with_answer(state: State, answer: Answer) -> State:
    """Record an answer to this machine's own request.

    Where server and machine agree about the time, they correct the stored one, also backwards. The
    license is in order from now on, or refused. Only an answer more than a day ahead confirms
    nothing, and refuses without replacing an earlier refusal or the last confirmation.
    """
    state = replace(_with_time_of(state, answer), answers=state.answers + 1)
    refusal = Refusal(answer.key_hash, answer.token)
    if answer.effect is Effect.PASSES or (answer.is_ahead and answer.effect is Effect.CONFIRMS):
        return state
    if answer.effect is Effect.CONFIRMS:
        cleared = _without_refusal(state, answer.key_hash)
        return replace(cleared, verdict=answer.token, verdict_key=answer.key_hash)
    if answer.is_ahead:
        known = state.refusal_of(answer.key_hash)
        return state if known is not None else _with_refusal(state, refusal)
    refused = _with_refusal(state, refusal)
    if state.verdict_key != answer.key_hash:
        return refused
    return replace(refused, verdict=None, verdict_key=None)


def _with_time_of(state: State, answer: Answer) -> State:
    at, now = answer.at, answer.now
    if answer.agrees:
        return replace(state, anchor=at, high_water=max(now, at), utc_offset=now.utcoffset())
    # Do not record a clock that the server contradicts.
    return state if answer.is_ahead else with_anchor(state, at, at.astimezone(now.tzinfo))


def _with_refusal(state: State, refusal: Refusal) -> State:
    others = _without_refusal(state, refusal.key_hash).refusals
    return replace(state, refusals=(*others, refusal)[-MAX_REFUSALS:])


def _without_refusal(state: State, key_hash: str) -> State:
    kept = tuple(item for item in state.refusals if item.key_hash != key_hash)
    return replace(state, refusals=kept)


def with_silence(state: State, server: str | None, now: datetime) -> State:
    """Record that a server let its caller wait."""
    return replace(state, silent_server=server, silent_until=now + SILENCE)


def without_silence(state: State) -> State:
    """Record that the server has responded."""
    return replace(state, silent_server=None, silent_until=None)


def with_replaced_file(state: State, key: str | None, *, protected: bool) -> State:
    """Record what is needed to fetch the license.bin again that a refusal replaces."""
    return replace(state, refused_key=key, protects_file=protected)


def with_next_check(state: State, key_hash: str, at: datetime) -> State:
    """Record when an Offline license has to be checked with the server again."""
    return replace(state, next_check=at, check_key=key_hash)


def with_server_ahead(state: State, ahead: timedelta) -> State:
    """Record how far the clock of the server of a test license is ahead of this machine's."""
    return replace(state, server_ahead=ahead)


def with_clock_of(state: State, other: State) -> State:
    """The state with what another one knows about the time."""
    return replace(
        state,
        high_water=other.high_water,
        utc_offset=other.utc_offset,
        anchor=other.anchor,
        answers=other.answers,
    )


def state_path(places: Places, product_id: str, label: str = "") -> Path:
    """The state file of one product and license key; without a key, of what is known of the time.

    Products can share a folder, and so can clients of one product.
    """
    product = hashlib.sha256(product_id.encode()).hexdigest()[:8]
    return places.state_folder / f"{places.license_file.stem}{label}-{product}.state"


class StateStore:
    """The state on disk, or in memory if it cannot be written to disk.

    What it knows about the time is in a second file as well, which the states of all keys share, so
    that entering another key forgets no time that has passed. Of the two, the newer counts.

    Attributes:
        unwritten: Why the state is only in memory, in a sentence, if it is.
    """

    def __init__(
        self, path: Path, *, hardware_id: str, product_id: str, shared: Path | None = None
    ) -> None:
        self.path = path
        self._shared = shared if shared != path else None
        material = f"licet/state/v1\0{product_id}\0{hardware_id}".encode()
        self._key = hashlib.sha256(material).digest()
        self.unwritten: str | None = None
        self._cached: State | None = None
        self._on_disk: State | None = None
        self._shared_on_disk: State | None = None
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """The parent's lock may be held by a thread that the child does not have."""
        self._lock = threading.Lock()

    def load(self) -> State:
        """Load the current state; empty if there is no trusted one."""
        with self._lock:
            return self._load()

    @property
    def seen(self) -> State:
        """The state as last loaded or stored by this process; does not read the disk."""
        return self._cached or State()

    def update(self, update_state: Callable[[State], State]) -> State:
        """Apply a change to the current state and store the result."""
        with self._lock:
            before = self._load()
            after = update_state(before)
            self._cached = after
            if self._on_disk is None or _should_write(self._on_disk, after):
                self._write_own(after)
            if self._shared is not None:
                known = self._shared_on_disk or State()
                shared = with_clock_of(known, after)
                if _should_write(known, shared):
                    self._write(self._shared, shared)
            return after

    def _load(self) -> State:
        self._on_disk = self._read(self.path)
        state = self._cached or State()
        if self._on_disk is not None:
            state = _newer(self._on_disk, self._cached)
        if self._shared is not None:
            shared = self._shared_on_disk = self._read(self._shared)
            if shared is not None and _age(shared) > _age(state):
                state = with_clock_of(state, shared)
        return state

    def _read(self, path: Path) -> State | None:
        try:
            raw = read_own(path, MAX_STATE_BYTES)
            return self._decode(raw) if raw is not None else None
        except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
            _log.warning(
                "the state file %s is damaged or from another machine; using an empty state",
                path.name,
            )
            return None

    def _write_own(self, state: State) -> None:
        if self._write(self.path, state):
            self._on_disk, self.unwritten = state, None

    def _write(self, path: Path, state: State) -> bool:
        try:
            write_own(path, self._encode(state))
        except OSError as error:
            self._report(error)
            return False
        return True

    def _report(self, error: OSError) -> None:
        if self.unwritten is None:
            self.unwritten = (
                f"Nothing can be stored in {self.path.parent} ({error.strerror or error}): after a "
                "restart there is no grace period. Check the permissions of the folder."
            )
            _log.warning("%s", self.unwritten)

    def _encode(self, state: State) -> bytes:
        body = json.dumps(_to_json(state), sort_keys=True, separators=(",", ":"))
        return json.dumps({"v": 4, "state": body, "mac": self._mac(body)}).encode()

    def _decode(self, raw: bytes) -> State:
        envelope = json.loads(raw)
        body, mac = envelope["state"], envelope["mac"]
        if not isinstance(body, str):
            raise TypeError("state is not a string")
        if not hmac.compare_digest(str(mac).encode(), self._mac(body).encode()):
            raise ValueError("wrong MAC")
        return _from_json(json.loads(body))

    def _mac(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()


def _should_write(on_disk: State, after: State) -> bool:
    """Whether to write: any change at once, but the passing of time only once a minute."""
    if on_disk.high_water is None or after.high_water is None:
        return on_disk != after
    if abs(after.high_water - on_disk.high_water) >= WRITE_INTERVAL:
        return True
    old = replace(on_disk, high_water=None, utc_offset=None)
    return old != replace(after, high_water=None, utc_offset=None)


def _newer(on_disk: State, cached: State | None) -> State:
    """The newer of the cached state and the one on disk, which another process may have written."""
    if cached is None or on_disk == cached:
        return on_disk
    return cached if _age(cached) > _age(on_disk) else on_disk


def _age(state: State) -> tuple[int, datetime, datetime]:
    return state.answers, state.anchor or from_epoch(0), state.high_water or from_epoch(0)


def _to_json(state: State) -> dict[str, Any]:
    return {
        "highWater": _epoch(state.high_water),
        "utcOffset": state.utc_offset.total_seconds() if state.utc_offset is not None else None,
        "anchor": _epoch(state.anchor),
        "answers": state.answers,
        "verdict": state.verdict,
        "verdictKey": state.verdict_key,
        "refusals": [{"keyHash": item.key_hash, "token": item.token} for item in state.refusals],
        "nextCheck": _epoch(state.next_check),
        "checkKey": state.check_key,
        "refusedKey": state.refused_key,
        "protectsFile": state.protects_file,
        "silentServer": state.silent_server,
        "silentUntil": _epoch(state.silent_until),
        "serverAhead": state.server_ahead.total_seconds(),
    }


def _from_json(raw: dict[str, Any]) -> State:
    """The state that was stored; what is not of its type is treated as missing."""
    refusals = raw.get("refusals")
    return State(
        high_water=optional_epoch(raw.get("highWater")),
        utc_offset=_seconds(raw.get("utcOffset"), MAX_UTC_OFFSET_SECONDS),
        anchor=optional_epoch(raw.get("anchor")),
        answers=_count(raw.get("answers")),
        verdict=_text(raw.get("verdict")),
        verdict_key=_text(raw.get("verdictKey")),
        refusals=tuple(
            Refusal(item["keyHash"], item["token"])
            for item in (refusals if isinstance(refusals, list) else ())
            if isinstance(item, dict) and _text(item.get("keyHash")) and _text(item.get("token"))
        ),
        next_check=optional_epoch(raw.get("nextCheck")),
        check_key=_text(raw.get("checkKey")),
        refused_key=_text(raw.get("refusedKey")),
        protects_file=raw.get("protectsFile") is True,
        silent_server=_text(raw.get("silentServer")),
        silent_until=optional_epoch(raw.get("silentUntil")),
        server_ahead=_seconds(raw.get("serverAhead"), MAX_EPOCH) or timedelta(0),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _epoch(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment is not None else None


def _seconds(value: object, at_most: int) -> timedelta | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return timedelta(seconds=value) if abs(value) <= at_most else None


def _count(value: object) -> int:
    count = optional_int(value) or 0
    return count if 0 < count <= MAX_COUNT else 0
