"""Builds what a release consists of, in a clone of its own.

Each build has the environment of the checkout, whose lock files are those of the tag, and nothing
else of it. Two builds in two folders give the same bytes, or there is no release.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from re import sub

ENVIRONMENT = (".venv/run.stamp", ".venv/dev.stamp", ".venv/docs.stamp")
NODE_MODULES = "dashboard/node_modules"
PACKED_MODULES = f"{NODE_MODULES}/.package-lock.json"
TARGETS = ("wheel", "sdk-typescript", "docs", "sbom")
ARTIFACTS = ("dist/*.whl", "sdks/typescript/*.tgz", "*.cdx.json")
SITE = "site/html"
CACHES = shutil.ignore_patterns(".cache", ".vite", ".vite-temp")
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


class ReleaseFailed(Exception):
    """There is no release; the text says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tag of a clean checkout."""

    checkout: Path
    tag: str
    commit: str
    committed_at: str
    """Seconds since 1970; what is built gets this time."""


def source_of(checkout: Path) -> Source:
    """Return the tag that is checked out.

    Raises:
        ReleaseFailed: when there are changes beside it, or no tag starting with `v`.
    """
    if changed := _git(checkout, "status", "--porcelain"):
        raise ReleaseFailed(f"These files differ from the commit:\n{changed}")
    tags = _git(checkout, "tag", "--points-at", "HEAD", "--list", "v*").split()
    if len(tags) != 1:
        raise ReleaseFailed(
            "Check out the tag of the release first: exactly one tag v* must point to the commit."
        )
    commit, committed_at = _git(checkout, "log", "-1", "--format=%H %ct").split()
    return Source(checkout, tags[0], commit, committed_at)


def build(source: Source, folder: Path) -> Path:
    """Clone the tag into a folder, build everything there, and return the folder of artifacts."""
    tree, out = folder / "licet", folder / "release"
    out.mkdir(parents=True)
    _git(folder, "clone", "--quiet", "--branch", source.tag, str(source.checkout), str(tree))
    _lend_environment(source.checkout, tree)
    kept = [f"--old-file={path}" for path in (*ENVIRONMENT, PACKED_MODULES)]
    _run(tree, source, "make", "--no-print-directory", *kept, *TARGETS)
    for pattern in ARTIFACTS:
        for path in tree.glob(pattern):
            shutil.copy(path, out)
    version = source.tag.removeprefix("v")
    _pack(tree / SITE, out / f"licet-site-{version}.tar.gz", int(source.committed_at))
    _git(
        tree,
        *(
            "archive",
            "--format=tar.gz",
            f"--output={out / f'licet-image-context-{version}.tar.gz'}",
        ),
        source.tag,
    )
    if dotnet_sdk() is not None:
        _pack_dotnet(tree, out, source)
    return out


def not_built() -> Iterator[str]:
    """Yield a sentence for each part of a release that this machine cannot build."""
    if dotnet_sdk() is None:
        yield (
            "The NuGet packages: there is no .NET SDK here. What `make dotnet` compiles runs, but "
            "refers to the runtime's own assemblies, so that no project could compile against it."
        )
    yield "The container image: build it from its context, on each architecture."


def dotnet_sdk() -> str | None:
    """Return the command of a .NET SDK; a runtime alone cannot pack."""
    command = shutil.which("dotnet")
    if command is None:
        return None
    listed = subprocess.run(  # noqa: S603 - a fixed command
        [command, "--list-sdks"], capture_output=True, text=True, check=False
    )
    return command if listed.stdout.strip() else None


def differences(first: Path, second: Path) -> list[str]:
    """Return the names of files that are in one folder alone, or have other bytes in each."""
    one, other = digests(first), digests(second)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a folder, by name."""
    return {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def same_bytes(package: bytes) -> bytes:
    """Return a NuGet package without what differs between two packings: times, order, a name."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(package)) as old, zipfile.ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            if name == "_rels/.rels":
                content = sub(rb'/\w+\.psmdcp"', b'/properties.psmdcp"', content)
                content = sub(rb'Id="R\w+"', b'Id="R1"', content, count=1)
                content = sub(rb'Id="R(?!1")\w+"', b'Id="R2"', content)
            fixed = zipfile.ZipInfo(sub(r"/\w+\.psmdcp$", "/properties.psmdcp", name), _ZIP_EPOCH)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(fixed, content)
    return made.getvalue()


def _pack_dotnet(tree: Path, out: Path, source: Source) -> None:
    command = dotnet_sdk()
    assert command is not None  # noqa: S101 - the caller has asked
    packed = tree / "nuget"
    flags = ("-p:ContinuousIntegrationBuild=true", "-c", "Release", "-o", str(packed))
    for project in ("Licet", "Licet.Extensions"):
        _run(tree, source, command, "pack", f"sdks/dotnet/src/{project}", *flags)
    for path in packed.glob("*.nupkg"):
        (out / path.name).write_bytes(same_bytes(path.read_bytes()))


def _lend_environment(checkout: Path, tree: Path) -> None:
    """Give a clone the installed packages of the checkout, and nothing that was built there."""
    (tree / ".venv").symlink_to(checkout / ".venv")
    with (tree / ".git/info/exclude").open("a") as excluded:
        excluded.write(".venv\n")
    modules = checkout / NODE_MODULES
    shutil.copytree(modules, tree / NODE_MODULES, symlinks=True, ignore=CACHES)


def _pack(folder: Path, target: Path, committed_at: int) -> None:
    """Pack a folder with the same owner, mode and time for every file, in the order of names."""

    def fixed(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mode, entry.mtime = 0o644, committed_at
        return entry

    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=committed_at) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                tar.add(path, path.relative_to(folder), filter=fixed)


def _run(tree: Path, source: Source, *command: str) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        "SOURCE_DATE_EPOCH": source.committed_at,
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }
    ended = subprocess.run(  # noqa: S603 - commands of this file
        command, cwd=tree, env=environment, text=True, capture_output=True, check=False
    )
    if ended.returncode:
        raise ReleaseFailed(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")


def _git(folder: Path, *arguments: str) -> str:
    ended = subprocess.run(  # noqa: S603 - arguments of this file
        ["git", *arguments],  # noqa: S607 - the one on the path
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise ReleaseFailed(f"git {' '.join(arguments)} failed:\n{ended.stderr}")
    return ended.stdout.strip()
