"""Each field that the API takes of an operator is a field of the page that sends it."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from test_dashboard_operations import COMPOSED, SOURCES, changes, sends

from licet_server.connectors.rules.reports import ADDRESSES_MAX
from licet_server.kit.tags import MAX_TAGS, TAG_MAX
from licet_server.kit.text import camel
from licet_server.licenses.rules.transitions import BulkAction
from licet_server.licenses.service.bulk_actions import ACTIONS

DOCUMENT: Any = json.loads((SOURCES.parents[1] / "docs" / "openapi.json").read_text())
NO_FORMS = ("gallery", "help")
WORDS = SOURCES / "ui" / "fields.ts"
"""The names of all fields, in the words of the dashboard: no form."""
TERMS = SOURCES / "ui" / "terms" / "terms.ts"
"""The terms that forms of licenses and policies share."""

LEFT_TO_THE_API = {
    ("post /api/connectors", "apiKey"): "no event needs it yet",
    ("post /api/connectors", "apiUrl"): "no event needs it yet",
    ("put /api/connectors/{connectorId}", "apiKey"): "no event needs it yet",
    ("put /api/connectors/{connectorId}", "apiUrl"): "no event needs it yet",
    ("post /api/licenses/{licenseId}/send", "locale"): "the customer's language is known",
    ("post /api/meter/reconcile", "limit"): "the page takes the default",
    ("post /api/policies/{policyId}/apply", "licenseIds"): "the page applies it to all",
    ("post /api/products", "associatedInstitutionIds"): "the tab Associations has it",
    ("post /api/products", "settings"): "the tab Settings has it",
}
"""Fields that no page offers, by the path and the name, with the reason."""


@cache
def sources() -> dict[Path, str]:
    return {
        path: path.read_text()
        for path in SOURCES.rglob("*.ts*")
        if not {*NO_FORMS, "api"} & {*path.relative_to(SOURCES).parts} and path != WORDS
    }


@cache
def imports(path: Path) -> frozenset[Path]:
    """The files of the same part of the dashboard that a file imports."""
    found = set()
    for name in re.findall(r'from "(\.[^"]+)"', sources()[path]):
        for suffix in (".ts", ".tsx"):
            target = (path.parent / (name + suffix)).resolve()
            if target in sources():
                found.add(target)
    return frozenset(found)


@cache
def paths() -> str:
    """The constants that are paths; some are used in other files."""
    text = "\n".join(sources().values())
    return "\n".join(re.findall(r'const \w+(?:: \w+)? = "/api/[^"]+"', text)) + "\n"


def part(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0]


def around(caller: Path) -> str:
    """The text of a file that sends a request, of what it imports, and of what imports it."""
    seen: set[Path] = set()
    waiting = [caller, *(path for path in sources() if caller in imports(path))]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += [
                other for other in imports(path) if part(other) == part(caller) or other == TERMS
            ]
    return "\n".join(sources()[path] for path in seen)


def properties(schema: Any) -> Iterator[str]:
    schema = DOCUMENT["components"]["schemas"].get(schema.get("$ref", "").split("/")[-1], schema)
    for name in ("oneOf", "anyOf", "allOf"):
        for item in schema.get(name, ()):
            yield from properties(item)
    yield from schema.get("properties", ())


def fields_of(method: str, path: str) -> set[str]:
    body = DOCUMENT["paths"][path][method].get("requestBody", {"content": {}})
    return {name for content in body["content"].values() for name in properties(content["schema"])}


def test_form_has_each_field_that_its_request_takes() -> None:
    missing: set[tuple[str, str]] = set()
    for method, path in changes():
        if (method, path) in COMPOSED or not (fields := fields_of(method, path)):
            continue
        callers = [item for item, text in sources().items() if sends(paths() + text, method, path)]
        text = "\n".join(map(around, callers))
        missing |= {
            (f"{method} {path}", name) for name in fields if not re.search(rf"\b{name}\b", text)
        }
    assert missing == LEFT_TO_THE_API.keys()


def test_limits_of_tags_are_those_of_the_server() -> None:
    text = (SOURCES / "ui" / "tags" / "knownTags.ts").read_text()
    assert f"TAGS_MAX = {MAX_TAGS};" in text
    assert f"TAG_LENGTH = {TAG_MAX};" in text


def test_bulk_action_is_sent_for_as_many_licenses_as_the_api_takes() -> None:
    text = (SOURCES / "ui" / "bulk" / "SelectMatching.tsx").read_text()
    request = DOCUMENT["components"]["schemas"]["BulkLicensesRequest"]
    assert f"BULK_MAX = {request['properties']['ids']['maxItems']:_};" in text


def test_reports_go_to_as_many_addresses_as_the_api_takes() -> None:
    text = (SOURCES / "sales" / "orders" / "OutsideReports.tsx").read_text()
    assert f"ADDRESSES_MAX = {ADDRESSES_MAX};" in text


def test_bulk_dialog_asks_for_what_each_action_takes() -> None:
    text = (SOURCES / "licenses" / "list" / "bulkFields.tsx").read_text()
    draft, asked = text.split("export const ASKED")
    takes = {
        kind: {camel(field.name) for field in msgspec.structs.fields(action.takes)}
        for kind, action in ACTIONS.items()
        if kind is not BulkAction.UNDO  # nobody is asked before
    }
    assert {*re.findall(r"^  (\w+): \{", asked, re.MULTILINE)} == {
        k.value for k, f in takes.items() if f
    }
    assert set.union(*takes.values()) <= {*re.findall(r"^  (\w+): ", draft, re.MULTILINE)}
