"""Settings: complete, within their limits; a change says only what it changes."""

from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.catalog.rules.model import (
    ProductSettings,
    default_spacing,
    default_timeout,
    from_stored,
    merge_settings,
)

SECONDS = st.integers(-10, 100_000) | st.sampled_from([0, 1, 3, 30, 90, 3_600, 7_200, 86_400])
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "heartbeat_interval_seconds": SECONDS,
        "session_timeout_seconds": SECONDS,
        "heartbeat_min_spacing_seconds": SECONDS,
        "offline_file_lifetime_days": st.none() | st.integers(-5, 5_000),
        "device_releases_per_year": st.integers(-5, 2_000),
        "app_releases_per_year": st.integers(-5, 2_000),
        "downloads_need_license": st.booleans(),
        "trial_once_per_device": st.booleans(),
        "device_idle_days": st.none() | st.integers(-5, 500),
        "hardware_id_kinds": st.none() | st.just(("j", "m")),
    },
)


def is_valid(settings: ProductSettings) -> bool:
    """The contract's limits, spelled out once more."""
    interval = settings.heartbeat_interval_seconds
    lifetime = settings.offline_file_lifetime_days
    return (
        1 <= interval <= 3_600
        and 3 <= settings.session_timeout_seconds <= 86_400
        and settings.session_timeout_seconds >= 2 * interval
        and 0 <= settings.heartbeat_min_spacing_seconds <= interval
        and (lifetime is None or 1 <= lifetime <= 3_650)
        and 0 <= settings.device_releases_per_year <= 1_000
        and 0 <= settings.app_releases_per_year <= 1_000
        and (settings.device_idle_days is None or 1 <= settings.device_idle_days <= 365)
    )


def test_defaults_match_the_contract() -> None:
    settings, errors = merge_settings(None, {})
    assert errors == []
    assert asdict(settings) == {
        "heartbeat_interval_seconds": 30,
        "session_timeout_seconds": 90,
        "heartbeat_min_spacing_seconds": 5,
        "offline_file_lifetime_days": None,
        "device_releases_per_year": 3,
        "app_device_release": "Off",
        "app_releases_per_year": 3,
        "downloads_need_license": False,
        "default_channel": "Stable",
        "trial_once_per_device": False,
        "device_idle_days": None,
        "hardware_id_kinds": None,
    }


@given(st.lists(CHANGES, max_size=5))
def test_merged_settings_are_valid_or_refused(changes: list[dict[str, object]]) -> None:
    current: ProductSettings | None = None
    for change in changes:
        merged, errors = merge_settings(current, change)
        if errors:
            assert all(error.field.startswith("settings.") for error in errors)
            continue
        assert is_valid(merged)
        assert all(getattr(merged, name) == value for name, value in change.items())
        current = merged


@given(CHANGES)
def test_valid_complete_settings_are_accepted(change: dict[str, int]) -> None:
    whole = {**asdict(ProductSettings()), **change}
    _, errors = merge_settings(None, whole)
    assert (errors == []) == is_valid(ProductSettings(**whole))


@given(CHANGES, CHANGES)
def test_absent_settings_change_only_with_the_interval(
    first: dict[str, object], second: dict[str, object]
) -> None:
    before, errors = merge_settings(None, first)
    if errors:
        return
    after, errors = merge_settings(before, second)
    if errors:
        return
    follows = {"session_timeout_seconds", "heartbeat_min_spacing_seconds"}
    for field in fields(ProductSettings):
        if field.name in second or field.name in follows:
            continue
        assert getattr(after, field.name) == getattr(before, field.name)
    if "heartbeat_interval_seconds" not in second:
        for name in follows - second.keys():
            assert getattr(after, name) == getattr(before, name)


@pytest.mark.parametrize(
    ("interval", "timeout", "spacing"),
    [
        (1, 90, 1),
        (5, 90, 2),
        (10, 90, 5),
        (30, 90, 5),
        (45, 90, 5),
        (60, 120, 5),
        (3_600, 7_200, 5),
    ],
)
def test_defaults_follow_the_interval(interval: int, timeout: int, spacing: int) -> None:
    new, errors = merge_settings(None, {"heartbeat_interval_seconds": interval})
    assert errors == []
    assert (new.session_timeout_seconds, new.heartbeat_min_spacing_seconds) == (timeout, spacing)
    assert (default_timeout(interval), default_spacing(interval)) == (timeout, spacing)
    changed, errors = merge_settings(ProductSettings(), {"heartbeat_interval_seconds": interval})
    assert errors == []
    assert changed == new


def test_a_chosen_timeout_does_not_follow() -> None:
    current = ProductSettings(session_timeout_seconds=100)
    _, errors = merge_settings(current, {"heartbeat_interval_seconds": 60})
    assert [error.field for error in errors] == ["settings.sessionTimeoutSeconds"]
    assert "120" in errors[0].message


def test_a_chosen_spacing_does_not_follow() -> None:
    current = ProductSettings(heartbeat_min_spacing_seconds=20)
    _, errors = merge_settings(current, {"heartbeat_interval_seconds": 10})
    assert [error.field for error in errors] == ["settings.heartbeatMinSpacingSeconds"]


def test_every_invalid_setting_is_rejected() -> None:
    change = {
        "heartbeat_interval_seconds": 0,
        "session_timeout_seconds": 2,
        "offline_file_lifetime_days": 0,
        "device_releases_per_year": -1,
    }
    _, errors = merge_settings(None, change)
    assert {error.field for error in errors} == {
        "settings.heartbeatIntervalSeconds",
        "settings.sessionTimeoutSeconds",
        "settings.offlineFileLifetimeDays",
        "settings.deviceReleasesPerYear",
    }


def test_stored_settings_of_another_version_are_read() -> None:
    settings = ProductSettings(device_releases_per_year=7)
    stored = {**asdict(settings), "from_the_future": 1}
    assert from_stored(stored) == settings
    del stored["downloads_need_license"]
    assert from_stored(stored) == settings
