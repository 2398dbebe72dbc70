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
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

ENVIRONMENT = tuple(f".venv/{name}.stamp" for name in ("run", "dev", "docs", "dotnet"))
NODE_MODULES = "dashboard/node_modules"
DOTNET_RUNTIME = "lib/python3*/site-packages/dnv/net"
DOTNET_COMPILER = "sdks/dotnet/toolchain/node_modules"
PACKED_MODULES = f"{NODE_MODULES}/.package-lock.json"
TARGETS = ("wheel", "sdk-typescript", "docs", "sbom")
ARTIFACTS = ("dist/*.whl", "dist/*.nupkg", "sdks/typescript/*.tgz", "*.cdx.json")
SITE = "site/html"
CACHES = shutil.ignore_patterns(".cache", ".vite", ".vite-temp")


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
    targets = (*TARGETS, "nuget") if _compiles_dotnet(source.checkout) else TARGETS
    _run(tree, source, "make", "--no-print-directory", *kept, *targets)
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
    return out


def not_built(checkout: Path) -> Iterator[str]:
    """Yield a sentence for each part of a release that this machine cannot build."""
    if not _compiles_dotnet(checkout):
        yield "The NuGet packages: `make nuget` builds them on Linux on x86-64."
    yield (
        "The container image, which needs a container engine and its base image. On each "
        "architecture: `docker build -f deploy/Containerfile -t licet:VERSION - < FILE`, "
        "where FILE is licet-image-context-VERSION.tar.gz."
    )


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


def _lend_environment(checkout: Path, tree: Path) -> None:
    """Give a clone the installed packages of the checkout, and nothing that was built there."""
    (tree / ".venv").symlink_to(checkout / ".venv")
    with (tree / ".git/info/exclude").open("a") as excluded:
        excluded.write(".venv\n")
    modules = checkout / NODE_MODULES
    shutil.copytree(modules, tree / NODE_MODULES, symlinks=True, ignore=CACHES)
    if _compiles_dotnet(checkout):
        (tree / DOTNET_COMPILER).symlink_to(checkout / DOTNET_COMPILER)


def _compiles_dotnet(checkout: Path) -> bool:
    """Return whether a checkout has the parts that compile .NET, which are for one system."""
    has_runtime = any((checkout / ".venv").glob(DOTNET_RUNTIME))
    return has_runtime and (checkout / DOTNET_COMPILER).is_dir()


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
