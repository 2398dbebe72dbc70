"""The line that says how far a long task is."""

from io import StringIO

import pytest
from rich.console import Console

from licet_server.cli.progress import ProgressLine


def shown(*, is_terminal: bool) -> str:
    """What a task of 40 steps prints."""
    written = StringIO()
    progress = ProgressLine(Console(file=written, force_terminal=is_terminal, width=60))
    for number in range(40):
        progress(f"Selling: {number} of 40 customers", number / 40)
    progress.clear()
    return written.getvalue()


def test_progress_is_one_line_on_a_terminal_which_is_gone_at_the_end() -> None:
    said = shown(is_terminal=True)
    assert said.count("customers\r") == 40
    assert "\n" not in said
    assert said.endswith("\x1b[2K")


@pytest.mark.parametrize("eighth", range(8))
def test_progress_is_a_line_for_each_eighth_elsewhere(eighth: int) -> None:
    lines = shown(is_terminal=False).splitlines()
    assert len(lines) == 8
    assert lines[eighth] == f"· Selling: {eighth * 5} of 40 customers"
