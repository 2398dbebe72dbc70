"""Connecting through HTTP: who gets a seat, who replaces whom, who is turned away."""

from typing import Any

import pytest
from catalog.factories import events_of, refusal
from licenses.factories import EXAMPLES
from sessions.factories import SessionShop, open_session_shop
from testkit import FakeClock, Owner

from licet_server.kit.work import Platform


@pytest.fixture
async def shop(owner: Owner) -> SessionShop:
    return await open_session_shop(owner)


async def test_a_session_lives_while_heartbeats_arrive(
    shop: SessionShop, clock: FakeClock
) -> None:
    made = await shop.issue("Floating")
    session = await shop.connected(made)
    assert session == {
        "sessionId": session["sessionId"],
        "expiresAt": "2030-01-15T12:01:30Z",
        "heartbeatIntervalSeconds": 30,
        "sessionTimeoutSeconds": 90,
        "seatsUsed": 1,
        "seatsTotal": 3,
    }
    for _ in range(5):
        clock.advance(seconds=60)
        answer = await shop.heartbeat(session)
        assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "sessionId": session["sessionId"],
        "expiresAt": "2030-01-15T12:06:30Z",
        "heartbeatIntervalSeconds": 30,
    }
    assert (await shop.disconnect(session)).status_code == 204
    assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")
