"""Which releases a license covers: by its terms, the publication of the release, and the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kept_cases import case
from pieces import DAY, ISSUED, Signer, file_claims, rfc3339, terms

YEAR = 365 * DAY
END = ISSUED + YEAR
GRACE_DAYS = 7
SECOND = timedelta(seconds=1)
BOUGHT, DURING, LATE = ISSUED, ISSUED + 100 * DAY, END + SECOND
IN_TERM, IN_GRACE, AFTER = ISSUED + 200 * DAY, END + DAY, END + 60 * DAY
PAST, FUTURE = datetime(1999, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)
TIMES = {"in-term": IN_TERM, "in-grace": IN_GRACE, "after": AFTER, "2099": FUTURE, "1999": PAST}
RELEASES = {"bought": BOUGHT, "during": DURING, "at-the-end": END, "late": LATE}


@dataclass(frozen=True)
class Terms:
    """What a license was bought with; `kept` is the cut-off that follows from it."""

    ends_at: datetime | None = None
    updates_until: datetime | None = None
    fallback: str = "None"
    fallback_after_months: int = 12
    kept: datetime | None = None


LICENSES = {
    "perpetual": Terms(),
    "maintained": Terms(updates_until=END),
    "lapsed": Terms(updates_until=DURING),
    "subscription": Terms(END),
    "fallback-end": Terms(END, fallback="ReleaseAtTermEnd", kept=END),
    "fallback-start": Terms(END, fallback="ReleaseAtTermStart", kept=BOUGHT),
    "fallback-not-earned": Terms(END, None, "ReleaseAtTermEnd", 24),
    "fallback-within-updates": Terms(END, DURING, "ReleaseAtTermEnd", kept=END),
}


def coverage_cases(signer: Signer) -> list[dict]:
    found = []
    for name, license_ in LICENSES.items():
        file = signed_file(signer, license_)
        for label, released_at in RELEASES.items():
            for when, at in TIMES.items():
                if at == PAST and not is_kept(license_, released_at):
                    continue  # what ends needs a clock, and this one was set back
                made = dated(f"{when}-{name}-{label}", file, license_, released_at, at)
                found.append(made)
    kept = LICENSES["fallback-end"]
    file = signed_file(signer, kept, in_fallback=True)
    for label, released_at in RELEASES.items():
        found.append(dated(f"after-fallback-in-the-file-{label}", file, kept, released_at, AFTER))
    maintained, kept = LICENSES["maintained"], LICENSES["fallback-end"]
    for name, license_, status in (
        ("a-later-major-in-its-updates", maintained, "Valid"),
        ("a-later-major-in-the-fallback", kept, "ReleaseNotAllowed"),
    ):
        file = signed_file(signer, license_)
        made = dated(name, file, license_, DURING, AFTER, status)
        found.append({**made, "appVersion": "3.0.0"})
    return found


def is_kept(license_: Terms, released_at: datetime) -> bool:
    """Whether the license covers a release for ever, so that no clock takes part."""
    until = license_.updates_until if license_.ends_at is None else license_.kept
    return until is not None and released_at <= until


def dated(
    name: str,
    file: str,
    license_: Terms,
    released_at: datetime,
    at: datetime,
    status: str | None = None,
) -> dict:
    is_over = license_.ends_at is not None and at >= license_.ends_at + GRACE_DAYS * DAY
    in_fallback = is_over and license_.kept is not None
    cut_offs = [license_.updates_until, license_.kept if in_fallback else None]
    if is_over and not in_fallback:
        found = "Expired"
    elif any(end is not None and released_at > end for end in cut_offs):
        found = "ReleaseNotAllowed"
    else:
        found = "Valid"
    return {
        **case(name, file, status or found, at),
        "appReleasedAt": rfc3339(released_at),
        "boughtAt": rfc3339(BOUGHT),
        "license": {
            "expirationDate": written(license_.ends_at),
            "graceDays": GRACE_DAYS,
            "updatesUntil": written(license_.updates_until),
            "fallback": license_.fallback,
            "fallbackAfterMonths": license_.fallback_after_months,
        },
        "updatesUntil": written(license_.updates_until),
        "fallbackUntil": written(license_.kept),
        "inFallback": in_fallback,
    }


def signed_file(signer: Signer, license_: Terms, *, in_fallback: bool = False) -> str:
    """license.bin as the server issued it when the license was bought, or in its fallback."""
    end = license_.ends_at and license_.ends_at + GRACE_DAYS * DAY
    told = terms(
        type="Perpetual" if end is None else "Subscription",
        expirationDate=None if in_fallback else written(end),
        updatesUntil=written(license_.updates_until),
        fallbackUntil=written(license_.kept),
        inFallback=in_fallback,
    )
    claims = file_claims(told, exp=None if license_.kept else end)
    return signer.sign(claims, "license+jwt")


def written(moment: datetime | None) -> str | None:
    return None if moment is None else rfc3339(moment)
