"""Which failures an SDK repeats a request after, how often, and how long it waits at least."""

from __future__ import annotations

from pieces import ISSUED, rfc3339

FIRST, SECOND, THIRD = 0.25, 0.5, 1.0
"""Half of 0.5, 1 and 2 seconds: the jitter takes away at most half."""


def problem(status: int, code: str, **headers: str) -> dict:
    return {
        "status": status,
        "headers": {"Content-Type": "application/problem+json", **headers},
        "body": {"status": status, "errorCode": code, "title": code, "detail": "Planned."},
    }


def after(seconds: object) -> dict[str, str]:
    return {"Retry-After": str(seconds)}


DROPPED = {"dropped": True}
LOST = {"dropped": True, "processed": True}
PAGE = {"status": 200, "headers": {"Content-Type": "text/html"}, "body": "<html>Sign in</html>"}
REDIRECT = {"status": 302, "headers": {"Location": "https://login.example.com/"}, "body": ""}
NOT_OURS = {"status": 404, "headers": {"Content-Type": "text/plain"}, "body": "Nothing here."}
UNAVAILABLE = problem(503, "Unavailable")


def case(
    name: str,
    operation: str,
    replies: list[dict],
    error: str | None,
    *pauses: float,
    **facts: object,
) -> dict:
    """As many attempts as pauses, and one. After the replies the server works again."""
    return {
        "name": name,
        "operation": operation,
        "replies": replies,
        "expected": {"attempts": len(pauses) + 1, "minimumPauses": list(pauses), "error": error},
        **facts,
    }


def validate_cases() -> list[dict]:
    def validation(
        name: str, replies: list[dict], error: str | None, *pauses: float, **facts: object
    ) -> dict:
        return case(f"validate-{name}", "validate_online", replies, error, *pauses, **facts)

    date = after("Sun, 01 Mar 2026 12:00:01 GMT")
    return [
        validation("502-once", [problem(502, "Unavailable")], None, FIRST),
        validation("503-once", [UNAVAILABLE], None, FIRST),
        validation("504-once", [problem(504, "Unavailable")], None, FIRST),
        validation("429-once", [problem(429, "RateLimited")], None, FIRST),
        validation("connection-lost-once", [DROPPED], None, FIRST),
        validation("503-twice", [UNAVAILABLE] * 2, None, FIRST, SECOND),
        validation("503-always", [UNAVAILABLE] * 3, "ServerUnavailable", FIRST, SECOND),
        validation("retry-after", [problem(503, "Unavailable", **after(1))], None, 1.0),
        validation("retry-after-of-429", [problem(429, "RateLimited", **after(1))], None, 1.0),
        validation(
            "retry-after-as-a-date",
            [problem(503, "Unavailable", **date)],
            None,
            1.0,
            at=rfc3339(ISSUED),
        ),
        validation(
            "retry-after-beyond-the-deadline",
            [problem(429, "RateLimited", **after(120))],
            "RateLimited",
        ),
        validation("500", [problem(500, "InternalError")], "ServerUnavailable"),
        validation("401", [problem(401, "Unauthorized")], "ApiKeyRefused"),
        validation("400", [problem(400, "InvalidRequest")], "RequestRefused"),
        validation("web-page", [PAGE], "CaptivePortal"),
        validation("redirect", [REDIRECT], "CaptivePortal"),
        validation("not-a-license-server", [NOT_OURS], "UnexpectedReply"),
    ]


def consume_cases() -> list[dict]:
    def charge(name: str, replies: list[dict], error: str | None, *pauses: float) -> dict:
        return case(f"consume-{name}", "consume", replies, error, *pauses)

    conflict = problem(409, "ConcurrencyConflict")
    return [
        charge("500-once", [problem(500, "InternalError")], None, FIRST),
        charge("response-lost", [LOST], None, FIRST),
        charge("conflict-twice", [conflict] * 2, None, FIRST, SECOND),
        charge("retry-after", [problem(503, "Unavailable", **after(1))], None, 1.0),
        charge("three-failures", [UNAVAILABLE, DROPPED, conflict], None, FIRST, SECOND, THIRD),
        charge("401", [problem(401, "Unauthorized")], "ApiKeyRefused"),
        charge("balance", [problem(402, "InsufficientBalance")], "InsufficientBalance"),
        charge("web-page", [PAGE], "CaptivePortal"),
    ]


def retry_cases() -> list[dict]:
    return [*validate_cases(), *consume_cases()]
