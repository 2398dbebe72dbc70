"""Reads YAML as plain values with the line of each, and writes it.

Only the values of JSON are allowed: no anchors, aliases, tags or further documents, so a small file
cannot expand. Plain `yes`, `on`, `1:30` and dates are text.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import yaml

from licet_server.as_code.rules.model import Problem

MAX_BYTES = 1_000_000
_MAX_DEPTH = 10
_MAX_VALUES = 100_000
_NAME_SHOWN = 100
"""As in the paths of the API's problems."""

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?[0-9]{1,31}\.[0-9]{1,31}")
_WORDS: dict[str, Any] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


_CHARACTER = r"[\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
"""No control characters, ends of lines, surrogates or byte order marks."""
_NO_TEXT = re.compile(r"[\x00\ud800-\udfff]")
_PLAIN = re.compile(rf"(?:{_CHARACTER}|\n)*")
_BLOCK = re.compile(rf"\n*{_CHARACTER}(?:{_CHARACTER}*\n)+{_CHARACTER}*")
"""Text of several lines that can be written as such."""


class NotReadable(Exception):
    """The text is not YAML, or has something that is not allowed."""

    def __init__(self, line: int | None, problem: Problem) -> None:
        super().__init__(problem.message)
        self.line = line
        self.problem = problem


def read_yaml(text: str) -> tuple[Any, dict[str, int]]:
    """Return the value of a text, and the line of each path in it, from 1 on.

    Raises:
        NotReadable: with the line and the path.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise NotReadable(None, Problem("", f"The file has more than {MAX_BYTES:,} bytes."))
    reader = _Reader(text)
    try:
        return reader.read_document(), reader.lines
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark
        line = None if mark is None else mark.line + 1
        raise NotReadable(line, Problem("", f"This is not YAML: {fault.problem}.")) from None
    except (yaml.YAMLError, ValueError, OverflowError):  # the library lets escapes name anything
        message = "This is not YAML: it has a character that does not exist or is not allowed."
        raise NotReadable(None, Problem("", message)) from None


class _Reader:
    """Builds values from the parser's events, so that YAML cannot create other objects."""

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self._events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)
        self._values = 0

    def read_document(self) -> Any:
        value: Any = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _refusal(event, "", "A second document is not allowed.")
                value = self._value(next(self._events), "", 0)
        return value

    def _value(self, event: Any, path: str, depth: int) -> Any:
        self._require_plain(event, path, depth)
        self.lines.setdefault(path, event.start_mark.line + 1)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, depth)
        return _scalar(event)

    def _require_plain(self, event: Any, path: str, depth: int) -> None:
        self._values += 1
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise _refusal(event, path, "Anchors and aliases (& and *) are not allowed.")
        if event.tag is not None:
            raise _refusal(event, path, "Tags (!) are not allowed.")
        if depth > _MAX_DEPTH:
            raise _refusal(event, path, f"There are more than {_MAX_DEPTH} levels.")
        if self._values > _MAX_VALUES:
            raise _refusal(event, path, f"The file has more than {_MAX_VALUES:,} values.")
        if isinstance(event, yaml.ScalarEvent) and _NO_TEXT.search(event.value):
            raise _refusal(event, path, "has a character that no text may have (NUL, surrogates).")

    def _mapping(self, path: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            self._require_plain(event, path, depth)
            if not isinstance(event, yaml.ScalarEvent):
                raise _refusal(event, path, "The name of a field must be a text.")
            name = event.value
            inner = f"{path}.{name[:_NAME_SHOWN]}" if path else name[:_NAME_SHOWN]
            if name in found:
                raise _refusal(event, inner, "is there twice.")
            self.lines[inner] = event.start_mark.line + 1
            found[name] = self._value(next(self._events), inner, depth + 1)
        return found

    def _sequence(self, path: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            found.append(self._value(event, f"{path}[{len(found)}]", depth + 1))
        return found


def _scalar(event: Any) -> Any:
    """Return the value of a scalar; one in quotes is a text."""
    text: str = event.value
    if event.style is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return Decimal(text) if _DECIMAL.fullmatch(text) else text


def _refusal(event: Any, path: str, message: str) -> NotReadable:
    return NotReadable(event.start_mark.line + 1, Problem(path, message))


class _Dumper(yaml.SafeDumper):  # type: ignore[misc] # the library has no types
    """Writes decimals as numbers, text of several lines line by line, and indents lists."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)

    def analyze_scalar(self, scalar: str) -> Any:
        """Allow block style for texts with tabs or trailing spaces, which the library does not."""
        analysis = super().analyze_scalar(scalar)
        analysis.allow_block = _BLOCK.fullmatch(scalar) is not None
        return analysis


def _represent_text(dumper: Any, value: str) -> Any:
    style = None if _PLAIN.fullmatch(value) else '"'
    style = "|" if _BLOCK.fullmatch(value) else style
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _represent_decimal(dumper: Any, value: Decimal) -> Any:
    whole = value == value.to_integral_value()
    kind = "int" if whole else "float"
    text = f"{value.to_integral_value():f}" if whole else f"{value:f}"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", text)


_Dumper.add_representer(Decimal, _represent_decimal)
_Dumper.add_representer(str, _represent_text)


def write_yaml(value: Any) -> str:
    """Return the YAML of a value, which reads as the same value."""
    return str(yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100))
