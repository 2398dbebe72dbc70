"""Files that are read, and those that are refused, with the line."""

from decimal import Decimal
from pathlib import Path

import pytest
from as_code.declarations import FILE, source

from licet_server.as_code.errors import FileRefused
from licet_server.as_code.reading import read_file
from licet_server.as_code.rules.model import Problem
from licet_server.as_code.yaml_text import NotReadable, read_yaml, write_yaml


def refusal(folder: Path, text: str) -> list[str]:
    """The lines of the error, without the folder."""
    with pytest.raises(FileRefused) as caught:
        source(folder, text)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_every_fault_is_named_with_its_line_and_path(tmp_path: Path) -> None:
    text = """products:
  - name: Aurora
    setings: {}
    settings:
      heartbeatIntervalSeconds: 0
    policies:
      - name: Team
        typ: Floating
        durationDays: many
"""
    assert refusal(tmp_path, text) == [
        "licet.yaml:5: products[0].settings.heartbeatIntervalSeconds: must be 1 or more.",
        "licet.yaml:7: products[0].policies[0].type: is required.",
        "licet.yaml:9: products[0].policies[0].durationDays: must be a whole number.",
        'licet.yaml:8: products[0].policies[0].typ: is not a field here. Did you mean "type"?',
        'licet.yaml:3: products[0].setings: is not a field here. Did you mean "settings"?',
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("webhoks: []", 'licet.yaml:1: webhoks: is not a field here. Did you mean "webhooks"?'),
        ("products: {}", "licet.yaml:1: products: must be a list."),
        ("products: [{name: 5}]", "licet.yaml:1: products[0].name: must be text."),
        ("- products", "licet.yaml:1: The file must have products or webhooks"),
        ("products:\n  - name: a\n    name: b", "licet.yaml:3: products[0].name: is there twice."),
        ("a: &x [1]\nb: *x", "licet.yaml:1: a: Anchors and aliases (& and *) are not allowed."),
        ("a: !!python/object:os.system x", "licet.yaml:1: a: Tags (!) are not allowed."),
        ("a: 1\n---\nb: 2", "licet.yaml:2: A second document is not allowed."),
        ("a:\n  - b: [", "licet.yaml:2: This is not YAML:"),
        ("? [a]\n: b", "licet.yaml:1: The name of a field must be a text."),
        ("a: \x07", "licet.yaml: This is not YAML: it has a character"),
        ("[" * 5_000, "There are more than 10 levels."),
        ("- a\n" * 100_001, "The file has more than 100,000 values."),
        ("#" * 1_000_001, "licet.yaml: The file has more than 1,000,000 bytes."),
    ],
)
def test_refused(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in refusal(tmp_path, text)[0]


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "licet.yaml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(FileRefused, match="is not UTF-8 text"):
        read_file(file)


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor() -> None:
    text = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(NotReadable) as caught:
        read_yaml(text)
    assert (caught.value.line, caught.value.problem.path) == (1, "a")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("2026-01-01", "2026-01-01"),
        ("1:30", "1:30"),
        ("0123", "0123"),
        ("1_000", "1_000"),
        ("<<", "<<"),
        ('"5"', "5"),
        ("5", 5),
        ("-5", -5),
        ("0.1", Decimal("0.1")),
        ("true", True),
        ("null", None),
        ("~", None),
        ("", None),
    ],
)
def test_scalars(text: str, value: object) -> None:
    found = read_yaml(f"a: {text}")[0]["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "value",
    ["yes", "2026-01-01", "0123", "5", "0.1", "true", "null", "", " x ", "a: b", "#", "a\nb\n"],
)
def test_what_is_written_is_read_again(value: str) -> None:
    whole = {"a": value, "b": [Decimal("0.1"), Decimal(5), Decimal("1E+3"), None, True, {value: 1}]}
    assert read_yaml(write_yaml(whole))[0] == whole


def test_paths_and_lines(tmp_path: Path) -> None:
    found = source(tmp_path)
    lines = FILE.splitlines()
    place = found.lines["products[0].entitlementSets[0].entries.tier"]
    assert lines[place - 1].strip() == "tier: gold"
    fault = found.refusal([Problem("products[0].policies[0].nothing", "is wrong.")])
    assert lines[int(str(fault).split(":")[1]) - 1].strip() == "- name: Team, yearly"
