"""The Markdown of a page: its code blocks, its links, and the anchors of its headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^( *)(```+|~~~+)([^\n`]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\n).)*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<image>!?)\[(?P<text>(?:`[^`]*`|[^\[\]`]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)",
    re.DOTALL,
)
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
_ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced code block.

    Attributes:
        info: What follows the opening fence, such as ``python`` or ``sh billing``.
        indent: The spaces before the fence.
    """

    info: str
    text: str
    indent: str = ""

    @property
    def language(self) -> str:
        return self.info.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image; ``target`` is as the page has it."""

    text: str
    target: str
    is_image: bool

    @property
    def path(self) -> str:
        return self.target.partition("#")[0]

    @property
    def anchor(self) -> str:
        return self.target.partition("#")[2]

    @property
    def is_external(self) -> bool:
        return re.match(r"[a-z][a-z0-9+.-]*:", self.target) is not None


def parts(text: str) -> Iterator[str | Code]:
    """Split a page into its prose and its code blocks, in order."""
    end = 0
    for found in _FENCE.finditer(text):
        yield text[end : found.start()]
        indent, _, info, body = found.groups()
        yield Code(info.strip(), body, indent)
        end = found.end()
    yield text[end:]


def links(text: str) -> Iterator[Link]:
    """The links and images of a page, without those in code."""
    for part in parts(text):
        if isinstance(part, str):
            yield from (_link(found) for found in _LINK.finditer(part) if not found["code"])


def replace_links(prose: str, replacement: Callable[[Link], str]) -> str:
    """Replace each link of a piece of prose."""

    def replace(found: re.Match[str]) -> str:
        return found[0] if found["code"] else replacement(_link(found))

    return _LINK.sub(replace, prose)


def _link(found: re.Match[str]) -> Link:
    return Link(found["text"], found["target"], found["image"] == "!")


def title(text: str) -> str:
    """The first heading of a page, as plain text."""
    found = _HEADING.search(text)
    if found is None:
        raise ValueError("a page has no heading")
    return _plain(found[2])


def anchors(text: str) -> set[str]:
    """The anchors that a page offers, as the forges and the site form them."""
    seen: Counter[str] = Counter()
    found: set[str] = set()
    for part in parts(text):
        if isinstance(part, Code):
            continue
        found.update(_ANCHOR.findall(part))
        for _, heading in _HEADING.findall(part):
            slug = slug_of(heading)
            found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
    return found


def slug_of(heading: str) -> str:
    """The anchor of a heading: ``either-one-seat`` for ``Either one: `seat()` ``."""
    words = re.sub(r"[^\w\- ]", "", _plain(heading).lower())
    return words.replace(" ", "-")


def _plain(markdown: str) -> str:
    without_links = _LINK.sub(lambda found: found["code"] or found["text"], markdown)
    return re.sub(r"[`*]", "", without_links).strip()
