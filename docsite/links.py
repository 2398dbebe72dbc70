"""``python -m docsite.links``: whether every link of every page leads somewhere.

Looks at files of the checkout and at anchors of its pages, and asks no other server.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

from docsite.pages import Link, anchors, links
from docsite.sources import ROOT, tracked_files


def main() -> int:
    files = tracked_files()
    faults = [fault for page in pages(files) for fault in faults_of(page, files)]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def pages(files: set[str]) -> list[str]:
    """The pages whose links are checked; those of the Help center have a test of their own."""
    return sorted(
        name for name in files if name.endswith(".md") and not name.startswith("dashboard/src/")
    )


def faults_of(page: str, files: set[str]) -> Iterator[str]:
    """A sentence for each link of a page that leads nowhere."""
    for link in links(_read(page)):
        if not link.is_external and (fault := _fault(page, link, files)):
            yield f"{page}: {link.target} {fault}"


def _fault(page: str, link: Link, files: set[str]) -> str | None:
    target = page if not link.path else resolve(page, link.path)
    if target is None:
        return "leaves the repository"
    is_folder = any(name.startswith(f"{target}/") for name in files)
    if target not in files and not is_folder:
        return "does not exist"
    if link.anchor and link.anchor not in _anchors(target):
        return "has no such heading"
    return None


def resolve(page: str, path: str) -> str | None:
    """The file that a relative link of a page names; ``None`` outside the repository."""
    found: list[str] = []
    for part in (PurePosixPath(page).parent / path).parts:
        if part == ".." and not found:
            return None
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return "/".join(found)


@cache
def _read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def _anchors(page: str) -> set[str]:
    return anchors(_read(page)) if Path(page).suffix == ".md" else set()


if __name__ == "__main__":
    sys.exit(main())
