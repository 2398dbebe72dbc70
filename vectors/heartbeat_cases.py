"""Heartbeats of a session: the requests in order, and how long an SDK waits at least."""

from __future__ import annotations

from retry_cases import DROPPED, UNAVAILABLE, after, problem

BEAT, CONNECT = "/sessions/heartbeat", "/sessions/connect"
EARLIEST = 0.8
"""A heartbeat is sent after 80 to 100 percent of the interval."""


def session(
    name: str,
    replies: list[dict | None],
    requests: list[str],
    gaps: list[float],
    *,
    events: tuple[str, ...] = (),
    interval: float = 1.0,
    timeout: float = 6.0,
) -> dict:
    """``replies`` to the heartbeats in order; ``null`` and those beyond are the server's own."""
    return {
        "name": name,
        "intervalSeconds": interval,
        "timeoutSeconds": timeout,
        "replies": replies,
        "expected": {
            "requests": requests,
            "minimumGaps": gaps,
            "alive": True,
            "events": list(events),
        },
    }


def heartbeat_cases() -> list[dict]:
    ended = problem(404, "SessionNotFound")
    return [
        session("regular", [], [CONNECT, BEAT, BEAT, BEAT], [EARLIEST] * 3),
        session("half-the-interval", [], [CONNECT, BEAT, BEAT], [EARLIEST / 2] * 2, interval=0.5),
        session("503-once", [UNAVAILABLE], [CONNECT, BEAT, BEAT], [EARLIEST, 0.125]),
        session("connection-lost-once", [DROPPED], [CONNECT, BEAT, BEAT], [EARLIEST, 0.125]),
        session(
            "retry-after",
            [problem(429, "RateLimited", **after(2))],
            [CONNECT, BEAT, BEAT],
            [EARLIEST, 2.0],
        ),
        session("session-ended", [ended], [CONNECT, BEAT, CONNECT], [EARLIEST, 0.0]),
        session(
            "device-blocked",
            [problem(403, "DeviceBlocked")],
            [CONNECT, BEAT, CONNECT],
            [EARLIEST, 1.0],
            events=("DeviceBlocked", "regained"),
        ),
        session(
            "no-answer-until-the-timeout",
            [DROPPED] * 40,
            [CONNECT, BEAT, BEAT],
            [EARLIEST / 2, 0.0625],
            events=("SessionLost", "regained"),
            interval=0.5,
            timeout=1.5,
        ),
    ]
