"""Random requests over days: the service behaves as the plain model does.

`Devices` covers activations; `DevicesAndSessions` adds sessions.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import hypothesis
import pytest
from devices.model import License, Outcome
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from machines import STEPS, Machine
from sqlalchemy import Table, select
from volumes import is_long
from world import World

from licet_server.devices.service.seats import return_lapsed_seats
from licet_server.devices.tables import access_attempts, activations, device_counters
from licet_server.licenses.service.reminders import remind_of_expiry
from licet_server.sessions.service.ending import SessionLicenseHooks, end_expired_sessions
from licet_server.sessions.tables import session_slots

MACHINES = ["machine-1", "machine-2", "machine-3"]
KINDS = [
    ("Offline", "NodeLocked"),
    ("OwnerApproval", "Floating"),
    ("Trial", "Concurrent"),
    ("MeteredCount",),
]
SETTINGS = hypothesis.settings(STEPS, max_examples=10 if is_long() else 4)

machines = st.sampled_from(MACHINES)
which = st.integers(min_value=0, max_value=1)
choice = st.integers(min_value=0, max_value=999)


@pytest.fixture
async def loop() -> asyncio.AbstractEventLoop:
    """The loop that the service runs in."""
    return asyncio.get_running_loop()


class Licenses(Machine):
    """Licenses of several models, and the devices that the service knows of them."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop, kinds: Sequence[str]) -> None:
        super().__init__(world, loop)
        self.kinds = kinds
        self.licenses: list[tuple[dict[str, Any], License]] = []
        self.ids: dict[tuple[str, str], str] = {}

    @initialize(cap=st.integers(1, 2))
    def issue(self, cap: int) -> None:
        """Issue few licenses, so that enough happens to each of them."""
        ends = self.clock.now + timedelta(days=2)
        for kind in self.kinds:
            if kind in {"Concurrent", "Floating"}:
                self._issue(License(kind, cap=cap), maxActiveUsersCount=cap)
            elif kind == "Offline":
                terms = {"activationMode": kind, "maxActiveUsersCount": cap}
                self._issue(License("Concurrent", cap=cap, offline=True), **terms)
            elif kind == "Trial":
                self._issue(License(kind, ends=ends), expirationDate=ends.isoformat())
            elif kind == "OwnerApproval":
                self._issue(License("NodeLocked", approval=True), deviceBindingMode=kind)
            else:
                self._issue(License(kind))

    def _issue(self, model: License, **fields: Any) -> None:
        self.stay_signed_in()
        self.licenses.append((self.run(self.world.issue(model.kind, **fields)), model))

    @property
    def known(self) -> list[tuple[int, str]]:
        """The known devices; blocked ones count twice, since they are few but affect much."""
        found = [
            (n, name, item)
            for n, (_, model) in enumerate(self.licenses)
            for name, item in model.devices.items()
        ]
        return [(n, name) for n, name, _ in found] + [
            (n, name) for n, name, item in found if item.blocked
        ]

    def _license(self, n: int) -> tuple[dict[str, Any], License]:
        return self.licenses[n % len(self.licenses)]

    # Invariants

    @invariant()
    def tables_match_the_model(self) -> None:
        if not self.licenses:
            return
        devices, counter_rows, attempt_rows = self._rows(
            activations, device_counters, access_attempts
        )
        lapsed = Counter(
            str(row["license_id"]) for row in devices if self._has_lapsed(row) and row["holds_seat"]
        )
        devices = [row for row in devices if not self._has_lapsed(row)]
        for row in devices:
            self.ids[str(row["license_id"]), row["hardware_id"]] = str(row["id"])
        found = {
            (str(row["license_id"]), row["hardware_id"]): (
                row["holds_seat"],
                row["bound"],
                row["blocked_at"] is not None,
                row["released_at"] is not None,
                row["file_ends_at"],
                row["over_limit_at"] is not None,
                row["activated_at"],
            )
            for row in devices
        }
        assert found == {
            (license_["id"], name): (
                device.seat,
                device.bound,
                device.blocked,
                device.released,
                device.file_ends,
                device.over,
                device.since if device.seat or device.over else None,
            )
            for license_, model in self.licenses
            for name, device in model.devices.items()
        }
        counters = {
            license_id: (row["seats_used"] - lapsed[license_id], row["unreviewed_attempts"])
            for row in counter_rows
            for license_id in (str(row["license_id"]),)
        }
        for license_, model in self.licenses:
            counted = counters.get(license_["id"], (0, 0))
            assert counted == (model.seats, len(model.unreviewed))
        attempts = {
            (str(row["license_id"]), row["attempted_hardware_id"]): row["attempt_count"]
            for row in attempt_rows
        }
        assert attempts == {
            (license_["id"], name): count
            for license_, model in self.licenses
            for name, count in model.attempts.items()
        }

    def _has_lapsed(self, row: Any) -> bool:
        """Whether the device was released and its file has ended; the row is deleted later."""
        return row["released_at"] is not None and row["file_ends_at"] <= self.clock.now

    # Requests

    def _rows(self, *tables: Table) -> list[list[Any]]:
        ids = [UUID(license_["id"]) for license_, _ in self.licenses]

        async def read() -> list[list[Any]]:
            async with self.world.platform.database.reading() as db:
                statements = [select(table).where(table.c.license_id.in_(ids)) for table in tables]
                return [list((await db.execute(asked)).mappings()) for asked in statements]

        return self.run(read())

    def _call(self, method: str, path: str, n: int, **fields: Any) -> Any:
        body = {"licenseKey": self._license(n)[0]["licenseKey"], **fields}
        return self.run(self.world.call(method, path, body))

    def _operator(self, method: str, path: str, body: Any = None) -> Any:
        self.stay_signed_in()
        return self.run(self.world.owner.send(method, path, body))

    def _same(self, answer: Any, expected: Outcome) -> None:
        code = answer.json()["errorCode"] if answer.status_code >= 400 else None
        assert (answer.status_code, code) == expected, answer.text


class Devices(Licenses):
    """Activations of licenses of several models on several devices."""

    # Requests of applications

    @rule(n=which, machine=machines)
    def activate(self, n: int, machine: str) -> None:
        _, model = self._license(n)
        expected = model.activate(machine, self.clock.now)
        answer = self._call("POST", "/api/activations", n, hardwareId=machine)
        self._same(answer, expected)
        body = answer.json()
        if answer.is_success:
            assert body["status"] == model.devices[machine].status
        if answer.is_success or answer.status_code == 409:
            assert (body["seatsUsed"], body["seatsTotal"]) == (model.seats, model.seat_cap)

    @rule(n=which, machine=machines)
    def validate(self, n: int, machine: str) -> None:
        _, model = self._license(n)
        expected = model.validate(machine, self.clock.now)
        answer = self._call("POST", "/api/licenses/validate", n, hardwareId=machine)
        told = answer.json()
        assert (answer.status_code, told["status"]) == expected
        device = model.devices.get(machine)
        shown = told["activation"]["status"] if told["activation"] else None
        is_shown = device is not None and not device.released
        assert shown == (device.status if device is not None and is_shown else None)
        assert told["seat"] == model.seat(machine, self.clock.now)

    @rule(n=which)
    def validate_unnamed(self, n: int) -> None:
        expected = self._license(n)[1].validate_unnamed(self.clock.now)
        answer = self._call("POST", "/api/licenses/validate", n)
        assert (answer.status_code, answer.json()["status"]) == expected

    @rule(n=which, machine=machines, by_operator=st.booleans())
    def make_file(self, n: int, machine: str, by_operator: bool) -> None:
        license_, model = self._license(n)
        if not model.offline or model.kind != "Concurrent":
            return
        if by_operator:
            place = f"/api/licenses/{license_['id']}/file?hardwareId={machine}"
            self._same(self._operator("GET", place), model.file(machine, self.clock.now))
        else:
            answer = self._call("POST", "/api/licenses/refresh", n, hardwareId=machine)
            self._same(answer, model.refresh(machine, self.clock.now))

    @rule(chosen=choice)
    @precondition(lambda self: self.known)
    def release(self, chosen: int) -> None:
        n, machine = self.known[chosen % len(self.known)]
        expected = self._license(n)[1].release(machine, self.clock.now)
        answer = self._call("DELETE", "/api/activations/current", n, hardwareId=machine)
        self._same(answer, expected)

    # Requests of the vendor

    @rule(
        action=st.sampled_from(["block", "unblock", "approve", "deactivate", "force"]),
        chosen=choice,
    )
    @precondition(lambda self: self.known)
    def operate(self, action: str, chosen: int) -> None:
        n, machine = self.known[chosen % len(self.known)]
        license_, model = self._license(n)
        expected: Outcome = getattr(model, action)(machine, self.clock.now)
        activation_id = self.ids[license_["id"], machine]
        body = {"force": True} if action == "force" else None
        path = f"/api/activations/{activation_id}/{'deactivate' if body else action}"
        self._same(self._operator("POST", path, body), expected)

    @rule(
        what=st.sampled_from(
            ["cap", "mode", "suspend", "reinstate", "convert", "acknowledge", "revoke"]
        ),
        n=which,
        chosen=choice,
    )
    def change(self, what: str, n: int, chosen: int) -> None:
        """One rule for the requests that should be rarer than those of applications."""
        license_, model = self._license(n)
        place = f"/api/licenses/{license_['id']}"
        if what in {"suspend", "reinstate"}:
            expected = model.suspend(what == "suspend")
            self._same(self._operator("POST", f"{place}/{what}"), expected)
        elif what == "revoke":
            if chosen % 5 == 0:
                expected = model.revoke(self.clock.now)
                self._same(self._operator("POST", f"{place}/{what}"), expected)
        elif model.revoked and what in {"cap", "mode"}:
            answer = self._operator("PUT", place, {"maxActiveUsersCount": 1})
            self._same(answer, (409, "Conflict"))
        elif what == "cap" and model.cap is not None:
            cap = 1 + chosen % 3
            answer = self._operator("PUT", place, {"maxActiveUsersCount": cap})
            self._same(answer, model.change_cap(cap, self.clock.now))
        elif what == "mode" and model.kind == "NodeLocked":
            model.approval = not model.approval
            mode = "OwnerApproval" if model.approval else "AutoBind"
            self._same(self._operator("PUT", place, {"deviceBindingMode": mode}), (200, None))
        elif what == "convert":
            cap = 1 + chosen % 2
            kind = ("Concurrent", "NodeLocked", "Perpetual")[chosen % 3]
            terms = {"type": kind, **({"maxActiveUsersCount": cap} if kind == "Concurrent" else {})}
            expected = model.convert(kind, cap if kind == "Concurrent" else None, self.clock.now)
            self._same(self._operator("POST", f"{place}/convert", terms), expected)
        elif what == "acknowledge" and model.attempts:
            self._acknowledge(n, list(model.attempts)[chosen % len(model.attempts)])

    def _acknowledge(self, n: int, machine: str) -> None:
        license_, model = self._license(n)
        place = f"/api/licenses/{license_['id']}/access-attempts"
        items = self._operator("GET", place).json()["items"]
        [attempt] = [item for item in items if item["attemptedHardwareId"] == machine]
        assert attempt["reviewed"] is (machine not in model.unreviewed)
        expected = model.acknowledge(machine)
        self._same(self._operator("POST", f"{place}/{attempt['id']}/acknowledge"), expected)

    @rule(seconds=st.sampled_from([1, 4, 5, 30, 59, 85, 89, 90, 600, 86_400, 2_592_000]))
    def pass_time(self, seconds: int) -> None:
        self.clock.advance(seconds=seconds)
        for _, model in self.licenses:
            model.settle(self.clock.now)
        self.run(return_lapsed_seats(self.world.platform))


class DevicesAndSessions(Devices):
    """Activations, and sessions on the same devices."""

    @rule(n=which, machine=machines, instance=st.sampled_from([None, "a", "b"]))
    def connect(self, n: int, machine: str, instance: str | None) -> None:
        _, model = self._license(n)
        answer = self._call(
            "POST", "/api/sessions/connect", n, hardwareId=machine, instanceId=instance
        )
        body = answer.json()
        session = body.get("sessionId", "")
        self._same(answer, model.connect(machine, instance, session, self.clock.now))
        cap = model.cap if model.kind == "Floating" else None
        if answer.is_success or body["errorCode"] == "MaxConcurrentSessionsReached":
            assert (body["seatsUsed"], body["seatsTotal"]) == (model.live(self.clock.now), cap)

    @rule(
        action=st.sampled_from(["heartbeat", "heartbeat", "disconnect", "force", "reap"]),
        chosen=choice,
    )
    @precondition(lambda self: any(model.sessions for _, model in self.licenses))
    def go_on(self, action: str, chosen: int) -> None:
        model, session = self._pick(chosen)
        if action == "reap":
            self.run(end_expired_sessions(self.world.platform))
            self.run(remind_of_expiry(self.world.platform, SessionLicenseHooks()))
        elif action == "force":
            expected = model.force_disconnect(session, self.clock.now)
            self._same(self._operator("POST", f"/api/sessions/{session}/disconnect"), expected)
        else:
            expected = getattr(model, action)(session, self.clock.now)
            asked = self.world.call("POST", f"/api/sessions/{action}", {"sessionId": session})
            self._same(self.run(asked), expected)

    @invariant()
    def live_sessions_match_the_model(self) -> None:
        if self.licenses:
            now = self.clock.now
            [slots] = self._rows(session_slots)
            over = {made["id"] for made, model in self.licenses if model.ends and model.ends <= now}
            found = {
                str(row["session_id"])
                for row in slots
                if row["expires_at"] is not None
                and row["expires_at"] > now
                and str(row["license_id"]) not in over
            }
            for _, model in self.licenses:
                model.end_with_term(now)
            assert found == {
                name
                for _, model in self.licenses
                for name, session in model.sessions.items()
                if session.lives(now)
            }

    def _pick(self, chosen: int) -> tuple[License, str]:
        known = [(model, name) for _, model in self.licenses for name in model.sessions]
        return known[-1 - chosen % len(known)]


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("machine", [Devices, DevicesAndSessions])
def test_the_service_matches_the_model(
    world: World, loop: asyncio.AbstractEventLoop, machine: type[Devices], kinds: Sequence[str]
) -> None:
    run_state_machine_as_test(lambda: machine(world, loop, kinds), settings=SETTINGS)  # type: ignore[arg-type]
