"""The client that fills the demonstration."""

from typing import Any

import httpx
import pytest

from licet_server.demo import client as demo_client
from licet_server.demo.client import ADDRESS, PatientTransport


@pytest.mark.parametrize(("refusals", "status"), [(0, 200), (2, 200), (99, 503)])
async def test_a_request_is_sent_again_while_the_service_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, refusals: int, status: int
) -> None:
    monkeypatch.setattr(demo_client, "_PAUSES_S", (0.0, 0.0, 0.0))
    bodies: list[bytes] = []

    async def service(_scope: Any, receive: Any, send: Any) -> None:
        bodies.append((await receive())["body"])
        code = 503 if len(bodies) <= refusals else 200
        await send({"type": "http.response.start", "status": code, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async with httpx.AsyncClient(transport=PatientTransport(service), base_url=ADDRESS) as http:
        answer = await http.post("/api/auth/setup", json={"email": "ada@example.com"})
    assert answer.status_code == status
    assert set(bodies) == {b'{"email":"ada@example.com"}'}
    assert len(bodies) == min(refusals, 3) + 1
