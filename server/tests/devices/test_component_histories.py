"""What becomes of machines, as the vectors say: the service and the SDKs' fake agree."""

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from catalog.factories import refusal
from devices.proving import Prover
from devices.test_components import kinds_of, later
from world import World

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
HISTORIES = json.loads((VECTORS / "hardware.json").read_text())["histories"]
EVENTS = {"Drifted": "drifted", "Rekeyed": "rekeyed", "Cloned": "clone_detected"}


@pytest.mark.parametrize("history", HISTORIES, ids=lambda item: item["name"])
async def test_the_service_follows_a_machine(world: World, history: Mapping[str, Any]) -> None:
    terms = {name: history[name] for name in ("machineMatch", "deviceProof", "onClone")}
    license_ = await world.issue("Concurrent", maxActiveUsersCount=9, **terms)
    if history["deviceReleasesPerYear"] is not None:
        budget = {"deviceReleasesPerYear": history["deviceReleasesPerYear"]}
        await world.owner.ok("PUT", f"/api/products/{world.product['id']}", {"settings": budget})
    keys: dict[str, Prover] = defaultdict(lambda: Prover.of(world))
    rows: dict[str, str] = {}
    before = None
    for step in history["steps"]:
        at, expected = datetime.fromisoformat(step["at"]), step["expected"]
        if before is not None:
            await later(world, seconds=(at - before).total_seconds())
        before = at
        machine = world if step["jkt"] is None else keys[step["jkt"]]
        shown = step["components"]
        answer = await machine.activate(license_, step["hardwareId"], components=shown)
        if expected["device"] is None:
            assert refusal(answer) == (403, "HardwareMismatch"), step
        else:
            found = answer.json()
            row, is_new = found["activationId"], expected["device"] not in rows
            assert answer.status_code == (201 if is_new else 200), (step, found)
            assert (row in rows.values()) is not is_new, step
            assert rows.setdefault(expected["device"], row) == row
            device = next(item for item in await world.devices(license_) if item["id"] == row)
            plain, mark, _ = expected["deviceHardwareId"].partition("~")
            assert device["hardwareId"] == (
                f"{plain}~{keys[step['jkt']].jkt[:12]}" if mark else plain
            )
            if expected["outcome"] in {"Drifted", "Rekeyed"} and expected["changed"]:
                names = set(device["drifts"][0]["names"]) - {"hardwareId"}
                assert sorted(names) == expected["changed"]
        if expected["outcome"] in EVENTS:
            row = rows["first" if expected["outcome"] == "Cloned" else expected["device"]]
            assert EVENTS[expected["outcome"]] in await kinds_of(world, row), step
    assert len(rows) == len(await world.devices(license_))
