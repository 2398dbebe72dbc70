"""The format of the file follows the API, and the published schema follows the format."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from as_code.declarations import FILE, source

from licet_server.as_code.schemas import schema_document
from licet_server.as_code.yaml_text import read_yaml

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads(schema_document())
API = json.loads((DOCS / "openapi.json").read_text())["components"]["schemas"]

EXAMPLE = re.compile(r"^```yaml\n(# yaml-language-server.*?)^```$", re.MULTILINE | re.DOTALL)

NOT_IN_THE_FILE = {
    "Product": {"institutionId", "associatedInstitutionIds", "releaseChannel"},
    "EntitlementSet": {"featureNames"},
    "Policy": {"productId", "entitlementSetId"},
    "Webhook": {"institutionId"},
}
"""Ids, which another service does not have, and a second way to say the same."""
ONLY_IN_THE_FILE = {
    "Product": {"features", "entitlementSets", "policies", "mailTemplates"},
    "Policy": {"entitlementSet"},
    "MailTemplate": {"kind"},
}
BODIES = {
    "Product": "ProductRequest",
    "Settings": "ProductSettingsRequest",
    "Feature": "FeatureRequest",
    "EntitlementSet": "EntitlementSetRequest",
    "Policy": "PolicyRequest",
    "MailTemplate": "MailTemplateChange",
    "Translation": "TranslationRequest",
    "Webhook": "WebhookRequest",
}


def enumerated(schema: Any) -> set[str]:
    """The values that a field may have, if they are enumerated."""
    if isinstance(schema, list):
        return {value for item in schema for value in enumerated(item)}
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        return enumerated(API[schema["$ref"].rpartition("/")[2]])
    own = {value for value in schema.get("enum", ()) if value is not None}
    own |= {schema["const"]} if "const" in schema else set()
    return own | enumerated([schema.get("anyOf", []), schema.get("oneOf", [])])


@pytest.mark.parametrize("name", BODIES)
def test_the_file_can_say_what_the_api_can(name: str) -> None:
    ours, theirs = SCHEMA["$defs"][name]["properties"], API[BODIES[name]]["properties"]
    left_out = NOT_IN_THE_FILE.get(name, set())
    assert left_out <= theirs.keys()
    assert set(ours) - ONLY_IN_THE_FILE.get(name, set()) == set(theirs) - left_out
    for field in set(ours) & set(theirs) - {"eventTypes", "settings"}:
        assert enumerated(ours[field]) == enumerated(theirs[field]), field


def test_the_published_schema_is_up_to_date() -> None:
    assert (DOCS / "as-code.schema.json").read_bytes() == schema_document()


def test_the_schema_accepts_a_file_and_refuses_a_wrong_one() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    value = json.loads(json.dumps(read_yaml(FILE)[0], default=float))
    jsonschema_rs.validate(SCHEMA, value)
    value["products"][0]["policies"][0]["typ"] = "Trial"
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(SCHEMA, value)


def test_the_example_of_the_documentation_is_a_file(tmp_path: Path) -> None:
    text = (DOCS / "as-code.md").read_text()
    [example] = EXAMPLE.findall(text)
    assert len(source(tmp_path, example).declaration.objects) == 8
