"""A line that says in words how far a long task is."""

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType

_LINES = 8


class ProgressLine:
    """Says what is being done: in one line of a terminal, elsewhere in a few lines.

    Example:
        >>> progress = ProgressLine(Console())
        >>> progress("Reading the export: 400 of 800 licenses", 0.5)
        · Reading the export: 400 of 800 licenses
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said = -1

    def __call__(self, line: str, share: float) -> None:
        """Say a line; `share` is how much of the whole is done, from 0 to 1."""
        part = int(share * _LINES)
        if self._console.is_terminal:
            self.clear()
            self._console.print(
                f"· {line}", end="\r", markup=False, no_wrap=True, overflow="ellipsis"
            )
        elif part > self._said:
            self._console.print(f"· {line}", markup=False, soft_wrap=True)
        self._said = max(part, self._said)

    def clear(self) -> None:
        """Leave nothing of the line in a terminal, for what comes next."""
        if self._console.is_terminal and self._said >= 0:
            self._console.control(Control((ControlType.ERASE_IN_LINE, 2)))
