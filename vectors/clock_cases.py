"""The clock with a memory: a client evaluates one file again and again, at these times."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from pieces import DAY, ISSUED, Signer, file_claims

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def step(
    at: datetime, status: str, *, warns: bool = False, offset: timedelta = timedelta(0)
) -> dict:
    """``offset`` is the machine's UTC offset when it reads its clock."""
    local = at.astimezone(timezone(offset)).isoformat().replace("+00:00", "Z")
    return {"at": local, "expected": {"status": status, "warns": warns}}


def clock_cases(signer: Signer) -> list[dict]:
    perpetual = signer.sign(file_claims(), "license+jwt")
    later = signer.sign(
        file_claims(
            iat=int((ISSUED + 100 * DAY).timestamp()), nbf=int((ISSUED + 100 * DAY).timestamp())
        ),
        "license+jwt",
    )

    def case(name: str, *steps: dict) -> dict:
        return {"name": name, "file": perpetual, "steps": list(steps)}

    def again(name: str, *steps: dict) -> dict:
        return {**case(name, *steps), "replacedBy": later}

    base = ISSUED + 30 * DAY
    return [
        case("runs", step(base, "Valid"), step(base + DAY, "Valid"), step(base + DAY, "Valid")),
        case("a-little-back", step(base, "Valid"), step(base - 4 * MINUTE, "Valid")),
        case("set-back-by-days", step(base, "Valid"), step(base - 3 * DAY, "ClockTampered")),
        case(
            "set-back-by-twenty-minutes",
            step(base, "Valid"),
            step(base - 20 * MINUTE, "ClockTampered"),
        ),
        case(
            "set-back-and-corrected",
            step(base, "Valid"),
            step(base - 3 * DAY, "ClockTampered"),
            step(base + MINUTE, "Valid"),
        ),
        case(
            "set-back-by-a-time-zone", step(base, "Valid"), step(base - HOUR, "Valid", warns=True)
        ),
        case(
            "set-back-by-half-an-hour",
            step(base, "Valid"),
            step(base - 30 * MINUTE, "Valid", warns=True),
        ),
        case(
            "set-back-by-more-than-any-time-zone",
            step(base, "Valid"),
            step(base - 15 * HOUR, "ClockTampered"),
        ),
        case(
            "time-zone-corrected-after-a-while",
            step(base, "Valid", offset=2 * HOUR),
            step(base - HOUR - 7 * MINUTE, "Valid", warns=True, offset=timedelta(0)),
        ),
        case(
            "the-same-moment-in-another-zone",
            step(base, "Valid", offset=-5 * HOUR),
            step(base + MINUTE, "Valid", offset=9 * HOUR),
        ),
        case("before-the-file-was-issued", step(ISSUED - 40 * DAY, "ClockTampered")),
        case(
            "set-back-does-not-prolong-the-term",
            step(ISSUED + 366 * DAY, "Expired"),
            step(ISSUED + 363 * DAY, "ClockTampered"),
        ),
        case(
            "ahead-past-the-term-then-right",
            step(base, "Valid"),
            step(ISSUED + 400 * DAY, "Expired"),
            step(base + DAY, "ClockTampered"),
            step(ISSUED + 366 * DAY, "ClockTampered"),
        ),
        case(
            "a-wrong-zone-does-not-prolong-the-term",
            step(ISSUED + 365 * DAY + 2 * HOUR, "Expired"),
            step(ISSUED + 365 * DAY - HOUR, "Expired", warns=True),
        ),
        again(
            "ahead-by-years-then-a-newer-file",
            step(ISSUED + 60 * DAY, "Valid"),
            step(ISSUED + 300 * DAY, "Valid"),
            step(ISSUED + 101 * DAY, "Valid"),
        ),
    ]
