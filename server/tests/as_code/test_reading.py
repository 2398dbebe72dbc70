"""Files that are read, and those that are refused, with the line."""

from decimal import Decimal
from pathlib import Path

import pytest
from as_code.declarations import FILE, service_as, source

from licet_server.as_code import yaml_text
from licet_server.as_code.errors import FileRefused
from licet_server.as_code.fetching import export_text
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
        ("- products", "licet.yaml:1: The file must have products or mailTemplates or webhooks"),
        ("products:\n  - name: a\n    name: b", "licet.yaml:3: products[0].name: is there twice."),
        ("a: &x [1]\nb: *x", "licet.yaml:1: a: Anchors and aliases (& and *) are not allowed."),
        ("a: !!python/object:os.system x", "licet.yaml:1: a: Tags (!) are not allowed."),
        ("a: 1\n---\nb: 2", "licet.yaml:2: A second document is not allowed."),
        ("a:\n  - b: [", "licet.yaml:2: This is not YAML:"),
        ("? [a]\n: b", "licet.yaml:1: The name of a field must be a text."),
        ("a: \x07", "licet.yaml: This is not YAML: it has a character"),
        ('a: "\\ud800"', "licet.yaml:1: a: has a character that no text may have"),
        ('"\\ud800": 1', "licet.yaml:1: "),
        ('a: "\\0"', "licet.yaml:1: a: has a character that no text may have"),
        ('a: "\\U00110000"', "licet.yaml: This is not YAML: it has a character"),
        ('a: "\\UFFFFFFFF"', "licet.yaml: This is not YAML: it has a character"),
        ("[" * 5_000, "There are more than 10 levels."),
        ("#" * 1_000_001, "licet.yaml: The file has more than 1,000,000 bytes."),
    ],
)
def test_invalid_yaml_is_rejected(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in refusal(tmp_path, text)[0]


def test_a_file_with_too_many_values_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_text, "_MAX_VALUES", 1_000)  # of 100,000, which take seconds to read
    assert "The file has more than 1,000 values." in refusal(tmp_path, "- a\n" * 1_001)[0]


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "licet.yaml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(FileRefused, match="is not UTF-8 text"):
        read_file(file)


def test_alias_bomb_is_rejected_at_its_first_anchor() -> None:
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


TEXTS = ["", " x ", "a: b", "#", "tab\t"]
BLOCKS = [
    "a\nb\n",
    "a\n\nb\n",
    "hard  \nbreak\n",
    "| a |\tb |\n   \n# c: d\n",
    "  indented\nless\n",
    "\nafter a gap\n",
    "\ttab\n",
    "à : 🎉\xa0!\n",
    "no end\nof the last line",
    "two\n\n\n",
    "--- a\n...\n",
]
QUOTED = ["a\x07\nb", "a\r\nb", "a\u2028b\n", "a\x85b\n", "\ufeff\n", "\n"]


@pytest.mark.parametrize(
    "value",
    ["yes", "2026-01-01", "0123", "5", "0.1", "true", "null", *TEXTS, *BLOCKS, *QUOTED],
)
def test_what_is_written_is_read_again(value: str) -> None:
    whole = {"a": value, "b": [Decimal("0.1"), Decimal(5), Decimal("1E+3"), None, True, {value: 1}]}
    assert read_yaml(write_yaml(whole))[0] == whole
    nested = {"a": [{"b": {"c": value, "d": [value, "e"]}}]}
    assert read_yaml(write_yaml(nested))[0] == nested


@pytest.mark.parametrize("value", BLOCKS)
def test_text_of_several_lines_is_written_line_by_line(value: str) -> None:
    first, *written, _ = write_yaml({"a": value, "b": 1}).splitlines()
    assert first.startswith("a: |")
    assert [line[2:] for line in written] == value.splitlines()


def test_a_template_is_exported_so_that_its_words_can_be_read(tmp_path: Path) -> None:
    text = export_text(service_as(source(tmp_path).declaration), None)
    assert (
        """
    mailTemplates:
      - kind: Issued
        automatic: true
        defaultLocale: de
        translations:
          de:
            subject: Ihre Lizenz für {product}
            body: |
              Guten Tag {customer},

              Ihr Schlüssel ist `{licenseKey}`.
"""
        in text
    )
    assert text.endswith("mailTemplates:\n  - kind: Expiring\n    senderName: Northwind\n")
    assert "institution" not in text


def test_faults_of_mail_templates_are_named_with_their_lines(tmp_path: Path) -> None:
    text = """mailTemplates:
  - kind: issued
    translations:
      de:
        subject: " "
        bdy: Hello
  - kind: Revoked
    automatc: true
"""
    assert refusal(tmp_path, text) == [
        "licet.yaml:2: mailTemplates[0].kind: must be one of Expiring, Issued, Renewed, Revoked.",
        "licet.yaml:5: mailTemplates[0].translations.de.subject: must not be blank.",
        "licet.yaml:4: mailTemplates[0].translations.de.body: is required.",
        "licet.yaml:6: mailTemplates[0].translations.de.bdy: is not a field here.",
        'licet.yaml:8: mailTemplates[1].automatc: is not a field here. Did you mean "automatic"?',
    ]


def test_paths_and_lines(tmp_path: Path) -> None:
    found = source(tmp_path)
    lines = FILE.splitlines()
    place = found.lines["products[0].entitlementSets[0].entries.tier"]
    assert lines[place - 1].strip() == "tier: gold"
    fault = found.refusal([Problem("products[0].policies[0].nothing", "is wrong.")])
    assert lines[int(str(fault).split(":")[1]) - 1].strip() == "- name: Team, yearly"
