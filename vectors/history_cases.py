"""What becomes of machines: requests about one license, and which device each of them is."""

from __future__ import annotations

from datetime import timedelta

from component_cases import component
from pieces import ISSUED, PRODUCT, rfc3339
from proof_cases import DEVICE, OTHER, DeviceKey

THIRD = DeviceKey.of("licet test device 3")
JKTS = {"first": DEVICE.jkt, "second": OTHER.jkt, "third": THIRD.jkt}
LAPTOP = {"osInstall": "os 1", "board": "board 1", "model": "x1", "volume": "volume 1"}
PC = {"osInstall": "os 1", "model": "pc", "disk": "disk 1", "volume": "volume 1"}
PANEL = {**PC, "board": "board 1"}


def changed(values: dict[str, str], number: int, *names: str) -> dict[str, str]:
    """The components of a machine of which these were replaced."""
    return {**values, **{name: f"{name} {number}" for name in names}}


def step(
    day: int,
    hardware: str,
    values: dict[str, str],
    outcome: str,
    device: str | None,
    *names: str,
    key: str | None = None,
    row: str | None = None,
) -> dict:
    """A request ``day`` days after the first. ``names`` are the components that change with it."""
    return {
        "at": rfc3339(ISSUED + timedelta(days=day)),
        "hardwareId": f"h1m-{hardware}",
        "jkt": None if key is None else JKTS[key],
        "components": {name: component(name, value, PRODUCT) for name, value in values.items()},
        "expected": {
            "outcome": outcome,
            "device": device,
            "deviceHardwareId": None if device is None else row or f"h1m-{hardware}",
            "changed": sorted(names),
        },
    }


def history(
    name: str,
    at_least: int,
    of: int,
    *steps: dict,
    on_clone: str = "Refuse",
    releases: int | None = None,
) -> dict:
    is_proven = any(item["jkt"] is not None for item in steps)
    return {
        "name": name,
        "machineMatch": {"atLeast": at_least, "of": of},
        "deviceProof": "WhenPresent" if is_proven else "Off",
        "onClone": on_clone,
        "deviceReleasesPerYear": releases,
        "steps": list(steps),
    }


def ordinary_histories() -> list[dict]:
    return [
        history(
            "new-dock",
            2,
            3,
            step(0, "a", LAPTOP, "New", "first"),
            step(9, "a", LAPTOP, "Known", "first"),
        ),
        history(
            "installed-again",
            2,
            3,
            step(0, "a", LAPTOP, "New", "first"),
            step(
                50,
                "b",
                changed(LAPTOP, 2, "osInstall", "volume"),
                "Drifted",
                "first",
                "osInstall",
                "volume",
            ),
            step(51, "b", changed(LAPTOP, 2, "osInstall", "volume"), "Known", "first"),
        ),
        history(
            "installed-again-without-its-key",
            2,
            3,
            step(0, "a", LAPTOP, "New", "first", key="first"),
            step(
                50,
                "b",
                changed(LAPTOP, 2, "osInstall", "volume"),
                "Rekeyed",
                "first",
                "osInstall",
                "volume",
                key="second",
            ),
            step(
                51,
                "b",
                changed(LAPTOP, 2, "osInstall", "volume"),
                "Known",
                "first",
                key="second",
            ),
        ),
        history(
            "state-folder-deleted",
            2,
            3,
            step(0, "a", PC, "New", "first", key="first"),
            step(3, "a", PC, "Rekeyed", "first", key="second"),
        ),
        history(
            "machine-id-made-again",
            2,
            3,
            step(0, "a", PC, "New", "first", key="first"),
            step(
                3,
                "b",
                changed(PC, 2, "osInstall"),
                "Drifted",
                "first",
                "osInstall",
                key="first",
            ),
        ),
        history(
            "copied-to-a-new-drive",
            2,
            3,
            step(0, "a", PC, "New", "first"),
            step(
                3,
                "b",
                changed(PC, 2, "osInstall", "disk"),
                "Drifted",
                "first",
                "osInstall",
                "disk",
            ),
        ),
        history(
            "one-cannot-be-read-any-more",
            2,
            3,
            step(0, "a", PC, "New", "first"),
            step(
                3,
                "b",
                {"osInstall": "os 2", "model": "pc", "volume": "volume 1"},
                "Drifted",
                "first",
                "osInstall",
            ),
        ),
    ]


def limited_histories() -> list[dict]:
    twice = changed(PC, 2, "osInstall", "volume")
    thrice = changed(PC, 3, "osInstall", "volume")
    one, two = changed(PANEL, 2, "disk"), changed(PANEL, 2, "disk", "volume")
    first = [
        step(0, "a", PC, "New", "first"),
        step(5, "b", twice, "Drifted", "first", "osInstall", "volume"),
    ]
    return [
        history("installed-again-too-soon", 2, 3, *first, step(20, "c", thrice, "New", "second")),
        history(
            "installed-again-a-month-later",
            2,
            3,
            *first,
            step(36, "c", thrice, "Drifted", "first", "osInstall", "volume"),
        ),
        history(
            "part-by-part-to-another-machine",
            3,
            5,
            step(0, "a", PANEL, "New", "first"),
            step(40, "b", one, "Drifted", "first", "disk"),
            step(80, "c", two, "Drifted", "first", "volume"),
            step(120, "d", {**two, "board": "board 2"}, "New", "second"),
        ),
        history(
            "two-machines-of-one-model",
            2,
            3,
            step(0, "a", LAPTOP, "New", "first"),
            step(
                1,
                "b",
                changed(LAPTOP, 2, "osInstall", "board", "volume"),
                "New",
                "second",
            ),
        ),
        history(
            "too-little-is-known",
            2,
            3,
            step(0, "a", {"osInstall": "os 1", "model": "pc"}, "New", "first"),
            step(1, "b", {"osInstall": "os 1", "model": "pc"}, "New", "second"),
        ),
        history(
            "most-cannot-be-read-any-more",
            2,
            3,
            step(0, "a", PC, "New", "first"),
            step(1, "b", {"osInstall": "os 2", "model": "pc"}, "New", "second"),
        ),
        history(
            "two-devices-are-like-it",
            2,
            3,
            step(0, "a", PC, "New", "first"),
            step(1, "b", changed(PC, 2, "osInstall", "disk", "volume"), "New", "second"),
            step(
                2,
                "c",
                changed(PC, 2, "disk", "volume"),
                "Drifted",
                "second",
                "osInstall",
            ),
        ),
    ]


def cloned_histories() -> list[dict]:
    apart = changed(LAPTOP, 2, "board", "model")
    other = changed(LAPTOP, 2, "osInstall", "board", "model", "volume")
    own = f"h1m-a~{OTHER.jkt[:12]}"
    return [
        history(
            "state-folder-copied",
            2,
            3,
            step(0, "a", LAPTOP, "New", "first", key="first"),
            step(1, "b", other, "Cloned", None, key="first"),
        ),
        history(
            "virtual-machine-copied",
            3,
            4,
            step(0, "a", LAPTOP, "New", "first", key="first"),
            step(1, "a", apart, "Cloned", None, key="second"),
            step(2, "a", LAPTOP, "Known", "first", key="first"),
        ),
        history(
            "virtual-machine-copied-and-allowed",
            3,
            4,
            step(0, "a", LAPTOP, "New", "first", key="first"),
            step(1, "a", apart, "Cloned", "second", key="second", row=own),
            step(2, "a", apart, "Known", "second", key="second", row=own),
            step(3, "a", LAPTOP, "Known", "first", key="first"),
            on_clone="OwnSeat",
        ),
        history(
            "image-on-three-machines-of-one-model",
            3,
            4,
            step(0, "a", PC, "New", "first", key="first"),
            step(1, "a", changed(PC, 2, "disk"), "Rekeyed", "first", "disk", key="second"),
            step(2, "a", changed(PC, 3, "disk"), "Refused", None, key="third"),
            releases=1,
        ),
    ]


def history_cases() -> list[dict]:
    return [*ordinary_histories(), *limited_histories(), *cloned_histories()]
