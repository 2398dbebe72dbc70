"""The order of a run: files with long tests first, so that none is waited for at the end.

Each process begins with a part of the order and then takes tests from the ends of other parts. So
one process begins with all that is long, and mostly waits, beside others that compute. Durations
are those of the last run; a fresh clone has those of `durations.json`, which also tell the quick
run what to leave out.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

LONG_S = 5.0
_KEY = "licet/durations"
_CHECKED_IN = Path(__file__).with_name("durations.json")

Seconds = Mapping[str, float]
"""By the names of tests, of those that took long."""


def known(config: pytest.Config) -> Seconds:
    """Return what tests took in earlier runs."""
    return {**checked_in(), **_cached(config)}


def remember(config: pytest.Config, took: Seconds) -> None:
    """Keep what the tests of this run took."""
    if (cache := _cache(config)) is None:
        return
    told, all_ = checked_in(), {**_cached(config), **took}
    kept = {name: seconds for name, seconds in all_.items() if seconds > LONG_S or name in told}
    cache.set(_KEY, kept)


def ordered(items: list[pytest.Item], seconds: Seconds) -> list[pytest.Item]:
    """Return the items by the longest test of their file; the tests of a file stay together."""
    longest: defaultdict[Path, float] = defaultdict(float)
    for item in items:
        longest[item.path] = max(longest[item.path], seconds.get(item.nodeid, 0.0))
    return sorted(items, key=lambda item: -longest[item.path])


def checked_in() -> Seconds:
    """Return the same to every run, whatever this machine has run before."""
    return dict(json.loads(_CHECKED_IN.read_text()))


def _cached(config: pytest.Config) -> dict[str, float]:
    cache = _cache(config)
    return dict(cache.get(_KEY, {})) if cache is not None else {}


def _cache(config: pytest.Config) -> pytest.Cache | None:
    """Return pytest's cache, which `-p no:cacheprovider` turns off."""
    return getattr(config, "cache", None)
