"""A plain model of a license whose devices enroll, and give up their seats when they are idle."""

from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from devices.model import CONFLICT, License, Outcome

IDLE = timedelta(days=1)
MAY_ASK_FOR = timedelta(minutes=10)

FULL: Outcome = (409, "MaxActivationsReached")
INVALID: Outcome = (401, "EnrollmentKeyInvalid")


@dataclass
class Key:
    """An enrollment key, and how many seats were taken with it."""

    most: int | None
    enrolled: int = 0

    def has_room_for(self, devices: int) -> bool:
        return self.most is None or self.enrolled + devices <= self.most


@dataclass
class Fleet(License):
    """A license, its enrollment keys, and the tokens of its devices.

    `seen` is when each device was last seen, as the service says, which knows it to the hour.
    """

    keys: dict[str, Key] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    seen: dict[str, datetime] = field(default_factory=dict)
    refused: dict[str, datetime] = field(default_factory=dict)
    reclaimed: int = 0

    # Requests of applications

    def activate(self, machine: str, now: datetime) -> Outcome:
        if self.refusal(now) is None and machine not in self.devices:
            self._make_room(now)
        outcome = super().activate(machine, now)
        if outcome == FULL and self.kind == "Concurrent":
            self.refused[machine] = now
        return outcome

    def enroll(self, secret: str, machine: str, now: datetime) -> Outcome:
        key = self.keys.get(secret)
        if key is None or self.kind != "Concurrent":
            return INVALID
        before = deepcopy(vars(self))
        outcome = self.activate(machine, now)
        takes_seat = outcome in {(201, None), FULL}
        if takes_seat and not key.has_room_for(1):
            vars(self).update(before)
            return INVALID
        key.enrolled += outcome == (201, None)
        return outcome

    def validate_by_token(self, token: str, now: datetime) -> Outcome:
        machine = self.tokens.get(token)
        return (200, "LicenseNotFound") if machine is None else self.validate(machine, now)

    def free(self, other: str, machine: str, now: datetime) -> Outcome:
        """A device that was refused a seat frees that of another one."""
        refused = self.refusal(now)
        if refused is not None:
            return refused
        own, found = self.devices.get(machine), self.devices.get(other)
        if self.kind != "Concurrent":
            return CONFLICT
        if own is not None and own.blocked:
            return (403, "DeviceBlocked")
        if self.refused.get(machine, datetime.min.replace(tzinfo=now.tzinfo)) <= now - MAY_ASK_FOR:
            return CONFLICT
        if found is None:
            return (404, "ActivationNotFound")
        if found.blocked:
            return (403, "DeviceBlocked")
        if found.released:
            return CONFLICT
        if not found.seat:
            return (404, "ActivationNotFound")
        self._remove(other, now)
        return (200, None)

    # Consequences

    def _make_room(self, now: datetime) -> None:
        """The devices that are idle for longest give up their seats, if enough of them are."""
        if self.kind != "Concurrent" or self.cap is None or self.seats < self.cap:
            return
        in_use = {item.machine for item in self.sessions.values() if item.lives(now)}
        idle = [
            name
            for name, item in self.devices.items()
            if item.seated or item.over
            if not (item.blocked or item.released or item.bound or item.has_file(now))
            if name not in in_use and self.seen[name] <= now - IDLE
        ]
        idle.sort(key=lambda name: (self.seen[name], self.devices[name].number))
        needed = self.seats + sum(item.over for item in self.devices.values()) - self.cap + 1
        if len(idle) < needed:
            return
        for name in idle[:needed]:
            del self.devices[name]
            self._end_sessions(name, "removed", now)
        self.reclaimed += needed
        self.fit()

    def _end_sessions(self, machine: str, why: str, now: datetime) -> None:
        """What ends the sessions of a device that is removed, ends its tokens."""
        super()._end_sessions(machine, why, now)
        device = self.devices.get(machine)
        if device is None or device.released:
            self.tokens = {token: name for token, name in self.tokens.items() if name != machine}
