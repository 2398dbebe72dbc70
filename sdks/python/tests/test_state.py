from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from licet_testkit import NOW, is_long

from licet._state import (
    MAX_REFUSALS,
    Refusal,
    State,
    StateStore,
    state_path,
    with_anchor,
    with_clock_reading,
    with_next_check,
    with_refusal,
    with_verdict,
)

FULL = State(
    high_water=NOW,
    utc_offset=timedelta(hours=2),
    anchor=NOW - timedelta(days=1),
    verdict="token",
    verdict_key="hash",
    refusals=(Refusal("Revoked", "hash", NOW), Refusal("Expired", "other", NOW)),
    next_check=NOW + timedelta(hours=3),
    check_key="hash",
    refused_key="key",
    protects_file=True,
)


def store(folder: Path, *, hardware: str = "h1m-1", product: str = "p") -> StateStore:
    return StateStore(folder / "x.state", hardware_id=hardware, product_id=product)


def test_state_round_trip(tmp_path: Path) -> None:
    store(tmp_path).update(lambda _: FULL)
    assert store(tmp_path).load() == FULL


def test_the_state_of_another_machine_or_product_is_ignored(tmp_path: Path) -> None:
    store(tmp_path).update(lambda _: FULL)
    assert store(tmp_path, hardware="h1m-2").load() == State()
    assert store(tmp_path, product="q").load() == State()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("state")
    store(folder).update(lambda _: FULL)
    return (folder / "x.state").read_bytes()


@settings(max_examples=200 if is_long() else 40, deadline=None)
@given(data=st.data())
def test_damaged_state_is_ignored(
    data: st.DataObject, good: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    at = data.draw(st.integers(0, len(good) - 1))
    damage = data.draw(st.binary(max_size=4))
    path = tmp_path_factory.mktemp("damaged") / "x.state"
    path.write_bytes(good[:at] + damage + good[at + max(1, len(damage)) :])
    found = store(path.parent).load()
    assert found in (State(), FULL)
    if found == FULL:
        assert json.loads(path.read_bytes())["state"] == json.loads(good)["state"]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"null", b'{"state":1,"mac":2}', b"\xff", b"[" * 60000]
)
def test_arbitrary_content_is_ignored(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.state").write_bytes(content)
    assert store(tmp_path).load() == State()
    assert store(tmp_path).update(lambda old: with_clock_reading(old, NOW)).high_water == NOW


def test_an_unwritable_disk_keeps_the_state_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = store(tmp_path / "file")
    kept.update(lambda _: FULL)
    assert kept.load() == FULL


def test_a_deleted_state_is_kept_in_memory(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.update(lambda _: FULL)
    (tmp_path / "x.state").unlink()
    assert kept.load() == FULL


def test_the_passing_of_time_is_written_once_a_minute(tmp_path: Path) -> None:
    kept, path = store(tmp_path), tmp_path / "x.state"
    kept.update(lambda old: with_clock_reading(old, NOW))
    before = path.read_bytes()
    kept.update(lambda old: with_clock_reading(old, NOW + timedelta(seconds=20)))
    assert path.read_bytes() == before
    assert kept.load().high_water == NOW + timedelta(seconds=20)
    kept.update(lambda old: with_clock_reading(old, NOW + timedelta(seconds=70)))
    assert path.read_bytes() != before
    assert not list(tmp_path.glob("*.tmp"))


moments = st.integers(-(10**6), 10**6).map(lambda seconds: NOW + timedelta(seconds=seconds))


@given(st.lists(moments))
def test_the_high_water_mark_does_not_move_back(readings: list[datetime]) -> None:
    state = State()
    for now in readings:
        before, state = state, with_clock_reading(state, now)
        assert state.high_water is not None
        assert before.high_water is None or state.high_water >= before.high_water
    assert state.high_water == max(readings, default=None)


@given(moments, moments)
def test_an_old_signed_time_does_not_reset_the_mark(first: datetime, second: datetime) -> None:
    state = with_anchor(State(), max(first, second), NOW)
    assert with_anchor(state, min(first, second), NOW) == state


def test_a_later_confirmation_clears_the_refusal_of_the_same_key() -> None:
    state = with_refusal(State(), Refusal("Revoked", "one", NOW))
    assert with_verdict(state, "t", "two", NOW + timedelta(days=1)).refusal_of("one") is not None
    assert with_verdict(state, "t", "one", NOW - timedelta(days=1)).refusal_of("one") is not None
    assert with_verdict(state, "t", "one", NOW + timedelta(days=1)).refusal_of("one") is None


def test_the_refusal_of_one_key_does_not_replace_that_of_another() -> None:
    state = with_refusal(State(), Refusal("Revoked", "one", NOW))
    state = with_refusal(state, Refusal("LicenseNotFound", "two", NOW))
    state = with_refusal(state, Refusal("Suspended", "two", NOW))
    assert state.refusal_of("one") == Refusal("Revoked", "one", NOW)
    assert state.refusal_of("two") == Refusal("Suspended", "two", NOW)
    for number in range(200):
        state = with_refusal(state, Refusal("LicenseNotFound", str(number), NOW))
    assert len(state.refusals) == MAX_REFUSALS


def test_a_check_is_due_once_the_time_has_come() -> None:
    state = with_next_check(State(), "one", NOW + timedelta(hours=6))
    assert State().check_is_due("one", NOW)
    assert state.check_is_due("two", NOW)
    assert not state.check_is_due("one", NOW)
    assert state.check_is_due("one", NOW + timedelta(hours=6))
    assert state.check_is_due("one", NOW - timedelta(days=30)), "the clock was ahead once"


def test_products_can_share_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "license.bin"
    assert state_path(tmp_path, file, "a") != state_path(tmp_path, file, "b")
