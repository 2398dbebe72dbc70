"""The printed report, kept in results/latest.md: tables, and results with their targets."""

import csv
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path


class Report:
    """Prints Markdown line by line and keeps it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._figures: list[tuple[str, str, str, str]] = []
        self._title = ""

    def title(self, text: str) -> None:
        self._title = text
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
        outcome = "reached" if reached else "falls short"
        self._figures.append((self._title, name, value, outcome))
        self._say(f"- {name}: **{value}** ({target}): {outcome}")

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self._lines).lstrip("\n") + "\n")

    def remember(self, folder: Path, state: str) -> None:
        """Add the results to those of earlier runs on hosts like this one.

        `state` says which sources were measured, and when.
        """
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{host()}.csv").open("a", newline="") as file:
            csv.writer(file).writerows((state, *figure) for figure in self._figures)

    def _row(self, cells: Sequence[str], widths: Sequence[int]) -> None:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        self._say("| " + " | ".join(padded) + " |")

    def _say(self, text: str) -> None:
        print(text, flush=True)
        self._lines.append(text)


def host() -> str:
    """Return the kind of this host: its processor and number of cores."""
    found = re.search(r"model name\s*: (.+)", _processors())
    name = found[1] if found else platform.machine()
    return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}-{os.cpu_count()}-cores"


def _processors() -> str:
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:  # not on every system
        return ""


def machine(load_client: str) -> str:
    """Describe the machine and the load client in a line each."""
    system, version = platform.system(), platform.python_version()
    return (
        f"{os.cpu_count()} shared cores, {system}, Python {version}. Compare ratios only; absolute "
        f"numbers apply to this machine and run.\n\nLoad client: {load_client}."
    )
