from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from examples.tests.kit import REASONS, Copy

TALLY = (sys.executable, "tally.py", "essay.txt")


@pytest.fixture
def tally(copy: Callable[..., Copy]) -> Copy:
    made = copy("command-line")
    (made.folder / "essay.txt").write_text("a rose is a rose is a rose, said she, and left us all")
    return made


def test_the_key_is_needed_once(tally: Copy) -> None:
    first = tally.run(*TALLY, "--license-key", tally.key)
    assert len(first.splitlines()) == 10
    assert first.split()[:2] == ["3", "a"]
    assert tally.run(*TALLY) == first


def test_a_license_without_a_number_has_the_default(tally: Copy, copy: Callable[..., Copy]) -> None:
    other = copy("command-line", features=[])
    assert len(other.run(*TALLY, "--license-key", other.key).splitlines()) == 3


def test_it_runs_for_days_without_the_server(tally: Copy) -> None:
    tally.run(*TALLY, "--license-key", tally.key)
    tally.fake.close()
    assert "rose" in tally.run(*TALLY)


@pytest.mark.parametrize("reason", REASONS)
def test_it_ends_without_a_license(tally: Copy, reason: str) -> None:
    told = tally.refuse(reason)
    key = ("--license-key", tally.key) if tally.key else ()
    assert told in tally.run(*TALLY, *key, fails=True)


def test_a_key_that_cannot_be_one_is_told(tally: Copy) -> None:
    assert "copied completely" in tally.run(*TALLY, "--license-key", "x", fails=True)


def test_it_ends_after_a_revocation(tally: Copy) -> None:
    tally.run(*TALLY, "--license-key", tally.key)
    tally.act("revoke")
    assert "revoked" in tally.run(*TALLY, fails=True)
    tally.fake.close()
    assert "revoked" in tally.run(*TALLY, fails=True)
