"""How far a machine may change: no walk leads from one machine to another."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.devices.rules.components import (
    CHANGES_KEPT,
    DRIFT_MAX,
    DRIFT_PERIOD,
    HARDWARE_ID,
    MOVE_INTERVAL,
    Components,
    KnownComponents,
    accepted,
    bound,
    changed_names,
    drifted,
    drifts_of,
    is_recognizable,
    mark_of,
    parts_of,
)
from licet_server.licenses.rules.model import AtLeast

START = datetime(2030, 1, 1, tzinfo=UTC)
NAMES = ("board", "cpu", "disk", "firmware", "network", "osInstall", "tpm", "user")


class Shown(NamedTuple):
    """What a machine shows, so many hours after the one before."""

    hours: int
    hardware_id: str
    components: Components


@st.composite
def matches(draw: st.DrawFn) -> AtLeast:
    of = draw(st.integers(2, 8))
    return AtLeast(draw(st.integers(of // 2 + 1, of)), of)


@st.composite
def walks(draw: st.DrawFn) -> tuple[AtLeast, Components, Sequence[Shown]]:
    """A device, and machines that are made of its parts and of those of two others.

    Each leaves out what it likes, as a modified application would.
    """
    match = draw(matches())
    names = NAMES[: draw(st.integers(match.of, 8))]
    values = st.sampled_from(["a" * 16, "b" * 16, "c" * 16])
    shown = st.builds(
        Shown,
        st.sampled_from([0, 1, 24, 24 * 15, 24 * 30, 24 * 31, 24 * 400]),
        st.sampled_from(["machine-a", "machine-b"]),
        st.dictionaries(st.sampled_from(names), values),
    )
    return match, dict.fromkeys(names, "a" * 16), draw(st.lists(shown, max_size=30))


def equals(known: KnownComponents, shown: Components) -> int:
    """How many of the components shown are those that the device was bound with."""
    return sum(shown.get(name) == item.original for name, item in parts_of(known).items())


@given(walks())
def test_no_walk_leads_from_one_machine_to_another(
    walk: tuple[AtLeast, Components, Sequence[Shown]],
) -> None:
    match, first, steps = walk
    known: KnownComponents = bound("machine-a", first, START)
    now, changes, moves = START, [], []
    for step in steps:
        now += timedelta(hours=step.hours)
        after = drifted(match, known, step.components, step.hardware_id, now)
        if after is None:
            continue
        assert equals(known, step.components) >= match.at_least, "a part of the device stays in it"
        names = [name for name in changed_names(known, after) if name != HARDWARE_ID]
        changes += [now] * len(names)
        moves += [now] if after[HARDWARE_ID].value != known[HARDWARE_ID].value else []
        for times in (changes, moves):
            assert len([at for at in times if at > now - DRIFT_PERIOD]) <= DRIFT_MAX
        assert len([at for at in moves if at > now - MOVE_INTERVAL]) <= 1
        known = after
        assert sum(it.value == it.original for it in parts_of(known).values()) >= match.at_least
        assert {name: item.original for name, item in parts_of(known).items()} == first


def walk_to_another(replaced: int, pause: timedelta, *, is_accepted: bool) -> bool:
    """Whether a device becomes another machine, part by part and as slowly as is necessary."""
    match, now = AtLeast(3, 5), START
    names = NAMES[:5]
    known: KnownComponents = bound("machine-a", dict.fromkeys(names, "a" * 16), START)
    shown = dict.fromkeys(names, "a" * 16)
    for at in range(0, len(names), replaced):
        now += pause
        shown |= dict.fromkeys(names[at : at + replaced], "b" * 16)
        after = drifted(match, known, shown, "machine-a", now)
        if after is None:
            return False
        known = accepted(after, now + timedelta(seconds=1)) if is_accepted else after
    return True


@pytest.mark.parametrize("replaced", [1, 2])
@pytest.mark.parametrize("days", [1, 31, 4000])
def test_a_device_becomes_another_machine_only_where_an_operator_accepts_it(
    replaced: int, days: int
) -> None:
    pause = timedelta(days=days)
    assert not walk_to_another(replaced, pause, is_accepted=False)
    assert walk_to_another(replaced, pause, is_accepted=True)
    assert not walk_to_another(3, pause, is_accepted=True)


def test_leaving_components_out_is_no_change_and_no_proof() -> None:
    match, whole = AtLeast(3, 5), dict.fromkeys(NAMES[:5], "a" * 16)
    known = bound("one", whole, START)
    three = dict.fromkeys(NAMES[:3], "a" * 16)
    assert drifted(match, known, three, "one", START) == known
    assert drifted(match, known, dict.fromkeys(NAMES[:2], "a" * 16), "one", START) is None
    assert drifted(match, known, {**whole, "tpm": "c" * 16}, "one", START) == known, "never bound"
    few = bound("one", three, START)
    assert not is_recognizable(match, few)
    assert drifted(match, few, three, "one", START) is None


def test_a_device_remembers_its_last_changes() -> None:
    known: KnownComponents = bound("one", dict.fromkeys(NAMES[:5], "a" * 16), START)
    shown = dict.fromkeys(NAMES[:5], "a" * 16)
    for turn in range(CHANGES_KEPT + 3):
        at = START + timedelta(days=40 * turn)
        shown = {**shown, "cpu": f"{turn:016x}"}
        after = drifted(AtLeast(3, 5), known, shown, f"machine-{turn}", at)
        assert after is not None
        known = after
    drifts = drifts_of(known)
    assert len(drifts) == CHANGES_KEPT
    assert drifts[0].at == START + timedelta(days=40 * (CHANGES_KEPT + 2))
    assert {item.names for item in drifts} == {("cpu", "hardwareId")}


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["a" * 16, "b" * 16])))
def test_the_mark_is_that_of_the_components(components: Mapping[str, str]) -> None:
    again = dict(reversed(components.items()))
    assert mark_of(components) == mark_of(again)
    for name in components:
        assert mark_of({**components, name: "c" * 16}) != mark_of(components)
