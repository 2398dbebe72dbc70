"""Counts what an example has to do for its license: ``python examples/lines.py`` updates README.md.

A line is there for the license if it ends with the mark ``licet``, or is in a file that is about
nothing else. Blank lines, comments, docstrings and lone brackets are not counted.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
README = HERE / "README.md"
SUFFIXES = {".py", ".js", ".cjs", ".cs", ".html"}
WHOLE = {"licensing", "product"}
MARK = re.compile(r"(#|//|<!--) licet\b.*$")
_COMMENT = re.compile(r"^\s*(#|//|/\*|\*|<!--)")
_ROW = re.compile(r"^(\| \[([\w-]+)\]\([^)]*\) \|.*?\|)( *\d+ *\|){3}$", re.MULTILINE)


@dataclass(frozen=True)
class Count:
    """Lines of an example: all, those that are marked, and those of files about the license."""

    lines: int
    marked: int
    whole: int


def sources(example: Path) -> list[Path]:
    return sorted(path for path in example.iterdir() if path.suffix in SUFFIXES)


def is_whole(path: Path) -> bool:
    return path.stem.lower() in WHOLE


def code(path: Path) -> list[str]:
    """The lines of a file that are counted."""
    text = path.read_text(encoding="utf-8")
    left_out = _docstrings(text) if path.suffix == ".py" else set()
    return [
        line
        for number, line in enumerate(text.splitlines(), start=1)
        if number not in left_out
        and re.search(r"\w", MARK.sub("", line))
        and not _COMMENT.match(line)
    ]


def _docstrings(text: str) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def count(example: Path) -> Count:
    files = {path: code(path) for path in sources(example)}
    marked = [line for lines in files.values() for line in lines if MARK.search(line)]
    whole = [line for path, lines in files.items() if is_whole(path) for line in lines]
    return Count(sum(map(len, files.values())), len(marked), len(whole))


def updated(readme: str) -> str:
    """The page with the figures of today in its table."""

    def row(found: re.Match[str]) -> str:
        figures = count(HERE / found[2])
        return f"{found[1]} {figures.lines} | {figures.marked} | {figures.whole} |"

    return _ROW.sub(row, readme)


if __name__ == "__main__":
    README.write_text(updated(README.read_text()))
