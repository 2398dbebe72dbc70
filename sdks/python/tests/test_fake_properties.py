"""Property test: seat caps hold for every sequence of calls."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from licet_testkit import is_long

from licet import TransportRequest
from licet.testing import FakeServer

MACHINES = st.sampled_from(["a", "b", "c", "d"])
START = datetime(2030, 1, 1, tzinfo=UTC)


class Seats(RuleBasedStateMachine):
    """Four devices, a Floating and a Concurrent license with two seats each."""

    def __init__(self) -> None:
        super().__init__()
        self.server = FakeServer(clock=lambda: START)
        self.floating = self.server.issue("Floating", seats=2)
        self.concurrent = self.server.issue("Concurrent", seats=2)
        self.session_ids: list[str] = []

    def send(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        headers = {"X-API-KEY": self.server.api_key, "Content-Type": "application/json"}
        url = f"https://licet.test/api{path}"
        request = TransportRequest(method, url, headers, json.dumps(body).encode(), 1.0)
        reply = self.server.transport.send(request)
        return reply.status, json.loads(reply.body) if reply.body else None

    @rule(machine=MACHINES, instance=st.sampled_from([None, "x"]))
    def connect(self, machine: str, instance: str | None) -> None:
        before = {session.id: session for session in self.floating.sessions}
        own = [
            session
            for session in before.values()
            if instance is not None and (session.hardware_id, session.instance_id) == (machine, "x")
        ]
        body = {"licenseKey": self.floating.key, "hardwareId": machine, "instanceId": instance}
        status, answer = self.send("POST", "/sessions/connect", **body)
        assert (status == 201) == (len(before) - len(own) < 2)
        if status == 201:
            self.session_ids.append(answer["sessionId"])
            assert answer["seatsUsed"] == len(before) - len(own) + 1
            assert not any(session.live for session in own)
        else:
            assert (answer["seatsUsed"], answer["seatsTotal"]) == (2, 2)

    @rule(which=st.integers(0, 30), path=st.sampled_from(["heartbeat", "disconnect"]))
    def speak(self, which: int, path: str) -> None:
        if not self.session_ids:
            return
        session = self.session_ids[which % len(self.session_ids)]
        live = {item.id for item in self.floating.sessions}
        status, _ = self.send("POST", f"/sessions/{path}", sessionId=session)
        assert (status == 404) == (session not in live)
        assert status in ({200, 429, 404} if path == "heartbeat" else {204, 404})

    @rule(seconds=st.sampled_from([1, 5, 44, 90]))
    def wait(self, seconds: int) -> None:
        self.server.advance(seconds=seconds)

    @rule(machine=MACHINES)
    def activate(self, machine: str) -> None:
        seated = {device.hardware_id for device in self.concurrent.devices}
        body = {"licenseKey": self.concurrent.key, "hardwareId": machine}
        status, answer = self.send("POST", "/activations", **body)
        expected = 200 if machine in seated else 201 if len(seated) < 2 else 409
        assert status == expected
        assert answer["seatsUsed"] == len(self.concurrent.devices)

    @rule(machine=MACHINES)
    def deactivate(self, machine: str) -> None:
        seated = {device.hardware_id for device in self.concurrent.devices}
        body = {"licenseKey": self.concurrent.key, "hardwareId": machine}
        status, _ = self.send("DELETE", "/activations/current", **body)
        assert status == (204 if machine in seated else 404)

    @invariant()
    def seats_are_not_exceeded(self) -> None:
        assert len(self.floating.sessions) <= 2
        assert len(self.concurrent.devices) <= 2


TestSeats = Seats.TestCase
TestSeats.settings = settings(
    max_examples=60 if is_long() else 20, stateful_step_count=30, deadline=None
)
