"""``python -m docsite.hosts FOLDER``: whether a page of the built site loads from elsewhere.

Links to other sites are fine; a script, a style, a font or an image from one is not. The script of
the theme can load a library for diagrams from elsewhere, so no page may have a diagram.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

LOADED = {
    "script",
    "img",
    "iframe",
    "source",
    "video",
    "audio",
    "embed",
    "track",
    "object",
    "input",
}
LINKS_THAT_LOAD = re.compile(r"stylesheet|icon|preload|prefetch|preconnect|manifest")
ON_DEMAND = {"mermaid", "glightbox"}
ELSEWHERE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
IN_STYLES = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", re.IGNORECASE)


class _Page(HTMLParser):
    """Collects what a page loads from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        loads = tag in LOADED or (tag == "link" and LINKS_THAT_LOAD.search(values.get("rel", "")))
        for name in ("src", "srcset", "href", "data", "poster"):
            if loads and ELSEWHERE.match(values.get(name, "")):
                self.faults.append(f"<{tag}> loads {values[name]}")
        self.faults += [f"https:{url}" for url in IN_STYLES.findall(values.get("style", ""))]
        if ON_DEMAND & set(values.get("class", "").split()):
            self.faults.append(f"<{tag} class={values['class']!r}> makes the theme load a library")


def faults_in(folder: Path) -> Iterator[str]:
    """A line for each thing that a page or a style loads from another host."""
    for path in sorted(folder.rglob("*.html")):
        page = _Page()
        page.feed(path.read_text(encoding="utf-8"))
        yield from (f"{path}: {fault}" for fault in page.faults)
    for path in sorted(folder.rglob("*.css")):
        yield from (f"{path}: {url}" for url in IN_STYLES.findall(path.read_text(encoding="utf-8")))


def main(folder: Path) -> int:
    pages = len(list(folder.rglob("*.html")))
    faults = list(faults_in(folder))
    for fault in faults:
        print(fault, file=sys.stderr)
    if not pages:
        print(f"{folder} has no pages", file=sys.stderr)
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
