"""``python -m docsite.installs``: what installs this project by name alone.

No registry has these packages. There, a stranger could register the names, and whoever followed
the page would run the stranger's program.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from docsite.sources import ROOT, tracked_files

_OWN = r"@?licet(?:[-_.][a-z]+)*"
_END = r"(?:\[[\w,-]+\])?(?:(?:[=<>~!^@]+|@latest|:)[^\s'\"`]*)?(?=[\s'\"`;,)]|\.(?:\s|$)|$)"
_NAME = re.compile(rf"(?<![^\s'\"`]){_OWN}{_END}", re.IGNORECASE)
_INSTALLER = re.compile(
    r"\b(?:pipx? (?:install|run|download|upgrade|inject)|pip3 (?:install|download)"
    r"|uv (?:pip install|tool (?:install|run|upgrade)|add)|uvx|poetry add|conda install"
    r"|npx|(?:npm|pnpm|yarn|bun) (?:i|install|add|exec|create)"
    r"|dotnet (?:add(?: \S+)? package|tool install)|nuget install|Install-Package"
    r"|(?:docker|podman) pull)(?=\s)",
    re.IGNORECASE,
)
_DECLARED = re.compile(
    r"<PackageReference\s[^>]*Include=\"Licet(?:\.[A-Za-z]+)*\""
    r"|\"@?licet(?:[-/][a-z]+)*\": *\"[\^~>=<*\d]"
)
# --find-links alone still asks a registry.
_SOURCE = re.compile(r"--no-index\b|--(?:source|from)[= ]['\"]?\S*[./]")
_NOT_COMMANDS = (".json", ".lock", ".txt", ".po")
_LISTS_OF_PACKAGES = ("package.json", ".csproj")


def main() -> int:
    faults = [
        fault for name in sorted(tracked_files()) if _is_text(name) for fault in faults_of(name)
    ]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def faults_of(name: str) -> Iterator[str]:
    """A sentence for each place of a file that installs by name."""
    for line in faults_in((ROOT / name).read_text(encoding="utf-8", errors="replace")):
        yield f"{name}: installs by a name that is not published: {line}"


def faults_in(text: str) -> Iterator[str]:
    """Each line that installs a package of this project without saying from where."""
    for line in text.replace("\\\n", " ").splitlines():
        if _DECLARED.search(line) or any(map(_by_name, _INSTALLER.split(line)[1:])):
            yield line.strip()


def _by_name(arguments: str) -> bool:
    command = re.split(r"&&|\|\||[|;`]", arguments)[0]
    return bool(_NAME.search(command)) and not _SOURCE.search(command)


def _is_text(name: str) -> bool:
    if name.endswith(_LISTS_OF_PACKAGES):
        return True
    tests = "/tests/" in name
    return not tests and not name.endswith((*_NOT_COMMANDS, ".png", ".svg", ".webp", ".woff2"))


if __name__ == "__main__":
    sys.exit(main())
