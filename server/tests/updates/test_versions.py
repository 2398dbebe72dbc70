"""The order of releases."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from licet_server.catalog.rules.model import ReleaseStatus
from licet_server.catalog.rules.releases import (
    PublishedVersion,
    compared,
    is_update,
    newest,
    of_new_licenses,
)
from licet_server.validation.rules.verdict import is_release_allowed

START = datetime(2030, 1, 15, tzinfo=UTC)
YANKED = "!"


def published(*versions: str) -> list[PublishedVersion]:
    """Versions in order of publication; a trailing mark means yanked."""
    return [
        PublishedVersion(
            UUID(int=number),
            version.rstrip(YANKED),
            "Stable",
            ReleaseStatus.YANKED if version.endswith(YANKED) else ReleaseStatus.PUBLISHED,
            START + timedelta(days=number),
        )
        for number, version in enumerate(versions)
    ]


@pytest.mark.parametrize(
    ("versions", "wanted"),
    [
        ((), None),
        (("1.0.0!",), None),
        (("1.0.0", "1.10.0", "1.9.0"), "1.10.0"),
        (("1.0.0", "v1.1.0"), "v1.1.0"),
        (("2.0.0", "2.0.0-rc.1"), "2.0.0"),
        (("1.0.0", "2.0.0!"), "1.0.0"),
        (("2030-01", "2029-12"), "2029-12"),
        (("3.0.0", "winter"), "winter"),
        (("winter", "3.0.0", "2.0.0"), "3.0.0"),
        (("3.0.0", "winter", "2.0.1"), "winter"),
        (("2.0.0", "winter", "3.0.0", "2.0.1"), "3.0.0"),
        (("1.0", "1.0.0"), "1.0.0"),
        (("2.5.0.1", "2.4.0.9"), "2.5.0.1"),
        (("2024.10", "2024.9"), "2024.10"),
        (("99999999999999999999999999.0.0", "1.0.0"), "99999999999999999999999999.0.0"),
    ],
)
def test_the_newest_release(versions: tuple[str, ...], wanted: str | None) -> None:
    found = newest(published(*versions))
    assert (found and found.version) == wanted


@pytest.mark.parametrize(
    ("versions", "current", "wanted"),
    [
        (("1.0.0", "1.1.0"), "1.0.0", True),
        (("1.0.0", "1.1.0"), "v1.0.0", True),
        (("1.0.0", "1.1.0"), "1.1.0", False),
        (("1.0.0", "1.1.0"), "1.1.0-rc.1", True),
        (("1.0.0", "1.1.0"), "2.0.0", False),
        (("1.0.0", "1.1.0"), None, True),
        (("1.0.0", "1.1.0!"), "1.1.0", False),
        (("spring", "summer"), "spring", True),
        (("spring", "summer"), "Summer", False),
        (("spring", "summer!"), "summer", False),
        (("spring", "summer"), "never heard of", True),
        (("spring", "1.0.0"), "spring", True),
        (("2.4.0.9", "2.5.0.1"), "2.4.0.9", True),
        (("2.4.0.9",), "2.5.0.1", False),
        (("2024.10",), "2024.9", True),
    ],
)
def test_an_update_is_newer(versions: tuple[str, ...], current: str | None, wanted: bool) -> None:
    known = published(*versions)
    found = newest(known)
    assert found is not None
    assert is_update(found, current, known) is wanted


VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "versions.json").read_text())


@pytest.mark.parametrize("case", VECTORS["covered"], ids=lambda case: f"{case['appVersion']!s:.20}")
def test_a_line_covers_the_same_versions_as_in_every_sdk(case: dict[str, Any]) -> None:
    assert is_release_allowed(case["releaseVersion"], case["appVersion"]) is case["allowed"]


@pytest.mark.parametrize(
    ("channels", "wanted"),
    [
        ({}, None),
        ({"2.0.0": "Stable", "2.1.0-beta": "Beta", "1.9.1": "Stable"}, "2.0.0"),
        ({"2.0.0": "stable", "3.0.0": "Beta"}, "2.0.0"),
        ({"2.0.0": "LTS", "3.0.0": "Beta", "2.0.1": "LTS"}, "3.0.0"),
        ({"1.0.0": "Stable", "2.0.0!": "Stable", "3.0.0": "Beta"}, "1.0.0"),
        ({"1.0.0!": "Stable", "3.0.0": "Beta"}, "3.0.0"),
    ],
)
def test_new_licenses_get_the_highest_of_the_channel(
    channels: dict[str, str], wanted: str | None
) -> None:
    known = [
        replace(item, channel=channel)
        for item, channel in zip(published(*channels), channels.values(), strict=True)
    ]
    found = of_new_licenses(known, "Stable")
    assert (found and found.version) == wanted


@pytest.mark.parametrize("case", VECTORS["order"], ids=lambda case: f"{case['left']:.20}")
def test_versions_are_ordered_as_in_every_sdk(case: dict[str, Any]) -> None:
    assert compared(case["left"], case["right"]) == case["order"]
