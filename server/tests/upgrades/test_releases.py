"""Which release of a feed is one to upgrade to."""

from datetime import UTC, datetime

import pytest

from licet_server.upgrades.rules import ServiceRelease, is_offered


def release(version: str, notes_url: str = "https://example.com/notes") -> ServiceRelease:
    return ServiceRelease(version, datetime(2030, 1, 1, tzinfo=UTC), notes_url)


@pytest.mark.parametrize(
    ("offered", "running", "wanted"),
    [
        ("0.3.0", "0.2.0", True),
        ("v0.3.0", "0.2.0", True),
        ("0.10.0", "0.9.0", True),
        ("0.2.0", "0.2.0", False),
        ("0.1.9", "0.2.0", False),
        ("0.3.0-rc.1", "0.2.0", False),
        ("0.3.0-rc.2", "0.3.0-rc.1", True),
        ("newest", "0.2.0", False),
        ("9" * 80 + ".0.0", "0.2.0", False),
    ],
)
def test_a_higher_version_is_offered(offered: str, running: str, *, wanted: bool) -> None:
    assert is_offered(release(offered), running) is wanted


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "notes.html", "https://", "https://[", "https://a/" + "x" * 500]
)
def test_notes_that_no_browser_should_open_are_not_offered(url: str) -> None:
    assert not is_offered(release("9.0.0", url), "0.2.0")
