"""Packs compiled assemblies for NuGet: a package is a zip file by the Open Packaging Conventions.

What a package is called, needs and contains stands in the project files, which `dotnet pack` reads
as well. Times and order are fixed, so that the same assemblies give the same bytes.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

ROOT = Path(__file__).resolve().parents[1]
NUSPEC = "http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"
OPC = "http://schemas.openxmlformats.org/package/2006"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
_SCHEMAS = "http://schemas.microsoft.com/packaging/2010/07"
_HERE = "$(MSBuildThisFileDirectory)"
_TIME = (1980, 1, 1, 0, 0, 0)
_RELATIONS = "_rels/.rels"
_UNKNOWN = "application/octet"


class Project:
    """A project file, and what all projects have in common."""

    def __init__(self, name: str, root: Path = ROOT) -> None:
        self._files = [
            (place.parent, ET.parse(place).getroot())  # noqa: S314 - files of the checkout
            for place in (root / f"src/{name}/{name}.csproj", root / "Directory.Build.props")
        ]

    def property(self, name: str) -> str:
        """Return a property; the project's own comes before the common one."""
        found = (element.text for _, file in self._files for element in file.iter(name))
        return next(text for text in found if text)

    def documents(self) -> dict[str, bytes]:
        """Return the files at the top of the package, by name."""
        items = [
            folder / item.attrib["Include"].replace(_HERE, "")
            for folder, file in self._files
            for item in file.iter("None")
        ]
        return {path.name: path.read_bytes() for path in items}

    def dependencies(self) -> Iterator[tuple[str, str]]:
        """Yield the packages that this one needs, and their lowest versions."""
        for _, file in self._files:
            for item in file.iter("ProjectReference"):
                yield Path(item.attrib["Include"]).stem, self.property("Version")
            for item in file.iter("PackageReference"):
                yield item.attrib["Include"], item.attrib["Version"]


def pack(name: str, built: Path, root: Path = ROOT) -> tuple[str, bytes]:
    """Return the file name and the bytes of the package of a compiled project."""
    project = Project(name, root)
    identity, version = project.property("PackageId"), project.property("Version")
    library = f"lib/{project.property('TargetFramework')}/{name}"
    documents = project.documents()
    manifest = _written(_manifest(project, documents["CHANGELOG.md"].decode()))
    properties = f"package/services/metadata/core-properties/{sha256(manifest).hexdigest()}.psmdcp"
    parts = {
        f"{identity}.nuspec": manifest,
        **{f"{library}{end}": (built / f"{name}{end}").read_bytes() for end in (".dll", ".xml")},
        **documents,
        properties: _written(_properties(project)),
    }
    parts[_RELATIONS] = _written(_relations(f"{identity}.nuspec", properties))
    parts["[Content_Types].xml"] = _written(_content_types(parts))
    return f"{identity}.{version}.nupkg", _zipped(parts)


def _manifest(project: Project, changelog: str) -> Element:
    package = Element("package", xmlns=NUSPEC)
    metadata = SubElement(package, "metadata")
    values = {
        "id": project.property("PackageId"),
        "version": project.property("Version"),
        "authors": project.property("Authors"),
        "description": project.property("Description"),
        "readme": project.property("PackageReadmeFile"),
        "releaseNotes": _newest_changes(changelog),
    }
    for name, value in values.items():
        SubElement(metadata, name).text = value
    terms = SubElement(metadata, "license", type="expression")
    terms.text = project.property("PackageLicenseExpression")
    groups = SubElement(metadata, "dependencies")
    group = SubElement(groups, "group", targetFramework=project.property("TargetFramework"))
    for name, version in project.dependencies():
        SubElement(group, "dependency", id=name, version=version, exclude="Build,Analyzers")
    return package


def _newest_changes(changelog: str) -> str:
    """Return the newest section of a changelog, without its heading."""
    return re.split(r"^## .*$", changelog, flags=re.MULTILINE)[1].strip()


def _properties(project: Project) -> Element:
    core = Element("coreProperties", {"xmlns": f"{OPC}/metadata/core-properties"})
    core.set("xmlns:dc", DUBLIN_CORE)
    for name, value in (
        ("dc:creator", "Authors"),
        ("dc:description", "Description"),
        ("dc:identifier", "PackageId"),
        ("version", "Version"),
    ):
        SubElement(core, name).text = project.property(value)
    return core


def _relations(manifest: str, properties: str) -> Element:
    relations = Element("Relationships", xmlns=f"{OPC}/relationships")
    for number, (kind, target) in enumerate(
        (
            (f"{_SCHEMAS}/manifest", manifest),
            (f"{OPC}/relationships/metadata/core-properties", properties),
        ),
        start=1,
    ):
        values = {"Type": kind, "Target": f"/{target}", "Id": f"R{number}"}
        SubElement(relations, "Relationship", values)
    return relations


def _content_types(parts: Iterable[str]) -> Element:
    """Name the kind of each part: those of the conventions, and files that they know nothing of."""
    kinds = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "psmdcp": "application/vnd.openxmlformats-package.core-properties+xml",
    }
    types = Element("Types", xmlns=f"{OPC}/content-types")
    for part in sorted(part for part in parts if "." not in part):
        SubElement(types, "Override", PartName=f"/{part}", ContentType=_UNKNOWN)
    for ending in sorted({part.rpartition(".")[2] for part in parts if "." in part}):
        kind = kinds.get(ending, _UNKNOWN)
        SubElement(types, "Default", Extension=ending, ContentType=kind)
    return types


def _written(root: Element) -> bytes:
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _zipped(parts: dict[str, bytes]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        for name in sorted(parts):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            package.writestr(entry, parts[name])
    return made.getvalue()
