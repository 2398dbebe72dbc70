"""The printed report, kept in results/latest.md: tables, and results with their targets."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path


class Report:
    """Prints Markdown line by line and keeps it."""

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

    def figure(self, name: str, value: str, target: str, reached: bool) -> None:
        """Print a result with its target."""
        self._say(f"- {name}: **{value}** ({target}): {'reached' if reached else 'falls short'}")

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self._lines).lstrip("\n") + "\n")

    def _row(self, cells: Sequence[str], widths: Sequence[int]) -> None:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        self._say("| " + " | ".join(padded) + " |")

    def _say(self, text: str) -> None:
        print(text, flush=True)
        self._lines.append(text)


def machine(load_client: str) -> str:
    """Describe the machine and the load client in a line each."""
    system, version = platform.system(), platform.python_version()
    return (
        f"{os.cpu_count()} shared cores, {system}, Python {version}. Compare ratios only; absolute "
        f"numbers apply to this machine and run.\n\nLoad client: {load_client}."
    )
