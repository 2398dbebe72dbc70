"""Patterns of the sources: `$` also fits before a line break, so none may end with it."""

import re
from pathlib import Path

import pytest

import licet
import licet_server

_ENDS_WITH_DOLLAR = re.compile(r'(?:re\.(?:compile|match|search)\(|pattern=)r?f?["\'][^\n]*\$["\']')


@pytest.mark.parametrize("package", [licet_server, licet], ids=["server", "sdk"])
def test_no_pattern_takes_a_line_break_at_its_end(package: object) -> None:
    folder = Path(str(getattr(package, "__file__", ""))).parent
    found = [
        f"{path.relative_to(folder)}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if _ENDS_WITH_DOLLAR.search(line) and "MULTILINE" not in line
    ]
    assert found == []
