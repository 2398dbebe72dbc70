from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples import tryout
from examples.lines import HERE, MARK, README, code, count, is_whole, sources, updated

EXAMPLES = tryout.names()
OF_THE_LICENSE = re.compile(r"licen[cs]|licet|product(?!ion)", re.IGNORECASE)

APP = '''"""Text.

More."""

# A comment
import licet  # licet

def main():
    run(
    )
'''


def test_the_figures_in_the_readme_are_those_of_the_code() -> None:
    text = README.read_text()
    assert updated(text) == text, "`python examples/lines.py` updates the table"
    assert [name for name in EXAMPLES if f"| [{name}]({name}/README.md) |" not in text] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_line_that_is_there_for_the_license_is_counted(name: str) -> None:
    for path in sources(HERE / name):
        if not is_whole(path):
            unmarked = [line for line in code(path) if not MARK.search(line)]
            assert [line for line in unmarked if OF_THE_LICENSE.search(line)] == [], path
    assert count(HERE / name).marked > 0


def test_what_is_counted(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "product.js").write_text("// A comment\nexport const a = {\n};\n")
    figures = count(tmp_path)
    assert (figures.lines, figures.marked, figures.whole) == (4, 1, 1)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_says_what_it_is_and_how_to_run_it(name: str) -> None:
    text = (HERE / name / "README.md").read_text()
    assert text.startswith("# ")
    assert f"tryout.py {name} " in text
    assert "## Run it" in text
