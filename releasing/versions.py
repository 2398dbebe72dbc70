"""Where versions stand, and whether tag, changelogs and packages agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

UNRELEASED = "Unreleased"
_HEADING = re.compile(r"^## (Unreleased|\d+\.\d+\.\d+)(?:, \d{4}-\d{2}-\d{2})?$", re.MULTILINE)
_NUMBER = r"(\d+\.\d+\.\d+)"


@dataclass(frozen=True, slots=True)
class Package:
    """A package with a version of its own."""

    name: str
    changelog: str
    places: tuple[tuple[str, str], ...]
    """Files, and what stands there before and after the number; the first is what is packed."""


PACKAGES = (
    Package(
        "server",
        "CHANGELOG.md",
        (
            ("server/pyproject.toml", r'^version = "NUMBER"$'),
            ("server/src/licet_server/__init__.py", r'^__version__ = "NUMBER"$'),
            ("docs/install.md", r"licet_server-NUMBER-py3"),
        ),
    ),
    Package(
        "Python SDK",
        "sdks/python/CHANGELOG.md",
        (
            ("sdks/python/pyproject.toml", r'^version = "NUMBER"$'),
            ("sdks/python/src/licet/_version.py", r'^__version__ = "NUMBER"$'),
            ("docs/install.md", r"licet-NUMBER-py3"),
        ),
    ),
    Package(
        "TypeScript SDK",
        "sdks/typescript/CHANGELOG.md",
        (
            ("sdks/typescript/package.json", r'^  "version": "NUMBER",$'),
            ("sdks/typescript/src/core/version.ts", r'VERSION = "NUMBER"'),
            ("docs/sdk-typescript.md", r"licet-NUMBER\.tgz"),
        ),
    ),
    Package(
        ".NET SDK",
        "sdks/dotnet/CHANGELOG.md",
        (
            ("sdks/dotnet/Directory.Build.props", r"<Version>NUMBER</Version>"),
            ("sdks/dotnet/src/Licet/Internal/Api.cs", r'Version = "NUMBER"'),
        ),
    ),
)


def faults(root: Path, tag: str | None = None) -> Iterator[str]:
    """Yield a sentence for each place that disagrees.

    With a tag, every change must also stand under a version: `v1.2.0` is the release of
    version 1.2.0 of the server, with whatever versions its SDKs have.
    """
    for package in PACKAGES:
        yield from _faults_of(package, root, released=tag is not None)
    if tag is not None and (server := version_of(PACKAGES[0], root)) != tag.removeprefix("v"):
        yield f"The tag {tag} is not the version of the server, {server}."


def version_of(package: Package, root: Path) -> str:
    """Return the version that a package is built with."""
    return next(_numbers(root, *package.places[0]), "none")


def _faults_of(package: Package, root: Path, *, released: bool) -> Iterator[str]:
    version = version_of(package, root)
    for place, pattern in package.places:
        numbers = set(_numbers(root, place, pattern))
        if numbers != {version}:
            found = ", ".join(sorted(numbers)) or "no version"
            yield f"{place} has {found}, and the {package.name} is {version}."
    sections = _HEADING.findall((root / package.changelog).read_text(encoding="utf-8"))
    if released and UNRELEASED in sections:
        yield f"{package.changelog} has changes that are in no version."
    newest = next((section for section in sections if section != UNRELEASED), None)
    if newest is None and not released:
        return  # nothing was released yet
    if newest != version:
        yield f"{package.changelog} ends with {newest}, and the {package.name} is {version}."


def _numbers(root: Path, place: str, pattern: str) -> Iterator[str]:
    text = (root / place).read_text(encoding="utf-8")
    yield from re.findall(pattern.replace("NUMBER", _NUMBER), text, re.MULTILINE)
