"""What is printed, and kept in results/latest.md: tables, and figures against what they promise."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path


class Report:
    """Prints Markdown as it comes and remembers it."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def title(self, text: str) -> None:
        self._say(f"\n## {text}\n")

    def say(self, text: str) -> None:
        self._say(text)

    def table(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        self._row(names, widths)
        self._say("|" + "|".join("-" * (width + 2) for width in widths) + "|")
        for row in rows:
            self._row(row, widths)
        self._say("")

    def figure(self, name: str, value: str, promise: str, kept: bool) -> None:
        """One figure beside what was promised."""
        self._say(f"- {name}: **{value}** ({promise}): {'reached' if kept else 'SHORT'}")

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self._lines).lstrip("\n") + "\n")

    def _row(self, cells: Sequence[str], widths: Sequence[int]) -> None:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        self._say("| " + " | ".join(padded) + " |")

    def _say(self, text: str) -> None:
        print(text, flush=True)
        self._lines.append(text)


def machine() -> str:
    """What the figures were taken on, in one line."""
    system, version = platform.system(), platform.python_version()
    return (
        f"{os.cpu_count()} cores shared with other work, {system}, Python {version}. Figures are "
        "ratios of one run; absolute numbers hold for no other machine."
    )
