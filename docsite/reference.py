"""The reference of the Python SDK, as a page of Markdown from its docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docsite.sources import ROOT

SOURCES = ROOT / "sdks/python/src"
SECTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "licet": {
        "Clients": ("LicenseClient", "AsyncLicenseClient", "ClientOptions", "SeatMode"),
        "Results": (
            *("LicenseResult", "LicenseValidationStatus", "License", "LicenseType"),
            *("LicenseStatus", "EntitlementValue", "LicenseSeat", "Product", "Release"),
        ),
        "Using a license": (
            *("OpenLicense", "AsyncOpenLicense", "Session", "AsyncSession", "Seat", "AsyncSeat"),
            *("Activation", "ActivationStatus", "Watch", "AsyncWatch"),
        ),
        "Metering": ("Consumption", "Balance", "MeterMode"),
        "Updates": ("Update", "UpdateFile"),
        "Transports": ("Transport", "AsyncTransport", "TransportRequest", "TransportReply"),
        "Errors": ("LicetError",),
    },
    "licet.sentences": {"Sentences": ("sentence", "SENTENCES", "LANGUAGES")},
    "licet.testing": {
        "The server": ("FakeServer", "Model", "Terms"),
        "What it holds": (
            *("FakeLicense", "FakeDevice", "FakeSession", "FakeAccessAttempt", "LedgerEntry"),
            *("RecordedRequest", "TrackedEvent"),
        ),
        "Faults": ("Fault", "NetworkFault", "ResponseFault"),
    },
}
"""The public names of each module by subject; what is missing here follows in its last section."""

HIDDEN = {"__version__"}
KINDS = {"parameters": "Argument", "attributes": "Attribute", "raises": "Raises"}


def page_of(module: str) -> str:
    """The reference of a public module.

    Raises:
        KeyError: A name is not exported, or an export is not a name.
    """
    import griffe  # noqa: PLC0415 - installed only with what builds the site

    loaded = griffe.load(
        module, search_paths=[SOURCES], docstring_parser="google", resolve_aliases=True
    )
    sections = {name: list(names) for name, names in SECTIONS[module].items()}
    known = {name for names in sections.values() for name in names} | HIDDEN
    exports = [str(name).strip("'\"") for name in loaded.exports or ()]
    list(sections.values())[-1].extend(sorted(set(exports) - known))
    lines = [f"# `{module}` for Python", "", *_docstring(loaded)]
    for section, names in sections.items():
        lines += [f"## {section}", ""]
        for name in names:
            lines += _described(name, loaded[name])
    return "\n".join(lines) + "\n"


def _described(name: str, item: Any) -> Iterator[str]:
    target = item.final_target if item.is_alias else item
    yield from (f"### {name}", "")
    if target.is_class:
        yield from _class(name, target)
    elif target.is_function:
        yield from (*_code(_signature(name, target)), *_docstring(target))
    else:
        yield from (*_code(f"{name} = {target.value}"), *_docstring(target))


def _class(name: str, item: Any) -> Iterator[str]:
    bases = [str(base) for base in item.bases]
    constructor = item.all_members.get("__init__")
    shows_constructor = constructor is not None and not _is_built_in(constructor)
    if shows_constructor and "dataclass" not in item.labels and not _is_internal(constructor):
        yield from _code(_signature(name, constructor))
    elif bases:
        yield from _code(f"class {name}({', '.join(bases)})")
    yield from _docstring(item)
    for member_name, member in item.all_members.items():
        if member_name.startswith("_"):
            continue
        target = member.final_target if member.is_alias else member
        if target.is_function:
            yield from (f"#### {name}.{member_name}", "")
            yield from (*_code(_signature(member_name, target)), *_docstring(target))
        elif target.docstring is not None:
            yield from (f"#### {name}.{member_name}", "")
            yield from (*_code(f"{member_name}: {target.annotation}"), *_docstring(target))
    if any(str(base).endswith("Enum") for base in item.bases):
        yield from _values(item)


def _values(item: Any) -> Iterator[str]:
    names = [f"`{name}`" for name, member in item.members.items() if member.is_attribute]
    yield from (f"Values: {', '.join(names)}.", "")


def _is_built_in(function: Any) -> bool:
    return not str(function.final_target.path if function.is_alias else function.path).startswith(
        "licet"
    )


def _is_internal(function: Any) -> bool:
    """Whether applications do not call a constructor: it takes what only the SDK has."""
    return any("Core" in str(parameter.annotation) for parameter in function.parameters)


def _signature(name: str, function: Any) -> str:
    """A function as it is called, with its annotations."""
    parameters: list[str] = []
    marked = only_by_position = False
    for parameter in function.parameters:
        if parameter.name in {"self", "cls"}:
            continue
        kind = str(parameter.kind.value)
        if kind == "keyword-only" and not marked:
            parameters.append("*")
        marked = marked or kind in {"keyword-only", "variadic positional"}
        if parameters and "/" not in parameters and only_by_position and kind != "positional-only":
            parameters.append("/")
        only_by_position = only_by_position or kind == "positional-only"
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        text = f"{stars}{parameter.name}"
        text += f": {parameter.annotation}" if parameter.annotation is not None else ""
        has_default = parameter.default is not None and not stars
        parameters.append(f"{text} = {parameter.default}" if has_default else text)
    is_constructor = str(function.name) == "__init__"
    has_result = function.returns is not None and not is_constructor
    returned = f" -> {function.returns}" if has_result else ""
    prefix = "async " if "async" in function.labels else ""
    line = f"{prefix}{name}({', '.join(parameters)}){returned}"
    if len(line) <= 88:
        return line
    inside = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{prefix}{name}(\n{inside}){returned}"


def _docstring(item: Any) -> Iterator[str]:
    if item.docstring is None:
        return
    for section in item.docstring.parsed:
        kind = section.kind.value
        if kind == "text":
            yield from (_prose(section.value), "")
        elif kind in KINDS:
            yield from _table(KINDS[kind], section.value)
        elif kind == "examples":
            yield from (*_code("\n".join(text for _, text in section.value)), "")


def _table(head: str, rows: Any) -> Iterator[str]:
    yield from (f"| {head} | |", "|---|---|")
    for row in rows:
        label = getattr(row, "name", None) or str(row.annotation)
        text = " ".join(_prose(row.description).split())
        yield f"| `{label}` | {text.replace('|', chr(92) + '|')} |"
    yield ""


def _prose(text: str) -> str:
    """A docstring as Markdown: roles and double backticks become code, examples a block."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(
        r"^>>> .*?(?=\n\n|\Z)",
        lambda found: f"```pycon\n{found[0]}\n```",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


def _code(text: str) -> Iterator[str]:
    yield from ("```python", text, "```", "")
