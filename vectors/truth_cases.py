"""Answers of a server whose clock is wrong for a while, and what a machine believes afterwards.

Each step sets both clocks and does one thing. As the expectation, ``good`` is what a license of the
mode is without its server: ``GracePeriod`` if it is Online, else ``Valid``.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pieces import DAY, ISSUED, rfc3339

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
NOW = timedelta(0)
# No difference of time zones.
HALF_A_DAY = 12 * HOUR + 7 * MINUTE
ASK, LOOK, FETCH = "validate_online", "verify_offline", "refresh"


def step(
    operation: str,
    at: datetime,
    status: str,
    *,
    server: timedelta = NOW,
    vendor: str | None = None,
) -> dict:
    """``server`` is how far the server's clock is ahead; ``vendor`` acts on the license before."""
    return {
        "operation": operation,
        "at": rfc3339(at),
        "serverAt": rfc3339(at + server),
        "vendor": vendor,
        "expected": status,
    }


def truth_cases() -> list[dict]:
    start = ISSUED + 30 * DAY

    def at(hours: int) -> datetime:
        return start + hours * HOUR

    begin = [step(FETCH, start, "Valid"), step(LOOK, at(1), "good")]
    right_again = [step(ASK, at(8), "Valid"), step(LOOK, at(9), "good")]
    years, half = 400 * DAY, HALF_A_DAY
    scenarios = {
        "server-ahead-by-years-once": [
            *begin,
            step(ASK, at(2), "ClockTampered", server=years),
            step(LOOK, at(3), "good"),
            *right_again,
        ],
        "refused-while-ahead-by-years": [
            *begin,
            step(ASK, at(2), "Suspended", server=years, vendor="suspend"),
            step(LOOK, at(3), "good"),
            step(ASK, at(8), "Valid", vendor="reinstate"),
            step(LOOK, at(9), "good"),
        ],
        "refused-while-ahead-and-refreshed": [
            *begin,
            step(ASK, at(2), "Suspended", server=years, vendor="suspend"),
            step(FETCH, at(8), "Valid", vendor="reinstate"),
            step(LOOK, at(9), "good"),
        ],
        "server-ahead-by-half-a-day-once": [
            *begin,
            step(ASK, at(2), "Valid", server=half),
            step(LOOK, at(3), "ClockTampered"),
            *right_again,
        ],
        "refused-while-ahead-by-half-a-day": [
            *begin,
            step(ASK, at(2), "Suspended", server=half, vendor="suspend"),
            step(LOOK, at(3), "Suspended"),
            step(FETCH, at(8), "Valid", vendor="reinstate"),
            step(LOOK, at(9), "good"),
        ],
        "server-behind-by-years-once": [
            *begin,
            step(ASK, at(2), "ClockTampered", server=-20 * DAY),
            *right_again,
        ],
        "machine-ahead-by-months-once": [
            *begin,
            step(LOOK, start + 5 * DAY, "good"),
            step(LOOK, start + 100 * DAY, "late"),
            step(LOOK, at(7), "ClockTampered"),
            *right_again,
        ],
        "machine-set-back": [
            *begin,
            step(ASK, start + 20 * DAY, "Valid"),
            step(LOOK, start + 2 * DAY, "ClockTampered"),
            step(ASK, start + 2 * DAY, "ClockTampered", server=18 * DAY),
            step(LOOK, start + 2 * DAY, "ClockTampered"),
            step(LOOK, start + 20 * DAY + HOUR, "good"),
        ],
        "refused-and-set-back": [
            *begin,
            step(ASK, at(30), "Suspended", vendor="suspend"),
            step(LOOK, at(28), "Suspended"),
            step(LOOK, at(2), "Suspended"),
            step(ASK, at(2), "Suspended", server=30 * HOUR),
            step(LOOK, at(2), "Suspended"),
        ],
    }
    words = {
        "Online": {"good": "GracePeriod", "late": "OnlineRequired"},
        "Offline": {"good": "Valid", "late": "Valid"},
    }
    return [
        {
            "name": f"{name}-{mode.lower()}",
            "activationMode": mode,
            "issuedAt": rfc3339(ISSUED),
            "steps": [
                {**item, "expected": words[mode].get(item["expected"], item["expected"])}
                for item in steps
            ],
        }
        for name, steps in scenarios.items()
        for mode in words
    ]
