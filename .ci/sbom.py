"""Writes the bill of materials of each wheel, as CycloneDX 1.6 JSON, to the working directory.

It names the wheel and every package that it needs when it runs on this platform, with the versions
and hashes of the lock file. `make sbom` runs this in the virtual environment of that lock file.
With `SOURCE_DATE_EPOCH`, the same packages become the same bytes.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, distribution
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

WHEELS = {"licet-server": ComponentType.APPLICATION, "licet": ComponentType.LIBRARY}
LOCK_FILE = Path(__file__).parents[1] / "requirements" / "run.txt"

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class NotLocked(Exception):
    """A package is installed in another version than the lock file has, or is not in it."""


def bill_of_materials(root: str, lock_file: Path = LOCK_FILE) -> str:
    """Return the bill of materials of one of `WHEELS`.

    Raises:
        NotLocked: when the environment does not fit the lock file.
    """
    locked = dict(_locked(lock_file.read_text()))
    own = distribution(root)
    components = {root: _component(own.name, own.version, (), WHEELS[root])}
    edges: dict[str, set[str]] = {}
    waiting = [(root, frozenset[str]())]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        installed = distribution(name)
        if name not in components:
            components[name] = _locked_component(installed, locked)
        for needed, needed_extras in _needed_by(installed, extras):
            edges.setdefault(name, set()).add(needed)
            if (needed, needed_extras) not in seen:
                seen.add((needed, needed_extras))
                waiting.append((needed, needed_extras))
    return _rendered(root, components, edges)


def _rendered(root: str, components: dict[str, Component], edges: dict[str, set[str]]) -> str:
    bom = Bom(components=[part for name, part in components.items() if name != root])
    bom.metadata.component = components[root]
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        bom.metadata.timestamp = datetime.fromtimestamp(int(epoch), UTC)
        names = sorted(str(part.purl) for part in components.values())
        bom.serial_number = uuid5(NAMESPACE_URL, "\n".join([epoch, *names]))
    for name, part in components.items():
        bom.register_dependency(part, [components[other] for other in edges.get(name, ())])
    return JsonV1Dot6(bom).output_as_string(indent=2)


def _locked(text: str) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    for pin in re.split(r"\n(?=\S)", text):
        if match := _PIN.match(pin):
            yield canonicalize_name(match[1]), (match[2], tuple(_HASH.findall(pin)))


def _needed_by(
    installed: Distribution, extras: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for line in installed.requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def _locked_component(
    installed: Distribution, locked: dict[str, tuple[str, tuple[str, ...]]]
) -> Component:
    name = canonicalize_name(installed.name)
    version, hashes = locked.get(name, (None, ()))
    if version != installed.version:
        raise NotLocked(
            f"{name} {installed.version} is installed, but {LOCK_FILE.name} has {version}. "
            "Run make setup."
        )
    return _component(name, installed.version, hashes, ComponentType.LIBRARY)


def _component(name: str, version: str, hashes: tuple[str, ...], kind: ComponentType) -> Component:
    purl = PackageURL("pypi", name=canonicalize_name(name), version=version)
    return Component(
        name=name,
        version=version,
        type=kind,
        purl=purl,
        bom_ref=str(purl),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=value) for value in hashes],
    )


if __name__ == "__main__":
    for wheel in WHEELS:
        Path(f"{wheel}.cdx.json").write_text(bill_of_materials(wheel) + "\n")
