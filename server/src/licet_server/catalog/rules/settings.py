"""Product settings: limits, defaults, and how a change is merged.

Stored settings are always complete and always within these rules.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from msgspec import convert

from licet_server.kit.errors import FieldError

INTERVAL_MIN, INTERVAL_MAX = 1, 3_600
TIMEOUT_MIN, TIMEOUT_MAX = 3, 86_400
FILE_LIFETIME_MIN, FILE_LIFETIME_MAX = 1, 3_650
DEVICE_RELEASES_MAX = 1_000

_INTERVAL, _TIMEOUT, _SPACING = 30, 90, 5

_RANGES = {
    "heartbeat_interval_seconds": (INTERVAL_MIN, INTERVAL_MAX),
    "session_timeout_seconds": (TIMEOUT_MIN, TIMEOUT_MAX),
    "heartbeat_min_spacing_seconds": (0, INTERVAL_MAX),
    "offline_file_lifetime_days": (FILE_LIFETIME_MIN, FILE_LIFETIME_MAX),
    "device_releases_per_year": (0, DEVICE_RELEASES_MAX),
}
_WIRE_NAMES = {
    "heartbeat_interval_seconds": "settings.heartbeatIntervalSeconds",
    "session_timeout_seconds": "settings.sessionTimeoutSeconds",
    "heartbeat_min_spacing_seconds": "settings.heartbeatMinSpacingSeconds",
    "offline_file_lifetime_days": "settings.offlineFileLifetimeDays",
    "device_releases_per_year": "settings.deviceReleasesPerYear",
    "downloads_need_license": "settings.downloadsNeedLicense",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSettings:
    """Settings of a product for its applications at run time.

    `offline_file_lifetime_days` is `None` if a license file is valid as long as its license.
    """

    heartbeat_interval_seconds: int = _INTERVAL
    session_timeout_seconds: int = _TIMEOUT
    heartbeat_min_spacing_seconds: int = _SPACING
    offline_file_lifetime_days: int | None = None
    device_releases_per_year: int = 3
    downloads_need_license: bool = False


def default_timeout(interval: int) -> int:
    """Return the default session timeout: 90 seconds, but at least twice the heartbeat interval."""
    return max(_TIMEOUT, 2 * interval)


def default_spacing(interval: int) -> int:
    """Return the default minimum spacing: 5 seconds, but at most half the heartbeat interval.

    Applications sometimes send a heartbeat slightly early, and must not be refused for that.
    """
    return min(_SPACING, max(1, interval // 2))


def merge_settings(
    current: ProductSettings | None, change: Mapping[str, Any]
) -> tuple[ProductSettings, list[FieldError]]:
    """Merge a change; return the settings and what is wrong with them.

    `change` contains only the given fields; `current` is `None` for a new product. Timeout and
    spacing adapt to a new interval if they are at their defaults; chosen values that no longer fit
    are errors.
    """
    base = current or ProductSettings()
    merged = replace(base, **change)
    breaches = list(range_breaches(change))
    if breaches:
        return merged, breaches
    old, new = base.heartbeat_interval_seconds, merged.heartbeat_interval_seconds
    timeout, spacing = merged.session_timeout_seconds, merged.heartbeat_min_spacing_seconds
    if "session_timeout_seconds" not in change and timeout == default_timeout(old):
        timeout = max(timeout, default_timeout(new))
    if "heartbeat_min_spacing_seconds" not in change and spacing == default_spacing(old):
        spacing = min(spacing, default_spacing(new))
    merged = replace(merged, session_timeout_seconds=timeout, heartbeat_min_spacing_seconds=spacing)
    return merged, list(pair_breaches(asdict(merged)))


def range_breaches(change: Mapping[str, Any]) -> Iterator[FieldError]:
    """Check each value against its limits."""
    for name, (least, most) in _RANGES.items():
        value = change.get(name)
        if value is not None and not least <= value <= most:
            yield FieldError(_WIRE_NAMES[name], f"must be {least} to {most}.")


def pair_breaches(given: Mapping[str, Any]) -> Iterator[FieldError]:
    """Check the given values against the heartbeat interval, if it is given."""
    interval = given.get("heartbeat_interval_seconds")
    if interval is None:
        return
    timeout = given.get("session_timeout_seconds")
    if timeout is not None and timeout < 2 * interval:
        yield FieldError(
            _WIRE_NAMES["session_timeout_seconds"],
            f"must be at least {2 * interval}, twice the heartbeat interval.",
        )
    spacing = given.get("heartbeat_min_spacing_seconds")
    if spacing is not None and spacing > interval:
        yield FieldError(
            _WIRE_NAMES["heartbeat_min_spacing_seconds"],
            f"must be at most {interval}, the heartbeat interval.",
        )


def from_stored(stored: Mapping[str, Any]) -> ProductSettings:
    """Return the settings from the database; unknown ones, of another version, are ignored."""
    return convert(stored, ProductSettings)
