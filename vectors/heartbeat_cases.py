"""Heartbeats of a session: the requests in order, and how long an SDK waits at least."""

from __future__ import annotations

from retry_cases import DROPPED, UNAVAILABLE, after, problem

BEAT, CONNECT = "/sessions/heartbeat", "/sessions/connect"
EARLIEST = 0.8
"""A heartbeat is sent after 80 to 100 percent of the interval."""


def session(
    name: str,
    replies: list[dict],
    requests: list[str],
    gaps: list[float | None],
    *,
    events: tuple[str, ...] = (),
    interval: int = 1,
    timeout: int = 6,
) -> dict:
    """``replies`` to the heartbeats in order; those beyond are the server's own.

    ``gaps`` are lower bounds; the first request of a process may take long, so the gap after it
    has none.
    """
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
        session("regular", [], [CONNECT, BEAT, BEAT, BEAT], [None, EARLIEST, EARLIEST]),
        session("every-two-seconds", [], [CONNECT, BEAT, BEAT], [None, 2 * EARLIEST], interval=2),
        session("503-once", [UNAVAILABLE], [CONNECT, BEAT, BEAT], [None, 0.125]),
        session("connection-lost-once", [DROPPED], [CONNECT, BEAT, BEAT], [None, 0.125]),
        session(
            "retry-after",
            [problem(429, "RateLimited", **after(2))],
            [CONNECT, BEAT, BEAT],
            [None, 2.0],
        ),
        session("session-ended", [ended], [CONNECT, BEAT, CONNECT], [None, None]),
        session(
            "device-blocked",
            [problem(403, "DeviceBlocked")],
            [CONNECT, BEAT, CONNECT],
            [None, 1.0],
            events=("DeviceBlocked", "regained"),
        ),
        session(
            "no-answer-until-the-timeout",
            [DROPPED] * 40,
            [CONNECT, BEAT, BEAT],
            [None, 0.125],
            events=("SessionLost", "regained"),
            timeout=3,
        ),
    ]
