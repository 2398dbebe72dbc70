"""A plain Python model of the devices and sessions of licenses.

Each method is a request. It returns the expected (status, code), where a validation has its verdict
as the code, and changes the model as the service must change its tables.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

Outcome = tuple[int, str | None]

TIMEOUT = timedelta(seconds=90)
SPACING = timedelta(seconds=5)
FILE_LASTS = timedelta(days=30)

NOT_FOUND: Outcome = (404, "NotFound")
CONFLICT: Outcome = (409, "Conflict")


@dataclass
class Device:
    """A device of the license; a released one keeps its seat until its file ends.

    One that is `over` had a seat, and has `since` when and which number of its license it was.
    """

    seat: bool
    bound: bool = False
    blocked: bool = False
    file_ends: datetime | None = None
    released: bool = False
    over: bool = False
    since: datetime | None = None
    made_at: datetime | None = None
    number: int = 0

    @property
    def seated(self) -> bool:
        return self.seat and not self.released

    def has_file(self, now: datetime) -> bool:
        return self.file_ends is not None and self.file_ends > now

    @property
    def status(self) -> str:
        if self.blocked:
            return "Blocked"
        if self.released:
            return "Released"
        return "Active" if self.seat else "OverLimit" if self.over else "Pending"

    def place(self) -> tuple[bool, bool, datetime | None, int]:
        """Who comes before whom where there are too few seats."""
        return (self.released, self.blocked, self.since, self.number)


@dataclass
class Session:
    """A session; `over` is why it ended before its expiry."""

    machine: str
    instance: str | None
    expires: datetime
    beat: datetime | None = None
    over: str | None = None

    def lives(self, now: datetime) -> bool:
        return self.over is None and self.expires > now


@dataclass
class License:
    """A license with its devices, access attempts and sessions."""

    kind: str
    cap: int | None = None
    approval: bool = False
    ends: datetime | None = None
    suspended: bool = False
    offline: bool = False
    revoked: bool = False
    devices: dict[str, Device] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    unreviewed: set[str] = field(default_factory=set)
    sessions: dict[str, Session] = field(default_factory=dict)
    made: int = 0

    def new(self, machine: str, now: datetime, *, seat: bool, bound: bool = False) -> None:
        """A device that is new to the license."""
        self.made += 1
        since = now if seat else None
        self.devices[machine] = Device(
            seat=seat, bound=bound, since=since, made_at=now, number=self.made
        )

    def fit(self) -> None:
        """No more devices have a seat than there are, and none lacks one that is free."""
        if self.kind == "NodeLocked":
            waiting = [item for item in self.devices.values() if item.over and not item.blocked]
            if self.bound is None and waiting:
                first = min(waiting, key=Device.place)
                first.seat, first.bound, first.over = True, True, False
            return
        cap = len(self.devices) if self.seat_cap is None else self.seat_cap
        while self.seats > cap:
            last = max((item for item in self.devices.values() if item.seat), key=Device.place)
            last.seat, last.over = False, True
        while self.seats < cap:
            waiting = [
                item
                for item in self.devices.values()
                if item.over and (self.seat_cap is None or not item.blocked)
            ]
            if not waiting:
                return
            first = min(waiting, key=Device.place)
            first.seat, first.over = True, False

    def end_sessions_without_seat(self, now: datetime) -> None:
        """Where a device needs a seat, the sessions of others end."""
        if self.seat_cap is not None:
            for machine in {session.machine for session in self.sessions.values()}:
                device = self.devices.get(machine)
                if device is None or not device.seated or device.blocked:
                    self._end_sessions(machine, "removed", now)

    def change_cap(self, cap: int, now: datetime) -> Outcome:
        is_other, self.cap = cap != self.cap, cap
        if is_other:
            self.fit()
            self.end_sessions_without_seat(now)
        return (200, None)

    @property
    def seats(self) -> int:
        return sum(device.seat for device in self.devices.values())

    @property
    def bound(self) -> str | None:
        return next((name for name, device in self.devices.items() if device.bound), None)

    @property
    def seat_cap(self) -> int | None:
        return {"NodeLocked": 1, "Concurrent": self.cap}.get(self.kind)

    def live(self, now: datetime) -> int:
        self.end_with_term(now)
        return sum(session.lives(now) for session in self.sessions.values())

    def end_with_term(self, now: datetime) -> None:
        """The sessions that were live when the term ended, ended with it."""
        if self.ends is not None and self.ends <= now:
            for session in self.sessions.values():
                if session.lives(self.ends):
                    session.over = "license"

    def refusal(self, now: datetime) -> Outcome | None:
        if self.revoked or self.suspended:
            return (400, "LicenseInvalid")
        if self.ends is not None and self.ends <= now:
            return (400, "LicenseExpired")
        return None

    def settle(self, now: datetime) -> None:
        """Time has passed: released devices whose files have ended are gone."""
        self.devices = {
            name: device
            for name, device in self.devices.items()
            if not device.released or device.has_file(now)
        }
        self.fit()

    def seat(self, machine: str, now: datetime) -> dict[str, object]:
        """The seat that a validation on this machine is told."""
        device = self.devices.get(machine)
        if self.kind == "Concurrent":
            held = device is not None and device.seated
            return {"kind": "Device", "held": held, "used": self.seats, "total": self.cap}
        if self.kind == "NodeLocked":
            used = int(self.bound is not None)
            return {"kind": "Machine", "held": self.bound == machine, "used": used, "total": 1}
        if self.kind == "Floating":
            return {"kind": "Session", "held": None, "used": self.live(now), "total": self.cap}
        return {"kind": "None", "held": None, "used": None, "total": None}

    # Requests of applications

    def activate(self, machine: str, now: datetime) -> Outcome:
        refused = self.refusal(now)
        device = self.devices.get(machine)
        if refused is not None:
            return refused
        if device is not None and device.blocked:
            return (403, "DeviceBlocked")
        if device is not None and device.over:
            device.released = False
            self.fit()
            return (201, None) if device.seat else (409, "MaxActivationsReached")
        if self.kind == "NodeLocked":
            return self._activate_one_machine(machine, now)
        if device is not None:
            device.since = now if device.released else device.since
            device.released, was = False, device.released
            return (201 if was else 200, None)
        if self.kind == "Concurrent" and self.cap is not None and self.seats >= self.cap:
            return (409, "MaxActivationsReached")
        self.new(machine, now, seat=True)
        return (201, None)

    def _activate_one_machine(self, machine: str, now: datetime) -> Outcome:
        if self.bound == machine:
            return (200, None)
        if self.bound is not None:
            self._attempt(machine)
            return (409, "MaxActivationsReached")
        if self.approval:
            self._wait(machine, now)
            return (202, None)
        self._bind(machine, now)
        return (201, None)

    def _inactive(self, now: datetime) -> Outcome | None:
        if self.revoked:
            return (200, "Revoked")
        if self.suspended:
            return (200, "Suspended")
        return (200, "Expired") if self.refusal(now) is not None else None

    def validate(self, machine: str, now: datetime) -> Outcome:
        device = self.devices.get(machine)
        inactive = self._inactive(now)
        if inactive is not None:
            return inactive
        if device is not None and device.blocked:
            return (200, "DeviceBlocked")
        if device is not None and device.over:
            return (200, "ActivationRequired")
        if self.kind == "Concurrent":
            seated = device is not None and device.seated
            return (200, "Valid" if seated else "ActivationRequired")
        if self.kind != "NodeLocked" or self.bound == machine:
            return (200, "Valid")
        if self.bound is not None:
            self._attempt(machine)
            return (200, "HardwareMismatch")
        if self.approval:
            self._wait(machine, now)
            return (200, "PendingApproval")
        self._bind(machine, now)
        return (200, "Valid")

    def validate_unnamed(self, now: datetime) -> Outcome:
        """Without a hardware ID; a block cannot be evaded so."""
        inactive = self._inactive(now)
        if inactive is not None:
            return inactive
        if self.kind == "NodeLocked" or any(item.blocked for item in self.devices.values()):
            return (200, "HardwareIdRequired")
        return (200, "ActivationRequired" if self.kind == "Concurrent" else "Valid")

    def refresh(self, machine: str, now: datetime) -> Outcome:
        """A license file for offline use, which takes a seat."""
        refused = self.refusal(now)
        if refused is not None:
            return refused
        outcome = self.activate(machine, now)
        if outcome[0] not in {200, 201}:
            return outcome
        device = self.devices[machine]
        device.file_ends = max(device.file_ends or now, now + FILE_LASTS)
        return (200, None)

    def release(self, machine: str, now: datetime) -> Outcome:
        device = self.devices.get(machine)
        if device is None or device.released:
            return (404, "ActivationNotFound")
        if device.blocked:
            return (403, "DeviceBlocked")
        self._remove(machine, now)
        return (204, None)

    def connect(self, machine: str, instance: str | None, session: str, now: datetime) -> Outcome:
        refused = self.refusal(now) or self._refused_machine(machine, now)
        if refused is not None:
            return refused
        for other in self.sessions.values():
            same = instance is not None and (other.machine, other.instance) == (machine, instance)
            if same and other.lives(now):
                other.over = "replaced"
                break
        else:
            if self.kind == "Floating" and self.cap is not None and self.live(now) >= self.cap:
                return (409, "MaxConcurrentSessionsReached")
        self.sessions[session] = Session(machine, instance, now + TIMEOUT)
        return (201, None)

    def _refused_machine(self, machine: str, now: datetime) -> Outcome | None:
        device = self.devices.get(machine)
        if device is not None and device.blocked:
            return (403, "DeviceBlocked")
        if device is not None and device.over:
            return (403, "ActivationRequired")
        if self.kind == "Concurrent":
            seated = device is not None and device.seated
            return None if seated else (403, "ActivationRequired")
        if self.kind != "NodeLocked" or self.bound == machine:
            return None
        if self.bound is not None:
            self._attempt(machine)
            return (403, "HardwareMismatch")
        if self.approval:
            self._wait(machine, now)
            return (403, "PendingApproval")
        self._bind(machine, now)
        return None

    def heartbeat(self, session: str, now: datetime) -> Outcome:
        self.end_with_term(now)
        found = self.sessions[session]
        if not found.lives(now):
            return self._lost(found, now)
        refused = self.refusal(now)
        if refused is not None:
            return refused
        if found.beat is not None and found.beat + SPACING > now:
            return (429, "RateLimited")
        found.beat, found.expires = now, now + TIMEOUT
        return (200, None)

    def disconnect(self, session: str, now: datetime) -> Outcome:
        self.end_with_term(now)
        found = self.sessions[session]
        if not found.lives(now):
            return self._lost(found, now)
        found.over = "disconnected"
        return (204, None)

    def _lost(self, session: Session, now: datetime) -> Outcome:
        device = self.devices.get(session.machine)
        if session.over == "blocked" and device is not None and device.blocked:
            return (403, "DeviceBlocked")
        if session.over == "license" and (refused := self.refusal(now)) is not None:
            return refused
        return (404, "SessionNotFound")

    # Requests of the vendor

    def revoke(self, now: datetime) -> Outcome:
        self.end_with_term(now)
        if not self.revoked:
            self.revoked = True
            for session in self.sessions.values():
                if session.lives(now):
                    session.over = "license"
        return (200, None)

    def suspend(self, suspended: bool) -> Outcome:
        if self.revoked:
            return CONFLICT
        self.suspended = suspended
        return (200, None)

    def block(self, machine: str, now: datetime) -> Outcome:
        if not self.devices[machine].blocked:
            self.devices[machine].blocked = True
            self.devices[machine].released = False
            self._end_sessions(machine, "blocked", now)
        return (200, None)

    def unblock(self, machine: str, now: datetime) -> Outcome:
        self.devices[machine].blocked = False
        self.fit()
        return (200, None)

    def approve(self, machine: str, now: datetime) -> Outcome:
        if self.revoked or self.devices[machine].blocked:
            return CONFLICT
        is_over = self.devices[machine].over
        if self.kind == "NodeLocked" and self.bound != machine and not is_over:
            if self.bound is not None:
                return CONFLICT
            self._bind(machine, now)
        return (200, None)

    def deactivate(self, machine: str, now: datetime) -> Outcome:
        if not self.devices[machine].released:
            self._remove(machine, now)
        return (200, None)

    def force(self, machine: str, now: datetime) -> Outcome:
        del self.devices[machine]
        self._end_sessions(machine, "removed", now)
        self.fit()
        return (200, None)

    def file(self, machine: str, now: datetime) -> Outcome:
        device = self.devices.get(machine)
        if self.refusal(now) is not None or (device is not None and device.blocked):
            return (409, "Conflict")
        return self.refresh(machine, now)

    def acknowledge(self, machine: str) -> Outcome:
        self.unreviewed.discard(machine)
        return (200, None)

    def force_disconnect(self, session: str, now: datetime) -> Outcome:
        self.end_with_term(now)
        if not self.sessions[session].lives(now):
            return CONFLICT
        self.sessions[session].over = "disconnected"
        return (200, None)

    def convert(self, kind: str, cap: int | None, now: datetime) -> Outcome:
        if self.revoked:
            return CONFLICT
        self.end_with_term(now)
        if kind == self.kind:
            return (400, "InvalidRequest")
        if self.kind == "Trial":
            self.ends = None
        if self.kind == "NodeLocked":
            self._leave_machine()
        if kind == "NodeLocked":
            self._forget_files()
        self.kind, self.cap, self.approval = kind, cap, False
        self.fit()
        self.end_sessions_without_seat(now)
        return (200, None)

    # Consequences

    def _leave_machine(self) -> None:
        """Nothing is bound, and nothing waits for an approval."""
        for name, device in list(self.devices.items()):
            device.bound = False
            if not device.seat and not device.over:
                if device.blocked:
                    device.over, device.since = True, device.made_at
                else:
                    del self.devices[name]

    def _forget_files(self) -> None:
        """Under a bound license files take no seat; each device must prove itself again."""
        self.devices = {name: item for name, item in self.devices.items() if not item.released}
        for device in self.devices.values():
            device.over, device.seat = device.over or device.seat, False
            device.file_ends = None

    def _bind(self, machine: str, now: datetime) -> None:
        if machine not in self.devices:
            self.new(machine, now, seat=True)
        device = self.devices[machine]
        device.seat, device.bound, device.since = True, True, device.since or now

    def _wait(self, machine: str, now: datetime) -> None:
        if machine not in self.devices:
            self.new(machine, now, seat=False)

    def _attempt(self, machine: str) -> None:
        if machine not in self.attempts:
            self.unreviewed.add(machine)
        self.attempts[machine] = self.attempts.get(machine, 0) + 1

    def _remove(self, machine: str, now: datetime) -> None:
        device = self.devices[machine]
        if device.has_file(now):
            device.released, device.blocked = True, False
        else:
            del self.devices[machine]
        self._end_sessions(machine, "removed", now)
        self.fit()

    def _end_sessions(self, machine: str, why: str, now: datetime) -> None:
        self.end_with_term(now)
        for session in self.sessions.values():
            if session.machine == machine and session.lives(now):
                session.over = why
