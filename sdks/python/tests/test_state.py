from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from licet_testkit import NOW, is_long

from licet._places import Places
from licet._state import (
    MAX_REFUSALS,
    Answer,
    Effect,
    Refusal,
    State,
    StateStore,
    state_path,
    with_anchor,
    with_answer,
    with_clock_reading,
    with_next_check,
)

FULL = State(
    high_water=NOW,
    utc_offset=timedelta(hours=2),
    anchor=NOW - timedelta(days=1),
    verdict="token",
    verdict_key="hash",
    answers=7,
    refusals=(Refusal("hash", "refusal"), Refusal("other", "another refusal")),
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
    state = with_anchor(State(), max(first, second), NOW + timedelta(days=20))
    assert with_anchor(state, min(first, second), NOW + timedelta(days=20)) == state


def test_a_file_from_the_future_sets_no_mark() -> None:
    assert with_anchor(State(), NOW + timedelta(days=2), NOW) == State()


def answer(effect: Effect, key: str, at: datetime = NOW, token: str = "token") -> Answer:
    agrees = abs(at - NOW) < timedelta(minutes=2)
    return Answer(token, key, at, NOW, effect, agrees)


def refused(state: State, key: str, at: datetime = NOW, token: str = "refusal") -> State:
    return with_answer(state, answer(Effect.REFUSES, key, at, token))


@given(moments, moments)
def test_a_confirmation_lifts_the_refusal_of_the_same_key(first: datetime, then: datetime) -> None:
    state = refused(State(), "one", first)
    assert with_answer(state, answer(Effect.CONFIRMS, "two", then)).refusal_of("one") is not None
    lifted = with_answer(state, answer(Effect.CONFIRMS, "one", then))
    ahead = then - NOW > timedelta(days=1)
    assert (lifted.refusal_of("one") is None, lifted.verdict) == (
        (False, None) if ahead else (True, "token")
    )


def test_a_refusal_from_the_future_replaces_nothing() -> None:
    later = NOW + timedelta(days=2)
    state = with_answer(State(), answer(Effect.CONFIRMS, "one"))
    state = refused(state, "one", later, "ahead")
    assert (state.verdict, state.refusal_of("one")) == ("token", Refusal("one", "ahead"))
    state = refused(state, "one", NOW, "now")
    assert (state.verdict, state.refusal_of("one")) == (None, Refusal("one", "now"))
    assert refused(state, "one", later, "ahead").refusal_of("one") == Refusal("one", "now")


def test_the_refusal_of_one_key_does_not_replace_that_of_another() -> None:
    state = refused(refused(refused(State(), "one"), "two"), "two", token="last")
    assert state.refusals == (Refusal("one", "refusal"), Refusal("two", "last"))
    for number in range(200):
        state = refused(state, str(number))
    assert len(state.refusals) == MAX_REFUSALS


@given(moments, moments, moments)
def test_an_answer_that_agrees_is_the_newest_truth(
    anchor: datetime, high_water: datetime, at: datetime
) -> None:
    before = State(anchor=anchor, high_water=high_water)
    state = with_answer(before, answer(Effect.PASSES, "one", at))
    if abs(at - NOW) < timedelta(minutes=2):
        assert (state.anchor, state.high_water) == (at, max(at, NOW))
    elif at - NOW > timedelta(days=1) or at <= anchor:
        assert (state.anchor, state.high_water) == (anchor, high_water)
    else:
        assert (state.anchor, state.high_water) == (at, at)


def test_a_process_believes_the_state_with_more_answers(tmp_path: Path) -> None:
    first, second = store(tmp_path), store(tmp_path)
    locked = State(anchor=NOW + timedelta(days=400), high_water=NOW + timedelta(days=400))
    first.update(lambda _: locked)
    old = (tmp_path / "x.state").read_bytes()
    second.update(lambda state: with_answer(state, answer(Effect.CONFIRMS, "one")))
    assert first.load().anchor == NOW
    (tmp_path / "x.state").write_bytes(old)
    assert first.load().anchor == NOW + timedelta(days=400), "it has not seen the answer itself"
    assert second.load().anchor == NOW


NUMBERS = ["1e20", "-1e20", "1e400", "1" * 400, "253402300800", "null", "true", '"x"', "[]", "{}"]


@pytest.mark.parametrize("value", NUMBERS)
def test_no_field_of_a_stored_state_raises(value: str, tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.update(lambda _: FULL)
    names = json.loads(json.loads((tmp_path / "x.state").read_bytes())["state"])
    for name in names:
        body = json.dumps({**names, name: "?"}).replace('"?"', value)
        mac = kept._mac(body)
        (tmp_path / "x.state").write_text(json.dumps({"v": 4, "state": body, "mac": mac}))
        state = store(tmp_path).load()
        state = with_answer(with_clock_reading(state, NOW), answer(Effect.CONFIRMS, "one"))
        store(tmp_path).update(lambda _, state=state: state)
        assert store(tmp_path).load().anchor == NOW


def test_a_check_is_due_once_the_time_has_come() -> None:
    state = with_next_check(State(), "one", NOW + timedelta(hours=6))
    assert State().check_is_due("one", NOW)
    assert state.check_is_due("two", NOW)
    assert not state.check_is_due("one", NOW)
    assert state.check_is_due("one", NOW + timedelta(hours=6))
    assert state.check_is_due("one", NOW - timedelta(days=30)), "the clock was ahead once"


def test_products_can_share_a_folder(tmp_path: Path) -> None:
    places = Places(tmp_path / "license.bin", None, tmp_path)
    assert state_path(places, "a") != state_path(places, "b")
