"""Write what the site generator reads: the pages, the files they link to, and its settings."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import textwrap
from dataclasses import replace
from pathlib import Path

from docsite.dotnet import dotnet_page
from docsite.links import resolve
from docsite.navigation import (
    DOTNET_REFERENCE,
    HOME,
    PYTHON_REFERENCES,
    REFERENCES,
    TYPESCRIPT_REFERENCE,
    Section,
    expanded,
    place_of,
)
from docsite.pages import Code, Link, parts, replace_links, title
from docsite.reference import page_of
from docsite.sources import ROOT, tracked_files
from docsite.tabs import with_tabs
from docsite.typescript import typescript_page

SETTINGS = Path(__file__).with_name("zensical.toml")
STYLES = Path(__file__).with_name("wide.css")


def write_site(target: Path) -> None:
    """Write settings to ``target`` and pages to its folder ``pages``, in place of what is there.

    Raises:
        ValueError: A page of ``docs`` is not in the navigation.
    """
    files = tracked_files()
    readers = expanded(files)
    pages = [
        HOME,
        *(page for part in readers.values() for items in part.values() for page in items),
    ]
    _require_all(pages, files)
    folder = target / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    texts = {page: _text(page) for page in pages}
    for page, text in texts.items():
        path = folder / place_of(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_site_text(page, text, set(pages), files, folder), encoding="utf-8")
    shutil.copy(STYLES, folder)
    titles = {page: title(text) for page, text in texts.items()}
    (target / "zensical.toml").write_text(_settings(readers, titles), encoding="utf-8")


def _require_all(pages: list[str], files: set[str]) -> None:
    written = {name for name in files if name.startswith("docs/") and name.endswith(".md")}
    if missing := sorted(written - set(pages)):
        raise ValueError(f"not in docsite/navigation.py: {', '.join(missing)}")


def _text(page: str) -> str:
    if page == TYPESCRIPT_REFERENCE:
        return typescript_page()
    if page == DOTNET_REFERENCE:
        return dotnet_page()
    if page in PYTHON_REFERENCES:
        return page_of(PYTHON_REFERENCES[page])
    return (ROOT / page).read_text(encoding="utf-8")


def _site_text(page: str, text: str, pages: set[str], files: set[str], folder: Path) -> str:
    """A page as the site generator reads it."""

    def link(found: Link) -> str:
        return _site_link(found, page, pages, files, folder)

    items = [
        part if isinstance(part, Code) else replace_links(part, link)
        for part in with_tabs(map(_in_lists, parts(text)))
    ]
    return "".join(item if isinstance(item, str) else _fenced(item) for item in items)


def _in_lists(part: str | Code) -> str | Code:
    """Indent what belongs to a numbered item by the four spaces that the site generator wants."""
    if isinstance(part, str):
        return re.sub(r"^ {3}(?=\S)", " " * 4, part, flags=re.MULTILINE)
    return replace(part, indent=" " * 4) if part.indent == " " * 3 else part


def _site_link(link: Link, page: str, pages: set[str], files: set[str], folder: Path) -> str:
    if link.is_external or not link.path or page in REFERENCES:
        return _markdown(link, link.target)
    source = resolve(page, link.path) or ""
    if source == "README.md":
        source = HOME
    start = posixpath.dirname(place_of(page)) or "."
    if source in pages:
        anchor = f"#{link.anchor}" if link.anchor else ""
        return _markdown(link, posixpath.relpath(place_of(source), start) + anchor)
    if source in files and not source.endswith(".md"):
        place = f"files/{source}"
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, folder / place)
        return _markdown(link, posixpath.relpath(place, start))
    return link.text  # a folder, or a page that is not part of the site


def _markdown(link: Link, target: str) -> str:
    return f"{'!' if link.is_image else ''}[{link.text}]({target})"


def _fenced(code: Code) -> str:
    fence = "````" if "```" in code.text else "```"
    block = f"{fence}{code.language}\n{textwrap.dedent(code.text)}{fence}"
    return textwrap.indent(block, code.indent)


def _settings(readers: dict[str, Section], titles: dict[str, str]) -> str:
    """The settings with the navigation, which is the one thing in them that is computed."""

    def entry(page: str) -> str:
        return f"{{ {json.dumps(titles[page])} = {json.dumps(place_of(page))} }}"

    def group(name: str, items: list[str]) -> str:
        return f"{{ {json.dumps(name)} = [{', '.join(items)}] }}"

    tabs = [f'{{ "Home" = "{place_of(HOME)}" }}']
    for reader, sections in readers.items():
        groups = [group(name, [entry(page) for page in pages]) for name, pages in sections.items()]
        tabs.append(group(reader, groups))
    nav = ",\n  ".join(tabs)
    head = "[project]\n"
    return SETTINGS.read_text(encoding="utf-8").replace(head, f"{head}nav = [\n  {nav},\n]\n", 1)
