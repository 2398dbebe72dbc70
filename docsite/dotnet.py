"""The reference of the .NET SDK, from the declarations and the ``///`` comments of its sources.

The sources are read as they are formatted: types at the margin, members indented by four spaces.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from docsite.sources import ROOT

SOURCES = ROOT / "sdks/dotnet/src"
SECTIONS: dict[str, tuple[str, ...]] = {
    "The client": (
        *("LicenseClient", "LicenseClientOptions", "SeatMode", "DeviceIdentity", "DeviceKeyLevel"),
    ),
    "Results": (
        *("LicenseResult", "LicenseValidationStatus", "LicenseValidationStatusExtensions"),
        *("LicenseSource", "License", "LicenseSeat", "SeatKind", "LicensedProduct"),
        "LicensedRelease",
    ),
    "Using a license": (
        *("OpenLicense", "LicenseSession", "SessionCallbacks", "BorrowedSeat", "LicenseWatch"),
        *("Activation", "ActivationStatus", "OfflineRequest", "OfflineRequestKind"),
        "OfflineRelease",
    ),
    "Metering": ("Consumption", "MeterBalance", "MeterMode", "ReservedCredits"),
    "Updates": ("Update", "UpdateFile", "DownloadProgress"),
    "Dependency injection": ("LicetServiceCollectionExtensions",),
    "Errors": ("LicetException", "LicetErrorCode"),
}
"""The public types by subject; what is missing here follows in the last section."""

WIDTH = 88

_TYPE = re.compile(r"\b(?:class|enum|interface|record|struct)(?: struct| class)? (\w+)")
_NAME = re.compile(r"(\w+)(?:<[^>]*>)?\s*(?:\(|$)")
_END = re.compile(r"[;{]|=>|=(?!=|>)| : (?:base|this)\(")


@dataclass
class Declaration:
    """A public type or member: its declaration, its comment and its members."""

    text: str
    comment: ET.Element
    members: list[Declaration] = field(default_factory=list)

    @property
    def name(self) -> str:
        found = _TYPE.search(self.text) or _NAME.search(self.text)
        return found[1] if found else self.text

    @property
    def is_property(self) -> bool:
        return "(" not in self.text


def dotnet_page() -> str:
    """The page as Markdown.

    Raises:
        KeyError: There is no public type of a name.
    """
    types = {item.name: item for item in _types()}
    sections = {name: list(names) for name, names in SECTIONS.items()}
    known = {name for names in sections.values() for name in names}
    list(sections.values())[-1].extend(sorted(set(types) - known))
    lines = [
        "# `Licet` for .NET",
        "",
        "The public types of the packages `Licet` and `Licet.Extensions`.",
        "",
    ]
    for section, names in sections.items():
        lines += [f"## {section}", ""]
        for name in names:
            lines += _described_type(types[name])
    return "\n".join(lines) + "\n"


# Reading


def _types() -> Iterator[Declaration]:
    for path in sorted([*SOURCES.glob("Licet/*.cs"), *SOURCES.glob("Licet.Extensions/*.cs")]):
        current: Declaration | None = None
        for item, indent in _declarations(path.read_text(encoding="utf-8")):
            if not indent:
                current = item if item.text.startswith("public ") else None
                if current is not None:
                    yield current
            elif current is not None and _is_public(item, current):
                current.members.append(item)


def _is_public(member: Declaration, owner: Declaration) -> bool:
    return member.text.startswith("public ") or " enum " in owner.text


def _declarations(source: str) -> Iterator[tuple[Declaration, int]]:
    """What has a comment, with its indentation, in order."""
    for found in re.finditer(r"^( {0}| {4})///.*\n(?:\1///.*\n)*", source, re.MULTILINE):
        indent = found[1]
        rest = re.sub(rf"\A(?:{indent}\[.*\]\n)+", "", source[found.end() :])
        comment = re.sub(rf"^{indent}/// ?", "", found[0], flags=re.MULTILINE)
        element = ET.fromstring(f"<comment>{comment}</comment>")  # noqa: S314 - our own
        yield Declaration(_declaration(rest), element), len(indent)


def _declaration(rest: str) -> str:
    """The declaration at the start of a piece of source, without its body, on one line."""
    rest, depth = rest.lstrip(), 0
    for position, letter in enumerate(rest):
        depth += (letter in "([<") - (letter in ")]>" and rest[position - 1] != "=")
        if depth == 0 and _END.match(rest, position):
            return " ".join(rest[:position].split()).replace("( ", "(")
        if depth == 0 and letter == "," and not rest.startswith("public "):  # of an enumeration
            return rest[:position]
    raise ValueError(f"no end of the declaration: {rest[:80]}")


# Writing


def _described_type(item: Declaration) -> Iterator[str]:
    yield from (f"### {item.name}", "")
    if " enum " not in item.text:
        yield from _code(_wrapped(item.text))
    yield from _comment(item)
    facts = [member for member in item.members if member.is_property]
    rows = [(f"`{_plain(member.text)}`", member.comment.find("summary")) for member in facts]
    yield from _table("value" if " enum " in item.text else "property", rows)
    for member in item.members:
        if member not in facts:
            yield from (f"#### {item.name}.{member.name}", "")
            yield from (*_code(_wrapped(member.text)), *_comment(member))


def _comment(item: Declaration) -> Iterator[str]:
    yield from (_prose(item.comment.find("summary")), "")
    for example in item.comment.iterfind("example/code"):
        yield from _code(textwrap.dedent(example.text or "").strip())
    rows = [(f"`{one.get('name')}`", one) for one in item.comment.iterfind("param")]
    rows += [(f"Throws `{_short(one)}`", one) for one in item.comment.iterfind("exception")]
    yield from _table("", rows)


def _table(head: str, rows: Sequence[tuple[str, ET.Element | None]]) -> Iterator[str]:
    if rows:
        yield from (f"| {head} | |", "|---|---|")
        for label, element in rows:
            text = _prose(element).replace("|", "\\|")
            yield f"| {label} | {text} |"
        yield ""


def _prose(element: ET.Element | None) -> str:
    """The text of an element as Markdown."""
    if element is None:
        return ""
    text = element.text or ""
    for part in element:
        inner = _short(part) if part.tag in {"see", "paramref"} else "".join(part.itertext())
        text += f"`{inner}`{part.tail or ''}"
    return " ".join(text.split())


def _short(element: ET.Element) -> str:
    """What an element refers to, without its namespace and its arguments."""
    target = element.get("cref") or element.get("langword") or element.get("name") or ""
    return re.sub(r"\(.*\)$", "", target).removeprefix("Licet.")


def _wrapped(text: str) -> str:
    """A declaration as callers see it, with a line for each parameter if it is long."""
    text = _plain(text)
    if len(text) <= WIDTH or "(" not in text:
        return text
    head, _, rest = text.partition("(")
    inside, _, tail = rest.rpartition(")")
    parameters = re.split(r", (?![^<]*>)", inside.strip())
    return f"{head}(\n    " + ",\n    ".join(parameters) + f"){tail}"


def _plain(declaration: str) -> str:
    return re.sub(r"^public |\b(?:async|override|readonly|sealed) ", "", declaration)


def _code(text: str) -> Iterator[str]:
    yield from ("```csharp", text, "```", "")
