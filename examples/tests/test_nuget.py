"""NuGet packages: whole, equal in two builds, and of use to a program that has nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from examples.tests.kit import ROOT

SDK = ROOT / ".venv/dotnet"
BUILD = ROOT / "sdks/dotnet/toolchain/build.py"
PROGRAM = """
using System;
using System.Linq;
using System.Reflection;
using Licet;

try
{
    await using var client = new LicenseClient(new LicenseClientOptions { ProductId = "none" });
}
catch (LicetConfigurationException error)
{
    Console.WriteLine($"{typeof(LicenseClient).Assembly.GetName().Version} {error.Code}");
}
foreach (var assembly in new[] { typeof(LicenseClient).Assembly, Assembly.GetExecutingAssembly() })
{
    var names = assembly.GetReferencedAssemblies().Select(name => name.Name!);
    Console.WriteLine(names.Any(name => name.StartsWith("System.Private.")));
}
"""


def build(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, BUILD, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, zipfile.ZipFile]:
    """The packages by name, as `make nuget` builds them."""
    if not (SDK / "built.stamp").is_file():
        pytest.skip("the .NET SDK is not compiled; `make dotnet` does that on Linux on x86-64")
    folder = tmp_path_factory.mktemp("nuget")
    build(folder, "--packages")
    return {
        re.sub(r"\.\d.*", "", path.name): zipfile.ZipFile(path) for path in folder.glob("*.nupkg")
    }


def values(package: zipfile.ZipFile, part: str) -> dict[str, str]:
    """The texts of an XML part by the names of their elements, without namespaces."""
    root = ElementTree.fromstring(package.read(part))
    return {str(element.tag).rpartition("}")[2]: element.text or "" for element in root.iter()}


def test_each_project_that_is_published_is_a_package(packages: dict[str, zipfile.ZipFile]) -> None:
    assert sorted(packages) == ["Licet", "Licet.Extensions"]
    for name, package in packages.items():
        assert package.testzip() is None
        fixed = {f"lib/net8.0/{name}.dll", f"lib/net8.0/{name}.xml", f"{name}.nuspec"}
        assert fixed | {"README.md", "CHANGELOG.md", "LICENSE"} < set(package.namelist())


def test_a_manifest_says_what_the_gallery_shows(packages: dict[str, zipfile.ZipFile]) -> None:
    found = values(packages["Licet.Extensions"], "Licet.Extensions.nuspec")
    props = values(packages["Licet"], "Licet.nuspec")
    assert found["id"] == "Licet.Extensions"
    assert found["version"] == props["version"]
    assert found["license"] == "Apache-2.0"
    assert found["readme"] in packages["Licet.Extensions"].namelist()
    assert found["releaseNotes"].startswith("- ")
    assert all(found[name] for name in ("authors", "description"))
    root = ElementTree.fromstring(packages["Licet.Extensions"].read("Licet.Extensions.nuspec"))
    groups = root.findall(".//{*}dependencies/{*}group")
    assert [group.get("targetFramework") for group in groups] == ["net8.0"]
    needs = {item.get("id"): item.get("version") for item in groups[0]}
    assert needs["Licet"] == found["version"]
    assert "Microsoft.Extensions.DependencyInjection.Abstractions" in needs
    [group] = ElementTree.fromstring(packages["Licet"].read("Licet.nuspec")).iter(
        str(groups[0].tag)
    )
    assert list(group) == []


def test_a_package_keeps_the_open_packaging_conventions(
    packages: dict[str, zipfile.ZipFile],
) -> None:
    for package in packages.values():
        relations = ElementTree.fromstring(package.read("_rels/.rels"))
        targets = {str(item.get("Type")): str(item.get("Target")) for item in relations}
        assert {target.removeprefix("/") for target in targets.values()} < set(package.namelist())
        assert {kind.rpartition("/")[2] for kind in targets} == {"manifest", "core-properties"}
        types = ElementTree.fromstring(package.read("[Content_Types].xml"))
        endings = {item.get("Extension") for item in types}
        parts = {item.get("PartName") for item in types}
        for name in set(package.namelist()) - {"[Content_Types].xml"}:
            assert name.rpartition(".")[2] in endings or f"/{name}" in parts, name
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert package.namelist() == sorted(package.namelist())


def test_an_editor_shows_what_each_option_is_and_its_default(
    packages: dict[str, zipfile.ZipFile],
) -> None:
    document = ElementTree.fromstring(packages["Licet"].read("lib/net8.0/Licet.xml"))
    members = {str(item.get("name")): item for item in document.iter("member")}
    source = (ROOT / "sdks/dotnet/src/Licet/LicenseClientOptions.cs").read_text()
    names = re.findall(r"^    public \S+ (\w+) \{ get; set; \}", source, re.MULTILINE)
    assert len(names) > 20
    for name in names:
        member = members[f"P:Licet.LicenseClientOptions.{name}"]
        text = " ".join("".join(member.itertext()).split())
        assert re.search(r"\bdefault\b|\brequired\b", text), name
        assert text.endswith("."), name
    [opening] = (item for name, item in members.items() if ".LicenseClient.OpenAsync(" in name)
    assert [item.get("name") for item in opening.iter("param")] == [
        "callbacks",
        "changed",
        "cancellationToken",
    ]


def test_two_builds_compile_the_same_bytes(packages: dict[str, zipfile.ZipFile]) -> None:
    for name, package in packages.items():
        for end in (".dll", ".xml"):
            packed = package.read(f"lib/net8.0/{name}{end}")
            assert packed == (SDK / f"{name}{end}").read_bytes()


def test_a_program_compiles_against_the_package_and_runs(
    packages: dict[str, zipfile.ZipFile], tmp_path: Path
) -> None:
    unpacked, program = tmp_path / "sdk", tmp_path / "program"
    unpacked.mkdir()
    program.mkdir()
    for name, package in packages.items():
        (unpacked / f"{name}.dll").write_bytes(package.read(f"lib/net8.0/{name}.dll"))
    for library in (*SDK.glob("Microsoft.Extensions.*.dll"), SDK / "Licet.Hosting.dll"):
        shutil.copy(library, unpacked)
    (program / "Program.cs").write_text(PROGRAM)
    (program / "Hello.csproj").write_text("<Project/>")
    build(unpacked, "--program", program)
    dotnet = next((ROOT / ".venv").glob("lib/python3*/site-packages/dnv/net/runtime/.net/dotnet"))
    ran = subprocess.run(
        [dotnet, program / "bin/Hello.dll"],
        capture_output=True,
        text=True,
        check=False,
        env={"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
    )
    version = values(packages["Licet"], "Licet.nuspec")["version"]
    assert ran.returncode == 0, ran.stderr
    opened, package_is_private, program_is_private = ran.stdout.splitlines()
    assert opened == f"{version}.0 Configuration"
    assert package_is_private == "False"  # a project can refer to all that the package refers to
    assert program_is_private == "True"  # as the compiler leaves what is not published
